// SPDX-License-Identifier: MIT
#include "g4mf/read/mesh/bindings.hpp"

#include "base/message.hpp"

namespace sinew::g4mf {

namespace {

class BindingReader {
 public:
  BindingReader(Reader& reader, Accessors& accessors, const BindingPlace& place) : reader_(reader), accessors_(accessors), place_(place) {}

  Checked<Bound> read(JsonValue value, Semantic semantic, std::size_t width, Code wrong_values) {
    const auto object = reader_.object<BindingObject>(value);
    if (object.defect()) return reader_.refuse(object);
    const auto values = accessors_.array(object, "values", {AccessorRequirement::Type::floating, width, wrong_values, wrong_values});
    if (!values) return Refused(values.error());
    values_ = values->size();
    if (auto done = read_indices(object); !done) return Refused(done.error());
    if (!corners_ && !instances_) reader_.report("G4MF_BINDING_EMPTY"_code, value);
    Bound bound;
    if (corners_) bound.corners = Attribute{semantic, 0, {}, *values, std::move(*corners_), {}};
    if (instances_) bound.instances = Attribute{semantic, 0, {}, *values, std::move(*instances_), {}};
    return bound;
  }

 private:
  // Values per corner take precedence over values per simplex.
  Checked<> read_indices(const BindingObject& object) {
    const bool by_corner = object.has("simplexes"), by_simplex = object.has("perSimplex");
    if ((by_corner || by_simplex) && !place_.simplexes)
      reader_.report("G4MF_BINDING_SIMPLEXES_MISSING"_code, object.value());
    else if (by_corner || by_simplex)
      if (auto done = by_corner ? read_simplexes(object) : read_per_simplex(object); !done) return done;
    for (const JsonValue value : object["geometry"].elements())
      if (auto done = read_geometry(value); !done) return done;
    return {};
  }

  Checked<> read_simplexes(const BindingObject& object) {
    const JsonValue at = object["simplexes"];
    constexpr Code code = "G4MF_BINDING_SIMPLEXES_ACCESSOR"_code;
    const auto index =
        accessors_.array(object, "simplexes", {AccessorRequirement::Type::integer, place_.surface.elements.width(), code, code});
    if (!index) return Refused(index.error());
    if (index->size() != place_.surface.elements.size())
      return reader_.refuse(code, at, Accessors::text(*index) + format_text(" of {} elements", index->size()),
                            format_text("{} elements", place_.surface.elements.size()));
    if (auto fits = check_range(at, *index); !fits) return fits;
    corners_ = flat(*index);
    return {};
  }

  Checked<> read_per_simplex(const BindingObject& object) {
    const JsonValue at = object["perSimplex"];
    constexpr Code code = "G4MF_BINDING_PER_SIMPLEX_ACCESSOR"_code;
    const auto index = accessors_.array(object, "perSimplex", {AccessorRequirement::Type::integer, 1, code, code});
    if (!index) return Refused(index.error());
    if (index->size() != place_.surface.elements.size())
      return reader_.refuse(code, at, format_text("{} elements", index->size()),
                            format_text("{} elements", place_.surface.elements.size()));
    if (auto fits = check_range(at, *index); !fits) return fits;
    if (auto taken = reader_.take(at, place_.corners, 8); !taken) return taken;
    const std::size_t width = place_.surface.elements.width();
    const std::vector<std::uint32_t> simplexes = index->read<std::uint32_t>();
    std::vector<std::uint32_t> corners(place_.corners);
    for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = simplexes[i / width];
    corners_ = reader_.own(std::move(corners), 1);
    return {};
  }

