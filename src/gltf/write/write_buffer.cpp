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

bool has_bounds(AccessorUse use) { return use == AccessorUse::positions || use == AccessorUse::times; }
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

std::uint64_t content_hash(std::span<const std::byte> bytes) {
  // Mixes words like MurmurHash64A (Austin Appleby, public domain): two multiplications by an odd constant and a shift.
  constexpr std::uint64_t factor = 0xc6a4a7935bd1e995;
  const auto mixed = [](std::uint64_t word) {
    word *= factor;
    word ^= word >> 47;
    return word * factor;
  };
  std::uint64_t hash = 0x53696e6577ULL ^ (bytes.size() * factor);
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    hash = (hash ^ mixed(word)) * factor;
  }
  hash ^= hash >> 47;
  hash *= factor;
  return hash ^ (hash >> 47);
}

bool accessor_width(std::size_t width) { return (width >= 1 && width <= 4) || is_matrix(width); }

std::span<std::byte> BufferWriter::append(std::size_t size) {
  const std::size_t start = round_up(bytes_.size());
  bytes_.resize(start + size);
  return std::span(bytes_).subspan(start);
}

Index BufferWriter::find_equal(const Accessor& wanted, std::uint64_t hash, std::span<const std::byte> bytes) const {
  const auto [first, last] = accessors_by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const Accessor& there = accessors_[it->second];
    if (there.use != wanted.use || there.count != wanted.count || there.width != wanted.width || there.type != wanted.type ||
        there.normalized != wanted.normalized)
      continue;
    if (std::memcmp(bytes_.data() + views_[*there.view].offset, bytes.data(), bytes.size()) == 0)
      return static_cast<Index>(first_accessor_ + it->second);
  }
  return none;
}

Index BufferWriter::add_accessor(const Array& values, AccessorUse use) {
  const Place place(values.data(), values.size(), values.width(), values.stride(), values.type(), values.normalized(), use);
  const auto known = known_.find(place);
  if (known != known_.end()) return known->second.second;
  const Index index = store(values, use);
  known_.emplace(place, std::pair(values, index));
  return index;
}

Index BufferWriter::store(const Array& given, AccessorUse use) {
  const Array values = storable(given, use);
  const ElementLayout layout = layout_of(values.width(), values.type());
  // Rows of vertex attributes start at multiples of 4 bytes; other rows are packed.
  const std::uint32_t target = target_of(use);
  const std::size_t stride = target == array_buffer ? round_up(layout.packed) : layout.packed;
  const std::size_t size = values.size() * stride;
  const std::span<std::byte> stored = append(size);
  copy_rows(values, layout, stride, stored.data());

  const bool normalized = values.normalized() && byte_size(values.type()) < 4;
  Accessor accessor{use, views_.size(), values.size(), values.width(), values.type(), normalized, {}, {}, {}};
  const std::uint64_t hash = content_hash(stored);
  const std::size_t offset = bytes_.size() - size;
  if (const Index equal = find_equal(accessor, hash, stored); equal != none) {
    bytes_.resize(offset);
    return equal;
  }
  if (has_bounds(use)) bounds(values, accessor.min, accessor.max);
  views_.push_back({offset, size, stride == layout.packed ? 0 : stride, target});
  accessors_by_hash_.emplace(hash, accessors_.size());
  return add(std::move(accessor));
}

Index BufferWriter::add(Accessor accessor) {
  accessors_.push_back(std::move(accessor));
  return static_cast<Index>(first_accessor_ + accessors_.size() - 1);
}

std::size_t BufferWriter::add_packed(const Array& values) {
  const ElementLayout layout = layout_of(values.width(), values.type());
  const std::size_t size = values.size() * layout.packed;
  copy_rows(values, layout, layout.packed, append(size).data());
  views_.push_back({bytes_.size() - size, size, 0, 0});
  return views_.size() - 1;
}

Index BufferWriter::add_sparse(std::size_t count, const Array& rows, const Array& given, AccessorUse use) {
  const Array values = storable(given, use);
  const bool normalized = values.normalized() && byte_size(values.type()) < 4;
  Accessor accessor{use, {}, count, values.width(), values.type(), normalized, {}, {}, {}};
  if (has_bounds(use)) {
    bounds(values, accessor.min, accessor.max);
    const bool has_zeros = values.size() < count;  // rows that are not listed
    for (double& least : accessor.min) least = values.empty() ? 0 : has_zeros ? std::min(least, 0.0) : least;
    for (double& most : accessor.max) most = values.empty() ? 0 : has_zeros ? std::max(most, 0.0) : most;
  }
  if (!values.empty()) {
    const Array numbers = fitted(rows, ComponentType::uint8);
    const std::size_t rows_view = add_packed(numbers);
    accessor.sparse = Sparse{values.size(), numbers.type(), rows_view, add_packed(values)};
  }
  return add(std::move(accessor));
}

Index BufferWriter::add_bytes(std::span<const std::byte> bytes) {
  std::ranges::copy(bytes, append(bytes.size()).begin());
  views_.push_back({bytes_.size() - bytes.size(), bytes.size(), 0, 0});
  return static_cast<Index>(first_view_ + views_.size() - 1);
}

void BufferWriter::append_views(JsonEdit& list, std::size_t buffer, std::size_t offset) const {
  for (const View& view : views_) {
    JsonEdit object = JsonEdit::object();
    object.set("buffer", JsonEdit::integer(buffer));
    if (offset + view.offset != 0) object.set("byteOffset", JsonEdit::integer(offset + view.offset));
    object.set("byteLength", JsonEdit::integer(view.size));
    if (view.stride != 0) object.set("byteStride", JsonEdit::integer(view.stride));
    if (view.target != 0) object.set("target", JsonEdit::integer(view.target));
    list.push_back(std::move(object));
  }
}

void BufferWriter::append_accessors(JsonEdit& list) const {
  const auto view_index = [&](std::size_t view) { return JsonEdit::integer(first_view_ + view); };
  for (const Accessor& accessor : accessors_) {
    JsonEdit object = JsonEdit::object();
    if (accessor.view) object.set("bufferView", view_index(*accessor.view));
    object.set("componentType", JsonEdit::integer(component_code(accessor.type)));
    if (accessor.normalized) object.set("normalized", JsonEdit::boolean(true));
    object.set("count", JsonEdit::integer(accessor.count));
    object.set("type", JsonEdit::string(type_name(accessor.width)));
    set_numbers(object, "min", accessor.min);
    set_numbers(object, "max", accessor.max);
    if (accessor.sparse) {
      JsonEdit rows = JsonEdit::object();
      rows.set("bufferView", view_index(accessor.sparse->rows));
      rows.set("componentType", JsonEdit::integer(component_code(accessor.sparse->type)));
      JsonEdit values = JsonEdit::object();
      values.set("bufferView", view_index(accessor.sparse->values));
      JsonEdit& sparse = object.set("sparse", JsonEdit::object());
      sparse.set("count", JsonEdit::integer(accessor.sparse->count));
      sparse.set("indices", std::move(rows));
      sparse.set("values", std::move(values));
    }
    list.push_back(std::move(object));
  }
}

}  // namespace sinew::gltf
