// SPDX-License-Identifier: MIT
#include "mutate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace sinew::fuzz {

namespace {

using Json = nlohmann::ordered_json;
using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t count) { return count == 0 ? 0 : random() % count; }

std::uint32_t word_at(Input bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
void put(Bytes& out, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

/// A file split into parts. The headers of parts are rewritten when the file is joined.
struct Container {
  enum class Kind : std::uint8_t { text, glb, g4b } kind = Kind::text;
  struct Part {
    std::uint32_t type = 0, compression = 0;
    Bytes bytes;
  };
  std::vector<Part> parts;  ///< the JSON text first
};

Container take_apart(Input file) {
  Container container;
  const std::string_view start(reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 4));
  const bool glb = start == "glTF" && file.size() >= 20, g4b = start == "G4MF" && file.size() >= 32;
  if (!glb && !g4b) {
    container.parts.push_back({0, 0, {file.begin(), file.end()}});
    return container;
  }
  container.kind = glb ? Container::Kind::glb : Container::Kind::g4b;
  const std::size_t header = glb ? 12 : 16, part_header = glb ? 8 : 16;
  for (std::size_t at = header; at + part_header <= file.size() && container.parts.size() < 20;) {
    const std::uint32_t type = word_at(file, at + (glb ? 4 : 0));
    const std::size_t size = std::min<std::size_t>(word_at(file, at + (glb ? 0 : 8)), file.size() - at - part_header);
    const auto data = file.subspan(at + part_header, size);
    container.parts.push_back({type, glb ? 0 : word_at(file, at + 4), {data.begin(), data.end()}});
    const std::size_t step = glb ? 4 : 16;
    at = (at + part_header + size + step - 1) / step * step;
  }
  return container;
}

Bytes put_together(const Container& container) {
  if (container.kind == Container::Kind::text) return container.parts[0].bytes;
  const bool glb = container.kind == Container::Kind::glb;
  Bytes body;
  for (std::size_t i = 0; i < container.parts.size(); ++i) {
    const Container::Part& part = container.parts[i];
    const std::uint8_t filler = i == 0 ? ' ' : 0;
    Bytes data = part.bytes;
    if (glb) {
      data.resize((data.size() + 3) / 4 * 4, filler);
      put(body, data.size(), 4);
      put(body, part.type, 4);
    } else {
      body.resize((body.size() + 15) / 16 * 16, filler);
      put(body, part.type, 4);
      put(body, part.compression, 4);
      put(body, data.size(), 8);
    }
    body.insert(body.end(), data.begin(), data.end());
  }
  Bytes file;
  for (const char c : glb ? std::string_view("glTF") : std::string_view("G4MF")) file.push_back(static_cast<std::uint8_t>(c));
  put(file, glb ? 2 : 0, 4);
  put(file, body.size() + (glb ? 12 : 16), glb ? 4 : 8);
  file.insert(file.end(), body.begin(), body.end());
  return file;
}

/// Collects every value of a document, with its key or index.
void collect(Json& value, std::vector<Json*>& all) {
  constexpr std::size_t most = 5000;
  if (all.size() >= most) return;
  all.push_back(&value);
  if (value.is_structured())
    for (Json& child : value) collect(child, all);
}

Json odd_number(Random& random, const Json& old) {
  constexpr std::array<double, 12> odd = {0, -1, 0.5, 1e308, -1e308, 1e-300, 1e39, 4294967295.0, 9007199254740993.0, 65535, 255, 1e18};
  const double number = old.is_number() ? old.get<double>() : 0;
  switch (below(random, 6)) {
    case 0:
      return odd[below(random, odd.size())];
    case 1:
      return number + 1;
    case 2:
      return number - 1;
    case 3:
      return static_cast<std::int64_t>(below(random, 12));
    case 4:
      return number * 2;
    default:
      return -number;
  }
}

void change(Json& value, Random& random, const std::vector<Json*>& all) {
  switch (below(random, 9)) {
    case 0:
      value = odd_number(random, value);
      return;
    case 1: {
      const Json other = *all[below(random, all.size())];
      value = other;
      return;
    }
    case 2:
      if (value.is_structured() && !value.empty())
        value.erase(std::next(value.begin(), static_cast<std::ptrdiff_t>(below(random, value.size()))));
      return;
    case 3:
      if (value.is_array() && !value.empty() && value.size() < 100) {
        const Json copy = value[below(random, value.size())];
        value.push_back(copy);
      }
      return;
    case 4:
      if (value.is_array() && value.size() > 1) std::swap(value[below(random, value.size())], value[below(random, value.size())]);
      return;
    case 5:
      if (value.is_boolean()) value = !value.get<bool>();
      return;
    case 6:
      if (value.is_object()) {
        const Json& other = *all[below(random, all.size())];
        if (other.is_object() && !other.empty()) {
          const auto member = std::next(other.begin(), static_cast<std::ptrdiff_t>(below(random, other.size())));
          const Json copy = member.value();
          value[std::string(member.key())] = copy;
        }
      }
      return;
    case 7:
      if (value.is_string()) {
        constexpr std::array<const char*, 14> words = {"",       "VEC2",        "VEC3",    "VEC4",        "MAT4",     "SCALAR",  "STEP",
                                                       "LINEAR", "CUBICSPLINE", "weights", "translation", "rotation", "float16", "uint8"};
        value = words[below(random, words.size())];
      }
      return;
    default:
      if (value.is_number()) value = odd_number(random, value);
  }
}

std::optional<Bytes> changed_tree(const Bytes& text, Random& random) {
  Json root = Json::parse(text.begin(), text.end(), nullptr, false);
  if (root.is_discarded()) return std::nullopt;
  const std::size_t changes = 1 + below(random, 3);
  for (std::size_t i = 0; i < changes; ++i) {
    std::vector<Json*> all;
    collect(root, all);
    change(*all[below(random, all.size())], random, all);
  }
  const std::string out = root.dump(-1, ' ', false, Json::error_handler_t::replace);
  return Bytes(out.begin(), out.end());
}

}  // namespace

