// SPDX-License-Identifier: MIT
#include "unit/g4mf/builder.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "g4mf/check/check.hpp"

namespace sinew::g4mf::test {

namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("sinew-test-g4mf-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

std::string base64(const std::vector<std::byte>& bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

Outcome read_text(const std::string& text, const How& how) {
  static const Folder folder;
  const std::filesystem::path path = folder.path / how.name;
  // Does not truncate first: freeing and allocating the blocks takes longer than everything else.
  if (!std::filesystem::exists(path)) std::ofstream(path, std::ios::binary);
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << text;
  std::filesystem::resize_file(path, text.size());
  FindingList findings;
  document::OpenOptions options;
  options.limits = how.limits;
  auto document = document::open(path, options, findings);
  if (!document) return {Unexpected(document.error()), findings.list()};
  Result<Model> model = how.check ? check(*document, findings, how.options) : read(*document, findings, how.options);
  return {std::move(model), findings.list()};
}

std::size_t Builder::view(const void* data, std::size_t size) {
  bytes.resize((bytes.size() + 15) / 16 * 16);
  const Json view = {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", size}};
  const auto* first = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), first, first + size);
  return add("bufferViews", view);
}

std::size_t Builder::accessor_of(std::size_t view, const std::string& component, std::size_t width) {
  return add("accessors", {{"bufferView", view}, {"componentType", component}, {"vectorSize", width}});
}

std::size_t Builder::add(const char* array, Json value) {
  json[array].push_back(std::move(value));
  return json[array].size() - 1;
}

std::size_t Builder::add_node(Json value, std::size_t parent) {
  if (!json.contains("nodes")) add("nodes", Json::object());
  const std::size_t index = add("nodes", std::move(value));
  json["nodes"][parent]["children"].push_back(index);
  return index;
}

std::string Builder::text() const {
  Json whole = json;
  if (!bytes.empty() && !whole.contains("buffers"))
    whole["buffers"].push_back({{"byteLength", bytes.size()}, {"uri", "data:application/octet-stream;base64," + base64(bytes)}});
  return whole.dump();
}

Builder simplex(std::size_t dimension) {
  Builder b(dimension);
  const std::size_t corners = std::max<std::size_t>(dimension, 3);
  std::vector<float> vertices(corners * dimension, 0.0F);
  for (std::size_t i = 1; i < corners && i - 1 < dimension; ++i) vertices[i * dimension + i - 1] = 1;
  std::vector<std::uint16_t> indices(corners);
  for (std::size_t i = 0; i < corners; ++i) indices[i] = static_cast<std::uint16_t>(i);
  b.accessor(vertices, dimension);
  b.accessor(indices, corners);
  b.add("meshes", {{"vertices", 0}, {"surfaces", {{{"simplexes", 1}}}}});
  b.add_node({{"meshInstance", {{"mesh", 0}}}});
  return b;
}

Builder arm() {
  Builder b(4);
  b.accessor<float>({0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}, 4);
  b.accessor<std::uint16_t>({0, 1, 1, 2}, 2);
  b.accessor<std::uint8_t>({0, 1, 0, 1});
  b.accessor<std::uint8_t>({0, 1, 1, 2});
  b.accessor<float>({1, 0.75F, 0.25F, 1});
  b.add("meshes",
        {{"name", "Chain"}, {"vertices", 0}, {"surfaces", {{{"edges", 1}}}}, {"skin", {{"groups", 2}, {"vertices", 3}, {"weights", 4}}}});
  b.add_node({{"name", "Arm"}, {"skeleton", {{"joints", {3, 4}}}}});
  b.add_node({{"name", "Skin"}, {"meshInstance", {{"mesh", 0}}}}, 1);
  b.add_node({{"name", "Upper"}, {"bone", {{"length", 1}}}}, 1);
  b.add_node({{"name", "Lower"}, {"bone", {{"length", 1}}}, {"position", {1, 0, 0, 0}}}, 3);
  b.json["nodes"][1]["children"] = {3, 2};
  return b;
}

namespace {

// Vertices 0 and simplexes 1, edges 2, normals 3 (6), texture maps 4 (6) and 5 (8); targets from 6 on.
Builder square() {
  Builder b(3);
  b.accessor<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, 3);
  b.accessor<std::uint8_t>({0, 1, 2, 0, 2, 3}, 3);
  b.accessor<std::uint8_t>({0, 1, 1, 2, 2, 3, 3, 0}, 2);
  b.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, 3);
  b.accessor<float>({0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1}, 2);
  b.accessor<float>({0, 1, 1, 2, 2, 3, 3, 4}, 1);
  return b;
}

}  // namespace

