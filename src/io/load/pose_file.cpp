// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/json.hpp"
#include "model/name_index.hpp"

#include "sinew/geometry.hpp"
#include "sinew/load.hpp"
#include "sinew/result.hpp"

namespace sinew::io {

namespace {

using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

// Returns "7 or 8 numbers", "16, 31 or 32 numbers": the lengths that is_rotor_length allows.
std::string rotor_lengths(std::size_t dimension) {
  std::string list;
  const std::size_t longest = std::max(rotor_size(dimension), rotor_size_bivector(dimension));
  for (std::size_t length = rotor_size_bivector(dimension); length <= longest; ++length)
    if (is_rotor_length(dimension, length)) list += format_text("{}{}", list.empty() ? "" : length == longest ? " or " : ", ", length);
  return format_text("{} numbers", list);
}

class PoseReader {
 public:
  PoseReader(const std::filesystem::path& path, const Model& model)
      : model_(model), nodes_(named_things(model.nodes), model.nodes.size(), "node") {
    edit_.file = path_text(path);
  }

  Result<PoseEdit> read(JsonValue root) {
    if (!root.is(JsonKind::object)) return wrong(root, "a JSON object");
    for (const JsonMember member : root.members()) {
      Result<> done;
      if (member.key.equals("nodes"))
        done = nodes(member.value);
      else if (member.key.equals("blendAmounts"))
        done = blend_amounts(member.value);
      else
        done = unknown(member, {"nodes", "blendAmounts"});
      if (!done) return Unexpected(done.error());
    }
    return std::move(edit_);
  }

 private:
  using Failed = Unexpected;

  Failed wrong(JsonValue value, std::string_view expected) const {
    std::string found(value.text().substr(0, 60));
    if (value.text().size() > 60) found += "…";
    return Failed(error("SINEW_POSE_VALUE"_code, Failure::input, place(value), found, expected));
  }
  Failed said(JsonValue value, std::string message) const {
    return Failed(error("SINEW_POSE_UNKNOWN"_code, Failure::input, place(value), std::move(message)));
  }
  Failed unknown(const JsonMember& member, const std::vector<std::string_view>& names) const {
    const auto near = need(nearest_name(member.key.string(), names));
    return said(member.value, format_text("unknown property \"{}\"{}; expected {}", member.key.string(),
                                          near ? format_text(", did you mean \"{}\"?", *near) : "", join_text(names, ", ")));
  }
  [[nodiscard]] Place place(JsonValue value) const { return {edit_.file, value.pointer(), std::nullopt}; }

  template <std::size_t Inline>
  Result<SmallVector<double, Inline>> numbers(JsonValue value, std::size_t count) const {
    if (!value.is(JsonKind::array) || value.size() != count) return wrong(value, format_text("{} numbers", count));
    SmallVector<double, Inline> out(count);
    std::size_t i = 0;
    for (const JsonValue element : value.elements()) {
      const auto number = element.number();
      if (!number || !std::isfinite(*number)) return wrong(element, "a number");
      out[i++] = *number;
    }
    return out;
  }

  Result<> nodes(JsonValue object) {
    if (!object.is(JsonKind::object)) return wrong(object, "an object of nodes");
    for (const JsonMember member : object.members()) {
      const auto node = nodes_.find(member.key.string());
      if (!node) return said(member.value, node.error().message);
      if (!member.value.is(JsonKind::object)) return wrong(member.value, "an object with the node's new transform");
      if (const auto [before, is_new] = edit_of_.try_emplace(*node, edit_.nodes.size()); !is_new)
        return said(member.value, format_text("node {} occurs twice, first at {}", *node, edit_.nodes[before->second].pointer));
      NodeEdit change;
      change.node = *node;
      change.pointer = member.value.pointer();
      for (const JsonMember property : member.value.members())
        if (auto done = node_property(property, change.local); !done) return done;
      if (!change.local.basis.empty() && !(change.local.rotor.empty() && change.local.scale.empty()))
        return said(member.value, "\"basis\" or \"matrix\" cannot be combined with rotation or scale");
      edit_.nodes.push_back(std::move(change));
    }
    return {};
  }

  Result<> node_property(const JsonMember& property, LocalTransform& change) {
    const std::size_t n = model_.dimension;
    const auto take = [&](auto&& numbers, auto& into) -> Result<> {
      if (!into.empty())
        return said(property.value, format_text("\"{}\" cannot be combined with another property of this node", property.key.string()));
      if (!numbers) return Failed(numbers.error());
      into = std::move(*numbers);
      return {};
    };
    if (property.key.equals("translation") || property.key.equals("position"))
      return take(numbers<3>(property.value, n), change.translation);
    if (property.key.equals("scale")) return take(scale(property.value), change.scale);
    if (property.key.equals("basis")) return take(numbers<1>(property.value, n * n), change.basis);
    if (property.key.equals("rotor")) return rotor(property.value, change);
    if (property.key.equals("rotation")) return rotation(property.value, change);
    if (property.key.equals("matrix")) return matrix(property.value, change);
    return unknown(property, {"translation", "position", "rotation", "rotor", "scale", "basis", "matrix"});
  }

