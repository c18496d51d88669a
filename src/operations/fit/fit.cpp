// SPDX-License-Identifier: MIT
#include "operations/fit/fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "deform/bind.hpp"
#include "math/extent.hpp"
#include "math/length.hpp"
#include "model/influences.hpp"
#include "model/local_of.hpp"
#include "model/place.hpp"
#include "model/trees.hpp"
#include "operations/fit/distortion.hpp"
#include "operations/fit/girth.hpp"
#include "operations/fit/part_carrier.hpp"
#include "operations/fit/trunk.hpp"
#include "operations/repair/repair_steps.hpp"
#include "operations/retarget/transfer.hpp"
#include "operations/weights/own_weights.hpp"

namespace sinew::operations {

namespace {

constexpr double comparable = 2.2;   // times as long as what follows its bone: a hat with its brim
constexpr double cape_length = 0.5;  // of the height of a figure from ankles to neck: a cape
constexpr double degree = std::numbers::pi / 180;

Unexpected cannot(const Model& clothes, std::string message) {
  return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(clothes), std::move(message)));
}

std::vector<BonePair> pairs_of(const Model& body, const Model& clothes, const Match& match) {
  const std::map<Index, std::string> in_body = human_names(body), in_clothes = human_names(clothes);
  std::vector<BonePair> pairs;
  for (Index node = 0; node < clothes.nodes.size(); ++node) {
    if (!match.joint[node] || match.twin[node] == none) continue;
    const auto theirs = in_body.find(match.twin[node]), ours = in_clothes.find(node);
    const std::string bone = theirs != in_body.end() ? theirs->second : ours != in_clothes.end() ? ours->second : std::string();
    pairs.push_back({bone, match.twin[node], node, BonePair::How::name});
  }
  return pairs;
}

