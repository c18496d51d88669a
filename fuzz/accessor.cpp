// SPDX-License-Identifier: MIT
#include "accessor.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

#include "taker.hpp"
#include "use.hpp"

namespace sinew::fuzz {

namespace {

using nlohmann::json;

struct Component {
  int number;
  std::size_t size;
};
constexpr std::array<Component, 6> components = {{{5120, 1}, {5121, 1}, {5122, 2}, {5123, 2}, {5125, 4}, {5126, 4}}};
constexpr std::array<const char*, 4> types = {"SCALAR", "VEC2", "VEC3", "VEC4"};

struct Wanted {
  Component component{};
  std::size_t width = 1, count = 1, stride = 0, offset = 0, view_offset = 0;
  bool normalized = false;
  std::size_t sparse = 0;  ///< replaced rows
  Component index{};
  std::size_t index_offset = 0, value_offset = 0;
};

template <class T>
double at(Input data, std::size_t offset) {
  T value;
  std::memcpy(&value, data.data() + offset, sizeof value);
  return static_cast<double>(value);
}

double stored(Input data, std::size_t offset, int component) {
  switch (component) {
    case 5120:
      return at<std::int8_t>(data, offset);
    case 5121:
      return at<std::uint8_t>(data, offset);
    case 5122:
      return at<std::int16_t>(data, offset);
    case 5123:
      return at<std::uint16_t>(data, offset);
    case 5125:
      return at<std::uint32_t>(data, offset);
    default:
      return at<float>(data, offset);
  }
}

double number(Input data, std::size_t offset, const Wanted& wanted) {
  const double value = stored(data, offset, wanted.component.number);
  if (!wanted.normalized) return value;
  switch (wanted.component.number) {
    case 5120:
      return std::max(value / 127, -1.0);
    case 5121:
      return value / 255;
    case 5122:
      return std::max(value / 32767, -1.0);
    case 5123:
      return value / 65535;
    default:
      return value;
  }
}

Wanted take_wanted(Taker& taker) {
  Wanted wanted;
  wanted.component = components[taker.take(components.size())];
  wanted.width = 1 + taker.take(4);
  wanted.count = 1 + taker.take(40);
  wanted.normalized = taker.take(2) != 0;
  const std::size_t row = wanted.width * wanted.component.size;
  wanted.stride = taker.take(2) != 0 ? (row + 3) / 4 * 4 + 4 * taker.take(3) : 0;
  wanted.offset = 4 * taker.take(4);
  wanted.view_offset = 4 * taker.take(4);
  wanted.sparse = taker.take(4) == 0 ? 1 + taker.take(static_cast<std::uint32_t>(wanted.count)) : 0;
  constexpr std::array<Component, 3> index_types = {components[1], components[3], components[4]};
  wanted.index = index_types[taker.take(3)];
  wanted.index_offset = 4 * taker.take(64);
  wanted.value_offset = 4 * taker.take(64);
  return wanted;
}

json document_of(const Wanted& wanted, std::size_t bytes) {
  json view = {{"buffer", 0}, {"byteOffset", wanted.view_offset}, {"byteLength", bytes - wanted.view_offset}};
  if (wanted.stride > 0) view["byteStride"] = wanted.stride;
  json values = {{"bufferView", 0},
                 {"byteOffset", wanted.offset},
                 {"componentType", wanted.component.number},
                 {"type", types[wanted.width - 1]},
                 {"count", wanted.count},
                 {"normalized", wanted.normalized}};
  if (wanted.sparse > 0)
    values["sparse"] = {{"count", wanted.sparse},
                        {"indices", {{"bufferView", 1}, {"byteOffset", wanted.index_offset}, {"componentType", wanted.index.number}}},
                        {"values", {{"bufferView", 1}, {"byteOffset", wanted.value_offset}}}};
  const json positions = {{"componentType", 5126}, {"type", "VEC3"}, {"count", wanted.count}};
  return {{"asset", {{"version", "2.0"}}},
          {"buffers", {{{"byteLength", bytes}, {"uri", "data.bin"}}}},
          {"bufferViews", {view, {{"buffer", 0}, {"byteLength", bytes}}}},
          {"accessors", {values, positions}},
          {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 1}, {"_VALUE", 0}}}}}}}}},
          {"nodes", {{{"mesh", 0}}}}};
}

/// Returns the numbers of the accessor according to the specification; nothing if it is invalid.
std::optional<std::vector<double>> expected(const Wanted& wanted, Input data) {
  const std::size_t row = wanted.width * wanted.component.size, stride = wanted.stride > 0 ? wanted.stride : row;
  const std::size_t start = wanted.view_offset + wanted.offset;
  if (start + stride * (wanted.count - 1) + row > data.size()) return std::nullopt;
  std::vector<double> values(wanted.count * wanted.width);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = number(data, start + i / wanted.width * stride + i % wanted.width * wanted.component.size, wanted);
  if (wanted.sparse == 0) return values;
  if (wanted.index_offset + wanted.sparse * wanted.index.size > data.size() || wanted.value_offset + wanted.sparse * row > data.size())
    return std::nullopt;
  double before = -1;
  for (std::size_t i = 0; i < wanted.sparse; ++i) {
    const double place = stored(data, wanted.index_offset + i * wanted.index.size, wanted.index.number);
    if (place <= before || place >= static_cast<double>(wanted.count)) return std::nullopt;
    before = place;
    for (std::size_t c = 0; c < wanted.width; ++c)
      values[static_cast<std::size_t>(place) * wanted.width + c] =
          number(data, wanted.value_offset + i * row + c * wanted.component.size, wanted);
  }
  return values;
}

}  // namespace

void accessor(const std::filesystem::path& file, Input bytes) {
  Taker taker(bytes);
  const Wanted wanted = take_wanted(taker);
  const Input data = taker.rest();
  if (data.size() <= wanted.view_offset) return;
  {
    std::ofstream out(file, std::ios::binary), binary(file.parent_path() / "data.bin", std::ios::binary);
    out << document_of(wanted, data.size()).dump();
    binary.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  }
  static_cast<void>(validated(file));
  const auto model = loaded(file);
  if (!model) broken("the document is sound whatever the accessor is", file.string());
  const auto right = expected(wanted, data);
  if (!right || model->meshes[0].defect != none) return;
  for (const Attribute& attribute : model->meshes[0].blocks[0].attributes) {
    if (attribute.custom != "_VALUE") continue;
    const std::vector<double> found = attribute.values.read<double>();
    if (found.size() != right->size()) broken("an accessor has its count of elements", std::to_string(found.size()));
    for (std::size_t i = 0; i < found.size(); ++i)
      if (std::bit_cast<std::uint64_t>(found[i]) != std::bit_cast<std::uint64_t>((*right)[i]) &&
          !(std::isnan(found[i]) && std::isnan((*right)[i])))
        broken("an accessor is read as the specification says",
               std::to_string(found[i]) + ", expected " + std::to_string((*right)[i]) + " at " + std::to_string(i));
  }
}

}  // namespace sinew::fuzz
