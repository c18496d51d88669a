// SPDX-License-Identifier: MIT
#include "gltf/read/accessors.hpp"

#include <atomic>
#include <cstring>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "document/files/file.hpp"
#include "gltf/read/ext/KHR_accessor.hpp"
#include "kernels/scan.hpp"

namespace sinew::gltf {

namespace {

// A part of a view that holds `count` elements. Findings about it are reported at `at`.
struct Slice {
  const std::byte* data;
  std::size_t stride;
};
Checked<Slice> slice(Reader& reader, JsonValue at, Index view_index, const View& view, std::uint64_t offset, std::uint64_t count,
                     const ElementLayout& layout) {
  const std::uint64_t stride = view.stride != 0 ? view.stride : layout.packed;
  if (stride < layout.element) reader.report("ACCESSOR_SMALL_BYTESTRIDE"_code, at, stride, layout.element);
  const auto end = layout.end(offset, count, stride);
  const std::size_t size = view.bytes.view.size();
  if (!end || *end > size) {
    const JsonValue place = at["byteOffset"];
    const std::string last = end ? format_text("{}", *end) : format_text("{} · {}", count, stride);
    return reader.refuse("ACCESSOR_TOO_LONG"_code, place && offset > size ? place : at, offset, last, view_index, size);
  }
  return Slice{view.bytes.view.data() + offset, static_cast<std::size_t>(stride)};
}

bool borrowable(const Slice& slice, const ElementLayout& layout, ComponentType type) {
  const std::size_t size = byte_size(type);
  return layout.element == layout.packed && layout.column == layout.column_stride &&
         reinterpret_cast<std::uintptr_t>(slice.data) % size == 0 && slice.stride % size == 0;
}

// Copies elements into a packed array.
void gather(const Slice& slice, const ElementLayout& layout, std::size_t columns, std::size_t count, std::byte* out) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < columns; ++c, out += layout.column)
      std::memcpy(out, slice.data + i * slice.stride + c * layout.column_stride, layout.column);
}

Checked<Array> borrow_or_gather(Reader& reader, const AccessorFormat& format, const Slice& slice, const ElementLayout& layout,
                                std::uint64_t count, const std::shared_ptr<const void>& owner) {
  if (borrowable(slice, layout, format.component))
    return Array::borrow(slice.data, count, format.width(), slice.stride, format.component, format.normalized, owner);
  auto memory = reader.allocate(format.value, count, format.packed_size());
  if (!memory) return Refused(memory.error());
  gather(slice, layout, format.columns, count, memory->get());
  const std::byte* data = memory->get();
  return Array::borrow(data, count, format.width(), format.packed_size(), format.component, format.normalized, std::move(*memory));
}

}  // namespace

bool AccessorFormat::has_bounds() const {
  const auto complete = [&](JsonValue bound) {
    std::size_t numbers = 0;
    for (const JsonValue element : bound.elements()) numbers += element.is(JsonKind::number) ? 1 : 0;
    return numbers > 0 && numbers == bound.size() && numbers == width();
  };
  return complete(value["min"]) && complete(value["max"]);
}

AccessorFormat format_of(const AccessorObject& object) {
  AccessorFormat format;
  format.value = object.value();
  format.count = object.integer("count");
  format.type = static_cast<std::uint8_t>(object.word("type"));
  const bool matrix = format.type >= 4;
  format.rows = static_cast<std::uint8_t>(matrix ? format.type - 2 : format.type + 1);
  format.columns = matrix ? format.rows : std::uint8_t{1};
  if (!object.has("type") || !object.has("componentType")) format.rows = 0;
  format.component = component_of(object.integer("componentType"));
  format.normalized = object.boolean("normalized");
  format.offset = object.integer("byteOffset");
  format.sparse = object["sparse"];
  return format;
}

Accessors::Accessors(Reader& reader, Buffers& buffers) : reader_(reader), buffers_(buffers) {
  reserve_large(stored_, reader.count(Reference::accessor));
  for (const JsonValue value : reader.root()["accessors"].elements()) stored_.push_back({read_format(value), {}, {}, {}});
}

Checked<AccessorFormat> Accessors::read_format(JsonValue value) {
  const auto object = reader_.object<AccessorObject>(value);
  if (object.defect()) return reader_.refuse(object);
  const auto view = reader_.resolve(object, "bufferView");
  if (!view) return Refused(view.error());
  AccessorFormat format = format_of(object);
  if (is_float(format.component) && format.component != ComponentType::float32 && !may_be_wide(reader_.root()))
    return reader_.refuse(reader_.object<ObjectOf<accessor_table>>(value));
  if (format.normalized && (byte_size(format.component) == 4 || is_float(format.component))) {
    reader_.report("ACCESSOR_NORMALIZED_INVALID"_code, object["normalized"]);
    format.normalized = false;
  }
  format.view = *view;
  format.strided = *view != none && buffers_.strided(*view);
  if (*view == none && object.has("byteOffset")) reader_.report("UNSATISFIED_DEPENDENCY"_code, object["byteOffset"], "bufferView");
  return format;
}

const Checked<Array>& Accessors::array(Index index) {
  Stored& stored = stored_[index];
  if (!stored.array) {
    const auto& format = stored.format;
    stored.array = format ? read_array(index, *format) : Checked<Array>(Refused(format.error()));
  }
  return *stored.array;
}

const Checked<Accessors::Replaced>& Accessors::replaced(Index index) {
  Stored& stored = stored_[index];
  if (!stored.replaced) {
    const auto& format = stored.format;
    stored.replaced = std::make_unique<Checked<Replaced>>(format ? read_replaced(*format) : Checked<Replaced>(Refused(format.error())));
  }
  return *stored.replaced;
}

