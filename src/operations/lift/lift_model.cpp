// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "math/blades.hpp"
#include "math/dimension.hpp"
#include "math/length.hpp"
#include "model/edit_reporter.hpp"
#include "model/influences.hpp"
#include "model/mesh_numbers.hpp"
#include "model/name_index.hpp"
#include "model/narrowed.hpp"
#include "model/place.hpp"
#include "operations/files/most_work.hpp"
#include "operations/lift/lift_steps.hpp"
#include "operations/lift/product.hpp"
#include "operations/lift/rest_scene.hpp"

namespace sinew::operations {

namespace {

/// Adds an axis to packed rows of N numbers.
std::vector<double> wider(std::span<const double> rows, std::size_t n, double added) {
  std::vector<double> out;
  out.reserve(rows.size() / n * (n + 1));
  for (std::size_t i = 0; i + n <= rows.size(); i += n) {
    out.insert(out.end(), rows.begin() + static_cast<std::ptrdiff_t>(i), rows.begin() + static_cast<std::ptrdiff_t>(i + n));
    out.push_back(added);
  }
  return out;
}

SmallVector<double, 4> wider_rotor(std::size_t n, std::span<const double> rotor) {
  Blades blades = by_mask_of(n, rotor), more(std::size_t{1} << (n + 1));
  for (std::size_t mask = 0; mask < blades.size(); ++mask) more[mask] = blades[mask];
  std::vector<double> out(rotor_size(n + 1));
  store(n + 1, more, out);
  return SmallVector<double, 4>(std::span<const double>(out));
}

/// By which the new axis is scaled, so that an even scale stays even: turns into it would shear otherwise.
double even_scale(std::size_t n, double volume) { return std::pow(std::abs(volume), 1 / static_cast<double>(n)); }

double even_scale(std::span<const double> factors) {
  if (std::ranges::all_of(factors, [&](double factor) { return factor == factors.front(); })) return std::abs(factors.front());
  return even_scale(factors.size(), std::accumulate(factors.begin(), factors.end(), 1.0, std::multiplies<>()));
}

Affine wider(const Affine& map) {
  const std::size_t n = map.dimension();
  Affine out(n + 1);
  out(n, n) = even_scale(n, determinant(map));
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) out(row, column) = map(row, column);
    out.translation(row) = map.translation(row);
  }
  return out;
}

LocalTransform wider(std::size_t n, LocalTransform local) {
  const auto with = [&](SmallVector<double, 3>& numbers, double added) {
    if (!numbers.empty()) numbers = SmallVector<double, 3>(std::span<const double>(wider({numbers.data(), numbers.size()}, n, added)));
  };
  with(local.translation, 0);
  with(local.scale, local.scale.empty() ? 1 : even_scale({local.scale.data(), local.scale.size()}));
  if (!local.rotor.empty()) local.rotor = wider_rotor(n, {local.rotor.data(), local.rotor.size()});
  if (!local.basis.empty()) {
    const Affine basis = wider(affine_of(n, local));
    local.basis = SmallVector<double, 1>(basis.values().first((n + 1) * (n + 1)));
  }
  return local;
}

/// `rest`: of its node, before. The new axis rests.
Track wider(std::size_t n, const LocalTransform& rest, Track track) {
  const std::vector<double> rows = track.values.read<double>();
  const bool spline = track.interpolation == Interpolation::cubic_spline;
  if (track.path == TrackPath::translation) track.values = Array::own(wider(rows, n, 0), n + 1);
  if (track.path == TrackPath::scale) {
    std::vector<double> scales = wider(rows, n, rest.scale.empty() ? 1 : even_scale({rest.scale.data(), rest.scale.size()}));
    for (std::size_t row = 0; spline && row * (n + 1) < scales.size(); ++row)
      if (row % 3 != 1) scales[row * (n + 1) + n] = 0;  // tangents
    track.values = Array::own(std::move(scales), n + 1);
  }
  if (track.path == TrackPath::rotation) {
    const std::size_t width = track.values.width();
    std::vector<double> rotors;
    for (std::size_t row = 0; row < track.values.size(); ++row) {
      std::vector<double> own(&rows[row * width], &rows[row * width] + width);
      if (track.quaternions) own = {own[3], own[2], -own[1], own[0]};
      if (!spline) static_cast<void>(normalize_rotor(own));
      const auto made = wider_rotor(n, own);
      rotors.insert(rotors.end(), made.begin(), made.end());
    }
    track.quaternions = false;
    track.values = Array::own(std::move(rotors), rotor_size(n + 1));
  }
  return track;
}