Builder blended() {
  Builder b = square();
  const Json target_position = {{"indices", b.accessor<std::uint8_t>({3})}, {"offsets", b.accessor<float>({0, 0, 5}, 3)}};
  const Json target_normal = {{"indices", b.accessor<std::uint16_t>({5, 0})}, {"offsets", b.accessor<float>({1, 0, 0, 0, 1, 0}, 3)}};
  const Json target_map = {{"indices", b.accessor<std::uint32_t>({6, 13})}, {"offsets", b.accessor<float>({8, 9}, 1)}};
  const Json near = {{"position", target_position}, {"normal", target_normal}, {"name", "Near"}},
             far = {{"textureMap", target_map}, {"name", "Far"}};
  b.add("materials", {{"name", "Red"}});
  b.add("meshes", {{"vertices", 0},
                   {"surfaces",
                    {{{"simplexes", 1}, {"normals", 3}, {"textureMap", 4}, {"material", 0}, {"polytopeSimplexes", true}},
                     {{"edges", 2}, {"textureMap", 5}}}},
                   {"blend", {{"shapes", {near, far}}, {"amounts", {0.5, 0}}}}});
  b.add_node({{"meshInstance", {{"mesh", 0}, {"blendAmounts", {0.25, 2}}, {"materials", {-1, 0}}}}});
  b.add_node({{"meshInstance", {{"mesh", 0}}}, {"visible", false}});
  return b;
}

Builder bound() {
  Builder b = square();
  const std::size_t values = b.accessor<float>({0, 0, 1, 0, 1, 0}, 3), rows = b.accessor<std::uint8_t>({0, 0, 1, 0, 1, 1}, 3);
  const std::size_t each = b.accessor<std::uint8_t>({1, 0}), map = b.accessor<float>({0.5F, 0.25F, 7, 8}, 2);
  const std::size_t faces = b.accessor<std::uint8_t>({4, 0, 1, 2, 3}), around = b.accessor<std::uint8_t>({4, 1, 1, 0, 0});
  const Json target = {{"indices", b.accessor<std::uint8_t>({1})}, {"offsets", b.accessor<float>({0, 0, 3}, 3)}};
  const Json normals = {
      {"values", values}, {"simplexes", rows}, {"geometry", {{{"accessor", around}, {"geometryDimension", 2}, {"decomposeDimension", 0}}}}};
  b.add("meshes", {{"vertices", 0},
                   {"surfaces",
                    {{{"simplexes", 1},
                      {"edges", 2},
                      {"geometry", {faces}},
                      {"seams", b.accessor<std::uint8_t>({1, 3})},
                      {"normals", normals},
                      {"textureMap", {{"values", map}, {"perSimplex", each}}}}}},
                   {"blend", {{"shapes", {{{"name", "Up"}, {"surfaces", {{{"surface", 0}, {"normal", target}}}}}}}}}});
  b.add_node({{"meshInstance", {{"mesh", 0}}}});
  return b;
}

Builder cube() {
  Builder b(4);
  std::vector<float> corners;
  for (unsigned i = 0; i < 8; ++i)
    corners.insert(corners.end(), {static_cast<float>(i & 1), static_cast<float>(i >> 1 & 1), static_cast<float>(i >> 2), 0});
  b.accessor(corners, 4);
  //                             0     1     2     3     4     5     6     7     8     9     10    11
  b.accessor<std::uint8_t>({0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 3, 7, 2, 6}, 2);
  b.accessor<std::uint8_t>({4, 0, 1, 2, 3, 4, 4, 5, 6, 7, 4, 0, 9, 4, 8, 4, 1, 10, 5, 9, 4, 2, 11, 6, 10, 4, 3, 8, 7, 11});
  b.accessor<std::uint8_t>({6, 0, 2, 1, 3, 4, 5});
  std::vector<float> normals(8 * 4, 0.0F);
  for (std::size_t i = 0; i < 8; ++i) normals[4 * i + 3] = 1;
  b.accessor(normals, 4);
  b.accessor<std::uint16_t>({0, 5});
  b.accessor<std::uint8_t>({7});
  b.accessor<float>({0, 0, 1, 0}, 4);
  const Json topology = {{"geometry", {2, 3}}, {"normals", 4}, {"seams", 5}};
  const Json shape = {{"name", "Tilt"}, {"topologyNormal", {{"indices", 6}, {"offsets", 7}}}};
  b.add("meshes", {{"vertices", 0}, {"surfaces", {{{"edges", 1}, {"topology", topology}}}}, {"blend", {{"shapes", {shape}}}}});
  b.add_node({{"meshInstance", {{"mesh", 0}}}});
  return b;
}

}  // namespace sinew::g4mf::test
