// SPDX-License-Identifier: MIT
// Bends the rectangle of the glTF tutorial, built in memory, by a palette of our own: only `prepare` and `run`, no file.
#include <cstdio>
#include <vector>

#include "sinew/deform.hpp"
#include "sinew/result.hpp"

int main() {
  std::vector<float> positions;
  std::vector<float> weights;
  std::vector<std::uint8_t> joints;
  for (int vertex = 0; vertex < 10; ++vertex) {
    const float upper = 0.25f * static_cast<float>(vertex / 2);
    positions.insert(positions.end(), {vertex % 2 ? 0.5f : -0.5f, 0.5f * static_cast<float>(vertex / 2), 0.0f});
    weights.insert(weights.end(), {1.0f - upper, upper, 0.0f, 0.0f});
    joints.insert(joints.end(), {0, 1, 0, 0});
  }
  sinew::VertexBlock block;
  block.vertices = 10;
  block.attributes.emplace_back().semantic = sinew::Semantic::position;
  block.attributes.back().values = sinew::Array::own(std::move(positions), 3);
  block.influences.sets.push_back({sinew::Array::own(std::move(joints), 4), sinew::Array::own(std::move(weights), 4)});
  sinew::Mesh mesh;
  mesh.blocks.push_back(std::move(block));

  const auto prepared = sinew::deform::prepare(mesh, 3, {.slots = 2});
  if (!prepared) {
    std::fprintf(stderr, "%s\n", prepared.error().line().c_str());
    return 1;
  }

  // The upper joint stands at (0, 1, 0), turned by 90 degrees from x to y; third comes the map of the mesh's own node.
  const double turned[] = {0, 1, 0, -1, 0, 0, 0, 0, 1, 1, 1, 0};
  sinew::deform::Palette palette(3);
  for (const sinew::Affine& map : {sinew::Affine(3), sinew::Affine(3, turned), sinew::Affine(3)})
    if (!palette.push_back(map)) return 1;

  std::vector<float> out(prepared->vertices() * 3);
  sinew::deform::run(*prepared, palette, {}, {0, prepared->vertices()},
                     {.positions = {out.data(), prepared->vertices(), 3}, .normals = {}, .tangents = {}});

  std::printf("sinew %.*s\n", static_cast<int>(sinew::version().size()), sinew::version().data());
  for (const std::size_t vertex : {4u, 6u, 9u})
    std::printf("%zu: %.4f %.4f %.4f\n", vertex, out[3 * vertex], out[3 * vertex + 1], out[3 * vertex + 2]);
  return 0;
}
