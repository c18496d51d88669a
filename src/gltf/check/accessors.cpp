// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <type_traits>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/read/ext/KHR_accessor.hpp"
#include "kernels/bounds.hpp"
#include "kernels/scan.hpp"

namespace sinew::gltf {

namespace {

bool holds(ComponentType type, double value) {
  return with_type(type, [&](auto sample) {
    using Limits = std::numeric_limits<decltype(sample)>;
    return value >= static_cast<double>(Limits::lowest()) && value <= static_cast<double>(Limits::max());
  });
}

bool is_whole(JsonValue value) {
  const auto number = value.number();
  return number && std::trunc(*number) == *number;
}

// Checks `min` or `max`: one number per component, each of which the component type can represent. Returns whether the list can be
// compared with values.
bool check_limits(Checker& checker, JsonValue list, ComponentType component, std::size_t width) {
  if (!list) return false;
  const bool floats = component == ComponentType::float32;
  if (!list.is(JsonKind::array)) return checker.report("TYPE_MISMATCH"_code, list, excerpt(list), "array"), false;
  if (floats && list.size() == 0) return checker.report("EMPTY_ENTITY"_code, list), false;
  if (list.size() != width) return checker.report("ARRAY_LENGTH_NOT_IN_LIST"_code, list, list.size(), width), false;
  bool usable = true;
  for (const JsonValue element : list.elements()) {
    const auto number = element.number();
    const bool right_type = element.is(JsonKind::number) && (floats || is_whole(element));
    if (right_type && number && (floats || holds(component, *number))) continue;
    usable = false;
    if (!right_type)
      checker.report("ARRAY_TYPE_MISMATCH"_code, list, excerpt(element), floats ? "number" : "integer");
    else if (!number)
      checker.report("VALUE_NOT_IN_RANGE"_code, element, excerpt(element), "a finite number");
    else
      checker.report("INVALID_GL_VALUE"_code, list, excerpt(element), component_name(component));
  }
  return usable;
}

/// Elements of one component type and shape, starting at an offset in a view.
struct Elements {
  JsonValue owner;  ///< the object that has bufferView and byteOffset
  JsonValue offset_at;
  std::optional<std::uint64_t> offset;
  std::uint64_t count = 0;
  std::size_t component = 1;  ///< bytes of a component
  ElementLayout layout;
};

bool check_place(Checker& checker, const Elements& elements, const ViewLayout& view, Index view_index, std::uint64_t stride) {
  if (!elements.offset) return false;
  bool in_place = true;
  if (*elements.offset % elements.component != 0) {
    checker.report("ACCESSOR_OFFSET_ALIGNMENT"_code, elements.offset_at, *elements.offset, elements.component);
    in_place = false;
  }
  if (!view.offset) return false;
  if (const auto total = checked_add(*view.offset, *elements.offset); total && *total % elements.component != 0) {
    checker.report("ACCESSOR_TOTAL_OFFSET_ALIGNMENT"_code, elements.owner, *total, elements.component);
    in_place = false;
  }
  if (!view.length) {  // without a length no offset is inside
    if (!checker.root()["bufferViews"].at(view_index).is(JsonKind::object)) return false;
    if (checker.sink().full()) return checker.sink().drop(), false;
    checker.sink().add(finding("ACCESSOR_TOO_LONG"_code, FindingPlace(elements.owner.pointer() + "/byteOffset", elements.owner.id()),
                               *elements.offset, "?", view_index, 0));
    return false;
  }
  const auto end = elements.layout.end(*elements.offset, elements.count, stride);
  if (end && *end <= *view.length) return in_place;
  const std::string last = end ? format_text("{}", *end) : format_text("{} · {}", elements.count, stride);
  const bool behind = *elements.offset > *view.length && elements.offset_at;
  checker.report("ACCESSOR_TOO_LONG"_code, behind ? elements.offset_at : elements.owner, *elements.offset, last, view_index, *view.length);
  return false;
}

template <class Of>
Elements elements_of(const Of& object, typename Of::Row row, std::uint64_t count, std::size_t component, const ElementLayout& layout) {
  const JsonValue offset = object.value()["byteOffset"];
  const bool usable = object.has(row) || !offset;
  return {object.value(), offset, usable ? std::optional(object.integer(row)) : std::nullopt, count, component, layout};
}

// Checks a part of a sparse accessor. Its view must not have a stride.
template <class Of>
bool check_part(Checker& checker, const Of& object, typename Of::Row view_row, typename Of::Row offset_row, std::uint64_t count,
                ComponentType component, std::size_t width) {
  const Index view = checker.index(object, view_row);
  if (view == none) return false;
  if (checker.views[view].stride) checker.report("BUFFER_VIEW_INVALID_BYTE_STRIDE"_code, object[view_row]);
  const ElementLayout layout = layout_of(component, width, 1);
  return check_place(checker, elements_of(object, offset_row, count, byte_size(component), layout), checker.views[view], view,
                     layout.packed);
}

bool check_sparse(Checker& checker, JsonValue value, std::uint64_t base_count, ComponentType component, std::size_t width) {
  const auto sparse = checker.object<SparseObject>(value);
  if (!sparse.has("count") || !sparse.has("indices") || !sparse.has("values")) return false;
  const std::uint64_t count = sparse.integer("count");
  if (count == 0) return false;
  bool in_place = count <= base_count;
  if (!in_place) checker.report("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE"_code, sparse["count"], count, base_count);
  const auto indices = checker.object<SparseIndicesObject>(sparse["indices"]);
  const auto type = component_of(indices.integer("componentType"));
  if (indices.has("componentType")) in_place &= check_part(checker, indices, "bufferView", "byteOffset", count, type, 1);
  const auto values = checker.object<SparseValuesObject>(sparse["values"]);
  in_place &= check_part(checker, values, "bufferView", "byteOffset", count, component, width);
  return in_place;
}

template <class T>
void check_limit(Checker& checker, JsonValue list, strided_view<const T> view, std::span<const T> found, bool least) {
  std::size_t c = 0;
  for (const JsonValue element : list.elements()) {
    const T declared = static_cast<T>(element.number().value_or(0));
    const T actual = found[c];
    if (declared != actual) {
      const std::size_t outside = kernels::count_outside(view, c, declared, least);
      checker.report(least ? "ACCESSOR_MIN_MISMATCH"_code : "ACCESSOR_MAX_MISMATCH"_code, element, declared, actual);
      const Code beyond = least ? "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND"_code : "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND"_code;
      if (outside > 0) checker.report(beyond, element, outside, declared);
    }
    ++c;
  }
}

// Checks an accessor's own properties and its place in its views. Uses only the declared properties of the views, so their data may be
// missing. Returns whether the accessor is aligned and inside its view.
bool check_accessor(Checker& checker, const AccessorObject& object, AccessorFacts& format) {
  const ComponentType component = format.component;
  const std::size_t width = format.width();
  if (!object.has("bufferView") && object.value()["byteOffset"])
    checker.report("UNSATISFIED_DEPENDENCY"_code, object.value()["byteOffset"], "bufferView");
  if (object.has("componentType") && format.normalized && byte_size(component) == 4)
    checker.report("ACCESSOR_NORMALIZED_INVALID"_code, object["normalized"]);
  format.comparable_min = width != 0 && check_limits(checker, object["min"], component, width);
  format.comparable_max = width != 0 && check_limits(checker, object["max"], component, width);
  if (format.columns != 1 && object.has("bufferView") && format.offset % 4 != 0)
    checker.report("ACCESSOR_MATRIX_ALIGNMENT"_code, object["byteOffset"], format.offset);

  if (width == 0 || format.count == 0) return false;
  const Index view = checker.index(object, "bufferView");
  bool in_place = view != none || !object.has("bufferView");
  if (view != none) {
    const ElementLayout layout = layout_of(component, format.rows, format.columns);
    const ViewLayout& place = checker.views[view];
    if (place.stride && *place.stride < layout.element) {
      checker.report("ACCESSOR_SMALL_BYTESTRIDE"_code, object.value(), *place.stride, layout.element);
      in_place = false;
    }
    in_place &= check_place(checker, elements_of(object, "byteOffset", format.count, byte_size(component), layout), place, view,
                            place.stride.value_or(layout.packed));
  }
  if (object.has("sparse")) in_place &= check_sparse(checker, object["sparse"], format.count, component, width);
  return in_place;
}

void check_sparse_indices(Checker& checker, const AccessorFormat& format, const Array& rows) {
  with_unsigned(rows, [&](auto view) {
    for (std::size_t i = 0; i < view.size(); ++i) {
      const std::uint64_t row = view[i][0];
      if (i > 0 && row <= view[i - 1][0]) checker.report("ACCESSOR_SPARSE_INDICES_NON_INCREASING"_code, format.sparse, i);
      if (row >= format.count) checker.report("ACCESSOR_SPARSE_INDEX_OOB"_code, format.sparse, i, row, format.count);
    }
  });
}

/// The smallest and largest value of each component.
template <class T>
struct Bounds {
  std::array<T, 16> smallest{}, largest{};
  bool finite = true;
};

constexpr std::size_t grain = 1 << 16;

// Uses all cores: in a mapped file, this reads most of the bytes for the first time.
template <class T>
Bounds<T> bounds_of(strided_view<const T> view) {
  Bounds<T> all;
  std::copy_n(view[0], view.width(), all.smallest.begin());
  all.largest = all.smallest;
  std::mutex adding;
  parallel_for(view.size(), grain, 0, [&](std::size_t first, std::size_t last) {
    Bounds<T> piece;
    piece.finite = kernels::bounds(view.rows(first, last - first), piece.smallest.data(), piece.largest.data());
    const std::scoped_lock lock(adding);
    for (std::size_t c = 0; c < view.width(); ++c) {
      all.smallest[c] = std::min(all.smallest[c], piece.smallest[c]);
      all.largest[c] = std::max(all.largest[c], piece.largest[c]);
    }
    all.finite &= piece.finite;
  });
  if (!all.finite) kernels::bounds(view, all.smallest.data(), all.largest.data());  // a NaN hides others of its piece
  return all;
}

// Does the same without the bounds.
bool is_finite(strided_view<const float> view) {
  std::atomic<bool> finite = true;
  parallel_for(view.size(), grain, 0, [&](std::size_t first, std::size_t last) {
    if (kernels::first_not_finite(view.rows(first, last - first)) < last - first) finite = false;
  });
  return finite;
}

void report_not_finite(Checker& checker, JsonValue accessor, strided_view<const float> view) {
  for (std::size_t row = 0; row < view.size(); ++row)
    for (std::size_t c = 0; c < view.width(); ++c)
      if (!std::isfinite(view[row][c])) checker.report("ACCESSOR_INVALID_FLOAT"_code, accessor, row);
}

// Floats are finite, and values keep to `min` and `max`. Bounds are those of the writer's numbers, and a filter rounds:
// KHR_meshopt_compression asks not to report what differs.
void check_values(Checker& checker, const AccessorFacts& accessor, const Array& values) {
  checker.work().add(values.size() * values.width(), "the values of all accessors");
  if (is_float(values.type()) && values.type() != ComponentType::float32) {
    const std::vector<double> numbers = values.read<double>();
    const auto broken = std::ranges::find_if_not(numbers, [](double x) { return std::isfinite(x); });
    if (broken != numbers.end())
      checker.report("ACCESSOR_INVALID_FLOAT"_code, accessor.value, static_cast<std::size_t>(broken - numbers.begin()) / values.width());
    return;
  }
  with_type(values.type(), [&](auto sample) {
    using T = decltype(sample);
    const auto view = values.view<T>();
    const JsonValue least = accessor.value["min"], most = accessor.value["max"];
    const bool exact = accessor.view == none || !checker.parsed().buffers->filtered(accessor.view);
    const bool has_least = exact && accessor.comparable_min, has_most = exact && accessor.comparable_max;
    if (view.empty()) return;
    Bounds<T> found;
    if (has_least || has_most) found = bounds_of(view);
    if constexpr (std::is_same_v<T, float>)
      if (!found.finite || (!has_least && !has_most && !is_finite(view))) report_not_finite(checker, accessor.value, view);
    if (has_least) check_limit<T>(checker, least, view, found.smallest, true);
    if (has_most) check_limit<T>(checker, most, view, found.largest, false);
  });
}

AccessorFacts facts_of(Checker& checker, JsonValue value) {
  const auto object = checker.object<AccessorObject>(value);
  AccessorFacts facts;
  static_cast<AccessorFormat&>(facts) = format_of(object);
  const bool wide = is_float(facts.component) && facts.component != ComponentType::float32;
  const bool unknown = wide && !may_be_wide(checker.root());
  if (unknown) {
    facts.rows = 0;
    facts.component = ComponentType::float32;
  }
  const Index view = checker.index(object, "bufferView");
  facts.known = value.is(JsonKind::object);
  facts.in_place = check_accessor(checker, object, facts);
  facts.usable = !unknown && object.defect() == nullptr && (view != none || !object.has("bufferView"));
  facts.view = facts.usable ? view : none;
  facts.strided = view != none && checker.parsed().buffers->strided(view);
  if (byte_size(facts.component) == 4) facts.normalized = false;
  return facts;
}

void check_data(Checker& checker, const AccessorFacts& accessor) {
  if (!accessor.usable) return;
  if (const JsonValue sparse = accessor.sparse) {
    const auto object = checker.object<SparseObject>(sparse);
    if (object.has("count") && object.has("indices"))
      if (const auto rows = checker.parsed().accessors->sparse_indices(object["indices"], object.integer("count")))
        check_sparse_indices(checker, accessor, *rows);
  }
  if (!accessor.has_data()) return;
  const auto values = checker.array(accessor);
  if (!values) return;
  check_values(checker, accessor, *values);
}

}  // namespace

void check_accessors(Checker& checker) {
  for (const JsonValue value : checker.root()["accessors"].elements()) checker.accessors.push_back(facts_of(checker, value));
  for (const AccessorFacts& accessor : checker.accessors) check_data(checker, accessor);
}

}  // namespace sinew::gltf