/// Lifts one mesh.
class MeshLift {
 public:
  /// `thickness`: in the world. `scale`: how much larger the mesh is there at rest.
  MeshLift(const Mesh& mesh, Index index, std::size_t dimension, double thickness, double scale)
      : mesh_(mesh), index_(index), n_(dimension), wanted_(thickness / scale), scale_(scale) {}

  void gather(std::vector<LeftOut>& left_out) {
    if (mesh_.blocks.size() != 1 || find_attribute(mesh_.blocks.front().attributes, Semantic::position) == nullptr) {
      left_out.push_back({mesh_.name, index_, 0, mesh_.blocks.size() > 1 ? "it has several blocks of vertices" : "it has no positions"});
      return;
    }
    const std::size_t first = left_out.size();
    sheet_ = sheet_of(mesh_, n_, left_out);
    for (std::size_t i = first; i < left_out.size(); ++i) left_out[i].index = index_;
  }
  [[nodiscard]] bool empty() const { return sheet_.count() == 0; }
  [[nodiscard]] const Sheet& sheet() const { return sheet_; }

  /// `report.rings`: how many points a ring has. `thickness`: by point of the sheet.
  Mesh run(std::vector<double> thickness, LiftReport& report, std::vector<std::vector<std::uint32_t>>& corners) {
    rings_ = report.rings;
    mitres_ = mitres_of(sheet_);
    thickness_ = std::move(thickness);
    for (const double own : thickness_) {
      report.limited += own < wanted_ ? 1 : 0;
      if (own * scale_ >= report.thinnest) continue;
      report.thinnest = own * scale_;
      report.thin_mesh = mesh_.name;
    }
    product_ = product_of(sheet_, rings_);
    place_points();
    face_away();
    report.before += sheet_.count();
    report.borders += sheet_.borders.size();
    report.simplexes += product_.surface.size();
    report.vertices += product_.points.size();
    Mesh out;
    static_cast<Entity&>(out) = mesh_;
    out.shapes = mesh_.shapes;
    out.group_names = mesh_.group_names;
    add_block(out);
    of_surface_.resize(mesh_.surfaces.size());
    for (std::size_t i = 0; i < product_.surface.size(); ++i) of_surface_[product_.surface[i]].push_back(i);
    for (std::uint32_t s = 0; s < mesh_.surfaces.size(); ++s) add_surface(s, out, corners);
    return out;
  }

 private:
  void place_points() {
    for (const Product::Point& p : product_.points) {
      const double turn = 2 * std::numbers::pi * p.ring / static_cast<double>(rings_);
      const bool centre = p.ring == Product::centre;
      // Exactly in the old space at half a turn, so that its slice goes through both points.
      const double out = centre ? 0 : std::cos(turn), up = centre || 2 * p.ring % rings_ == 0 ? 0 : std::sin(turn);
      for (std::size_t i = 0; i < n_; ++i)
        places_.push_back(sheet_.place(p.point)[i] + thickness_[p.point] * out * mitres_[p.point * n_ + i]);
      places_.push_back(thickness_[p.point] * up);
    }
  }

