// SPDX-License-Identifier: MIT
#include "gltf/accessor.hpp"

#include <cstring>

#include "kernels/scan.hpp"

namespace sinew::gltf {

namespace {

struct Component {
  std::uint32_t code;
  ComponentType type;
  std::string_view name;
};
constexpr Component components[] = {
    {5120, ComponentType::int8, "byte"},           {5121, ComponentType::uint8, "unsigned byte"},
    {5122, ComponentType::int16, "short"},         {5123, ComponentType::uint16, "unsigned short"},
    {5125, ComponentType::uint32, "unsigned int"}, {5126, ComponentType::float32, "float"},
};

ComponentType component_of(std::uint64_t code) {
  for (const Component& component : components)
    if (component.code == code) return component.type;
  return ComponentType::float32;
}

// The layout of an element in a view: columns of matrices start at multiples of four bytes (glTF, Data Alignment).
struct Layout {
  std::size_t column;         // bytes of a column's values
  std::size_t column_stride;  // bytes from column to column
  std::size_t element;        // bytes that the element needs; the last column's padding does not count
  std::size_t packed;         // bytes from element to element when packed
};

Layout layout_of(const AccessorFormat& format) {
  const std::size_t column = format.rows * byte_size(format.component);
  const std::size_t column_stride = format.columns == 1 ? column : (column + 3) / 4 * 4;
  return {column, column_stride, (format.columns - 1u) * column_stride + column, format.columns * column_stride};
}

// A part of a view that holds `count` elements; where it does not fit the problem is at `at`.
struct Slice {
  const std::byte* data;
  std::size_t stride;
};
Checked<Slice> slice(Reading& reading, JsonValue at, Index view_index, const View& view, std::uint64_t offset, std::uint64_t count,
                     const Layout& layout) {
  const std::uint64_t stride = view.stride != 0 ? view.stride : layout.packed;
  if (stride < layout.element) reading.report<"ACCESSOR_SMALL_BYTESTRIDE"_code>(at, stride, layout.element);
  std::optional<std::uint64_t> end = offset;
  if (count != 0) {
    end = checked_mul(count - 1, stride);
    if (end) end = checked_add(*end, layout.element);
    if (end) end = checked_add(*end, offset);
  }
  const std::size_t size = view.bytes.view.size();
  if (!end || *end > size) {
    const JsonValue place = at["byteOffset"];
    const std::string last = end ? fmt::format("{}", *end) : fmt::format("{} · {}", count, stride);
    return reading.refuse<"ACCESSOR_TOO_LONG"_code>(place && offset >= size ? place : at, offset, last, view_index, size);
  }
  return Slice{view.bytes.view.data() + offset, stride};
}

bool borrowable(const Slice& slice, const Layout& layout, ComponentType type) {
  const std::size_t size = byte_size(type);
  return layout.element == layout.packed && layout.column == layout.column_stride &&
         reinterpret_cast<std::uintptr_t>(slice.data) % size == 0 && slice.stride % size == 0;
}

// Copies elements into packed ones.
void gather(const Slice& slice, const Layout& layout, std::size_t columns, std::size_t count, std::byte* out) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < columns; ++c, out += layout.column)
      std::memcpy(out, slice.data + i * slice.stride + c * layout.column_stride, layout.column);
}

Checked<Array> borrow_or_gather(Reading& reading, const AccessorFormat& format, const Slice& slice, const Layout& layout,
                                std::uint64_t count, const std::shared_ptr<const void>& owner) {
  if (borrowable(slice, layout, format.component))
    return Array::borrow(slice.data, count, format.width(), slice.stride, format.component, format.normalized, owner);
  auto memory = reading.allocate(format.value, count, format.packed_size());
  if (!memory) return Refused(memory.error());
  gather(slice, layout, format.columns, count, (*memory)->data());
  const std::byte* data = (*memory)->data();
  return Array::borrow(data, count, format.width(), format.packed_size(), format.component, format.normalized, std::move(*memory));
}

}  // namespace

