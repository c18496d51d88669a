// SPDX-License-Identifier: MIT
// Compiled with -O3 -march=native by each compiler. PIPELINE_COMPILER: by_gcc or by_clang.
#include "pipeline.hpp"

#include <algorithm>
#include <cmath>

namespace pipeline::PIPELINE_COMPILER {

namespace {

/// Finds the keys around a time: moves the cursor by one or two steps if time advances steadily.
float advance(Track& track, float seconds) {
  const std::vector<float>& times = track.times;
  std::size_t& cursor = track.cursor;
  while (cursor > 0 && times[cursor] > seconds) --cursor;
  while (cursor + 2 < times.size() && times[cursor + 1] <= seconds) ++cursor;
  return std::clamp((seconds - times[cursor]) / (times[cursor + 1] - times[cursor]), 0.0F, 1.0F);
}

void lerp(Track& track, float seconds, float* out) {
  const float t = advance(track, seconds);
  const float *from = &track.values[3 * track.cursor], *to = from + 3;
  for (std::size_t i = 0; i < 3; ++i) out[i] = from[i] + t * (to[i] - from[i]);
}

void slerp(Track& track, float seconds, float* out) {
  const float t = advance(track, seconds);
  const float *from = &track.values[4 * track.cursor], *to = from + 4;
  float dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
  const float sign = dot < 0 ? -1.0F : 1.0F;
  dot = std::min(dot * sign, 1.0F);
  float a = 1 - t, b = t;
  if (dot < 0.9995F) {
    const float angle = std::acos(dot), sine = std::sin(angle);
    a = std::sin(angle * a) / sine;
    b = std::sin(angle * b) / sine;
  }
  for (std::size_t i = 0; i < 4; ++i) out[i] = a * from[i] + b * sign * to[i];
}

void matrix_of(const float* t, const float* q, const float* s, float* m) {
  const float x = q[0], y = q[1], z = q[2], w = q[3];
  const float columns[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                            2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                            2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 3; ++i) m[3 * j + i] = s[j] * columns[3 * j + i];
  for (std::size_t i = 0; i < 3; ++i) m[9 + i] = t[i];
}

template <std::size_t stride>
void multiply(const float* a, const float* b, float* out) {
  for (std::size_t j = 0; j < 4; ++j)
    for (std::size_t i = 0; i < 3; ++i)
      out[stride * j + i] = a[i] * b[3 * j] + a[3 + i] * b[3 * j + 1] + a[6 + i] * b[3 * j + 2] + (j == 3 ? a[9 + i] : 0);
}

}  // namespace

void sample(Character& character, float seconds) {
  for (std::size_t j = 0; j < character.joints.size(); ++j) {
    Joint& joint = character.joints[j];
    float t[3], q[4], s[3], local[12];
    lerp(joint.translation, seconds, t);
    slerp(joint.rotation, seconds, q);
    lerp(joint.scale, seconds, s);
    float* world = &character.world[12 * j];
    matrix_of(t, q, s, joint.parent < 0 ? world : local);
    if (joint.parent >= 0) multiply<3>(&character.world[12 * static_cast<std::size_t>(joint.parent)], local, world);
    multiply<4>(world, joint.inverse_bind, &character.palette[16 * j]);
  }
}

void skin(const Character& character, float* out) {
  for (std::size_t v = 0; v < character.positions.size() / 3; ++v) {
    const float *p = &character.positions[3 * v], *w = &character.weights[4 * v];
    const std::uint8_t* slot = &character.slots[4 * v];
    float m[16];
    for (std::size_t i = 0; i < 16; ++i)
      m[i] = w[0] * character.palette[16 * slot[0] + i] + w[1] * character.palette[16 * slot[1] + i] +
             w[2] * character.palette[16 * slot[2] + i] + w[3] * character.palette[16 * slot[3] + i];
    for (std::size_t i = 0; i < 3; ++i) out[3 * v + i] = m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i];
  }
}

}  // namespace pipeline::PIPELINE_COMPILER
