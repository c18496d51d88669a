// SPDX-License-Identifier: MIT
#include "show/page/view_state.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/number.hpp"
#include "document/json/json.hpp"
#include "document/json/json_writer.hpp"

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"

namespace sinew::show {

namespace {

using document::JsonKind;
using document::JsonMember;
using document::JsonValue;
using document::JsonWriter;

// From this dimension on, rotors are too long (2^(N-1) numbers), so a basis is written instead.
constexpr std::size_t longest_rotor_dimension = 6;

Unexpected wrong(JsonValue value, std::string_view expected) {
  return Unexpected(
      error("SINEW_USAGE"_code, Failure::usage, Place{{}, value.pointer(), std::nullopt},
            format_text("found {}, expected {}", value ? std::string(value.text().substr(0, 60)) : std::string("nothing"), expected)));
}

/// Parses a key that is an index below `count`.
Result<Index> index_of(const JsonMember& member, std::size_t count, std::string_view what) {
  const std::string key = member.key.string();
  const auto index = number_in<Index>(key);
  if (index && *index < count) return *index;
  return wrong(member.key, format_text("the index of a {}, below {}", what, count));
}

Result<double> finite(JsonValue value) {
  const auto number = value.number();
  if (number && std::isfinite(*number)) return *number;
  return wrong(value, "a number");
}

class StateReader {
 public:
  explicit StateReader(const Model& model) : model_(model) {}

  Result<ViewState> read(JsonValue root) {
    if (!root.is(JsonKind::object)) return wrong(root, "an object");
    for (const auto step : {&StateReader::moment, &StateReader::swing, &StateReader::turns, &StateReader::amounts,
                            &StateReader::expressions, &StateReader::gaze, &StateReader::look, &StateReader::box})
      if (auto done = (this->*step)(root); !done) return Unexpected(done.error());
    return std::move(state_);
  }

 private:
  Result<> moment(JsonValue root) {
    if (const JsonValue clip = root["clip"]; clip && !clip.is(JsonKind::null)) {
      const auto index = clip.integer();
      if (!index || *index < 0 || static_cast<std::uint64_t>(*index) >= model_.clips.size())
        return wrong(clip, format_text("null or the index of a clip, below {}", model_.clips.size()));
      state_.clip = static_cast<Index>(*index);
      if (model_.clips[state_.clip].defect != none) return Unexpected(model_.defects[model_.clips[state_.clip].defect]);
    }
    if (const JsonValue time = root["time"]) {
      const auto seconds = finite(time);
      if (!seconds) return Unexpected(seconds.error());
      state_.time = *seconds;
    }
    return {};
  }

  /// Parses one angle in degrees per plane.
  Result<std::vector<double>> radians(JsonValue list) const {
    auto angles = numbers(list, planes_of(model_.dimension).size(), "angles");
    if (!angles) return angles;
    for (double& angle : *angles) angle = std::fmod(angle, 720.0) * std::numbers::pi / 180;
    return angles;
  }

  Result<std::vector<double>> numbers(JsonValue list, std::size_t count, std::string_view what) const {
    if (!list.is(JsonKind::array) || list.size() != count) return wrong(list, format_text("{} {}", count, what));
    std::vector<double> out;
    for (const JsonValue element : list.elements()) {
      const auto number = finite(element);
      if (!number) return Unexpected(number.error());
      out.push_back(*number);
    }
    return out;
  }

  Result<> look(JsonValue root) {
    const JsonValue look = root["look"];
    if (look && !look.is(JsonKind::object)) return wrong(look, "an object");
    if (const JsonValue kind = look["kind"]; kind.equals("slice"))
      state_.look.kind = ProjectionChoice::Kind::slice;
    else if (kind.equals("orthographic"))
      state_.look.kind = ProjectionChoice::Kind::orthographic;
    else if (kind && !kind.equals("perspective"))
      return wrong(kind, "perspective, orthographic or slice");
    state_.look.offsets.assign(model_.dimension > 3 ? model_.dimension - 3 : 0, 0.0);
    if (const JsonValue turns = look["turns"]) {
      auto angles = radians(turns);
      if (!angles) return Unexpected(angles.error());
      state_.look.turns = *std::move(angles);
    }
    if (const JsonValue offsets = look["offsets"]) {
      auto read = numbers(offsets, state_.look.offsets.size(), "offsets");
      if (!read) return Unexpected(read.error());
      state_.look.offsets = *std::move(read);
    }
    return {};
  }

