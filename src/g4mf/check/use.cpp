// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "base/message.hpp"
#include "g4mf/check/checks.hpp"
#include "g4mf/extensions/SINEW_animation.hpp"
#include "g4mf/schema/walk.hpp"

namespace sinew::g4mf {

namespace {

/// Which elements of the root's arrays are used, by kind of reference.
class Uses {
 public:
  explicit Uses(const Reader& reader) {
    for (std::size_t kind = 1; kind < used_.size(); ++kind) used_[kind].resize(reader.count(static_cast<Reference>(kind)));
    numbers_.resize(reader.count(Reference::accessor));
  }

  void operator()(const JsonMember& member, const Property* row) {
    if (row == nullptr || row->reference == 0) return;
    add(member.value, *row);
    for (const JsonValue element : member.value.elements()) add(element, *row);
  }

  void add(Reference reference, std::uint64_t index) {
    std::vector<bool>& used = used_[static_cast<std::size_t>(reference)];
    if (index < used.size()) used[index] = true;
  }
  [[nodiscard]] const std::vector<bool>& of(Reference reference) const { return used_[static_cast<std::size_t>(reference)]; }
  /// Returns whether an accessor's numbers must be finite. Weights of skins have another rule.
  [[nodiscard]] bool numbers(Index accessor) const { return numbers_[accessor]; }

 private:
  void add(JsonValue value, const Property& row) {
    const auto index = whole_number(value);
    if (!index) return;
    const auto reference = static_cast<Reference>(row.reference);
    add(reference, *index);
    if (reference == Reference::accessor && *index < numbers_.size() && &row != &SkinObject::property("weights")) numbers_[*index] = true;
  }

  std::array<std::vector<bool>, static_cast<std::size_t>(Reference::count)> used_;
  std::vector<bool> numbers_;
};

struct Words {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// Returns whether the number has more than the 53 significant bits of a double.
bool too_long(Words words) {
  const int low = words.low != 0 ? std::countr_zero(words.low) : 64 + std::countr_zero(words.high);
  const int top = words.high != 0 ? 128 - std::countl_zero(words.high) : 64 - std::countl_zero(words.low);
  return (words.low != 0 || words.high != 0) && top - low > std::numeric_limits<double>::digits;
}

Words negated(Words words) {
  const std::uint64_t low = ~words.low + 1;
  return {low, ~words.high + (low == 0 ? 1 : 0)};
}

bool is_rounded(ComponentType type, const std::byte* at) {
  Words words;
  std::memcpy(&words.low, at, 8);
  if (byte_size(type) == 16) std::memcpy(&words.high, at + 8, 8);
  const bool negative = static_cast<std::int64_t>(byte_size(type) == 16 ? words.high : words.low) < 0;
  switch (type) {
    case ComponentType::uint64:
    case ComponentType::uint128:
      return too_long(words);
    case ComponentType::int64:
      return too_long({negative ? ~words.low + 1 : words.low, 0});
    case ComponentType::int128:
      return too_long(negative ? negated(words) : words);
    default:
      break;
  }
  // float128 has 112 bits of mantissa, of which a double has the upper 52, and 15 bits of exponent; normal doubles are within ±1022 of the
  // bias. Zero, infinities and NaN convert exactly.
  const auto exponent = static_cast<unsigned>(words.high >> 48 & 0x7FFF);
  const std::uint64_t mantissa = words.high & 0xFFFFFFFFFFFF;
  if (exponent == 0x7FFF) return false;
  if (exponent == 0) return mantissa != 0 || words.low != 0;
  return (words.low & 0xFFFFFFFFFFFFFFF) != 0 || exponent < 16383 - 1022 || exponent > 16383 + 1023;
}

std::size_t first_rounded(const Array& array) {
  const ComponentType type = array.type();
  const bool wide = type == ComponentType::int64 || type == ComponentType::uint64 || byte_size(type) == 16;
  if (!wide) return array.size();
  for (std::size_t i = 0; i < array.size(); ++i)
    for (std::size_t c = 0; c < array.width(); ++c)
      if (is_rounded(type, array.data() + i * array.stride() + c * byte_size(type))) return i;
  return array.size();
}

class UseChecks {
 public:
  UseChecks(Reader& reader, Accessors& accessors) : reader_(reader), accessors_(accessors), uses_(reader) {}

  void run() {
    walk(reader_.root().value(), root_table, uses_);
    walk(reader_.root().value()["extensions"][animation::extension], animation::root_table, uses_);
    use_implied();
    const auto unused = [&](Reference reference, RootObject::Row row, Code code) {
      std::size_t index = 0;
      for (const JsonValue value : reader_.root()[row].elements())
        if (!uses_.of(reference)[index++]) reader_.report(code, value);
    };
    unused(Reference::accessor, "accessors", "G4MF_ACCESSOR_UNUSED"_code);
    unused(Reference::buffer_view, "bufferViews", "G4MF_BUFFER_VIEW_UNUSED"_code);
    unused(Reference::buffer, "buffers", "G4MF_BUFFER_UNUSED"_code);
    unused(Reference::mesh, "meshes", "G4MF_MESH_UNUSED"_code);
    unused(Reference::material, "materials", "G4MF_MATERIAL_UNUSED"_code);
    check_kinds();
    check_numbers();
  }