  /// Turns all simplexes if most of their fronts face the sheet.
  void face_away() {
    const strided_view<const double> places{places_.data(), product_.points.size(), n_ + 1};
    std::vector<double> normal(n_ + 1);
    double away = 0;
    for (std::size_t s = 0; s < product_.surface.size(); ++s) {
      if (product_.cap[s]) continue;
      simplex_normal(places, std::span(product_.simplexes).subspan(s * (n_ + 1), n_ + 1), normal);
      for (std::size_t k = 0; k <= n_; ++k) {
        const std::uint32_t number = product_.simplexes[s * (n_ + 1) + k], point = product_.points[number].point;
        for (std::size_t i = 0; i <= n_; ++i) away += normal[i] * (places_[number * (n_ + 1) + i] - (i < n_ ? sheet_.place(point)[i] : 0));
      }
    }
    if (away >= 0) return;
    for (std::size_t s = 0; s < product_.surface.size(); ++s) {
      std::swap(product_.simplexes[s * (n_ + 1)], product_.simplexes[s * (n_ + 1) + 1]);
      std::swap(product_.corner[s * (n_ + 1)], product_.corner[s * (n_ + 1) + 1]);
    }
  }

  void add_block(Mesh& out) const {
    const VertexBlock& from = mesh_.blocks.front();
    VertexBlock& block = out.blocks.emplace_back();
    block.vertices = product_.points.size();
    Attribute& position = block.attributes.emplace_back();
    position.semantic = Semantic::position;
    position.values = Array::own(std::vector<float>(places_.begin(), places_.end()), n_ + 1);
    for (const Offsets& offsets : find_attribute(from.attributes, Semantic::position)->offsets)
      position.offsets.push_back(wider(offsets, from.vertices));
    if (from.influences.empty()) return;
    const InfluenceTable stored(from.influences);
    std::vector<std::uint32_t> first{0}, slots;
    std::vector<float> weights;
    for (const Product::Point& p : product_.points) {
      if (sheet_.row[p.point] < stored.size())
        for (const auto [slot, weight] : stored[sheet_.row[p.point]]) {
          slots.push_back(slot);
          weights.push_back(static_cast<float>(weight));
        }
      first.push_back(static_cast<std::uint32_t>(slots.size()));
    }
    block.influences.first = std::move(first);
    block.influences.slots = narrowed_indices(std::move(slots));
    block.influences.weights = Array::own(std::move(weights), 1);
    block.influences.divide_by_sum = true;
  }

  [[nodiscard]] Offsets wider(const Offsets& offsets, std::size_t rows) const {
    const std::vector<double> values = offsets.values.read<double>();
    std::vector<std::size_t> at(rows, std::numeric_limits<std::size_t>::max());
    const std::vector<std::uint32_t> indices = offsets.indices.read<std::uint32_t>();
    for (std::size_t i = 0; i < offsets.values.size(); ++i) at[offsets.sparse() ? indices[i] : i] = i;
    std::vector<std::uint32_t> moved;
    std::vector<float> by;
    for (std::uint32_t number = 0; number < product_.points.size(); ++number) {
      const std::size_t row = at[sheet_.row[product_.points[number].point]];
      if (row >= offsets.values.size()) continue;
      moved.push_back(number);
      for (std::size_t i = 0; i < n_; ++i) by.push_back(static_cast<float>(values[row * n_ + i]));
      by.push_back(0);
    }
    Offsets out;
    out.shape = offsets.shape;
    out.sparse_ = true;
    out.indices = Array::own(std::move(moved), 1);
    out.values = Array::own(std::move(by), n_ + 1);
    return out;
  }