  static Result<> flag(JsonValue value, bool& out) {
    if (value && !value.is(JsonKind::boolean)) return wrong(value, "true or false");
    out = value.boolean().value_or(false);
    return {};
  }

  Result<> box(JsonValue root) { return flag(root["box"], state_.box); }

  Result<> swing(JsonValue root) {
    if (auto done = flag(root["bound"], state_.bound); !done) return done;
    const JsonValue swing = root["swing"];
    if (!swing) return {};
    const auto node = swing["node"].integer();
    if (!node || *node < 0 || static_cast<std::uint64_t>(*node) >= model_.nodes.size())
      return wrong(swing["node"], format_text("the index of a node, below {}", model_.nodes.size()));
    auto from = numbers(swing["from"], model_.dimension, "coordinates"), to = numbers(swing["to"], model_.dimension, "coordinates");
    if (!from) return Unexpected(from.error());
    if (!to) return Unexpected(to.error());
    const auto degrees = finite(swing["degrees"]);
    if (!degrees) return Unexpected(degrees.error());
    state_.swing = ViewState::Swing{static_cast<Index>(*node), *std::move(from), *std::move(to), *degrees};
    return {};
  }

  Result<> turns(JsonValue root) {
    const JsonValue turns = root["turns"];
    if (turns && !turns.is(JsonKind::object)) return wrong(turns, "an object of nodes");
    for (const JsonMember member : turns.members()) {
      const auto node = index_of(member, model_.nodes.size(), "node");
      if (!node) return Unexpected(node.error());
      auto angles = radians(member.value);
      if (!angles) return Unexpected(angles.error());
      state_.turns.push_back({*node, *std::move(angles)});
    }
    return {};
  }

  Result<> amounts(JsonValue root) {
    const JsonValue amounts = root["amounts"];
    if (amounts && !amounts.is(JsonKind::object)) return wrong(amounts, "an object of nodes");
    for (const JsonMember member : amounts.members()) {
      const auto node = index_of(member, model_.nodes.size(), "node");
      if (!node) return Unexpected(node.error());
      const Index mesh = model_.nodes[*node].mesh;
      if (mesh == none || !member.value.is(JsonKind::object)) return wrong(member.value, "shapes of a node that carries a mesh");
      for (const JsonMember shape : member.value.members()) {
        const auto index = index_of(shape, model_.meshes[mesh].shapes.size(), "blend shape");
        if (!index) return Unexpected(index.error());
        const auto amount = finite(shape.value);
        if (!amount) return Unexpected(amount.error());
        state_.amounts.push_back({*node, *index, *amount});
      }
    }
    return {};
  }

  Result<> gaze(JsonValue root) {
    const JsonValue gaze = root["gaze"];
    if (!gaze) return {};
    const auto angles = numbers(gaze, 2, "angles");
    if (!angles) return Unexpected(angles.error());
    state_.gaze = animate::Gaze{(*angles)[0], (*angles)[1]};
    return {};
  }

  Result<> expressions(JsonValue root) {
    const JsonValue expressions = root["expressions"];
    if (expressions && !expressions.is(JsonKind::object)) return wrong(expressions, "an object of expressions");
    for (const JsonMember member : expressions.members()) {
      const auto index = index_of(member, model_.avatar.expressions.size(), "expression");
      if (!index) return Unexpected(index.error());
      const auto amount = finite(member.value);
      if (!amount) return Unexpected(amount.error());
      state_.expressions.push_back({*index, std::clamp(*amount, 0.0, 1.0)});
    }
    return {};
  }