Bytes mutated(const Target& target, Input input, std::size_t most, std::uint32_t seed, const ByteMutator& mutate_bytes) {
  Random random(seed + 1);
  Bytes whole(input.begin(), input.end());
  if (!target.model || below(random, 16) == 0) {
    mutate_bytes(whole, most);
    return whole;
  }
  Container container = take_apart(input);
  if (container.parts.empty()) {
    mutate_bytes(whole, most);
    return whole;
  }
  const std::size_t kind = below(random, 8);
  if (kind >= 6 && container.parts.size() > 1) {
    Bytes& bytes = container.parts[1 + below(random, container.parts.size() - 1)].bytes;
    mutate_bytes(bytes, std::max<std::size_t>(bytes.size(), most / 2));
  } else if (kind == 0) {
    mutate_bytes(container.parts[0].bytes, most / 2);
  } else if (auto changed = changed_tree(container.parts[0].bytes, random)) {
    container.parts[0].bytes = std::move(*changed);
  } else {
    mutate_bytes(container.parts[0].bytes, most / 2);
  }
  Bytes out = put_together(container);
  if (out.size() <= most) return out;
  whole.resize(std::min(whole.size(), most));
  return whole;
}

ByteMutator plain_mutator(std::uint32_t seed) {
  return [random = Random(seed + 1)](Bytes& bytes, std::size_t most) mutable {
    const std::size_t changes = 1 + below(random, 4);
    for (std::size_t i = 0; i < changes; ++i) {
      const std::size_t at = below(random, bytes.size());
      const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
      switch (below(random, 5)) {
        case 0:
          if (bytes.size() < most) bytes.insert(place, static_cast<std::uint8_t>(random()));
          break;
        case 1:
          if (!bytes.empty()) bytes.erase(place);
          break;
        case 2:
          if (!bytes.empty()) *place = static_cast<std::uint8_t>(*place ^ (1u << below(random, 8)));
          break;
        case 3:
          if (!bytes.empty()) bytes.resize(below(random, 8) == 0 ? at : bytes.size());
          break;
        default: {
          constexpr std::array<std::uint8_t, 6> odd = {0, 1, 0x7F, 0x80, 0xFE, 0xFF};
          const std::size_t count = std::min<std::size_t>(1 + below(random, 4), bytes.size() - at);
          std::fill_n(place, count, odd[below(random, odd.size())]);
        }
      }
    }
  };
}

}  // namespace sinew::fuzz