  // One number per axis, or one number for all axes, alone or as the only element, as in G4MF nodes.
  Result<SmallVector<double, 3>> scale(JsonValue value) const {
    const std::size_t n = model_.dimension;
    const JsonValue single = value.is(JsonKind::array) && value.size() == 1 ? value.at(0) : value;
    if (single.is(JsonKind::array) && value.size() == n) return numbers<3>(value, n);
    if (!single.is(JsonKind::number)) return wrong(value, format_text("{} numbers, or one number for all axes", n));
    const auto number = single.number();
    if (!number || !std::isfinite(*number)) return wrong(single, "a number");
    return SmallVector<double, 3>(n, *number);
  }

  Result<> rotor(JsonValue value, LocalTransform& change) const {
    const std::size_t n = model_.dimension;
    if (!value.is(JsonKind::array) || !is_rotor_length(n, value.size())) return wrong(value, rotor_lengths(n));
    if (!change.rotor.empty()) return said(value, "\"rotor\" and \"rotation\" cannot be combined");
    auto parts = numbers<4>(value, value.size());
    if (!parts) return Failed(parts.error());
    // G4MF uses only the direction of rotors; glTF uses rotations as they are.
    if (model_.normalizes_rotors() && !normalize_rotor(*parts)) return wrong(value, "a rotor other than zero");
    change.rotor = std::move(*parts);
    return {};
  }

  // glTF's quaternion (x, y, z, w), for models in three dimensions.
  Result<> rotation(JsonValue value, LocalTransform& change) const {
    if (model_.dimension != 3) return wrong(value, "\"rotor\" or \"basis\": quaternions exist in 3 dimensions only");
    if (!change.rotor.empty()) return said(value, "\"rotor\" and \"rotation\" cannot be combined");
    auto q = numbers<4>(value, 4);
    if (!q) return Failed(q.error());
    const auto parts = rotor_from_quaternion(std::span<const double, 4>(q->data(), 4));
    change.rotor = SmallVector<double, 4>(std::span<const double>(parts));
    return {};
  }

  // (N+1)² numbers, column-major, the last row 0 … 0 1. Replaces the position too.
  Result<> matrix(JsonValue value, LocalTransform& change) const {
    const std::size_t n = model_.dimension;
    if (!change.translation.empty() || !change.basis.empty())
      return said(value, "\"matrix\" cannot be combined with \"translation\", \"position\" or \"basis\"");
    const auto m = numbers<1>(value, (n + 1) * (n + 1));
    if (!m) return Failed(m.error());
    change.basis = SmallVector<double, 1>(n * n);
    change.translation = SmallVector<double, 3>(n);
    for (std::size_t j = 0; j <= n; ++j) {
      if ((*m)[j * (n + 1) + n] != (j == n ? 1.0 : 0.0)) return wrong(value, "a matrix with the last row 0 … 0 1");
      for (std::size_t i = 0; i < n; ++i) (j == n ? change.translation[i] : change.basis[j * n + i]) = (*m)[j * (n + 1) + i];
    }
    return {};
  }

  Result<> blend_amounts(JsonValue object) {
    if (!object.is(JsonKind::object)) return wrong(object, "an object of nodes");
    for (const JsonMember member : object.members()) {
      const auto node = nodes_.find(member.key.string());
      if (!node) return said(member.value, node.error().message);
      if (model_.nodes[*node].mesh == none) return said(member.value, format_text("node {} has no mesh", *node));
      auto done = member.value.is(JsonKind::array) ? amount_list(member.value, *node) : amount_map(member.value, *node);
      if (!done) return done;
    }
    return {};
  }

  Result<> amount_list(JsonValue list, Index node) {
    const auto values = numbers<4>(list, model_.meshes[model_.nodes[node].mesh].shapes.size());
    if (!values) return Failed(values.error());
    for (std::size_t s = 0; s < values->size(); ++s) edit_.amounts.push_back({node, static_cast<Index>(s), (*values)[s]});
    return {};
  }

  Result<> amount_map(JsonValue map, Index node) {
    if (!map.is(JsonKind::object)) return wrong(map, "a list of amounts or an object of shapes");
    const Index mesh = model_.nodes[node].mesh;
    const std::vector<BlendShape>& all = model_.meshes[mesh].shapes;
    auto shapes = shapes_of_.find(mesh);
    if (shapes == shapes_of_.end()) shapes = shapes_of_.emplace(mesh, NameIndex(named_things(all), all.size(), "blend shape")).first;
    for (const JsonMember member : map.members()) {
      const auto shape = shapes->second.find(member.key.string());
      if (!shape) return said(member.value, shape.error().message);
      const auto amount = member.value.number();
      if (!amount || !std::isfinite(*amount)) return wrong(member.value, "a number");
      edit_.amounts.push_back({node, *shape, *amount});
    }
    return {};
  }

  const Model& model_;
  PoseEdit edit_;
  NameIndex nodes_;
  std::map<Index, NameIndex> shapes_of_;  ///< by mesh
  std::map<Index, std::size_t> edit_of_;  ///< by node: its place in the edits
};

}  // namespace

Result<PoseEdit> load_pose_file(const std::filesystem::path& path, const Model& model) SINEW_TRY {
  FindingList findings;
  const auto document = document::open(path, {}, findings);
  if (!document) return Unexpected(document.error());
  for (const Finding& finding : findings.list())
    if (finding.severity == Severity::error) return Unexpected(error_from(finding, path_text(path)));
  return PoseReader(path, model).read((*document)->json().root());
}
SINEW_CATCH({path_text(path), std::nullopt, std::nullopt})

}  // namespace sinew::io