  const Model& model_;
  ViewState state_;
};

/// Computes basis · turn: rotates columns `from` and `to` of the basis.
void turn_basis(std::size_t n, std::span<double> basis, const Plane& plane, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  for (std::size_t row = 0; row < n; ++row) {
    double& a = basis[plane.from * n + row];
    double& b = basis[plane.to * n + row];
    const double from = c * a + s * b, to = c * b - s * a;
    a = from;
    b = to;
  }
}

void turn_rotor(std::size_t n, SmallVector<double, 4>& rotor, std::size_t plane, double angle) {
  std::vector<double> turn(rotor_size(n)), whole(rotor_size(n)), product(rotor_size(n));
  turn[0] = std::cos(angle / 2);
  turn[1 + plane] = std::sin(angle / 2);
  if (rotor.empty())
    whole[0] = 1;
  else
    expand_rotor(rotor, whole);
  need(compose(n, turn, whole, product));  // the turn first: about the node's own axes
  rotor = SmallVector<double, 4>(std::span<const double>(product));
}

void turn_node(std::size_t n, LocalTransform& local, const std::vector<double>& angles) {
  const std::vector<Plane> planes = planes_of(n);
  if (local.basis.empty() && n > longest_rotor_dimension) {
    const Affine map = affine_of(n, local);
    local.basis = SmallVector<double, 1>(map.values().first(n * n));
    local.rotor = {};
    local.scale = {};
  }
  for (std::size_t p = 0; p < planes.size(); ++p) {
    if (angles[p] == 0) continue;
    if (local.basis.empty())
      turn_rotor(n, local.rotor, p, angles[p]);
    else
      turn_basis(n, local.basis, planes[p], angles[p]);
  }
}

/// Turns a node and all below it, whatever transforms are above it.
void swing_node(const Model& model, const ViewState::Swing& swing, Pose& pose) {
  const std::size_t n = model.dimension;
  const std::vector<Affine> world = need(world_transforms(model, pose));
  const Index parent = model.nodes[swing.node].parent;
  const auto back = parent == none ? Affine(n) : inverse(world[parent]);
  if (!back) return;  // below a scale of 0, which shows nothing
  const double angle = std::fmod(swing.degrees, 720.0) * std::numbers::pi / 180, cosine = std::cos(angle), sine = std::sin(angle);
  Affine turned = world[swing.node];
  for (std::size_t column = 0; column < n; ++column) {
    double x = 0, y = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x += turned(i, column) * swing.from[i];
      y += turned(i, column) * swing.to[i];
    }
    const double along = (cosine - 1) * x - sine * y, across = sine * x + (cosine - 1) * y;
    for (std::size_t i = 0; i < n; ++i) turned(i, column) += along * swing.from[i] + across * swing.to[i];
  }
  const Affine map = *back * turned;
  LocalTransform& local = pose.locals[swing.node];
  local = {};
  local.translation.assign(map.values().subspan(n * n));
  local.basis.assign(map.values().first(n * n));
}

void write_numbers(JsonWriter& json, std::string_view name, std::span<const double> values) {
  json.key(name).begin_array();
  for (const double value : values) json.number(value);
  json.end_array();
}

/// Returns a node's key in pose files: its name if it is unique and no number, else its index.
std::string key_of(const Model& model, const std::map<std::string_view, std::size_t>& uses, Index node) {
  const std::string& name = model.nodes[node].name;
  const bool plain = !name.empty() && !name.starts_with("name:") && name.find_first_not_of("0123456789") != std::string::npos;
  return plain && uses.at(name) == 1 ? name : format_text("{}", node);
}

/// Returns the edit that turns `rest` into `now`. Rotation and scale together replace a removed basis.
void write_local(JsonWriter& json, std::size_t n, const LocalTransform& rest, const LocalTransform& now) {
  const auto or_neutral = [](auto values, std::size_t count, double neutral, bool first_only) {
    if (!values.empty()) return std::vector<double>(values.begin(), values.end());
    std::vector<double> out(count, first_only ? 0.0 : neutral);
    if (first_only) out[0] = neutral;
    return out;
  };
  json.begin_object();
  if (now.translation != rest.translation) write_numbers(json, "translation", or_neutral(now.translation, n, 0, false));
  if (!now.basis.empty()) {
    if (now.basis != rest.basis) write_numbers(json, "basis", now.basis);
  } else {
    const bool all = !rest.basis.empty();
    if (all || now.rotor != rest.rotor) write_numbers(json, "rotor", or_neutral(now.rotor, rotor_size_bivector(n), 1, true));
    if (all || now.scale != rest.scale) write_numbers(json, "scale", or_neutral(now.scale, n, 1, false));
  }
  json.end_object();
}

}  // namespace