  void add_surface(std::uint32_t s, Mesh& out, std::vector<std::vector<std::uint32_t>>& corners) const {
    const Surface& from = mesh_.surfaces[s];
    Surface& surface = out.surfaces.emplace_back();
    static_cast<Entity&>(surface) = from;
    surface.material = from.material;
    surface.indexed = true;
    std::vector<std::uint32_t> elements, source;
    const std::vector<std::size_t>& simplexes = of_surface_[s];
    for (const std::size_t i : simplexes) {
      for (std::size_t k = 0; k <= n_; ++k) {
        elements.push_back(product_.simplexes[i * (n_ + 1) + k]);
        source.push_back(product_.corner[i * (n_ + 1) + k]);
      }
    }
    if (elements.empty()) {
      surface.primitive = Primitive::lines;
      surface.elements = surface.edges = Array::own(std::vector<std::uint32_t>(), 2);
      corners.emplace_back();
      return;
    }
    const ComponentType type = fitting_type(elements, ComponentType::uint16, 1);
    surface.elements = stored_as(type, std::move(elements), n_ + 1);
    for (const Attribute& attribute : from.attributes) {
      if (attribute.values.empty()) continue;
      Attribute& made = surface.attributes.emplace_back();
      made.semantic = attribute.semantic;
      made.set = attribute.set;
      made.custom = attribute.custom;
      made.values = attribute.semantic == Semantic::normal ? ring_normals(attribute, simplexes) : gathered(attribute, source);
    }
    corners.push_back(std::move(source));
  }

  [[nodiscard]] static std::size_t row_of(const Attribute& attribute, const std::vector<std::uint32_t>& index, std::uint32_t corner) {
    return attribute.index.empty() ? corner : index[corner];
  }

  static Array gathered(const Attribute& attribute, std::span<const std::uint32_t> source) {
    const std::vector<float> values = attribute.values.read<float>();
    const std::vector<std::uint32_t> index = attribute.index.read<std::uint32_t>();
    const std::size_t width = attribute.values.width();
    std::vector<float> out;
    for (const std::uint32_t corner : source)
      for (std::size_t i = 0; i < width; ++i) out.push_back(values[row_of(attribute, index, corner) * width + i]);
    return Array::own(std::move(out), width);
  }

  /// The normal of the surface, turned to the point's place on the ring; on a closed border that of the simplex.
  [[nodiscard]] Array ring_normals(const Attribute& attribute, std::span<const std::size_t> simplexes) const {
    const std::vector<float> values = attribute.values.read<float>();
    const std::vector<std::uint32_t> index = attribute.index.read<std::uint32_t>();
    const strided_view<const double> places{places_.data(), product_.points.size(), n_ + 1};
    std::vector<double> flat(n_ + 1);
    std::vector<float> out;
    for (const std::size_t s : simplexes) {
      simplex_normal(places, std::span(product_.simplexes).subspan(s * (n_ + 1), n_ + 1), flat);
      const double length = length_of(flat);
      for (std::size_t k = 0; k <= n_; ++k) {
        const std::size_t at = s * (n_ + 1) + k;
        const Product::Point& p = product_.points[product_.simplexes[at]];
        const double turn = 2 * std::numbers::pi * p.ring / static_cast<double>(rings_);
        const float* const own = &values[row_of(attribute, index, product_.corner[at]) * n_];
        for (std::size_t i = 0; i <= n_; ++i) {
          const double round = i < n_ ? std::cos(turn) * static_cast<double>(own[i]) : std::sin(turn);
          out.push_back(static_cast<float>(product_.cap[s] ? (length > 0 ? flat[i] / length : (i == n_ ? 1 : 0)) : round));
        }
      }
    }
    return Array::own(std::move(out), n_ + 1);
  }

  const Mesh& mesh_;
  Index index_;
  std::size_t n_;
  double wanted_, scale_;
  std::size_t rings_ = 0;
  Sheet sheet_;
  Product product_;
  std::vector<double> mitres_, thickness_, places_;
  std::vector<std::vector<std::size_t>> of_surface_;  ///< simplexes of the product
};

/// Returns a mesh in its place that draws nothing.
Mesh nothing_of(const Mesh& mesh, std::size_t dimension) {
  Mesh out;
  static_cast<Entity&>(out) = mesh;
  VertexBlock& block = out.blocks.emplace_back();
  block.vertices = 1;
  Attribute& position = block.attributes.emplace_back();
  position.semantic = Semantic::position;
  position.values = Array::own(std::vector<float>(dimension), dimension);
  Surface& surface = out.surfaces.emplace_back();
  surface.primitive = Primitive::lines;
  surface.indexed = true;
  surface.elements = surface.edges = Array::own(std::vector<std::uint32_t>(), 2);
  return out;
}