std::string AccessorFormat::text() const {
  std::string_view name;
  for (const Component& known : components)
    if (known.type == component) name = known.name;
  return fmt::format("{} of {}{}", accessor_types[type], normalized ? "normalized " : "", name);
}

Accessors::Accessors(Reading& reading, Buffers& buffers) : reading_(reading), buffers_(buffers) {
  stored_.reserve(reading.count(Reference::accessor));
  for (const JsonValue value : reading.root()[RootRow::accessors].elements()) stored_.push_back({read_format(value), {}, {}, {}});
}

Checked<AccessorFormat> Accessors::read_format(JsonValue value) {
  const auto object = reading_.object<AccessorObject>(value);
  if (object.defect()) return reading_.refuse(object);
  const auto view = reading_.resolve(object, AccessorRow::bufferView);
  if (!view) return Refused(view.error());
  AccessorFormat format;
  format.value = value;
  format.count = object.integer(AccessorRow::count);
  format.type = static_cast<std::uint8_t>(object.word(AccessorRow::type));
  const bool matrix = format.type >= 4;
  format.rows = static_cast<std::uint8_t>(matrix ? format.type - 2 : format.type + 1);
  format.columns = matrix ? format.rows : std::uint8_t{1};
  format.component = component_of(object.integer(AccessorRow::componentType));
  format.normalized = object.boolean(AccessorRow::normalized);
  if (format.normalized && byte_size(format.component) == 4) {
    reading_.report<"ACCESSOR_NORMALIZED_INVALID"_code>(object[AccessorRow::normalized]);
    format.normalized = false;
  }
  format.view = *view;
  format.offset = object.integer(AccessorRow::byteOffset);
  if (*view == none && object.has(AccessorRow::byteOffset))
    reading_.report<"UNSATISFIED_DEPENDENCY"_code>(object[AccessorRow::byteOffset], "bufferView");
  format.sparse = object[AccessorRow::sparse];
  format.strided = *view != none && buffers_.strided(*view);
  return format;
}

Checked<Array> Accessors::array(Index index) {
  Stored& stored = stored_[index];
  if (!stored.array) stored.array = stored.format ? read_array(index, *stored.format) : Checked<Array>(Refused(stored.format.error()));
  return *stored.array;
}

Checked<Accessors::Replaced> Accessors::replaced(Index index) {
  Stored& stored = stored_[index];
  if (!stored.replaced) stored.replaced = stored.format ? read_replaced(*stored.format) : Checked<Replaced>(Refused(stored.format.error()));
  return *stored.replaced;
}

std::uint32_t Accessors::largest(Index index) {
  Stored& stored = stored_[index];
  if (!stored.largest) stored.largest = largest_value(**stored.array);
  return *stored.largest;
}

Checked<Array> Accessors::read_array(Index index, const AccessorFormat& format) {
  if (format.view == none && !format.sparse) return read_zeros(format);
  Checked<Array> base;
  if (format.view != none) {
    base = read_view(format);
    if (!base || !format.sparse) return base;
  }
  const auto changes = replaced(index);
  if (!changes) return Refused(changes.error());
  return substitute(format, format.view != none ? &*base : nullptr, *changes);
}

Checked<Array> Accessors::read_view(const AccessorFormat& format) {
  const auto view = buffers_.view(format.view);
  if (!view) return Refused(view.error());
  const Layout layout = layout_of(format);
  const auto found = slice(reading_, format.value, format.view, *view, format.offset, format.count, layout);
  if (!found) return Refused(found.error());
  return borrow_or_gather(reading_, format, *found, layout, format.count, view->bytes.owner);
}

