// SPDX-License-Identifier: MIT
// Deforms one small fixed mesh, so that instructions can be counted: kernels CASE KERNEL. Prints the kernel's name ("" chooses the best).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sinew/deform.hpp"

namespace {

constexpr std::size_t vertices = 1000;  // no multiple of what a kernel takes at once
constexpr std::size_t joints = 16;

struct Case {
  const char* name;
  std::size_t dimension;
  bool normals;
  std::size_t shapes;
};
constexpr Case cases[] = {{"positions", 3, false, 0}, {"normals", 3, true, 0}, {"blend", 3, false, 4}, {"positions-4d", 4, false, 0}};

class Random {
 public:
  float operator()() { return static_cast<float>(engine_() >> 8) / 16777216.0F; }  // the same everywhere, below 1
  std::uint8_t joint() { return static_cast<std::uint8_t>(engine_() % joints); }
  std::vector<float> list(std::size_t size) {
    std::vector<float> values(size);
    for (float& value : values) value = (*this)();
    return values;
  }

 private:
  std::mt19937 engine_{20261122};
};

sinew::Attribute attribute(sinew::Semantic semantic, std::vector<float> values, std::size_t width) {
  sinew::Attribute out;
  out.semantic = semantic;
  out.values = sinew::Array::own(std::move(values), width);
  return out;
}

sinew::Mesh make_mesh(const Case& what, Random& random) {
  const std::size_t n = what.dimension;
  sinew::VertexBlock block;
  block.vertices = vertices;
  block.attributes.push_back(attribute(sinew::Semantic::position, random.list(vertices * n), n));
  block.attributes.push_back(attribute(sinew::Semantic::normal, random.list(vertices * n), n));
  sinew::Mesh mesh;
  for (std::size_t shape = 0; shape < what.shapes; ++shape) {
    mesh.shapes.emplace_back();
    sinew::Offsets offsets;
    offsets.shape = static_cast<sinew::Index>(shape);
    offsets.values = sinew::Array::own(random.list(vertices * n), n);
    block.attributes[0].offsets.push_back(std::move(offsets));
  }
  std::vector<std::uint8_t> slots;
  std::vector<float> weights;
  for (std::size_t i = 0; i < vertices * 4; ++i) {
    slots.push_back(random.joint());
    weights.push_back(0.25F);
  }
  block.influences.sets.push_back({sinew::Array::own(std::move(slots), 4), sinew::Array::own(std::move(weights), 4)});
  mesh.blocks.push_back(std::move(block));
  return mesh;
}

sinew::deform::Palette make_palette(std::size_t n, Random& random) {
  sinew::deform::Palette palette(n);
  for (std::size_t j = 0; j <= joints; ++j) {
    std::vector<double> columns((n + 1) * n);
    for (double& value : columns) value = static_cast<double>(random());
    for (std::size_t i = 0; i < n; ++i) columns[i * n + i] += 1;
    if (!palette.push_back(sinew::Affine(n, columns))) std::abort();
  }
  return palette;
}

int count(const Case& what, const char* kernel) {
  Random random;
  sinew::deform::PrepareOptions options;
  options.normals = what.normals;
  options.slots = joints;
  options.kernel = kernel;
  const auto prepared = sinew::deform::prepare(make_mesh(what, random), what.dimension, options);
  if (!prepared) {
    std::fprintf(stderr, "%s\n", prepared.error().message.c_str());
    return prepared.error().failure == sinew::Failure::unsupported ? 5 : 1;
  }
  std::vector<float> positions(vertices * what.dimension), normals(positions.size());
  sinew::deform::Output out;
  out.positions = {positions.data(), vertices, what.dimension};
  if (what.normals) out.normals = {normals.data(), vertices, what.dimension};
  const std::vector<double> amounts(what.shapes, 0.5);
  sinew::deform::run(*prepared, make_palette(what.dimension, random), amounts, {0, vertices}, out);
  std::printf("%s\n", std::string(prepared->kernel()).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    for (const Case& what : cases) std::printf("%s\n", what.name);
    return 0;
  }
  for (const Case& what : cases)
    if (argc == 3 && std::strcmp(argv[1], what.name) == 0) return count(what, argv[2]);
  std::fputs("usage: kernels [CASE KERNEL]\n", stderr);
  return 2;
}
