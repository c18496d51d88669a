// SPDX-License-Identifier: MIT

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/pointer.hpp"
#include "g4mf/check/check.hpp"
#include "g4mf/revise/revise.hpp"
#include "g4mf/write/update.hpp"
#include "gltf/check/check.hpp"
#include "gltf/read/read.hpp"
#include "model/edit_reporter.hpp"
#include "operations/files/changed_file.hpp"
#include "operations/files/left_behind.hpp"
#include "operations/files/update.hpp"
#include "operations/repair/limit_influences.hpp"
#include "operations/repair/mend_accessors.hpp"
#include "operations/repair/mend_binds.hpp"
#include "operations/repair/repair.hpp"
#include "operations/repair/repair_bending.hpp"

namespace sinew::operations {

namespace {

/// Returns the numbers in a JSON pointer, in order: /meshes/2/primitives/0 has 2 and 0.
std::vector<std::size_t> numbers_of(std::string_view pointer) {
  std::vector<std::size_t> numbers;
  for (const document::PointerStep& step : document::steps_of(pointer))
    if (const auto number = step.index()) numbers.push_back(*number);
  return numbers;
}

using document::JsonValue;
using Numbers = std::span<const std::size_t>;

/// Returns the entity of a pointer if it exists and has no defect.
template <class T>
T* sound(std::vector<T>& list, Numbers at) {
  return at.empty() || at[0] >= list.size() || list[at[0]].defect != none ? nullptr : &list[at[0]];
}

bool forget_transform(JsonValue /*root*/, Model& before, Numbers at) {
  if (sound(before.nodes, at) == nullptr) return false;
  before.rest_pose.locals[at[0]] = {};
  return true;
}

/// Returns a number or the numbers of an array.
std::vector<double> numbers_in(JsonValue value) {
  std::vector<double> numbers;
  if (const auto one = value.number()) numbers.push_back(*one);
  for (const JsonValue number : value.elements()) numbers.push_back(number.number().value_or(0));
  return numbers;
}

bool use_stored_rotor_and_scale(JsonValue root, Model& before, Numbers at) {
  if (sound(before.nodes, at) == nullptr) return false;
  const JsonValue node = root["nodes"].at(static_cast<std::uint32_t>(at[0]));
  LocalTransform& local = before.rest_pose.locals[at[0]];
  local.rotor.assign(numbers_in(node["rotor"]));
  local.scale.assign(numbers_in(node["scale"]));
  return true;
}

bool use_stored_rotor(JsonValue root, Model& before, Numbers at) {
  if (sound(before.nodes, at) == nullptr) return false;
  before.rest_pose.locals[at[0]].rotor.assign(numbers_in(root["nodes"].at(static_cast<std::uint32_t>(at[0]))["rotor"]));
  return true;
}

bool use_stored_amounts(JsonValue root, Model& before, Numbers at) {
  if (sound(before.nodes, at) == nullptr) return false;
  before.rest_pose.amounts[at[0]] = numbers_in(root["nodes"].at(static_cast<std::uint32_t>(at[0]))["weights"]);
  return true;
}

bool forget_bind_matrices(JsonValue /*root*/, Model& before, Numbers at) {
  Skin* const skin = sound(before.skins, at);
  if (skin != nullptr) skin->joint_from_mesh.clear();
  return skin != nullptr;
}

bool forget_skeleton_matrices(JsonValue /*root*/, Model& before, Numbers at) {
  Skeleton* const skeleton = sound(before.skeletons, at);
  if (skeleton != nullptr) skeleton->joint_from_mesh.clear();
  return skeleton != nullptr;
}

bool forget_influences(JsonValue /*root*/, Model& before, Numbers at) {
  Mesh* const mesh = sound(before.meshes, at);
  if (mesh == nullptr || mesh->blocks.empty()) return false;
  mesh->blocks.front().influences = {};
  return true;
}

bool forget_positions(JsonValue /*root*/, Model& before, Numbers at) {
  Mesh* const mesh = sound(before.meshes, at);
  if (mesh == nullptr || at.size() < 2 || at[1] >= mesh->blocks.size()) return false;
  for (Attribute& attribute : mesh->blocks[at[1]].attributes)
    if (attribute.semantic == Semantic::position) attribute.values = {};
  return true;
}

bool forget_elements(JsonValue /*root*/, Model& before, Numbers at) {
  Mesh* const mesh = sound(before.meshes, at);
  if (mesh == nullptr || at.size() < 2 || at[1] >= mesh->surfaces.size()) return false;
  mesh->surfaces[at[1]].elements = {};
  return true;
}

/// A rule for values that the reader interprets differently from the file. Putting the file's value, or none, into the model before the
/// edit makes the writer store the reader's value.
struct Lenience {
  std::string_view code;
  bool (*put)(JsonValue root, Model& before, Numbers at);
};
constexpr Lenience leniences[] = {
    {"G4MF_SKIN_VERTICES_NOT_ASCENDING", forget_influences},
    {"G4MF_NODE_ROTOR_NOT_UNIT", use_stored_rotor},
    {"G4MF_NODE_BASIS_WITH_ROTOR", use_stored_rotor_and_scale},
    {"G4MF_NODE_BASIS_WITH_SCALE", use_stored_rotor_and_scale},
    {"NODE_WEIGHTS_INVALID", use_stored_amounts},
    {"MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", forget_positions},  // of compressed primitives
    {"MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE", forget_elements},
    {"NODE_MATRIX_TRS", forget_transform},
    {"SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE", forget_bind_matrices},
    {"ACCESSOR_INVALID_IBM", forget_bind_matrices},
    {"STAIK_IBM_LAST_ROW", forget_skeleton_matrices},
};

const Lenience* lenience_of(std::string_view code) {
  const auto* const row = std::ranges::find(leniences, code, &Lenience::code);
  return row == std::end(leniences) ? nullptr : row;
}

// Of several findings with one code at one place, the first is reported.
void find_leniences(JsonValue root, std::span<const Finding> found, Model& before, FindingSink& changes) {
  std::set<std::pair<std::string_view, std::string_view>> done;
  for (const Finding& finding : found) {
    const Lenience* const row = lenience_of(finding.code);
    if (row == nullptr || !done.emplace(finding.code, finding.pointer).second || !row->put(root, before, numbers_of(finding.pointer)))
      continue;
    EditReporter(changes).changed(finding.pointer, format_text("stored the value that Sinew reads here: {}", finding.message));
  }
}

g4mf::RepairParts parts_of(std::span<const Finding> found) {
  g4mf::RepairParts parts;
  for (const Finding& finding : found) {
    const std::string_view code = finding.code;
    parts.names |=
        code == "G4MF_NAME_NOT_UNIQUE" || code.starts_with("G4MF_NAME_FORBIDDEN_CHARACTER") || code == "G4MF_NAME_CONTROL_CHARACTER";
    parts.group_names |= code == "G4MF_SKIN_GROUP_NAME_DUPLICATE" || code == "G4MF_SKIN_GROUP_NAME_EMPTY";
    parts.joints |= code == "G4MF_SKELETON_JOINTS_NOT_INCREASING" || code == "G4MF_SKELETON_JOINT_PARENT_AFTER_CHILD" ||
                    code.starts_with("G4MF_SKELETON_ROOT_BONE_NOT_FIRST");
  }
  return parts;
}

/// Keeps the findings that repair looks up. It finds defects of vertices and keys in the model itself, and there may be very many of them.
class Found final : public FindingSink {
 public:
  void add(Finding finding) override {
    const std::string_view code = finding.code;
    if (lenience_of(code) != nullptr || concerns_accessors(code) || code == "SINEW_FINDINGS_DROPPED" || code.starts_with("G4MF_NAME_") ||
        code.starts_with("G4MF_SKIN_GROUP_NAME_") || code.starts_with("G4MF_SKELETON_"))
      list_.push_back(std::move(finding));
  }
  [[nodiscard]] std::vector<Finding> list() && { return std::move(list_); }