/// Returns the rotor that turns a direction of N-space towards the new axis.
std::vector<double> into_new_axis(std::size_t n, std::span<const double> direction, double radians) {
  std::vector<double> out(rotor_size(n + 1));
  for (std::size_t axis = 0; axis < n; ++axis) {
    const Rotor one = Rotor::in_plane(axis, n, radians);
    std::vector<double> whole(out.size());
    expand_rotor({one.values.data(), one.values.size()}, whole);
    out[0] = whole[0];
    for (std::size_t i = 1; i < out.size(); ++i) out[i] += direction[axis] * whole[i];
  }
  return out;
}

/// The direction from a node to the nodes below it, in its own space; of the last one of a chain, that from the node above to it.
std::vector<double> direction_of(const Model& model, Index node) {
  const std::size_t n = model.dimension;
  std::vector<double> way(n);
  for (const Index child : model.nodes[node].children) {
    const LocalTransform& local = model.rest_pose.locals[child];
    for (std::size_t i = 0; i < n && i < local.translation.size(); ++i) way[i] += local.translation[i];
  }
  double length = length_of(way);
  if (!(length > 0)) {
    const Affine local = affine_of(n, model.rest_pose.locals[node]);
    if (const auto back = inverse(local))
      for (std::size_t row = 0; row < n; ++row) {
        way[row] = 0;
        for (std::size_t column = 0; column < n; ++column) way[row] += (*back)(row, column) * local.translation(column);
      }
    length = length_of(way);
  }
  if (!(length > 0)) {
    way.assign(n, 0);
    way[1] = length = 1;  // the tail of a bone lies along +Y
  }
  for (double& x : way) x /= length;
  return way;
}

Unexpected usage(const Model& model, std::string message) {
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(model), std::move(message)));
}

Result<> add_clip_into_w(const Model& model, const LiftOptions& options, Model& lifted) {
  if (options.into_w.empty()) return {};
  const std::size_t n = model.dimension;
  Clip& clip = lifted.clips.emplace_back();
  clip.name = "into w";
  for (std::size_t number = 2; std::ranges::count(lifted.clips, clip.name, &Clip::name) > 1; ++number)
    clip.name = format_text("into w {}", number);
  for (const auto& [name, degrees] : options.into_w) {
    const auto node = find_by_name(name, named_things(model.nodes), model.nodes.size(), "joint");
    if (!node) return Unexpected(node.error());
    const LocalTransform& rest = lifted.rest_pose.locals[*node];
    if (!(degrees != 0 && std::abs(degrees) <= 180))
      return usage(model, format_text("found {:g} degrees for \"{}\", expected at most 180, and not 0", degrees, name));
    if (!rest.basis.empty())
      return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(model, model.nodes[*node]),
                              format_text("\"{}\" has a basis, which a rotation would replace", name)));
    std::vector<double> rotors, before(rotor_size(n + 1));
    before[0] = 1;
    if (!rest.rotor.empty()) expand_rotor({rest.rotor.data(), rest.rotor.size()}, before);
    for (const double share : {0.0, 1.0, 0.0}) {
      std::vector<double> key(before.size());
      need(compose(n + 1, into_new_axis(n, direction_of(model, *node), share * degrees / 180 * std::numbers::pi), before, key));
      rotors.insert(rotors.end(), key.begin(), key.end());
    }
    Track& track = clip.tracks.emplace_back();
    track.node = *node;
    track.path = TrackPath::rotation;
    track.times = Array::own(std::vector<float>{0, 1, 2}, 1);
    track.values = Array::own(std::vector<float>(rotors.begin(), rotors.end()), rotor_size(n + 1));
  }
  clip.duration = 2;
  clip.channels = clip.tracks.size();
  return {};
}

