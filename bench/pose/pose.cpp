// SPDX-License-Identifier: MIT
// Measures how many poses per second the library computes, from a clip and a time to deformed vertices. The character has 64 joints, each
// with a translation, a rotation and a scale of 31 keys. The baseline is a careful pipeline in float (pipeline.hpp). Both alternate within
// milliseconds.
//   bench_pose [rounds]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <random>

#include "../clock.hpp"
#include "pipeline.hpp"

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"
#include "sinew/model.hpp"
#include "sinew/sinew.hpp"

namespace {

using bench::now;

constexpr std::size_t joint_count = 64, key_count = 31;

class Numbers {
 public:
  float between(double low, double high) { return static_cast<float>(low + (high - low) * static_cast<double>(engine_()) / 4294967296.0); }
  std::size_t below(std::size_t end) { return engine_() % end; }

 private:
  std::mt19937 engine_{20261124};
};

/// Rotations change by up to 17° from key to key.
pipeline::Track make_track(std::size_t width, Numbers& numbers) {
  pipeline::Track track;
  std::vector<float> now(width);
  for (float& value : now) value = width == 4 ? numbers.between(-1, 1) : 1;
  for (std::size_t key = 0; key < key_count; ++key) {
    track.times.push_back(static_cast<float>(key) / 30);
    float squares = 0;
    for (float& value : now) {
      value += numbers.between(-0.07, 0.07);
      squares += value * value;
    }
    for (float& value : now) {
      if (width == 4) value /= std::sqrt(squares);
      track.values.push_back(value);
    }
  }
  return track;
}

pipeline::Character make_character(std::size_t vertices) {
  Numbers numbers;
  pipeline::Character out;
  for (std::size_t j = 0; j < joint_count; ++j) {
    pipeline::Joint& joint = out.joints.emplace_back();
    joint.parent = j == 0 ? -1 : static_cast<std::int32_t>(j - 1 - numbers.below(std::min<std::size_t>(j, 8)));
    joint.translation = make_track(3, numbers);
    for (float& value : joint.translation.values) value = 0.1F * (value - 1);
    joint.rotation = make_track(4, numbers);
    joint.scale = make_track(3, numbers);
    for (float& value : joint.scale.values) value = 1 + 0.05F * (value - 1);
    for (std::size_t i = 0; i < 12; ++i) joint.inverse_bind[i] = (i % 4 == 0 ? 1 : 0) + numbers.between(-0.1, 0.1);
  }
  for (std::size_t v = 0; v < vertices; ++v) {
    float weight[4], sum = 0;
    for (float& w : weight) sum += w = numbers.between(0.05, 1);
    for (const float w : weight) {
      out.weights.push_back(w / sum);
      out.slots.push_back(static_cast<std::uint8_t>(numbers.below(joint_count)));
    }
    for (std::size_t i = 0; i < 3; ++i) out.positions.push_back(numbers.between(-1, 1));
  }
  out.world.resize(12 * joint_count);
  out.palette.resize(16 * joint_count);
  return out;
}

/// `shared`: all tracks share one list of times, as most exporters write it; otherwise each has its own.
sinew::Model make_model(const pipeline::Character& character, bool shared) {
  using namespace sinew;
  Model model;
  model.nodes.resize(joint_count + 1);
  model.rest_pose.locals.resize(joint_count + 1);
  model.rest_pose.amounts.resize(joint_count + 1);
  model.nodes[joint_count].mesh = model.nodes[joint_count].skin = 0;
  Skin& skin = model.skins.emplace_back();
  skin.bind = Skin::Bind::matrices;
  Clip& clip = model.clips.emplace_back();
  clip.duration = 1;
  const Array times = Array::own(character.joints[0].translation.times, 1);
  for (Index j = 0; j < joint_count; ++j) {
    const pipeline::Joint& joint = character.joints[j];
    if (joint.parent >= 0) {
      model.nodes[j].parent = static_cast<Index>(joint.parent);
      model.nodes[model.nodes[j].parent].children.push_back(j);
    }
    skin.slots.push_back(j);
    skin.joint_from_mesh.emplace_back(3, std::vector<double>(joint.inverse_bind, joint.inverse_bind + 12));
    const auto add = [&](TrackPath path, const pipeline::Track& from, std::size_t width) {
      Track& track = clip.tracks.emplace_back();
      track.node = j;
      track.path = path;
      track.quaternions = width == 4;
      track.times = shared ? times : Array::own(from.times, 1);
      track.values = Array::own(from.values, width);
    };
    add(TrackPath::translation, joint.translation, 3);
    add(TrackPath::rotation, joint.rotation, 4);
    add(TrackPath::scale, joint.scale, 3);
  }
  VertexBlock& block = model.meshes.emplace_back().blocks.emplace_back();
  block.vertices = character.positions.size() / 3;
  Attribute& position = block.attributes.emplace_back();
  position.semantic = Semantic::position;
  position.values = Array::own(character.positions, 3);
  block.influences.sets.push_back({Array::own(character.slots, 4), Array::own(character.weights, 4)});
  return model;
}

template <class Work>
double seconds_of(bool wall, const Work& work) {
  const double start = now(wall);
  work();
  return now(wall) - start;
}

struct Median {
  std::vector<double> values;
  double at(double part) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  }
};

