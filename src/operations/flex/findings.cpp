// SPDX-License-Identifier: MIT
#include "operations/flex/findings.hpp"

#include <algorithm>
#include <cctype>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"

namespace sinew::operations {

namespace {

constexpr std::array<FlexKindRow, 9> kind_rows = {{{FlexKind::tear, "FLEX_TEAR"},
                                                   {FlexKind::collapse, "FLEX_COLLAPSE"},
                                                   {FlexKind::flip, "FLEX_FLIP"},
                                                   {FlexKind::penetration, "FLEX_PENETRATION"},
                                                   {FlexKind::self, "FLEX_SELF"},
                                                   {FlexKind::island, "FLEX_ISLAND"},
                                                   {FlexKind::inert, "FLEX_INERT"},
                                                   {FlexKind::spike, "FLEX_SPIKE"},
                                                   {FlexKind::unbound, "FLEX_UNBOUND"}}};

}  // namespace

std::span<const FlexKindRow> flex_kinds() noexcept { return kind_rows; }

std::optional<FlexKind> find_flex_kind(std::string_view name) noexcept {
  const auto is = [name](std::string_view upper) {
    return std::ranges::equal(name, upper, [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; });
  };
  for (const FlexKindRow& row : kind_rows)
    if (is(row.code) || is(row.code.substr(5))) return row.kind;
  return std::nullopt;
}

std::size_t FlexReport::count(Severity severity) const noexcept {
  return static_cast<std::size_t>(std::ranges::count(findings, severity, &FlexFinding::severity));
}

namespace bend {

namespace {

constexpr std::size_t most_listed = 8;

std::string_view code_of_kind(FlexKind kind) { return kind_rows[static_cast<std::size_t>(kind)].code; }

/// Keeps the largest value of each vertex, the worst first.
std::vector<Mark> sorted(std::vector<Mark> marks) {
  std::ranges::sort(marks, [](const Mark& a, const Mark& b) { return a.vertex != b.vertex ? a.vertex < b.vertex : a.value > b.value; });
  const auto same = [](const Mark& a, const Mark& b) { return a.vertex == b.vertex; };
  marks.erase(std::unique(marks.begin(), marks.end(), same), marks.end());
  std::ranges::sort(marks, [](const Mark& a, const Mark& b) { return a.value != b.value ? a.value > b.value : a.vertex < b.vertex; });
  return marks;
}

std::string_view plural(std::size_t count, std::string_view one, std::string_view many) { return count == 1 ? one : many; }

/// Returns the message of a finding.
std::string message_of(const Found& f, std::size_t count, const Figure& figure) {
  const std::string pose = pose_text(*figure.model, f.pose);
  const std::string at = pose.empty() ? std::string() : " " + pose;
  const std::string_view cells = figure.corners == 3 ? plural(count, "triangle", "triangles") : plural(count, "simplex", "simplexes");
  switch (f.kind) {
    case FlexKind::tear:
      return finding("FLEX_TEAR"_code, "", count, 100 * f.value, at).message;
    case FlexKind::collapse:
      return finding("FLEX_COLLAPSE"_code, "", f.detail, 100 * (1 - f.value), at, count).message;
    case FlexKind::flip:
      return finding("FLEX_FLIP"_code, "", count, cells, plural(count, "turns", "turn"), at).message;
    case FlexKind::penetration:
      return finding("FLEX_PENETRATION"_code, "", count,
                     plural(count, "vertex enters the surface next to it", "vertices enter the surface next to them"), 100 * f.value, at)
          .message;
    case FlexKind::self:
      return finding("FLEX_SELF"_code, "", count, plural(count, "pair", "pairs"), figure.n == 2 ? "edges" : "triangles",
                     plural(count, "passes", "pass"), f.detail, at)
          .message;
    case FlexKind::island:
      return finding("FLEX_ISLAND"_code, "", count, plural(count, "vertex", "vertices"), f.value).message;
    case FlexKind::inert:
      return finding("FLEX_INERT"_code, "", f.detail).message;
    case FlexKind::spike:
      return finding("FLEX_SPIKE"_code, "", count, plural(count, "vertex moves away", "vertices move away"), f.value, at).message;
    case FlexKind::unbound:
      return finding("FLEX_UNBOUND"_code, "", count, f.detail).message;
  }
  return {};
}

}  // namespace

std::string pose_text(const Model& model, const FlexPose& pose) {
  switch (pose.kind) {
    case FlexPose::Kind::rest:
      return {};
    case FlexPose::Kind::stress: {
      if (model.dimension == 3)
        return format_text("at {:.3g}° about {}", pose.plane[0] + 2 == pose.plane[1] ? -pose.degrees : pose.degrees,
                           "XYZ"[(3 - pose.plane[0] - pose.plane[1]) % 3]);  // about Y, Z turns towards X
      return format_text("at {:.3g}° in the plane of the axes {} and {}", pose.degrees, pose.plane[0], pose.plane[1]);
    }
    case FlexPose::Kind::clip: {
      const std::string& name = model.clips[pose.clip].name;
      return format_text("in {} at {:.2f} s", name.empty() ? format_text("animation {}", pose.clip) : "\"" + name + "\"", pose.seconds);
    }
    case FlexPose::Kind::shape: {
      std::string text;
      for (const auto& [name, amount] : pose.shapes)
        text += format_text("{}\"{}\" at {:.3g}", text.empty() ? "with " : " and ", name, amount);
      return text;
    }
  }
  return {};
}

Findings::Key Findings::key_of(const Found& found) {
  std::string name;
  if (found.pose.kind == FlexPose::Kind::shape)
    for (const auto& [shape, amount] : found.pose.shapes) name += shape + '\n';
  if (found.kind == FlexKind::inert && found.pose.kind == FlexPose::Kind::clip) name = format_text("{}", found.pose.clip);
  if (found.kind == FlexKind::inert || found.kind == FlexKind::unbound) name += found.detail;
  return {found.kind, found.joint, std::move(name)};
}

bool Findings::wants(const Found& found) const {
  const auto known = kept_.find(key_of(found));
  if (known == kept_.end()) return true;
  const Found& before = known->second;
  return found.severity != before.severity ? found.severity < before.severity : found.value > before.value;
}

void Findings::offer(Found found) {
  if (wants(found)) kept_.insert_or_assign(key_of(found), std::move(found));
}

void Findings::merge(Findings&& other) {
  for (auto& [key, found] : other.kept_) offer(std::move(found));
}

std::vector<FlexFinding> Findings::finish(const Figure& figure) const {
  std::vector<FlexFinding> list;
  for (const auto& [key, found] : kept_) {
    FlexFinding& out = list.emplace_back();
    const std::vector<Mark> marks = sorted(found.marks);
    out.kind = found.kind;
    out.code = code_of_kind(found.kind);
    out.severity = found.severity;
    out.joint = found.joint == nothing ? none : figure.joints[found.joint].node;
    out.value = found.value;
    out.limit = found.limit;
    out.unit = found.unit;
    out.pose = found.pose;
    out.count = found.count != 0 ? found.count : marks.size();
    out.exact = found.exact;
    for (const Mark& mark : marks) {
      if (out.vertices.size() < most_listed) out.vertices.push_back(figure.vertices[mark.vertex]);
      out.rows.push_back(figure.vertices[mark.vertex].row);
    }
    std::ranges::sort(out.rows);
    out.message = message_of(found, out.count, figure);
  }
  std::ranges::sort(list, [](const FlexFinding& a, const FlexFinding& b) {
    return std::tuple(a.severity, a.kind, -a.value, a.joint, a.message) < std::tuple(b.severity, b.kind, -b.value, b.joint, b.message);
  });
  return list;
}

}  // namespace bend

}  // namespace sinew::operations