  // Values of items of dimension 0 (vertices), 1 (edges), 2 (faces) …, or of their parts of a lower dimension.
  Checked<> read_geometry(JsonValue value) {
    const auto object = reader_.object<BindingGeometryObject>(value);
    if (object.defect()) return reader_.refuse(object);
    const std::uint64_t dimension = object.integer("geometryDimension");
    const std::uint64_t part = object.integer("decomposeDimension");
    if (dimension >= place_.tiers + 2 && dimension > 1)
      return reader_.refuse("G4MF_BINDING_GEOMETRY_DIMENSION"_code, object["geometryDimension"], dimension);
    if (part > dimension) return reader_.refuse("G4MF_BINDING_DECOMPOSE_DIMENSION"_code, object["decomposeDimension"], part, dimension);
    constexpr Code code = "G4MF_BINDING_GEOMETRY_STREAM"_code;
    const auto index = accessors_.array(object, "accessor", {AccessorRequirement::Type::integer, 0, code, code});
    if (!index) return Refused(index.error());
    const JsonValue at = object["accessor"];
    if (part != 0) return {};
    if (const auto tier = boundary_tier(reader_.dimension()); tier && dimension == *tier + 2) return read_instances(at, flat(*index));
    const bool edges = !place_.simplexes && place_.surface.indexed;
    const bool points = !place_.simplexes && !place_.surface.indexed;
    if ((dimension == 1 && edges) || (dimension == 0 && points)) return read_corners(at, flat(*index));
    return {};
  }

  Checked<> read_corners(JsonValue at, const Array& index) {
    if (index.size() != place_.corners) return refuse_stream(at, index.size(), place_.corners);
    if (auto fits = check_range(at, index); !fits) return fits;
    corners_ = index;
    return {};
  }

  // The stream has, for each item, the number of its vertices and one index per vertex.
  Checked<> read_instances(JsonValue at, const Array& index) {
    const VertexLists& lists = place_.instances;
    const std::size_t expected = lists.vertices.size() + lists.items();
    if (index.size() != expected) return refuse_stream(at, index.size(), expected);
    if (auto taken = reader_.take(at, expected, 8); !taken) return taken;
    const std::vector<std::uint32_t> words = index.read<std::uint32_t>();
    std::vector<std::uint32_t> rows;
    rows.reserve(lists.vertices.size());
    for (std::size_t item = 0, word = 0; item < lists.items(); ++item) {
      const std::uint32_t count = lists.first[item + 1] - lists.first[item];
      if (words[word] != count) return refuse_stream(at, words[word], count);
      rows.insert(rows.end(), words.begin() + static_cast<std::ptrdiff_t>(word + 1),
                  words.begin() + static_cast<std::ptrdiff_t>(word + 1 + count));
      word += count + 1;
    }
    const Array array = reader_.own(std::move(rows), 1);
    if (auto fits = check_range(at, array); !fits) return fits;
    instances_ = array;
    return {};
  }

  Checked<> refuse_stream(JsonValue at, std::size_t found, std::size_t expected) {
    return reader_.refuse("G4MF_BINDING_GEOMETRY_STREAM"_code, at, format_text("{} numbers", found), format_text("{} numbers", expected));
  }

  Checked<> check_range(JsonValue at, const Array& index) {
    const auto outside = first_outside(index, values_);
    if (!outside) return {};
    return reader_.refuse("G4MF_BINDING_INDEX_RANGE"_code, at, *outside, text_of_row(index, *outside), values_);
  }

  // Returns the array with width 1. Elements are packed.
  static Array flat(const Array& array) {
    return Array::borrow(array.data(), array.size() * array.width(), 1, byte_size(array.type()), array.type(), false, array.owner());
  }

  Reader& reader_;
  Accessors& accessors_;
  const BindingPlace& place_;
  std::size_t values_ = 0;
  std::optional<Array> corners_;
  std::optional<Array> instances_;
};

}  // namespace

Checked<Bound> read_binding(Reader& reader, Accessors& accessors, JsonValue value, const BindingPlace& place, Semantic semantic,
                            std::size_t width, Code wrong_values) {
  return BindingReader(reader, accessors, place).read(value, semantic, width, wrong_values);
}

}  // namespace sinew::g4mf