void measure(std::size_t vertices, bool shared, std::size_t rounds) {
  pipeline::Character character = make_character(vertices);
  auto deformer = sinew::Deformer::create(make_model(character, shared));
  if (!deformer) return static_cast<void>(std::fprintf(stderr, "%s\n", deformer.error().message.c_str()));
  constexpr std::size_t poses = 256;
  std::vector<double> times(poses);
  for (std::size_t i = 0; i < poses; ++i) times[i] = 0.999 * static_cast<double>(i) / poses;
  std::vector<float> expected(poses * vertices * 3), found(expected.size());
  const auto by_hand = [&](pipeline::Sample sample, pipeline::Skin skin) {
    for (std::size_t i = 0; i < poses; ++i) {
      sample(character, static_cast<float>(times[i]));
      skin(character, &expected[i * vertices * 3]);
    }
  };
  const auto one_call = [&](unsigned threads) {
    if (!deformer->positions(0, times, found, threads)) std::exit(1);
  };
  // A pose at a time: for programs that change the pose after sampling.
  const sinew::Model& model = *deformer->model();
  sinew::Pose pose = model.rest();
  const auto each = [&] {
    for (std::size_t i = 0; i < poses; ++i) {
      if (!sinew::animate::sample(model, model.clips[0], times[i], pose)) std::abort();
      if (!deformer->positions(pose, std::span(found).subspan(i * vertices * 3, vertices * 3), 1)) std::exit(1);
    }
  };
  by_hand(pipeline::by_gcc::sample, pipeline::by_gcc::skin);
  const auto check = [&] {
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!(std::abs(found[i] - expected[i]) < 5e-3F * (1 + std::abs(expected[i])))) {
        std::fprintf(stderr, "number %zu: %g, expected %g\n", i, static_cast<double>(found[i]), static_cast<double>(expected[i]));
        std::exit(1);
      }
  };
  each();
  check();
  one_call(0);
  check();
  Median hand_us, each_ratio, call_ratio, threads_ratio, call_us;
  for (std::size_t round = 0; round < rounds; ++round) {
    double hand = seconds_of(false, [&] { by_hand(pipeline::by_gcc::sample, pipeline::by_gcc::skin); });
#ifdef PIPELINE_CLANG
    hand = std::min(hand, seconds_of(false, [&] { by_hand(pipeline::by_clang::sample, pipeline::by_clang::skin); }));
#endif
    hand_us.values.push_back(hand / poses * 1e6);
    each_ratio.values.push_back(hand / seconds_of(false, each));
    const double call = seconds_of(false, [&] { one_call(1); });
    call_us.values.push_back(call / poses * 1e6);
    call_ratio.values.push_back(hand / call);
    const double one = seconds_of(true, [&] { one_call(1); });
    threads_ratio.values.push_back(one / seconds_of(true, [&] { one_call(0); }));
  }
  const auto print = [](const char* what, Median& m) { std::printf("  %s %5.2f [%5.2f %5.2f]", what, m.at(0.5), m.at(0.1), m.at(0.9)); };
  std::printf("%5zu vertices, %-12s by hand %6.2f us, library %6.2f us |", vertices, shared ? "shared times" : "own times", hand_us.at(0.5),
              call_us.at(0.5));
  print("a pose at a time", each_ratio);
  print("one call", call_ratio);
  print("all threads/one", threads_ratio);
  std::printf("\n");
}

/// From poses to palettes by the two calls of C++ that programs with a pose of their own use, against the pipeline without skinning, which
/// also samples.
void measure_two_calls(std::size_t rounds) {
  pipeline::Character character = make_character(16);
  const sinew::Model model = make_model(character, true);
  constexpr std::size_t poses = 256, kept = 16;  // a program has just written the pose: it is in the cache
  std::vector<sinew::Pose> sampled(kept, model.rest());
  for (std::size_t i = 0; i < kept; ++i)
    if (!sinew::animate::sample(model, model.clips[0], 0.999 * static_cast<double>(i) / kept, sampled[i])) std::abort();
  const auto by_hand = [&](pipeline::Sample sample) {
    for (std::size_t i = 0; i < poses; ++i) sample(character, 0.999F * static_cast<float>(i) / poses);
  };
  const sinew::Instance instance{static_cast<sinew::Index>(joint_count), 0, 0, true, 0};
  sinew::deform::Palette palette(3);
  const auto by_calls = [&] {
    for (std::size_t i = 0; i < poses; ++i) {
      const auto world = sinew::world_transforms(model, sampled[i % kept]);
      if (!world || !sinew::deform::palette(model, instance, *world, {}, palette)) std::abort();
    }
  };
  Median hand_us, calls_us, ratio;
  for (std::size_t round = 0; round < rounds; ++round) {
    double hand = seconds_of(false, [&] { by_hand(pipeline::by_gcc::sample); });
#ifdef PIPELINE_CLANG
    hand = std::min(hand, seconds_of(false, [&] { by_hand(pipeline::by_clang::sample); }));
#endif
    const double calls = seconds_of(false, by_calls);
    hand_us.values.push_back(hand / poses * 1e6);
    calls_us.values.push_back(calls / poses * 1e6);
    ratio.values.push_back(hand / calls);
  }
  std::printf("world_transforms and palette: by hand %6.2f us, library %6.2f us | %5.2f [%5.2f %5.2f]\n", hand_us.at(0.5), calls_us.at(0.5),
              ratio.at(0.5), ratio.at(0.1), ratio.at(0.9));
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rounds = argc > 1 ? static_cast<std::size_t>(std::max(1, std::atoi(argv[1]))) : 21;
  measure_two_calls(rounds);
  for (const bool shared : {true, false})
    for (const std::size_t vertices : std::initializer_list<std::size_t>{16, 2'000, 10'000}) measure(vertices, shared, rounds);
}