/// How the clothes reach the body.
class Fitting {
 public:
  static Result<Fitting> create(const Model& body, const Model& clothes, const Match& match) {
    if (clothes.binds_by_stored_pose())
      return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(clothes),
                              "fitting clothes is for glTF; convert both files to glTF first"));
    Fitting out(clothes, pairs_of(body, clothes, match));
    out.carries_ = carrying_joints(clothes, match.joint);
    if (out.pairs_.size() < 2)
      return Unexpected(
          error("SINEW_MERGE_CANNOT_FIT"_code, Failure::input, place_of(clothes), out.pairs_.size(),
                "use --names auto if the bones have other names, and leave out --fit (or --made-for) for a part on one bone"));
    RetargetOptions options;
    options.align = true;
    FindingList ignored;
    auto transfer = Transfer::create(body, clothes, out.pairs_, options, ignored, 0.01 * degree);
    if (!transfer) return Unexpected(std::move(transfer.error()));
    const Affine back = turned_back(transfer->facing());
    for (const TransferredBone& bone : transfer->bones()) {
      const auto stored = turn_of(transfer->target().world[bone.pair.target]);
      out.extra_.push_back(stored ? bone.b * turned_back(stored->rotation) : Affine(3));
      out.above_.push_back(bone.above_b != npos && bone.above_b == bone.above_a ? bone.above_b : npos);
    }
    out.turn_ = back;
    for (const auto& [node, bone] : human_names(body))
      if (bone == "neck") out.body_neck_ = node;
    out.body_world_ = transfer->motion().world;
    out.world_ = transfer->target().world;
    out.measure();
    return out;
  }

  [[nodiscard]] const FitMeasures& measures() const { return measures_; }

  /// Turns bones as those of the figure with the same rest pose: trousers have no feet that show where a shin points.
  void turn_as(const Fitting& figure) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto same = std::ranges::find(figure.pairs_, pairs_[i].motion, &BonePair::motion);
      if (same != figure.pairs_.end()) extra_[i] = figure.extra_[static_cast<std::size_t>(same - figure.pairs_.begin())];
    }
    measure();
  }

  /// Plans the scale of parts without a skin.
  void scale_parts(const Match& match, const KnownWearer& wearer, const std::map<Index, weights::JointBox>& ours,
                   const std::map<Index, weights::JointBox>& theirs, const std::optional<weights::FromShoulders>& hung) {
    for (Index node = 0; node < clothes_.nodes.size(); ++node) {
      if (clothes_.nodes[node].mesh == none || clothes_.nodes[node].skin != none) continue;
      const Index bone = matched_at_or_above(clothes_, match.twin, clothes_.nodes[node].parent);
      if (bone == none) continue;
      const auto same = std::ranges::find(wearer.match.twin, match.twin[bone]);
      if (same == wearer.match.twin.end()) continue;
      if (hung && hangs_from_shoulders(node, bone, hung->height)) {
        hanging_.push_back(node);
        continue;
      }
      const auto own = ours.find(static_cast<Index>(same - wearer.match.twin.begin())), wanted = theirs.find(match.twin[bone]);
      if (own == ours.end() || wanted == theirs.end()) continue;
      // A hat is about as large as the head; a staff is larger than what follows its bone, and belongs to the whole figure, too.
      const double here = wanted->second.size / own->second.size, larger = size_of(node) / own->second.size;
      const double factor = larger < comparable ? here : std::sqrt(here * measures_.scale);
      part_place_[node] = {bone, match.twin[bone], larger < comparable, factor, own->second.centre, wanted->second.centre};
      if (larger >= comparable) measures_.hanging = clothes_.nodes[node].name;
      ++measures_.rigid;
      measures_.rigid_scale = factor;
    }
  }

  /// Says where a part at a bone of the body goes that lies at these points (PartCarrier::carry); nothing if the figures do not tell.
  using Carry = std::function<std::optional<weights::Stretch>(Index bone, bool beside, std::span<const weights::Vec> points)>;

  /// Returns where what hangs from the shoulders of these clothes, turned to the body, hangs on the body (weights::from_shoulders).
  [[nodiscard]] std::optional<weights::FromShoulders> from_shoulders() const {
    std::vector<weights::Vec> figure = places_of(world_, &BonePair::target);
    for (weights::Vec& place : figure) turn_.apply(place, place);
    std::vector<weights::Vec> body = places_of(body_world_, &BonePair::motion);
    if (body_neck_ != none &&
        std::ranges::find(pairs_, "neck", &BonePair::bone) == pairs_.end())  // the figure's head begins where a neck does
      if (const auto head = std::ranges::find(pairs_, "head", &BonePair::bone); head != pairs_.end())
        body[static_cast<std::size_t>(head - pairs_.begin())] = vec_of(body_world_[body_neck_]);
    return weights::from_shoulders(bone_names(), figure, body);
  }

  /// `hung`: where a cape goes (from_shoulders).
  Result<Model> apply(const ClothesFit& parts, const Carry& carry = {}, const std::optional<weights::FromShoulders>& hung = {}) {
    const double scale = parts.scale ? measures_.scale : 1;
    Affine whole = parts.turn || parts.pose ? turn_ : Affine(3);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) whole(i, j) *= scale;
    new_world_ = placed(whole, parts.pose, places_of(body_world_, &BonePair::motion));
    const std::vector<Affine> cloth_world = placed(whole, parts.pose, cloth_places());
    Model fitted = clothes_;
    for (const Index node : hanging_) hang(node, hung->stretch, fitted.meshes[clothes_.nodes[node].mesh]);
    for (const auto& [node, part] : part_place_) {
      if (const auto carried = carry ? carry(part.of_body, part.beside, points_of(node, new_world_[node])) : std::nullopt) {
        for (std::size_t row = 0; row < 3; ++row)
          for (std::size_t column = 0; column < 3; ++column) new_world_[node](row, column) *= carried->factor[row];
        const weights::Vec place = carried->of(vec_of(new_world_[node]));
        for (std::size_t row = 0; row < 3; ++row) new_world_[node].translation(row) = place[row];
        measures_.rigid_scale = carried->factor[0] * scale;
        continue;
      }
      const auto back = inverse(world_[part.bone]);
      if (!back) continue;
      const Affine moved = new_world_[part.bone] * *back;
      std::vector<double> centre(3);
      moved.apply(part.from, centre);
      const double factor = part.scale / scale;  // the whole was scaled already
      Affine& now = new_world_[node];
      for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) now(row, column) *= factor;
        now.translation(row) = part.to[row] + factor * (now.translation(row) - centre[row]);
      }
    }
    std::vector<Index> skin_of(clothes_.meshes.size(), none);
    for (const Node& node : clothes_.nodes) {
      if (node.mesh == none || node.skin == none || clothes_.meshes[node.mesh].defect != none) continue;
      if (skin_of[node.mesh] != none && skin_of[node.mesh] != node.skin)
        return cannot(clothes_, format_text("the mesh \"{}\" follows two skins", clothes_.meshes[node.mesh].name));
      skin_of[node.mesh] = node.skin;
    }
    for (Index mesh = 0; mesh < skin_of.size(); ++mesh)
      if (skin_of[mesh] != none)
        if (auto done = move_mesh(clothes_.skins[skin_of[mesh]], cloth_world, fitted.meshes[mesh]); !done)
          return Unexpected(std::move(done.error()));
    for (Skin& skin : fitted.skins) {
      if (skin.defect != none) continue;
      skin.bind = Skin::Bind::matrices;
      skin.joint_from_mesh.clear();
      for (const Index joint : skin.slots) {
        const auto bind = joint == none ? std::optional(Affine(3)) : inverse(new_world_[joint]);
        if (!bind) return cannot(clothes_, format_text("the bone \"{}\" has no inverse", clothes_.nodes[joint].name));
        skin.joint_from_mesh.push_back(*bind);
      }
    }
    for (Index node = 0; node < clothes_.nodes.size(); ++node) {
      const Index parent = clothes_.nodes[node].parent;
      const auto above = parent == none ? std::optional(Affine(3)) : inverse(new_world_[parent]);
      if (above) fitted.rest_pose.locals[node] = local_of(*above * new_world_[node]);
    }
    return fitted;
  }

 private:
  Fitting(const Model& clothes, std::vector<BonePair> pairs) : clothes_(clothes), pairs_(std::move(pairs)) {}

  /// Whether a part without a skin is on a bone of the trunk, larger than a share of the figure's height, and may be stretched.
  [[nodiscard]] bool hangs_from_shoulders(Index node, Index bone, double height) const {
    const auto pair = std::ranges::find(pairs_, bone, &BonePair::target);
    return pair != pairs_.end() && weights::is_of_trunk(pair->bone) && size_of(node) > cape_length * height &&
           std::ranges::count(clothes_.nodes, clothes_.nodes[node].mesh, &Node::mesh) == 1;
  }

  /// Hangs a part without a skin, turned as the whole, elsewhere. Its vertices are stretched, and its node keeps its size.
  void hang(Index node, const weights::Stretch& to, Mesh& mesh) {
    Affine stretched = turn_ * world_[node];
    Affine& now = new_world_[node];
    now = stretched;
    const weights::Vec place = to.of(vec_of(now));
    for (std::size_t row = 0; row < 3; ++row) {
      now.translation(row) = stretched.translation(row) = place[row];
      for (std::size_t column = 0; column < 3; ++column) stretched(row, column) *= to.factor[row];
    }
    const auto back = inverse(now);
    if (!back) return;
    for (VertexBlock& block : mesh.blocks)
      for (Attribute& attribute : block.attributes) move_attribute(std::vector<Affine>(block.vertices, *back * stretched), attribute);
    measures_.hung = to.factor;
  }

  /// Returns the vertices of a part without a skin.
  [[nodiscard]] std::vector<weights::Vec> points_of(Index node, const Affine& world) const {
    std::vector<weights::Vec> out;
    for (const VertexBlock& block : clothes_.meshes[clothes_.nodes[node].mesh].blocks) {
      const Attribute* const positions = find_attribute(block.attributes, Semantic::position);
      if (positions == nullptr || positions->values.width() != 3) continue;
      const std::vector<double> points = positions->values.read<double>();
      for (std::size_t row = 0; row + 3 <= points.size(); row += 3) world.apply(std::span(points).subspan(row, 3), out.emplace_back());
    }
    return out;
  }

  /// Returns the longest side of the box of a part without a skin, in the world.
  [[nodiscard]] double size_of(Index node) const {
    Extent box;
    for (const weights::Vec& point : points_of(node, world_[node]))
      for (std::size_t axis = 0; axis < 3; ++axis) box.add(axis, point[axis]);
    double most = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) most = std::max(most, box.high[axis] - box.low[axis]);
    return most;
  }

  void measure() {
    measures_ = {};
    double ours = 0, theirs = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (above_[i] == npos) continue;
      const BonePair& up = pairs_[above_[i]];
      theirs += length_of(difference(place_in(world_[pairs_[i].target]), place_in(world_[up.target])));
      ours += length_of(difference(place_in(body_world_[pairs_[i].motion]), place_in(body_world_[up.motion])));
    }
    if (theirs > 0 && ours > 0) measures_.scale = ours / theirs;
    measures_.degrees = degrees_of(turn_);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Affine own = above_[i] == npos ? extra_[i] : turned_back(extra_[above_[i]]) * extra_[i];
      const double angle = degrees_of(own);
      if (angle <= 1) continue;
      ++measures_.bones;
      measures_.most_degrees = std::max(measures_.most_degrees, angle);
      if (carries_[pairs_[i].target]) measures_.cloth_degrees = std::max(measures_.cloth_degrees, angle);
    }
  }

  static weights::Vec vec_of(const Affine& at) { return {at.translation(0), at.translation(1), at.translation(2)}; }

  /// By pair: the place of its bone on one side.
  [[nodiscard]] std::vector<weights::Vec> places_of(const std::vector<Affine>& world, Index BonePair::* side) const {
    std::vector<weights::Vec> out;
    for (const BonePair& pair : pairs_) out.push_back(vec_of(world[pair.*side]));
    return out;
  }

  [[nodiscard]] std::vector<std::string> bone_names() const {
    std::vector<std::string> out;
    for (const BonePair& pair : pairs_) out.push_back(pair.bone);
    return out;
  }

  /// By pair: where the cloth around its bone goes.
  [[nodiscard]] std::vector<weights::Vec> cloth_places() const {
    return weights::cloth_places(bone_names(), places_of(world_, &BonePair::target), places_of(body_world_, &BonePair::motion));
  }

  /// Returns new world transforms: those of matched bones, at `places` if `pose`, and of all other nodes as their parents move.
  [[nodiscard]] std::vector<Affine> placed(const Affine& whole, bool pose, const std::vector<weights::Vec>& places) const {
    std::vector<std::size_t> pair_at(clothes_.nodes.size(), npos);
    for (std::size_t i = 0; i < pairs_.size(); ++i) pair_at[pairs_[i].target] = i;
    std::vector<Affine> out(clothes_.nodes.size());
    for (const Index node : parents_first(clothes_.nodes)) {
      const Index parent = clothes_.nodes[node].parent;
      Affine& now = out[node];
      if (const std::size_t pair = pair_at[node]; pose && pair != npos) {
        now = whole * extra_[pair] * world_[node];
        for (std::size_t i = 0; i < 3; ++i) now.translation(i) = places[pair][i];
      } else if (parent == none) {
        now = whole * world_[node];
      } else {
        now = out[parent] * affine_of(3, clothes_.rest_pose.locals[node]);
      }
    }
    return out;
  }

  Result<> move_mesh(const Skin& skin, const std::vector<Affine>& cloth_world, Mesh& mesh) const {
    std::vector<Affine> maps;
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const Index joint = skin.slots[slot];
      const auto bind = joint == none ? std::optional(Affine(3)) : deform::joint_from_mesh(clothes_, skin, slot, none, world_);
      if (!bind) return cannot(clothes_, "a bind matrix has no inverse");
      maps.push_back(joint == none ? Affine(3) : cloth_world[joint] * *bind);
    }
    for (VertexBlock& block : mesh.blocks) {
      const InfluenceTable influences(block.influences);
      std::vector<Affine> moves(block.vertices, Affine(3));
      for (std::size_t vertex = 0; vertex < influences.size(); ++vertex) moves[vertex] = blended(influences[vertex], maps);
      for (Attribute& attribute : block.attributes) move_attribute(moves, attribute);
    }
    return {};
  }

  static void move_attribute(const std::vector<Affine>& moves, Attribute& attribute) {
    if (attribute.semantic != Semantic::position && attribute.semantic != Semantic::normal && attribute.semantic != Semantic::tangent)
      return;
    const bool place = attribute.semantic == Semantic::position, normal = attribute.semantic == Semantic::normal;
    const auto rows = [&](const Array& values, bool base, const auto& vertex_of) {
      std::vector<float> out = values.read<float>();
      const std::size_t width = values.width();
      for (std::size_t row = 0; row < values.size(); ++row) {
        const std::size_t vertex = vertex_of(row);
        if (vertex >= moves.size()) continue;
        float* const own = &out[row * width];
        const std::vector<double> old(own, own + 3);
        Affine map = moves[vertex];
        if (normal) {
          std::array<double, 9> matrix;
          cofactor(map, matrix);
          for (std::size_t i = 0; i < 9; ++i) map(i % 3, i / 3) = matrix[i];
        }
        std::vector<double> now = turned(map, old);
        if (place && base)
          for (std::size_t i = 0; i < 3; ++i) now[i] += map.translation(i);
        if (!place && base)
          if (const double length = length_of(now); length > 0)
            for (double& x : now) x /= length;
        for (std::size_t i = 0; i < 3; ++i) own[i] = static_cast<float>(now[i]);
      }
      return Array::own(std::move(out), width);
    };
    const auto same = [](std::size_t row) { return row; };
    attribute.values = rows(attribute.values, true, same);
    for (Offsets& offsets : attribute.offsets) {
      if (!offsets.sparse()) {
        offsets.values = rows(offsets.values, false, same);
        continue;
      }
      const std::vector<std::uint32_t> indices = offsets.indices.read<std::uint32_t>();
      offsets.values = rows(offsets.values, false, [&](std::size_t row) { return std::size_t{indices[row]}; });
    }
  }

  const Model& clothes_;
  std::vector<bool> carries_;    ///< by node: it moves a vertex
  std::vector<BonePair> pairs_;  ///< motion: the body's bone, target: that of the clothes
  std::vector<std::size_t> above_;
  std::vector<Affine> extra_;  ///< of a bone: the rotation in the world of the clothes that gives it the direction of the body's
  /// Of a part without a skin: its bone, the factor, and the centres of what follows this bone, in the clothes and in the body.
  struct PartPlace {
    Index bone = none, of_body = none;
    bool beside = false;  ///< about as large as what follows the bone
    double scale = 1;
    weights::Vec from{}, to{};
  };
  std::map<Index, PartPlace> part_place_;  ///< by node
  std::vector<Index> hanging_;             ///< nodes of parts that hang from the shoulders instead: capes
  Index body_neck_ = none;
  Affine turn_;  ///< body_from_clothes: a turn of the whole
  std::vector<Affine> body_world_, world_, new_world_;
  FitMeasures measures_;
};

}  // namespace