/// As many points as let the sides of a ring be as long as the edges of the sheets, between 6 and 12.
std::size_t usual_rings(const std::vector<MeshLift>& meshes, double thickness) {
  double sum = 0;
  std::size_t count = 0;
  for (const MeshLift& mesh : meshes)
    for (std::size_t s = 0; s < mesh.sheet().count(); ++s) {
      const auto own = mesh.sheet().simplex(s);
      double square = 0;
      for (std::size_t i = 0; i < mesh.sheet().dimension; ++i)
        square += std::pow(mesh.sheet().place(own[0])[i] - mesh.sheet().place(own[1])[i], 2);
      sum += std::sqrt(square);
      ++count;
    }
  const double half = count == 0 || !(sum > 0) ? 3 : std::numbers::pi * thickness / (sum / static_cast<double>(count));
  return 2 * static_cast<std::size_t>(std::clamp(std::round(half), 3.0, 6.0));
}

std::string why_nothing(const LiftReport& report) {
  if (report.left_out.empty()) return "no mesh has a surface of simplexes";
  const LeftOut& first = report.left_out.front();
  return format_text("{} elements {}are left out: {}", first.simplexes, first.mesh.empty() ? "" : format_text("of \"{}\" ", first.mesh),
                     first.why);
}

std::size_t elements_in(const Mesh& mesh, std::size_t n) {
  std::size_t count = 0;
  for (const Surface& surface : mesh.surfaces) count += count_of(need(elements_of(mesh, surface, n)));
  return count;
}

void report_losses(const Model& model, const LiftReport& report, FindingSink& losses) {
  const EditReporter reporter(model, losses);
  for (const LeftOut& out : report.left_out)
    reporter.lost(model.meshes[out.index], out.simplexes == 0
                                               ? format_text("the mesh \"{}\" is left out: {}", out.mesh, out.why)
                                               : format_text("{} of {} elements of \"{}\" are left out: {}", out.simplexes,
                                                             elements_in(model.meshes[out.index], model.dimension), out.mesh, out.why));
  for (const Mesh& mesh : model.meshes) {
    bool normals = false, topology = false;
    for (const Surface& surface : mesh.surfaces) {
      topology |= surface.topology.has_value() || surface.polytope_simplexes;
      for (const Attribute& attribute : surface.attributes) normals |= !attribute.offsets.empty();
    }
    if (normals) reporter.lost(mesh, "the effect of blend shapes on normals and texture coordinates is lost");
    if (topology) reporter.lost(mesh, "the topology of its polytopes is lost");
  }
}

}  // namespace

