// SPDX-License-Identifier: MIT
#include "unit/gltf/builder.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gltf/check/check.hpp"
#include "gltf/read/read.hpp"

namespace sinew::gltf::test {

namespace {

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

void append(std::string& text, std::uint32_t value) { text.append(reinterpret_cast<const char*>(&value), sizeof value); }

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("sinew-test-gltf-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

Result<std::shared_ptr<const document::Document>> open_text(const std::string& text, const Limits& limits, const std::string& name,
                                                            FindingSink& findings) {
  static const Folder folder;
  const std::filesystem::path path = folder.path / name;
  std::filesystem::remove(path);  // overwriting in place would flush to disk each time on some file systems
  std::ofstream(path, std::ios::binary) << text;
  document::OpenOptions options;
  options.limits = limits;
  return document::open(path, options, findings);
}

}  // namespace

Outcome read_text(const std::string& text, const Limits& limits, const std::string& name) {
  FindingList findings;
  auto document = open_text(text, limits, name, findings);
  if (!document) return {Unexpected(document.error()), findings.list()};
  Result<Model> model = read(std::move(*document), findings);
  return {std::move(model), findings.list()};
}

std::vector<Finding> check_text(const std::string& text, const std::string& name) {
  FindingList findings;
  if (auto document = open_text(text, {}, name, findings)) static_cast<void>(check(std::move(*document), findings));
  return findings.list();
}

std::size_t Builder::width(const std::string& type) {
  return type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : type == "VEC4" || type == "MAT2" ? 4 : type == "MAT3" ? 9 : 16;
}

std::size_t Builder::view(const void* data, std::size_t size, std::size_t stride) {
  bytes.resize((bytes.size() + 3) / 4 * 4);
  Json view = {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", size}};
  if (stride != 0) view["byteStride"] = stride;
  const auto* first = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), first, first + size);
  return add("bufferViews", view);
}

std::size_t Builder::accessor_of(std::size_t view, int component, std::size_t count, const char* type) {
  return add("accessors", {{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}});
}

std::size_t Builder::add(const char* array, Json value) {
  json[array].push_back(std::move(value));
  return json[array].size() - 1;
}

std::string Builder::text() const {
  Json whole = json;
  if (!bytes.empty() && !whole.contains("buffers"))
    whole["buffers"].push_back({{"byteLength", bytes.size()}, {"uri", "data:application/octet-stream;base64," + base64(bytes)}});
  return whole.dump();
}

std::string Builder::glb() const {
  Json whole = json;
  whole["buffers"].push_back({{"byteLength", bytes.size()}});
  std::string text = whole.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string chunk(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  chunk.resize((chunk.size() + 3) / 4 * 4, '\0');
  std::string file = "glTF";
  append(file, 2);
  append(file, static_cast<std::uint32_t>(28 + text.size() + chunk.size()));
  append(file, static_cast<std::uint32_t>(text.size()));
  file += "JSON" + text;
  append(file, static_cast<std::uint32_t>(chunk.size()));
  file.append("BIN\0", 4);
  return file + chunk;
}

Builder triangle() {
  Builder b;
  const auto position = b.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  b.json["accessors"][position]["min"] = {0, 0, 0};
  b.json["accessors"][position]["max"] = {1, 1, 0};
  b.add("meshes", {{"primitives", {{{"attributes", {{"POSITION", position}}}}}}});
  b.add("nodes", {{"mesh", 0}});
  b.add("scenes", {{"nodes", {0}}});
  return b;
}

Builder skinned() {
  Builder b;
  const auto position = b.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, "VEC3");
  b.json["accessors"][position]["min"] = {0, 0, 0};
  b.json["accessors"][position]["max"] = {1, 1, 0};
  const auto joints = b.accessor<std::uint8_t>({0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, "VEC4");
  const auto weights = b.accessor<float>({1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0}, "VEC4");
  std::vector<float> matrices(32, 0.0f);
  for (std::size_t m = 0; m < 2; ++m)
    for (std::size_t i = 0; i < 4; ++i) matrices[m * 16 + i * 5] = 1;
  matrices[16 + 13] = -1;
  const auto ibm = b.accessor<float>(matrices, "MAT4");
  const auto indices = b.accessor<std::uint16_t>({0, 1, 2, 1, 3, 2}, "SCALAR");
  b.add("meshes",
        {{"primitives", {{{"attributes", {{"POSITION", position}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}}, {"indices", indices}}}}});
  b.add("skins", {{"joints", {1, 2}}, {"inverseBindMatrices", ibm}});
  b.add("nodes", {{"mesh", 0}, {"skin", 0}});
  b.add("nodes", {{"children", {2}}});
  b.add("nodes", {{"translation", {0, 1, 0}}});
  b.add("scenes", {{"nodes", {0, 1}}});
  return b;
}

Builder animated() {
  Builder b = triangle();
  const auto times = b.accessor<float>({0, 1, 2}, "SCALAR");
  const auto dense = b.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
  const auto rows = b.view<std::uint16_t>({0, 2});
  const auto values = b.view<float>({0, 5, 0, 0, 7, 0});
  const auto sparse = b.add(
      "accessors",
      {{"componentType", 5126},
       {"count", 3},
       {"type", "VEC3"},
       {"sparse", {{"count", 2}, {"indices", {{"bufferView", rows}, {"componentType", 5123}}}, {"values", {{"bufferView", values}}}}}});
  const auto translations = b.accessor<float>({0, 0, 0, 1, 0, 0, 2, 0, 0}, "VEC3");
  const auto rotations = b.accessor<std::int16_t>({0, 0, 0, 32767, 0, 0, 32767, 0, 0, 32767, 0, 0}, "VEC4");
  b.json["accessors"][rotations]["normalized"] = true;
  const auto scales = b.accessor<float>(std::vector<float>(27, 1.0f), "VEC3");
  const auto weights = b.accessor<float>({0, 0, 1, 0, 0, 1}, "SCALAR");
  auto& mesh = b.json["meshes"][0];
  mesh["primitives"][0]["targets"] = {{{"POSITION", dense}}, {{"POSITION", sparse}}};
  mesh["weights"] = {0.25, 0.5};
  mesh["extras"]["targetNames"] = {"up", "side"};
  const auto sampler = [&](std::size_t output, const char* interpolation) {
    return Json{{"input", times}, {"output", output}, {"interpolation", interpolation}};
  };
  const auto channel = [](int index, const char* path) { return Json{{"sampler", index}, {"target", {{"node", 0}, {"path", path}}}}; };
  b.add("animations",
        {{"name", "all"},
         {"samplers",
          {sampler(translations, "LINEAR"), sampler(rotations, "STEP"), sampler(scales, "CUBICSPLINE"), sampler(weights, "LINEAR")}},
         {"channels", {channel(0, "translation"), channel(1, "rotation"), channel(2, "scale"), channel(3, "weights")}}});
  return b;
}

Builder everything() {
  Builder b = animated();
  const Builder other = skinned();
  const std::size_t views = b.json["bufferViews"].size(), accessors = b.json["accessors"].size();
  b.bytes.resize((b.bytes.size() + 3) / 4 * 4);
  const std::size_t shift = b.bytes.size();
  b.bytes.insert(b.bytes.end(), other.bytes.begin(), other.bytes.end());
  for (Json view : other.json["bufferViews"]) {
    view["byteOffset"] = view["byteOffset"].get<std::size_t>() + shift;
    b.add("bufferViews", view);
  }
  for (Json accessor : other.json["accessors"]) {
    accessor["bufferView"] = accessor["bufferView"].get<std::size_t>() + views;
    b.add("accessors", accessor);
  }
  b.add("materials", {{"name", "red"}});
  const auto mark = Json{{"STAIK_skeletons", {{"skeleton", 0}}}};
  b.add("meshes", {{"primitives",
                    {{{"attributes", {{"POSITION", accessors}, {"JOINTS_0", accessors + 1}, {"WEIGHTS_0", accessors + 2}}},
                      {"indices", accessors + 4},
                      {"material", 0},
                      {"mode", 4}}}}});
  b.add("nodes", {{"name", "skinned"}, {"mesh", 1}, {"skin", 0}, {"weights", {}}});
  b.add("nodes", {{"children", {3}}, {"rotation", {0, 0, 0, 1}}, {"scale", {1, 2, 1}}, {"extensions", mark}});
  b.add("nodes", {{"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1}}, {"extensions", mark}});
  b.json["nodes"][1].erase("weights");
  b.add("skins", {{"joints", {2, 3}},
                  {"inverseBindMatrices", accessors + 3},
                  {"skeleton", 2},
                  {"extensions", {{"STAIK_skeletons", {{"skeleton_owner", 0}}}}}});
  b.json["extensions"]["STAIK_skeletons"]["skeletons"] = {{{"root", 2}, {"joints", {2, 3}}, {"inverseBindMatrices", accessors + 3}}};
  b.json["extensionsUsed"] = {"STAIK_skeletons"};
  b.json["scenes"][0]["nodes"] = {0, 1, 2};
  b.json["scene"] = 0;
  return b;
}

}  // namespace sinew::gltf::test