std::vector<Plane> planes_of(std::size_t dimension) {
  std::vector<Plane> planes;
  for (std::size_t to = 1; to < dimension; ++to)
    for (std::size_t from = 0; from < to; ++from) planes.push_back({from, to});
  return planes;
}

Result<ViewState> read_state(std::string_view json, const Model& model) {
  FindingList findings;
  const auto parsed = document::Json::parse(json, {}, 0, findings);
  if (!parsed) {  // either nested too deeply or not JSON: both are wrong requests
    Error asked = parsed.error();
    asked.failure = Failure::usage;
    return Unexpected(std::move(asked));
  }
  return StateReader(model).read(parsed->root());
}

Result<Pose> pose_at(const Model& model, const StartPoses& start, const ViewState& state) {
  if (state.bound && !start.bound)
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, "this page has no findings of sinew flex"));
  Pose pose = state.bound ? *start.bound : start.base;
  if (!state.bound) {
    if (state.clip != none) need(animate::sample(model, model.clips[state.clip], state.time, pose));
    if (auto done = apply(start.edit, model, pose); !done) return Unexpected(done.error());
  }
  if (state.swing) swing_node(model, *state.swing, pose);
  for (const ViewState::Turn& turn : state.turns) turn_node(model.dimension, pose.locals[turn.node], turn.angles);
  std::vector<animate::ExpressionAmount> expressions = state.expressions;
  if (state.gaze) {
    need(animate::look(model, *state.gaze, pose));
    const auto more = need(animate::look_expressions(model, *state.gaze));
    expressions.insert(expressions.end(), more.begin(), more.end());
  }
  need(animate::express(model, expressions, pose));
  if (auto done = apply(PoseEdit{{}, {}, state.amounts}, model, pose); !done) return Unexpected(done.error());
  return pose;
}

std::string pose_text(const Model& model, const Pose& pose) {
  std::map<std::string_view, std::size_t> uses;
  for (const Node& node : model.nodes) ++uses[node.name];
  JsonWriter json;
  json.begin_object();
  json.space("\n  ");
  json.key("nodes").begin_object();
  for (Index node = 0; node < pose.locals.size(); ++node) {
    if (pose.locals[node] == model.rest_pose.locals[node]) continue;
    json.space("\n    ");
    json.key(key_of(model, uses, node));
    write_local(json, model.dimension, model.rest_pose.locals[node], pose.locals[node]);
  }
  json.end_object();
  json.space("\n  ");
  json.key("blendAmounts").begin_object();
  for (Index node = 0; node < pose.amounts.size(); ++node) {
    if (model.nodes[node].mesh == none || pose.amounts[node] == model.rest_pose.amounts[node]) continue;
    std::vector<double> amounts = pose.amounts[node];
    amounts.resize(model.meshes[model.nodes[node].mesh].shapes.size());
    json.space("\n    ");
    write_numbers(json, key_of(model, uses, node), amounts);
  }
  json.end_object();
  json.space("\n");
  json.end_object();
  return std::move(json).take() + "\n";
}

std::string edit_text(const PoseEdit& edit) {
  std::map<Index, std::map<Index, double>> amounts;
  for (const AmountEdit& each : edit.amounts) amounts[each.node][each.shape] = each.amount;
  JsonWriter json;
  json.begin_object();
  json.key("nodes").begin_object();
  for (const NodeEdit& each : edit.nodes) {
    json.key(format_text("{}", each.node)).begin_object();
    const auto write = [&](std::string_view name, std::span<const double> values) {
      if (!values.empty()) write_numbers(json, name, values);
    };
    write("translation", each.local.translation);
    write("rotor", each.local.rotor);
    write("scale", each.local.scale);
    write("basis", each.local.basis);
    json.end_object();
  }
  json.end_object();
  json.key("blendAmounts").begin_object();
  for (const auto& [node, shapes] : amounts) {
    json.key(format_text("{}", node)).begin_object();
    for (const auto& [shape, amount] : shapes) json.key(format_text("{}", shape)).number(amount);
    json.end_object();
  }
  json.end_object();
  json.end_object();
  return std::move(json).take();
}

}  // namespace sinew::show