std::uint32_t Accessors::largest(Index index) {
  Stored& stored = stored_[index];
  if (!stored.largest) stored.largest = largest_value(**stored.array);
  return *stored.largest;
}

Checked<Array> Accessors::read_array(Index index, const AccessorFormat& format) {
  if (auto left = reader_.go_on(); !left) return Refused(left.error());
  if (format.view == none && !format.sparse) return read_zeros(format);
  Checked<Array> base;
  if (format.view != none) {
    base = read_view(format.value, format.view, format.offset, format.count, format);
    if (!base || !format.sparse) return base;
  }
  const auto& changes = replaced(index);
  if (!changes) return Refused(changes.error());
  return substitute(format, format.view != none ? &*base : nullptr, *changes);
}

// All rows share one row of zeros (stride 0). The memory limit counts all of them, because users of the array will expand it.
Checked<Array> Accessors::read_zeros(const AccessorFormat& format) {
  alignas(16) static constexpr std::byte zeros[64] = {};
  if (auto taken = reader_.take(format.value, format.count, format.packed_size()); !taken) return Refused(taken.error());
  return Array::borrow(zeros, format.count, format.width(), 0, format.component, format.normalized, nullptr);
}

// Reads the elements of an accessor, or one part of a sparse accessor, from a view.
Checked<Array> Accessors::read_view(JsonValue at, const Checked<Index>& view_index, std::uint64_t offset, std::uint64_t count,
                                    const AccessorFormat& format) {
  if (!view_index) return Refused(view_index.error());
  const auto& view = buffers_.view(*view_index);
  if (!view) return Refused(view.error());
  const ElementLayout layout = layout_of(format.component, format.rows, format.columns);
  const auto found = slice(reader_, at, *view_index, *view, offset, count, layout);
  if (!found) return Refused(found.error());
  return borrow_or_gather(reader_, format, *found, layout, count, view->bytes.owner);
}

Checked<Array> Accessors::sparse_indices(JsonValue value, std::uint64_t count) {
  const auto indices = reader_.object<SparseIndicesObject>(value);
  if (indices.defect()) return reader_.refuse(indices);
  AccessorFormat format;
  format.value = value;
  format.component = component_of(indices.integer("componentType"));
  return read_view(value, reader_.resolve(indices, "bufferView"), indices.integer("byteOffset"), count, format);
}

Checked<Accessors::Replaced> Accessors::read_replaced(const AccessorFormat& format) {
  if (!format.sparse)
    return Replaced{Array::own(std::vector<std::uint32_t>(), 1),
                    Array::borrow(nullptr, 0, format.width(), format.packed_size(), format.component, format.normalized, nullptr)};
  const auto sparse = reader_.object<SparseObject>(format.sparse);
  if (sparse.defect()) return reader_.refuse(sparse);
  const std::uint64_t count = sparse.integer("count");
  if (count > format.count) return reader_.refuse("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE"_code, sparse["count"], count, format.count);
  auto rows = sparse_indices(sparse["indices"], count);
  if (!rows) return Refused(rows.error());
  const auto values = reader_.object<SparseValuesObject>(sparse["values"]);
  if (values.defect()) return reader_.refuse(values);
  auto replacements = read_view(values.value(), reader_.resolve(values, "bufferView"), values.integer("byteOffset"), count, format);
  if (!replacements) return Refused(replacements.error());

  const std::size_t disorder = with_unsigned(*rows, [](auto view) { return kernels::first_not_increasing(view); });
  if (disorder < count) return reader_.refuse("ACCESSOR_SPARSE_INDICES_NON_INCREASING"_code, format.sparse, disorder);
  const std::size_t outside = with_unsigned(*rows, [&](auto view) { return kernels::first_at_least(view, format.count); });
  if (outside < count) {
    const auto row = with_unsigned(*rows, [&](auto view) { return std::uint64_t{view[outside][0]}; });
    return reader_.refuse("ACCESSOR_SPARSE_INDEX_OOB"_code, format.sparse, outside, row, format.count);
  }
  return Replaced{std::move(*rows), std::move(*replacements)};
}

Checked<Array> Accessors::substitute(const AccessorFormat& format, const Array* base, const Replaced& changes) {
  auto memory = reader_.allocate(format.value, format.count, format.packed_size());
  if (!memory) return Refused(memory.error());
  const std::size_t size = format.packed_size();
  std::byte* out = memory->get();
  if (base != nullptr)
    for (std::size_t i = 0; i < base->size(); ++i) std::memcpy(out + i * size, base->data() + i * base->stride(), size);
  with_unsigned(changes.indices, [&](auto rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::memcpy(out + std::size_t{rows[i][0]} * size, changes.values.data() + i * changes.values.stride(), size);
  });
  return Array::borrow(out, format.count, format.width(), size, format.component, format.normalized, std::move(*memory));
}

Array as_integers(const Array& values) {
  return Array::borrow(values.data(), values.size(), values.width(), values.stride(), values.type(), false, values.owner());
}

// Uses all cores: in a mapped file, this reads the bytes for the first time.
std::uint32_t largest_value(const Array& array) {
  constexpr std::size_t grain = 1 << 18;
  std::atomic<std::uint32_t> most = 0;
  with_unsigned(array, [&](auto view) {
    parallel_for(view.size(), grain, 0, [&](std::size_t first, std::size_t last) {
      const std::uint32_t found = kernels::largest(view.rows(first, last - first));
      for (std::uint32_t known = most; known < found && !most.compare_exchange_weak(known, found);) {
      }
    });
  });
  return most;
}

}  // namespace sinew::gltf