std::string FitMeasures::text() const {
  std::string out;
  const auto add = [&out](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (std::abs(scale - 1) > 1e-4) add(format_text("scale by {:.4g}", scale));
  if (degrees > 0.1) add(format_text("turn by {:.4g} degrees", degrees));
  if (bones > 0) add(format_text("pose {} by up to {:.3g} degrees", count_of(bones, "bone", "bones"), most_degrees));
  if (hung && (std::abs((*hung)[0] - 1) > 1e-4 || std::abs((*hung)[1] - 1) > 1e-4))
    add(format_text("hang it from the shoulders, {:.4g} times as wide and {:.4g} times as high", (*hung)[0], (*hung)[1]));
  if (rigid > 0)
    add(format_text("scale {} on one bone by {:.4g}, as the body's part there", rigid == 1 ? "the part" : format_text("{} parts", rigid),
                    rigid_scale));
  if (surface.followed) add("follow the shape of the figure that they were made for");
  if (surface.largest_move > 0)
    add(
        format_text("move vertices to the surface by up to {:.2g} % of the body's diagonal ({} of {} places of the cloth lay inside it, {} "
                    "still do)",
                    100 * surface.largest_move, surface.inside_before, surface.points, surface.inside));
  return out;
}

FitMeasures FitMeasures::only(const ClothesFit& parts) const {
  FitMeasures out = *this;
  if (!parts.scale) out.scale = 1;
  if (!parts.turn && !parts.pose) out.degrees = 0;
  if (!parts.pose) out.bones = 0;
  return out;
}

Result<FitMeasures> measure_fit(const Model& body, const Model& clothes, const Match& match) {
  const auto fitting = Fitting::create(body, clothes, match);
  if (!fitting) return Unexpected(fitting.error());
  return fitting->measures();
}

namespace {

/// Returns whether nine tenths of the vertices of clothes are moved most by the head.
bool follows_head(const Model& body, const Match& match, const weights::RiggedSurface& clothes) {
  const std::map<Index, std::string> names = human_names(body);
  const auto strongest = weights::strongest_joints(clothes.surface);
  const auto count = std::ranges::count_if(strongest, [&](const std::optional<std::uint32_t>& joint) {
    const auto found = joint ? names.find(match.twin[clothes.joints[*joint]]) : names.end();
    return found != names.end() && found->second == "head";
  });
  return !strongest.empty() && static_cast<double>(count) >= 0.9 * static_cast<double>(strongest.size());
}

/// Fails if bones of the wearer lie elsewhere than those of the clothes.
Result<> check_same_rest(const Model& clothes, const Match& match, const KnownWearer& wearer) {
  constexpr double allowed = 0.05;  // of the size of the skeleton; a few bones tell no more
  const std::vector<Affine> ours = need(world_transforms(clothes, clothes.rest())),
                            theirs = need(world_transforms(wearer.model, wearer.model.rest()));
  std::vector<double> apart;
  Extent box;
  for (Index node = 0; node < clothes.nodes.size(); ++node) {
    if (!match.joint[node] || match.twin[node] == none) continue;
    const auto same = std::ranges::find(wearer.match.twin, match.twin[node]);
    if (same == wearer.match.twin.end()) continue;
    const std::vector<double> place = place_in(ours[node]);
    for (std::size_t axis = 0; axis < place.size(); ++axis) box.add(axis, place[axis]);
    apart.push_back(length_of(difference(place, place_in(theirs[static_cast<std::size_t>(same - wearer.match.twin.begin())]))));
  }
  if (apart.size() < 2) {
    const auto both = std::ranges::count_if(clothes.nodes, [&](const Node& node) {
      return match.joint[static_cast<std::size_t>(&node - clothes.nodes.data())] && !node.name.empty() &&
             std::ranges::find(wearer.model.nodes, node.name, &Node::name) != wearer.model.nodes.end();
    });
    return Unexpected(error("SINEW_MERGE_CANNOT_FIT"_code, Failure::input, place_of(wearer.model), apart.size(),
                            both > 1
                                ? format_text("the clothes and the figure of --made-for share {} bones, but their names are not known: "
                                              "pair them with those of the body by --rename OLD=NEW",
                                              both)
                                : "the clothes and the figure of --made-for need the same skeleton; name another figure, or leave "
                                  "out --made-for"));
  }
  std::ranges::sort(apart);
  const double middle = apart[apart.size() / 2] / box.diagonal(3);
  if (middle <= allowed) return {};
  return cannot(wearer.model, format_text("its bones lie elsewhere than those of {}, by {:.3g} times the size of the skeleton: both "
                                          "must have one rest pose and one size; name another figure, or leave out --made-for",
                                          place_of(clothes).file, middle));
}

}  // namespace

Result<Model> fit_clothes(const Model& body, const Model& clothes, const Match& match, const ClothesFit& parts, const KnownWearer* wearer,
                          unsigned threads, FitMeasures& done) {
  auto fitting = Fitting::create(body, clothes, match);
  if (!fitting) return Unexpected(std::move(fitting.error()));
  done = fitting->measures().only(parts);
  const bool others = parts.scale || parts.turn || parts.pose, needed = !done.text().empty();
  const bool sized = parts.scale && wearer != nullptr, surface = parts.surface && (needed || !others);
  auto rigged = sized || surface ? weights::RiggedSurface::of_figure(body, threads) : weights::RiggedSurface();
  if (!rigged) return Unexpected(std::move(rigged.error()));
  std::optional<weights::Wearer> posed;
  std::optional<weights::FromShoulders> hung;
  if ((surface || (sized && parts.surface)) && wearer != nullptr && wearer->shapes) {
    if (auto same = check_same_rest(clothes, match, *wearer); !same) return Unexpected(std::move(same.error()));
    auto theirs = Fitting::create(body, wearer->model, wearer->match);
    if (!theirs) return Unexpected(std::move(theirs.error()));
    fitting->turn_as(*theirs);
    done = fitting->measures().only(parts);
    if (sized && (parts.turn || parts.pose)) hung = theirs->from_shoulders();
    auto figure = theirs->apply(parts);
    if (!figure) return Unexpected(std::move(figure.error()));
    posed = {std::move(*figure), wearer->match.twin, wearer->dressed};
  }
  const auto theirs = sized || posed ? weights::RiggedSurface::of_figure(wearer->model, threads) : weights::RiggedSurface();
  if (!theirs) return Unexpected(theirs.error());
  if (sized) fitting->scale_parts(match, *wearer, weights::boxes_at_joints(*theirs), weights::boxes_at_joints(*rigged), hung);
  std::optional<weights::PartCarrier> carrier;  // made when a part needs it
  Result<> failed;
  auto fitted = fitting->apply(
      parts,
      [&](Index bone, bool beside, std::span<const weights::Vec> points) -> std::optional<weights::Stretch> {
        if (!posed || !failed) return std::nullopt;
        if (!carrier) {
          auto made = weights::PartCarrier::create(body, *rigged, *posed, threads);
          if (!made) failed = Unexpected(std::move(made.error()));
          if (!made) return std::nullopt;
          carrier.emplace(std::move(*made));
        }
        return carrier->carry(bone, beside, points);
      },
      hung);
  if (!failed) return Unexpected(std::move(failed.error()));
  done.rigid = fitting->measures().rigid;
  done.rigid_scale = fitting->measures().rigid_scale;
  done.hanging = fitting->measures().hanging;
  done.hung = fitting->measures().hung;
  if (!fitted || !surface) return fitted;
  const auto ours = weights::RiggedSurface::create(clothes, threads);
  if (!ours) return Unexpected(ours.error());
  const weights::RestFigure own{clothes, *ours, match.twin};
  const weights::Stance stance(body, *rigged, posed ? weights::RestFigure{wearer->model, *theirs, wearer->match.twin} : own, own);
  std::vector<weights::Vec> made = ours->surface.vertices;
  for (weights::Vec& vertex : made)
    for (double& x : vertex) x *= done.scale;
  auto lifted = weights::fit_surface(body, *rigged, match.twin, made, posed ? &*posed : nullptr, stance, threads, *fitted);
  if (!lifted) return Unexpected(std::move(lifted.error()));
  done.surface = *lifted;
  const auto now = weights::RiggedSurface::create(*fitted, threads);
  if (!now) return Unexpected(now.error());
  done.uneven = weights::unevenness(ours->surface, now->surface);
  done.on_head = follows_head(body, match, *ours);
  const weights::Folds folds = weights::most_folded(ours->surface, now->surface);
  done.folded = folds.share;
  done.crumpled = folds.beyond > 1;
  if (folds.share > 0) done.folded_at = clothes.nodes[ours->joints[folds.joint]].name;
  return fitted;
}

}  // namespace sinew::operations
