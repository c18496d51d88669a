// SPDX-License-Identifier: MIT
#include "g4mf/schema/data/accessors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "base/message.hpp"
#include "kernels/scan.hpp"

namespace sinew::g4mf {

namespace {

// The order is that of ComponentType.
constexpr std::string_view component_names[] = {"int8",   "uint8",   "int16",  "uint16",  "int32",   "uint32",  "int64",   "uint64",
                                                "int128", "uint128", "float8", "float16", "float32", "float64", "float128"};

bool is_unsigned(ComponentType type) { return !is_float(type) && static_cast<std::size_t>(type) % 2 == 1; }

bool fits(AccessorRequirement::Type required, ComponentType type) {
  if (required == AccessorRequirement::Type::number) return true;
  if (required == AccessorRequirement::Type::floating) return is_float(type);
  return required == AccessorRequirement::Type::unsigned_integer ? is_unsigned(type) : !is_float(type);
}

// A word and a number of bits.
bool is_number_type(std::string_view name) {
  const std::size_t digits = name.find_first_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && name.find_first_not_of("0123456789", digits) == std::string_view::npos;
}

constexpr std::string_view type_texts[] = {"numbers", "floating point numbers", "integers", "unsigned integers"};

}  // namespace

std::string_view component_name(ComponentType type) { return component_names[static_cast<std::size_t>(type)]; }

Accessors::Accessors(Reader& reader, Buffers& buffers)
    : reader_(reader), buffers_(buffers), values_(list_of(reader.root()["accessors"])), arrays_(values_.size()) {}

std::string Accessors::text(const Array& array) { return format_text("{} × {}", array.width(), component_name(array.type())); }

const Checked<Array>& Accessors::array(Index index) {
  auto& stored = arrays_[index];
  if (!stored) stored = read(values_[index]);
  return *stored;
}

Checked<Array> Accessors::array(JsonValue at, Index index, const AccessorRequirement& requirement) {
  const Checked<Array>& found = array(index);
  if (!found) return found;
  if (!fits(requirement.type, found->type()))
    return reader_.refuse(requirement.wrong_type, at, text(*found), type_texts[static_cast<std::size_t>(requirement.type)]);
  if (requirement.width != 0 && found->width() != requirement.width)
    return reader_.refuse(requirement.wrong_width, at, text(*found), format_text("vectorSize {}", requirement.width));
  return found;
}

const Array* Accessors::find(JsonValue index) {
  const auto number = whole_number(index);
  if (!number || *number >= values_.size()) return nullptr;
  const Checked<Array>& found = array(static_cast<Index>(*number));
  return found ? &*found : nullptr;
}

// Values that are not strings were reported. A missing type is reported by its name in the revision.
Refused Accessors::refuse_type(JsonValue value) {
  const JsonValue written = value["componentType"] ? value["componentType"] : value["primitiveType"];
  if (written) return reader_.refuse(finding("G4MF_JSON_TYPE_MISMATCH"_code, written.place(), excerpt(written), "string"));
  if (reader_.revision() == Revision::r2025_08) return reader_.refuse("G4MF_ACCESSOR_PRIMITIVE_TYPE_MISSING"_code, value, "primitiveType");
  return reader_.refuse("G4MF_ACCESSOR_COMPONENT_TYPE_MISSING"_code, value, "componentType");
}

// The number of elements follows from the size of the view: there is no stride and no count (data part, Accessors).
Checked<Array> Accessors::read(JsonValue value) {
  if (auto left = reader_.go_on(); !left) return Refused(left.error());
  const auto object = reader_.object<AccessorObject>(value);
  if (object.defect()) return reader_.refuse(object);
  const JsonValue name = object["componentType"];
  if (!name) return refuse_type(value);
  const auto* const known = std::ranges::find_if(component_names, [&](std::string_view candidate) { return name.equals(candidate); });
  if (known == std::end(component_names) && !is_number_type(name.string()))
    reader_.report("G4MF_ACCESSOR_COMPONENT_TYPE_NOT_NUMERIC"_code, name, excerpt(name));
  if (known == std::end(component_names)) return reader_.refuse("G4MF_ACCESSOR_COMPONENT_TYPE_UNKNOWN"_code, name, excerpt(name));
  const auto type = static_cast<ComponentType>(known - std::begin(component_names));
  const auto index = reader_.resolve(object, "bufferView");
  if (!index) return Refused(index.error());
  const Checked<View>& view = buffers_.view(*index);
  if (!view) return Refused(view.error());

  const std::uint64_t width = object.integer("vectorSize"), bytes = view->bytes.view.size();
  const auto size = checked_mul(width, byte_size(type));
  if (!size || bytes % *size != 0)
    return reader_.refuse("G4MF_ACCESSOR_LENGTH_NOT_MULTIPLE"_code, value, bytes, width, component_name(type));
  if (view->offset % byte_size(type) != 0) reader_.report("G4MF_ACCESSOR_OFFSET_UNALIGNED"_code, value, view->offset, byte_size(type));
  const std::byte* data = view->bytes.view.data();
  if (reinterpret_cast<std::uintptr_t>(data) % byte_size(type) == 0 || bytes == 0)
    return Array::borrow(data, bytes / *size, width, *size, type, false, view->bytes.owner);
  auto copy = reader_.allocate(value, bytes, 1);
  if (!copy) return Refused(copy.error());
  std::memcpy(copy->get(), data, bytes);
  const std::byte* copied = copy->get();
  return Array::borrow(copied, bytes / *size, width, *size, type, false, std::move(*copy));
}

void Accessors::read_all() {
  for (Index i = 0; i < values_.size(); ++i) static_cast<void>(array(i));
}

namespace {

template <class T>
std::optional<std::size_t> first_at_least(const Array& array, std::uint64_t limit) {
  const auto view = array.view<T>();
  if (view.empty() || kernels::largest(view) < limit) return std::nullopt;
  return kernels::first_at_least(view, limit);
}

}  // namespace

std::optional<std::size_t> first_outside(const Array& integers, std::uint64_t limit) {
  switch (integers.type()) {
    case ComponentType::uint8:
      return first_at_least<std::uint8_t>(integers, limit);
    case ComponentType::uint16:
      return first_at_least<std::uint16_t>(integers, limit);
    case ComponentType::uint32:
      return first_at_least<std::uint32_t>(integers, limit);
    default:
      break;
  }
  // Other types are read as 32 bits. Array::read maps negative and larger values to 2³²−1, which is above every limit.
  if (integers.empty()) return std::nullopt;
  const std::size_t width = integers.width(), most = std::max<std::size_t>(1, 4096 / width);
  std::vector<std::uint32_t> block(std::min(most, integers.size()) * width);
  for (std::size_t first = 0; first < integers.size(); first += most) {
    const std::size_t rows = std::min(most, integers.size() - first);
    integers.read(first, rows, block.data());
    for (std::size_t i = 0; i < rows * width; ++i)
      if (block[i] >= limit || block[i] == none) return first + i / width;
  }
  return std::nullopt;
}

std::size_t first_not_finite(const Array& array) {
  if (array.type() == ComponentType::float32) return kernels::first_not_finite(array.view<float>());
  if (array.type() == ComponentType::float64) return kernels::first_not_finite(array.view<double>());
  std::vector<double> row(array.width());
  for (std::size_t i = 0; i < array.size(); ++i) {
    array.read(i, 1, row.data());
    if (!std::ranges::all_of(row, [](double x) { return std::isfinite(x); })) return i;
  }
  return array.size();
}

std::string text_of_row(const Array& array, std::size_t row) {
  std::vector<double> values(array.width());
  array.read(row, 1, values.data());
  return join_text(values, ", ");
}

}  // namespace sinew::g4mf