// All rows are one row of zeros (stride 0). The memory limit counts them all the same: whoever uses them will need it.
Checked<Array> Accessors::read_zeros(const AccessorFormat& format) {
  alignas(16) static constexpr std::byte zeros[64] = {};
  if (auto taken = reading_.take(format.value, format.count, format.packed_size()); !taken) return Refused(taken.error());
  return Array::borrow(zeros, format.count, format.width(), 0, format.component, format.normalized, nullptr);
}

Checked<Accessors::Replaced> Accessors::read_replaced(const AccessorFormat& format) {
  if (!format.sparse) return Replaced{};
  const auto sparse = reading_.object<SparseObject>(format.sparse);
  if (sparse.defect()) return reading_.refuse(sparse);
  const auto indices = reading_.object<SparseIndicesObject>(sparse[SparseRow::indices]);
  if (indices.defect()) return reading_.refuse(indices);
  const auto values = reading_.object<SparseValuesObject>(sparse[SparseRow::values]);
  if (values.defect()) return reading_.refuse(values);
  const std::uint64_t count = sparse.integer(SparseRow::count);
  if (count > format.count)
    return reading_.refuse<"ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE"_code>(sparse[SparseRow::count], count, format.count);

  // Both parts are elements of a view like any other accessor's.
  const auto part = [&](const auto& object, auto view_row, auto offset_row, AccessorFormat of) -> Checked<Array> {
    const auto index = reading_.resolve(object, view_row);
    if (!index) return Refused(index.error());
    const auto view = buffers_.view(*index);
    if (!view) return Refused(view.error());
    const Layout layout = layout_of(of);
    const auto found = slice(reading_, object.value(), *index, *view, object.integer(offset_row), count, layout);
    if (!found) return Refused(found.error());
    return borrow_or_gather(reading_, of, *found, layout, count, view->bytes.owner);
  };
  AccessorFormat index_format;
  index_format.value = indices.value();
  index_format.component = component_of(indices.integer(SparseIndicesRow::componentType));
  auto rows = part(indices, SparseIndicesRow::bufferView, SparseIndicesRow::byteOffset, index_format);
  if (!rows) return Refused(rows.error());
  auto replacements = part(values, SparseValuesRow::bufferView, SparseValuesRow::byteOffset, format);
  if (!replacements) return Refused(replacements.error());

  const std::size_t disorder = with_unsigned(*rows, [](auto view) { return kernels::first_not_increasing(view); });
  if (disorder < count) return reading_.refuse<"ACCESSOR_SPARSE_INDICES_NON_INCREASING"_code>(indices.value(), disorder);
  const std::size_t outside = with_unsigned(*rows, [&](auto view) { return kernels::first_at_least(view, format.count); });
  if (outside < count) {
    const auto row = with_unsigned(*rows, [&](auto view) { return std::uint64_t{view[outside][0]}; });
    return reading_.refuse<"ACCESSOR_SPARSE_INDEX_OOB"_code>(indices.value(), outside, row, format.count);
  }
  return Replaced{std::move(*rows), std::move(*replacements)};
}

Checked<Array> Accessors::substitute(const AccessorFormat& format, const Array* base, const Replaced& changes) {
  auto memory = reading_.allocate(format.value, format.count, format.packed_size());
  if (!memory) return Refused(memory.error());
  const std::size_t size = format.packed_size();
  std::byte* out = (*memory)->data();
  if (base != nullptr)
    for (std::size_t i = 0; i < base->size(); ++i) std::memcpy(out + i * size, base->data() + i * base->stride(), size);
  with_unsigned(changes.indices, [&](auto rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::memcpy(out + std::size_t{rows[i][0]} * size, changes.values.data() + i * changes.values.stride(), size);
  });
  return Array::borrow(out, format.count, format.width(), size, format.component, format.normalized, std::move(*memory));
}

std::uint32_t largest_value(const Array& array) {
  return with_unsigned(array, [](auto view) { return std::uint32_t{kernels::largest(view)}; });
}

}  // namespace sinew::gltf