 private:
  std::vector<Finding> list_;
};

/// Returns the findings of all rules about the document; the model is empty if reading fails.
std::vector<Finding> findings_of(const OpenFile& file, const io::LoadOptions& options) {
  Found found;
  if (g4mf::revision_of(file.model)) {
    [[maybe_unused]] const auto model = g4mf::check(file.document, found, {options.force, options.revision});
  } else {
    [[maybe_unused]] const auto model = gltf::check(file.document, found);
  }
  return std::move(found).list();
}

/// Repairs what the model does not have (G4MF: names and the order of joints; glTF: bounds), then reads the file again.
Result<> repair_text(OpenFile& file, std::vector<Finding>& found, const io::LoadOptions& options, FindingSink& changes) {
  const g4mf::RepairParts parts = parts_of(found);
  const auto revision = g4mf::revision_of(file.model);
  if (revision && !parts.any()) return {};
  auto document = revision ? g4mf::repair(*file.document, *revision, parts, changes) : mend_accessors(file.document, found, changes);
  if (!document) return Unexpected(std::move(document.error()));
  if (*document == file.document) return {};
  FindingList ignored;  // those of the old file were already reported
  auto model = revision ? g4mf::read(*document, ignored, {options.force, revision}) : gltf::read(*document, ignored);
  if (!model) return Unexpected(std::move(model.error()));
  file = {std::move(*document), std::move(*model)};
  found = findings_of(file, options);
  return {};
}

Result<Written> repair_open(OpenFile file, const std::filesystem::path& to, const RepairOptions& options, FindingSink& sink,
                            FindingSink& changes) {
  std::vector<Finding> found = findings_of(file, options.load);
  FindingList done;
  if (auto mended = repair_text(file, found, options.load, done); !mended) return Unexpected(std::move(mended.error()));
  if (std::ranges::find(found, "SINEW_FINDINGS_DROPPED", &Finding::code) != found.end())
    changes.add(finding("SINEW_REPAIR_INCOMPLETE"_code, ""));
  Model before = file.model, read = file.model;
  if (auto mended = mend_binds(file.document, options.bind_matrices, found, before, read, done, changes); !mended)
    return Unexpected(std::move(mended.error()));
  find_leniences(file.document->json().root(), found, before, done);
  auto after = repair_model(read, options, done);
  if (!after) return Unexpected(std::move(after.error()));
  if (auto bent = repair_bending(*after, options, done, changes); !bent) return Unexpected(std::move(bent.error()));
  auto document = done.list().empty() ? file.document : update(file.document, before, *after, done);
  if (!document) return Unexpected(std::move(document.error()));
  LossWatch lost(changes, options.on_loss);
  for (const Finding& change : done.list()) lost.add(change);
  // If data would be lost, the refusal reports the movement. Otherwise the movement of the written file does.
  if (const std::size_t most = options.max_influences; most != 0 && options.on_loss == OnLoss::refuse) {
    FindingList listed;  // already reported in `done`
    const Model cut = limit_influences(file.model, most, listed);
    if (!listed.list().empty())
      if (auto reported = report_cut(file.model, cut, most, lost); !reported) return Unexpected(std::move(reported.error()));
  }
  report_left_behind(*file.document, **document, lost);
  return write_changed(file, *document, to, options, done.list().size(), sink, lost);
}

}  // namespace

Result<Written> repair(const std::filesystem::path& from, const std::filesystem::path& to, const RepairOptions& options, FindingSink& sink,
                       FindingSink& changes) SINEW_TRY {
  auto file = open_file(from, to, options.load, sink);
  if (!file) return Unexpected(std::move(file.error()));
  return repair_open(std::move(*file), to, options, sink, changes);
}
SINEW_CATCH({path_text(from), {}, {}})

}  // namespace sinew::operations