 private:
  // A buffer view without `buffer` uses buffer 0 (after 2025-08; the reader always accepts it).
  void use_implied() {
    for (const JsonValue view : reader_.root()["bufferViews"].elements())
      if (!view["buffer"]) uses_.add(Reference::buffer, 0);
  }

  // Finds the kinds of data that accessors and file references store in each buffer view.
  void check_kinds() {
    std::vector<std::string> kinds(reader_.count(Reference::buffer_view));
    std::vector<bool> files(kinds.size()), reported(kinds.size());
    const auto add = [&](JsonValue user, const std::string& kind) {
      const auto index = whole_number(user["bufferView"]);
      if (!index || *index >= kinds.size()) return;
      std::string& known = kinds[*index];
      if (known.empty())
        known = kind;
      else if (known != kind && !reported[*index]) {
        reported[*index] = true;
        reader_.report("G4MF_BUFFER_VIEW_SHARED_KINDS"_code, view(*index), known, kind);
      }
    };
    const auto add_file = [&](JsonValue file) {
      if (const auto index = whole_number(file["bufferView"]); index && *index < files.size()) files[*index] = true;
      add(file, "a file");
    };
    for (const RootObject::Row row : file_lists)
      for (const JsonValue file : reader_.root()[row].elements()) add_file(file);
    for (const JsonValue texture : reader_.root()["textures"].elements())
      for (const JsonValue image : texture["images"].elements()) add_file(image);
    for (const JsonValue accessor : reader_.root()["accessors"].elements()) {
      const JsonValue type = accessor["componentType"] ? accessor["componentType"] : accessor["primitiveType"];
      const std::uint64_t width = whole_number(accessor["vectorSize"]).value_or(1);
      add(accessor, format_text("{} × {}", width, type.string()));
      const auto index = whole_number(accessor["bufferView"]);
      if (type.equals("uint8") && width == 1 && index && *index < files.size() && files[*index])
        reader_.report("G4MF_ACCESSOR_PLAIN_BYTES"_code, accessor, *index);
    }
  }

  [[nodiscard]] JsonValue view(std::uint64_t index) const { return reader_.root()["bufferViews"].at(static_cast<std::uint32_t>(index)); }

  /// Marks the accessors of vertices, of normals and of what blend shapes add to them: no mesh is deformed without them.
  [[nodiscard]] std::vector<bool> deformed() const {
    std::vector<bool> found(reader_.count(Reference::accessor));
    const auto add = [&](JsonValue value) {
      if (const auto index = whole_number(value); index && *index < found.size()) found[*index] = true;
    };
    const auto add_normals = [&](JsonValue normals) {
      add(normals);
      add(normals["values"]);
    };
    for (const JsonValue mesh : reader_.root()["meshes"].elements()) {
      add(mesh["vertices"]);
      for (const JsonValue surface : mesh["surfaces"].elements()) {
        add_normals(surface["normals"]);
        add_normals(surface["topology"]["normals"]);
      }
      for (const JsonValue shape : mesh["blend"]["shapes"].elements()) {
        for (const std::string_view target : {"position", "normal", "topologyNormal"}) add(shape[target]["offsets"]);
        for (const JsonValue surface : shape["surfaces"].elements()) add(surface["normal"]["offsets"]);
      }
    }
    return found;
  }

  void check_numbers() {
    const std::vector<bool> needed = deformed();
    Index index = 0;
    for (const JsonValue value : reader_.root()["accessors"].elements()) {
      const Checked<Array>& array = accessors_.array(index);
      const bool scan = uses_.numbers(index);
      const Severity severity = needed[index] ? Severity::error : Severity::warning;
      ++index;
      if (!array) continue;
      if (const std::size_t row = first_rounded(*array); row < array->size())
        reader_.report("G4MF_ACCESSOR_PRECISION_LOST"_code, value, row);
      if (!scan || !is_float(array->type())) continue;
      if (const std::size_t row = first_not_finite(*array); row < array->size()) {
        Finding found = finding("G4MF_ACCESSOR_NOT_FINITE"_code, value.place(), row, text_of_row(*array, row));
        found.severity = severity;
        reader_.sink().add(std::move(found));
      }
    }
  }

  Reader& reader_;
  Accessors& accessors_;
  Uses uses_;
};

}  // namespace

void check_use(Reader& reader, Accessors& accessors) { UseChecks(reader, accessors).run(); }

}  // namespace sinew::g4mf