Result<Model> lift_model(const Model& model, const LiftOptions& options, LiftReport& report, SurfaceCorners& corners, FindingSink& losses) {
  if (model.dimension < 3 || model.dimension >= max_dimension)
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(model),
                            format_text("found {} dimensions, expected 3 to {}", model.dimension, max_dimension - 1)));
  if (options.rings != 0 && (options.rings < 4 || options.rings % 2 == 1 || options.rings > most_rings))
    return usage(model, format_text("a ring needs an even number of points, at least 4 and at most {}", most_rings));
  for (const auto& [name, degrees] : options.into_w)
    if (const auto node = find_by_name(name, named_things(model.nodes), model.nodes.size(), "joint"); !node)
      return Unexpected(node.error());
  for (std::size_t i = 1; i < options.into_w.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (options.into_w[i].first == options.into_w[k].first)
        return usage(model, format_text("the joint \"{}\" is named twice", options.into_w[i].first));
  const auto rest = scene_at_rest(model, options.threads);
  if (!rest) return Unexpected(rest.error());
  if (!(rest->diagonal > 0))
    return Unexpected(error("SINEW_LIFT_NOTHING"_code, Failure::input, place_of(model), "the scene draws no vertex"));
  report.thickness = report.thinnest = options.thickness.value_or(usual_thickness * rest->diagonal);
  if (!(report.thickness > 0 && report.thickness <= 100 * rest->diagonal))
    return usage(model, format_text("found the thickness {:g}, expected more than 0 and at most {:g}, 100 times the diagonal",
                                    report.thickness, 100 * rest->diagonal));
  constexpr std::uint64_t steps_per_number = 8, steps_per_simplex = 64;
  WorkMeter meter = meter_of(model);
  for (const Mesh& mesh : model.meshes)
    if (auto fits = meter.allow(steps_per_number * numbers_of(mesh), "the numbers of all meshes, which may share arrays,"); !fits)
      return Unexpected(std::move(fits.error()));
  std::vector<MeshLift> meshes;
  for (Index mesh = 0; mesh < model.meshes.size(); ++mesh)
    meshes.emplace_back(model.meshes[mesh], mesh, model.dimension, report.thickness, rest->scale_of(mesh)).gather(report.left_out);
  report.rings = options.rings != 0 ? options.rings : usual_rings(meshes, report.thickness);
  report_losses(model, report, losses);
  ProductSize all;
  for (const MeshLift& mesh : meshes) {
    const ProductSize own = size_of_product(mesh.sheet(), report.rings);
    all.simplexes += own.simplexes;
    all.points += own.points;
  }
  if (all.simplexes == 0) return Unexpected(error("SINEW_LIFT_NOTHING"_code, Failure::input, place_of(model), why_nothing(report)));
  if (all.points > std::numeric_limits<std::uint32_t>::max() ||
      all.simplexes * (model.dimension + 1) > std::numeric_limits<std::uint32_t>::max())
    return Unexpected(error("SINEW_LIFT_TOO_LARGE"_code, Failure::limit, place_of(model), all.simplexes, all.points));
  if (auto fits = meter.allow(steps_per_simplex * all.simplexes, "the simplexes of the lifted model"); !fits)
    return Unexpected(std::move(fits.error()));
  if (options.starts) options.starts(all.simplexes, all.points);
  Model lifted = model;
  const std::size_t n = model.dimension;
  lifted.dimension = n + 1;
  std::vector<const Sheet*> sheets;
  for (const MeshLift& mesh : meshes) sheets.push_back(&mesh.sheet());
  SheetThickness thickness = thickness_in(*rest, sheets, report.thickness, options.threads);
  report.meeting = thickness.meeting;
  for (Index mesh = 0; mesh < meshes.size(); ++mesh) {
    if (meshes[mesh].empty()) {
      for (Node& node : lifted.nodes)
        if (node.mesh == mesh) node.mesh = node.skin = none;
      lifted.meshes[mesh] = nothing_of(model.meshes[mesh], model.dimension + 1);
      continue;
    }
    lifted.meshes[mesh] = meshes[mesh].run(std::move(thickness.of_mesh[mesh]), report, corners[mesh]);
  }
  for (LocalTransform& local : lifted.rest_pose.locals) local = wider(n, std::move(local));
  for (Node& node : lifted.nodes)
    for (Affine& copy : node.copies) copy = wider(copy);
  for (Skin& skin : lifted.skins)
    for (Affine& bind : skin.joint_from_mesh) bind = wider(bind);
  for (Skeleton& skeleton : lifted.skeletons)
    for (Affine& bind : skeleton.joint_from_mesh) bind = wider(bind);
  for (Clip& clip : lifted.clips)
    for (Track& track : clip.tracks)
      track = wider(n, track.node == none ? LocalTransform() : model.rest_pose.locals[track.node], std::move(track));
  lifted.boxes.clear();
  if (auto done = add_clip_into_w(model, options, lifted); !done) return Unexpected(std::move(done.error()));
  return lifted;
}

Result<Model> lift(const Model& model, const LiftOptions& options, LiftReport& report, FindingSink& losses) SINEW_TRY {
  SurfaceCorners corners;
  return lift_model(model, options, report, corners, losses);
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations
