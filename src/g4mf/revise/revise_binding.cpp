// SPDX-License-Identifier: MIT
#include "g4mf/revise/revise_binding.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/message.hpp"
#include "g4mf/read/mesh/meshes.hpp"

namespace sinew::g4mf {

namespace {

/// Unit vectors may differ from length 1 by the rounding of float32.
constexpr double unit_tolerance = 1e-5;

/// Normalises vectors; those of length 0 stay. Returns nothing if all others are already unit vectors.
std::optional<Array> normalised(const Array& values) {
  std::vector<double> numbers = values.read<double>();
  const std::size_t width = values.width();
  bool changed = false;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const std::span<double> vector(&numbers[row * width], width);
    const double length = std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
    if (!std::isfinite(length) || length == 0 || std::abs(length - 1) <= unit_tolerance) continue;
    for (double& number : vector) number /= length;
    changed = true;
  }
  if (!changed) return std::nullopt;
  if (byte_size(values.type()) > 4) return Array::own(std::move(numbers), width);
  std::vector<float> narrow(numbers.begin(), numbers.end());
  return Array::own(std::move(narrow), width);
}

}  // namespace

std::optional<std::size_t> boundary_dimension(std::size_t dimension) {
  const auto tier = boundary_tier(dimension);
  return tier ? std::optional(*tier + 2) : std::nullopt;
}

Checked<std::vector<SurfaceLayout>> read_layout(Reviser& reviser, JsonValue mesh) {
  Reader& reader = reviser.reader();
  Accessors& accessors = reviser.accessors();
  const auto object = reader.object<MeshObject>(mesh);
  if (object.defect()) return reader.refuse(object);
  const auto vertices = accessors.array(object, "vertices", {});
  if (!vertices) return Refused(vertices.error());
  MeshParts parts;
  parts.vertices = vertices->size();
  parts.width = vertices->width();
  std::vector<SurfaceLayout> layouts;
  for (const JsonValue value : object["surfaces"].elements()) {
    SurfaceLayout& layout = layouts.emplace_back();
    if (auto done = read_surface(reader, accessors, value, parts, layout.surface); !done) return Refused(done.error());
    layout.corners = parts.surfaces.back().corners;
    if (parts.surfaces.back().instances == 0) continue;
    Topology topology;
    TopologyReader topology_reader(reader, accessors, layout.surface.edges, parts.vertices, topology);
    const JsonValue inside = value["topology"];
    const Property& row = TopologyObject::property("geometry");
    if (auto done = topology_reader.read(inside ? inside["geometry"] : value["geometry"], row, {}, row); !done)
      return Refused(done.error());
    layout.items = topology_reader.instances();
  }
  return layouts;
}

Array joined(const std::vector<Array>& arrays) {
  const bool same = std::ranges::all_of(arrays, [&](const Array& array) { return array.type() == arrays.front().type(); });
  const bool wide = std::ranges::any_of(arrays, [](const Array& array) { return byte_size(array.type()) > 4; });
  const std::size_t width = arrays.front().width();
  if (!same) {
    std::vector<double> all;
    for (const Array& array : arrays) {
      const std::vector<double> numbers = array.read<double>();
      all.insert(all.end(), numbers.begin(), numbers.end());
    }
    return wide ? Array::own(std::move(all), width) : Array::own(std::vector<float>(all.begin(), all.end()), width);
  }
  const std::size_t size = width * byte_size(arrays.front().type());
  const auto bytes = std::make_shared<std::vector<std::byte>>();
  for (const Array& array : arrays)
    for (std::size_t i = 0; i < array.size(); ++i)
      bytes->insert(bytes->end(), array.data() + i * array.stride(), array.data() + i * array.stride() + size);
  return Array::borrow(bytes->data(), bytes->size() / size, width, size, arrays.front().type(), false, bytes);
}

Checked<std::optional<std::size_t>> BindingBuilder::add_values(JsonValue at, std::string_view what) {
  const Index accessor = index_of(at);
  if (accessor >= reviser_.reader().count(Reference::accessor))
    return reviser_.reader().refuse("G4MF_ID_OUT_OF_RANGE"_code, at, excerpt(at), reviser_.reader().count(Reference::accessor),
                                    array_name(Reference::accessor));
  const Checked<Array>& values = reviser_.accessors().array(accessor);
  if (!values) return Refused(values.error());
  if (!parts_.empty() && values->width() != width_) {
    reviser_.lost(at, format_text("{} with {} numbers, because others with {} are already there", what, values->width(), width_));
    return std::optional<std::size_t>();
  }
  width_ = values->width();
  if (auto taken = reviser_.reader().take(at, values->size(), width_ * 16); !taken) return Refused(taken.error());
  Part part{*values, accessor};
  if (unit_) {
    if (auto unit = normalised(*values)) {
      part = {std::move(*unit), none};
      reviser_.changed(at, format_text("{} are normalised", what));
    }
  }
  parts_.push_back(std::move(part));
  rows_ += values->size();
  return std::optional(rows_ - values->size());
}

Checked<Index> BindingBuilder::numbers_from(std::size_t first, std::size_t count, std::size_t width) {
  if (first == 0) return reviser_.add_numbers(count, width);
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(first));
  return reviser_.add(std::move(numbers), width);
}

Checked<> BindingBuilder::lay_on_simplexes(std::size_t first, std::size_t simplexes, std::size_t width) {
  return set_accessor(binding_, "simplexes", numbers_from(first, simplexes * width, width));
}

Checked<> BindingBuilder::lay_per_simplex(std::size_t first, std::size_t simplexes) {
  return set_accessor(binding_, "perSimplex", numbers_from(first, simplexes, 1));
}

Checked<> BindingBuilder::add_geometry(const Checked<Index>& accessor, std::size_t dimension, std::size_t part) {
  JsonEdit entry = JsonEdit::object();
  if (auto done = set_accessor(entry, "accessor", accessor); !done) return done;
  entry.set("geometryDimension", JsonEdit::integer(dimension));
  if (part != 0) entry.set("decomposeDimension", JsonEdit::integer(part));
  list_in(binding_, "geometry").push_back(std::move(entry));
  return {};
}

Checked<> BindingBuilder::lay_on_geometry(std::size_t first, std::size_t count, std::size_t dimension, std::size_t part) {
  return add_geometry(numbers_from(first, count, 1), dimension, part);
}

// The number of an item's vertices precedes their indices.
Checked<> BindingBuilder::lay_on_items(std::size_t first, const VertexLists& items) {
  std::vector<std::uint32_t> words;
  words.reserve(items.vertices.size() + items.items());
  auto row = static_cast<std::uint32_t>(first);
  for (std::size_t item = 0; item < items.items(); ++item) {
    const std::uint32_t count = items.first[item + 1] - items.first[item];
    words.push_back(count);
    for (std::uint32_t i = 0; i < count; ++i) words.push_back(row++);
  }
  return add_geometry(reviser_.add(std::move(words)), *boundary_dimension(reviser_.reader().dimension()), 0);
}

Checked<JsonEdit> BindingBuilder::finish() {
  Index accessor = parts_.front().accessor;
  if (parts_.size() > 1 || accessor == none) {
    std::vector<Array> arrays;
    for (const Part& part : parts_) arrays.push_back(part.values);
    const auto added = reviser_.add(joined(arrays));
    if (!added) return Refused(added.error());
    accessor = *added;
  }
  binding_.set("values", JsonEdit::integer(accessor));
  return binding_;
}

}  // namespace sinew::g4mf
