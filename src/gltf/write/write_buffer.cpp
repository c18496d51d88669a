// SPDX-License-Identifier: MIT
#include "gltf/write/write_buffer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "document/json/edit_members.hpp"
#include "gltf/schema/element_format.hpp"
#include "model/narrowed.hpp"

namespace sinew::gltf {
namespace {

constexpr std::uint32_t array_buffer = 34962, element_array_buffer = 34963;

bool is_matrix(std::size_t width) { return width == 9 || width == 16; }

std::string_view type_name(std::size_t width) { return accessor_types[!is_matrix(width) ? width - 1 : width == 9 ? 5 : 6]; }

std::size_t round_up(std::size_t size) { return (size + 3) / 4 * 4; }

/// Returns the layout of rows. Only matrices have several columns.
ElementLayout layout_of(std::size_t width, ComponentType type) {
  const std::size_t columns = !is_matrix(width) ? 1 : width == 9 ? 3 : 4;
  return gltf::layout_of(type, width / columns, columns);
}

/// Copies rows to `out`, `stride` bytes apart, in the file's layout.
void copy_rows(const Array& values, const ElementLayout& layout, std::size_t stride, std::byte* out) {
  if (layout.packed == layout.column && stride == layout.column && values.stride() == layout.column) {
    std::memcpy(out, values.data(), values.size() * stride);
    return;
  }
  for (std::size_t r = 0; r < values.size(); ++r)
    for (std::size_t c = 0; c < layout.packed / layout.column_stride; ++c)
      std::memcpy(out + r * stride + c * layout.column_stride, values.data() + r * values.stride() + c * layout.column, layout.column);
}

/// Converts values to a type that glTF allows: vertex attributes have no 32-bit integers, and seconds are floats.
Array storable(const Array& values, AccessorUse use) {
  if (use == AccessorUse::indices) return fitted(values, values.type(), 1);  // the largest value of a type restarts primitives
  const bool integers = use == AccessorUse::times || values.type() == ComponentType::uint32;
  if (component_code(values.type()) != 0 && !(integers && !is_float(values.type()))) return values;
  return Array::own(values.read<float>(), values.width());
}

bool is_normalized(const Array& values) { return values.normalized() && byte_size(values.type()) < 4; }
std::uint32_t target_of(AccessorUse use) {
  if (use == AccessorUse::indices) return element_array_buffer;
  return use == AccessorUse::positions || use == AccessorUse::attribute ? array_buffer : 0;
}

}  // namespace

void bounds(const Array& values, std::vector<double>& min, std::vector<double>& max) {
  const Array raw = Array::borrow(values.data(), values.size(), values.width(), values.stride(), values.type(), false, values.owner());
  min.assign(raw.width(), std::numeric_limits<double>::infinity());
  max.assign(raw.width(), -std::numeric_limits<double>::infinity());
  constexpr std::size_t piece = 1024;
  std::vector<double> rows(piece * raw.width());
  for (std::size_t first = 0; first < raw.size(); first += piece) {
    const std::size_t count = std::min(piece, raw.size() - first);
    raw.read(first, count, rows.data());
    for (std::size_t i = 0; i < count * raw.width(); ++i) {
      const std::size_t c = i % raw.width();
      min[c] = std::min(min[c], rows[i]);
      max[c] = std::max(max[c], rows[i]);
    }
  }
  const auto infinite = [](double value) { return std::isinf(value); };
  if (!values.empty() && (std::ranges::any_of(min, infinite) || std::ranges::any_of(max, infinite))) {
    min.clear();
    max.clear();
  }
}

bool accessor_width(std::size_t width) { return (width >= 1 && width <= 4) || is_matrix(width); }

std::span<std::byte> BufferWriter::append(std::size_t size) {
  const std::size_t start = round_up(bytes_.size());
  bytes_.resize(start + size);
  return std::span(bytes_).subspan(start);
}

Index BufferWriter::add(const Array& values, AccessorUse use) {
  const Where place(values.data(), values.size(), values.width(), values.stride(), values.type(), values.normalized(), use);
  const auto known = known_.find(place);
  if (known != known_.end()) return known->second.second;
  const Index index = store(values, use);
  known_.emplace(place, std::pair(values, index));
  return index;
}

Index BufferWriter::add_view(std::size_t size, std::size_t stride, std::uint32_t target) {
  starts_.push_back(bytes_.size() - size);
  JsonEdit& view = views_.emplace_back(JsonEdit::object());
  view.set("buffer", JsonEdit::integer(0));
  view.set("byteOffset", JsonEdit::integer(0));
  view.set("byteLength", JsonEdit::integer(size));
  if (stride != 0) view.set("byteStride", JsonEdit::integer(stride));
  if (target != 0) view.set("target", JsonEdit::integer(target));
  return static_cast<Index>(first_view_ + views_.size() - 1);
}

Index BufferWriter::add_rows(const Array& values, std::uint32_t target) {
  const ElementLayout layout = layout_of(values.width(), values.type());
  // Rows of vertex attributes start at multiples of 4 bytes; other rows are packed.
  const std::size_t stride = target == array_buffer ? round_up(layout.packed) : layout.packed;
  copy_rows(values, layout, stride, append(values.size() * stride).data());
  return add_view(values.size() * stride, stride == layout.packed ? 0 : stride, target);
}

Index BufferWriter::store(const Array& given, AccessorUse use) {
  const Array values = storable(given, use);
  const Index view = add_rows(values, target_of(use));
  const std::size_t start = starts_.back();
  const auto rows = std::span(bytes_).subspan(start);
  const Stored key(use, values.type(), is_normalized(values), values.size(), values.width(), content_hash(rows));
  for (auto [known, end] = stored_.equal_range(key); known != end; ++known)
    if (std::memcmp(bytes_.data() + known->second.first, rows.data(), rows.size()) == 0) {
      bytes_.resize(start);
      starts_.pop_back();
      views_.pop_back();
      return known->second.second;
    }
  const Index index = add_object(view, values, values.size(), use);
  stored_.emplace(key, std::pair(start, index));
  return index;
}

Index BufferWriter::add_object(Index view, const Array& values, std::size_t count, AccessorUse use) {
  JsonEdit& accessor = accessors_.emplace_back(JsonEdit::object());
  set_index(accessor, "bufferView", view);
  accessor.set("componentType", JsonEdit::integer(component_code(values.type())));
  if (is_normalized(values)) accessor.set("normalized", JsonEdit::boolean(true));
  accessor.set("count", JsonEdit::integer(count));
  accessor.set("type", JsonEdit::string(type_name(values.width())));
  if (use == AccessorUse::positions || use == AccessorUse::times) {
    std::vector<double> min, max;
    bounds(values, min, max);
    const bool has_zeros = values.size() < count;  // rows that are not listed
    for (double& least : min) least = has_zeros ? std::min(least, 0.0) : least;
    for (double& most : max) most = has_zeros ? std::max(most, 0.0) : most;
    set_numbers(accessor, "min", min);
    set_numbers(accessor, "max", max);
  }
  return static_cast<Index>(first_accessor_ + accessors_.size() - 1);
}

Index BufferWriter::add_sparse(std::size_t count, const Array& rows, const Array& given, AccessorUse use) {
  const Array values = storable(given, use);
  const Index index = add_object(none, values, count, use);
  if (values.empty()) return index;
  const Array numbers = fitted(rows, ComponentType::uint8);
  JsonEdit& sparse = accessors_.back().set("sparse", JsonEdit::object());
  sparse.set("count", JsonEdit::integer(values.size()));
  JsonEdit& places = sparse.set("indices", JsonEdit::object());
  set_index(places, "bufferView", add_rows(numbers, 0));
  places.set("componentType", JsonEdit::integer(component_code(numbers.type())));
  set_index(sparse.set("values", JsonEdit::object()), "bufferView", add_rows(values, 0));
  return index;
}

Index BufferWriter::add_bytes(std::span<const std::byte> bytes) {
  std::ranges::copy(bytes, append(bytes.size()).begin());
  return add_view(bytes.size(), 0, 0);
}

void BufferWriter::append_views(JsonEdit& list, std::size_t buffer, std::size_t offset) const {
  for (std::size_t i = 0; i < views_.size(); ++i) {
    JsonEdit& view = list.push_back(views_[i]);
    view.set("buffer", JsonEdit::integer(buffer));
    set_byte_offset(view, offset + starts_[i]);
  }
}

void BufferWriter::append_accessors(JsonEdit& list) const {
  for (const JsonEdit& accessor : accessors_) list.push_back(accessor);
}

}  // namespace sinew::gltf
