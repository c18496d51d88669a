// SPDX-License-Identifier: MIT
#include "reports/bounds_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "console/joined.hpp"
#include "console/need.hpp"
#include "console/number.hpp"
#include "reports/not_covered.hpp"

namespace app {

namespace {

using sinew::Index;
using sinew::Model;
using sinew::operations::Bounds;
using sinew::operations::Box;

Json to_json(const Box& box) {
  if (box.empty()) return nullptr;
  const auto exact = [](const std::vector<float>& side) { return std::vector<double>(side.begin(), side.end()); };
  return {{"min", exact(box.min)}, {"max", exact(box.max)}};
}

/// Six digits, rounded away from the inside of the box.
std::string outward(float value, bool up) {
  const auto exact = static_cast<double>(value);
  if (exact == 0) return "0";
  const double digit = std::pow(10, std::floor(std::log10(std::abs(exact))) - 5);
  std::string text = fmt::format("{:.6g}", exact);
  if (const double shown = number_in<double>(text).value_or(exact); up ? shown < exact : shown > exact)
    text = fmt::format("{:.6g}", exact + (up ? digit : -digit));
  return text;
}

std::string side_of(const std::vector<float>& side, bool up) {
  std::vector<std::string> numbers;
  for (const float value : side) numbers.push_back(outward(value, up));
  return fmt::format("({})", joined(numbers, ", "));
}

struct Row {
  std::string label, min, max, rest;
};

Row row_of(std::string label, const Box& box, std::string rest = {}) {
  if (box.empty()) return {std::move(label), "empty", {}, {}};
  return {std::move(label), side_of(box.min, false), side_of(box.max, true), std::move(rest)};
}

/// Columns as wide as their widest cell; control characters in names are replaced already.
std::string table_of(const std::vector<Row>& rows) {
  std::size_t label = 0, min = 0, max = 0;
  for (const Row& row : rows) {
    label = std::max(label, row.label.size());
    min = std::max(min, row.min.size());
    max = std::max(max, row.max.size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = fmt::format("  {:<{}}  {:<{}}  {:<{}}  {}", row.label, label, row.min, min, row.max, max, row.rest);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string node_label(const Model& model, Index node) { return fmt::format("node {} {}", node, quoted(model.nodes[node].name)); }

}  // namespace

sinew::Result<Bounds> measure_bounds(const Model& model, sinew::operations::BoundsOptions options, const Common& common) {
  std::optional<Progress> progress;
  options.progress = [&](std::size_t done, std::size_t total) {
    if (!progress) progress.emplace(common.terminal, "bounding", total);
    progress->step(done);
  };
  return sinew::operations::bounds(model, options);
}

std::string bounds_text(const Model& model, const Bounds& bounds, const std::string& file, const Terminal& terminal) {
  std::string text = fmt::format("{}\n", terminal.bold(printable(file)));
  std::vector<Row> rows{row_of("all", bounds.all), row_of("rest", bounds.rest)};
  for (const Bounds::OfClip& row : bounds.clips) {
    const sinew::Clip& clip = model.clips[row.clip];
    rows.push_back(row_of(fmt::format("animation {} {}", row.clip, quoted(clip.name)), row.box, fmt::format("{:.6g} s", clip.duration)));
    for (std::size_t i = 0; terminal.verbosity() > 1 && i < row.instances.size(); ++i)
      rows.push_back(row_of("  " + node_label(model, bounds.instances[i].node), row.instances[i]));
  }
  text += table_of(rows);
  rows.clear();
  for (const Bounds::OfInstance& instance : bounds.instances)
    rows.push_back(row_of(node_label(model, instance.node), instance.box, fmt::format("radius {:.6g}", instance.radius)));
  if (!rows.empty()) text += terminal.bold("Instances, over all poses above") + "\n" + table_of(rows);
  rows.clear();
  for (const Bounds::OfJoint& joint : bounds.joints) rows.push_back(row_of(node_label(model, joint.node), joint.box));
  if (!rows.empty()) text += terminal.bold("Joints, in their own space") + "\n" + table_of(rows);
  return text + not_covered_text(need(sinew::not_covered(model)));
}

Json bounds_json(const Model& model, const Bounds& bounds, const std::string& file) {
  Json clips = Json::array(), instances = Json::array(), joints = Json::array();
  for (const Bounds::OfClip& row : bounds.clips) {
    Json of_instances = Json::array();
    for (std::size_t i = 0; i < row.instances.size(); ++i)
      of_instances.push_back({{"node", bounds.instances[i].node},
                              {"copy", bounds.instances[i].copy},
                              {"visible", bool(row.shown[i])},
                              {"box", to_json(row.instances[i])}});
    const sinew::Clip& clip = model.clips[row.clip];
    clips.push_back({{"animation", row.clip},
                     {"name", clip.name},
                     {"duration", clip.duration},
                     {"box", to_json(row.box)},
                     {"instances", of_instances}});
  }
  for (const Bounds::OfInstance& row : bounds.instances) {
    const Json sphere = row.box.empty() ? Json(nullptr) : Json{{"center", row.center}, {"radius", row.radius}};
    instances.push_back({{"node", row.node},
                         {"name", model.nodes[row.node].name},
                         {"copy", row.copy},
                         {"visible", row.shown},
                         {"box", to_json(row.box)},
                         {"sphere", sphere}});
  }
  for (const Bounds::OfJoint& row : bounds.joints)
    joints.push_back({{"node", row.node}, {"name", model.nodes[row.node].name}, {"box", to_json(row.box)}});
  return {{"file", file},
          {"dimension", bounds.dimension},
          {"all", to_json(bounds.all)},
          {"rest", to_json(bounds.rest)},
          {"clips", clips},
          {"instances", instances},
          {"joints", joints},
          {"notCovered", not_covered_json(need(sinew::not_covered(model)))}};
}

}  // namespace app
