// SPDX-License-Identifier: MIT
#include "targets.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "accessor.hpp"
#include "calls.hpp"
#include "codecs.hpp"
#include "newer.hpp"
#include "operations.hpp"
#include "use.hpp"

#include "sinew/convert.hpp"
#include "sinew/deform.hpp"
#include "sinew/merge.hpp"
#include "sinew/optimize.hpp"
#include "sinew/rebind.hpp"
#include "sinew/repair.hpp"
#include "sinew/result.hpp"

namespace sinew::fuzz {

namespace {

namespace fs = std::filesystem;

/// Returns the folder of this process, in memory if the system has such a folder.
const fs::path& folder() {
  static const fs::path made = [] {
    const fs::path memory = "/dev/shm";
    const fs::path parent = ::access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
    const fs::path path = parent / ("sinew-fuzz-" + std::to_string(::getpid()));
    fs::create_directories(path);
    return path;
  }();
  return made;
}

/// Removes the folder when the program exits normally.
struct Cleaner {
  Cleaner() { static_cast<void>(folder()); }  // its path must outlive the cleaner
  Cleaner(const Cleaner&) = delete;
  Cleaner& operator=(const Cleaner&) = delete;
  ~Cleaner() {
    std::error_code ignored;
    fs::remove_all(folder(), ignored);
  }
};

void use_model(const fs::path& file, Input) {
  static_cast<void>(validated(file));
  if (const auto model = loaded(file)) deform_all(*model);
}

/// If the report has no error, the model must be deformable.
void agree(const fs::path& file, Input) {
  const auto report = validated(file);
  if (!report || report->issues.reach(Severity::error) || report->model_issues.reach(Severity::error)) return;
  FindingList findings;
  const auto model = io::load(file, small_limits(), findings);
  const auto excused = [](const Error& error) {
    // These are no defects of the file's form: limits, features that this build lacks, sums that overflow float32, bytes that an extension
    // may provide (a warning), and an unknown component type of sparse indices (a warning in the Khronos validator, too).
    return error.failure == Failure::limit || error.failure == Failure::unsupported || error.code == "SINEW_RESULT_NOT_FINITE" ||
           error.code == "SINEW_TRANSFORM_NOT_FINITE" || error.code == "SINEW_URI_REFUSED" || error.code == "IO_ERROR" ||
           error.code == "SINEW_SINGULAR_BIND" || error.code == "GLTF_BUFFER_WITHOUT_DATA" || error.code == "VALUE_NOT_IN_LIST";
  };
  if (!model) {
    if (!excused(model.error())) broken("a file without errors is read", model.error().line());
    return;
  }
  if (is_large(*model)) return;
  const auto done = deformed(*model, model->rest_pose);
  if (!done && !excused(done.error())) broken("a file without errors can be deformed", done.error().line());
}

/// Compares the fastest kernel of this processor with the plain one.
void kernels(const fs::path& file, Input) {
  const auto model = loaded(file);
  if (!model || is_large(*model) || closure_defect(*model)) return;
  const std::vector<Affine> world = got(world_transforms(*model, model->rest_pose));
  for (const Instance& instance : got(instances(*model))) {
    deform::Palette palette;
    if (!deform::palette(*model, instance, world, world, palette)) continue;
    const Mesh& mesh = model->meshes[instance.mesh];
    if (mesh.blocks.empty() || mesh.blocks[0].influences.divide_by_sum) continue;
    const auto& amounts = model->rest_pose.amounts[instance.node];
    const bool skinned = instance.skin != none;
    const auto plain = with_kernel(mesh, model->dimension, palette, amounts, "plain", skinned);
    const auto fast = with_kernel(mesh, model->dimension, palette, amounts, {}, skinned);
    if (plain.size() != fast.size()) broken("kernels give the same", "one refuses");
    const double bound = rounding_error(*model, instance, palette, amounts);
    if (!std::isfinite(bound)) continue;
    const auto same = [&](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= bound; };
    for (std::size_t i = 0; i < plain.size(); ++i)
      if (!same(plain[i], fast[i]))
        broken("kernels give the same", std::to_string(plain[i]) + " and " + std::to_string(fast[i]) + ", bound " + std::to_string(bound));
  }
}

/// Returns the other container of the same format.
std::string_view other_container(const Model& model, const fs::path& file) {
  const bool binary = file.extension() == ".glb" || file.extension() == ".g4b";
  if (model.format == "G4MF") return binary ? ".g4tf" : ".g4b";
  return binary ? ".gltf" : ".glb";
}

bool converted(const fs::path& from, const fs::path& to, const operations::ConvertOptions& options) {
  FindingList findings, losses;
  return operations::convert(from, to, options, findings, losses).has_value();
}

operations::ConvertOptions convert_options() {
  operations::ConvertOptions options;
  options.load.open = small_limits().open;
  return options;
}

/// A written file must read back as the same model; a file in the other format must be readable.
void roundtrip(const fs::path& file, Input) {
  const auto model = loaded(file);
  if (!model || is_large(*model)) return;
  const fs::path same = folder() / ("same" + std::string(other_container(*model, file)));
  if (converted(file, same, convert_options())) {
    const auto again = loaded(same);
    if (!again) broken("what is written can be read", same.string());
    const auto before = deformed(*model, model->rest_pose), after = deformed(*again, again->rest_pose);
    if (before && !after) broken("what is written can be deformed", after.error().line());
    if (before && *before != *after) broken("what is written is the same", "vertices moved");
  }
  const fs::path across = folder() / (model->format == "G4MF" ? "across.glb" : "across.g4b");
  if (converted(file, across, convert_options()) && !loaded(across)) broken("what is written across formats can be read", across.string());
}

/// Runs the operations that write changed files.
void edits(const fs::path& file, Input bytes) {
  const auto model = loaded(file);
  if (!model || is_large(*model)) return;
  const std::uint8_t choice = bytes.empty() ? 0 : bytes[bytes.size() / 2];
  const fs::path out = folder() / ("edited" + file.extension().string());
  FindingList findings, changes;
  operations::RepairOptions repairing;
  repairing.load = small_limits();
  repairing.threads = 1;
  if (const auto done = operations::repair(file, out, repairing, findings, changes); done && !loaded(out))
    broken("a repaired file can be read", out.string());
  operations::RebindOptions rebinding;
  rebinding.load = small_limits();
  rebinding.threads = 1;
  rebinding.to = operations::BindPose::rest;
  rebinding.unify = (choice & 1) != 0;
  rebinding.bake_shapes = (choice & 4) != 0;
  rebinding.world = (choice & 8) != 0;
  rebinding.keep_vertices = !rebinding.world && (choice & 16) != 0;
  if (operations::rebind(file, out, rebinding, findings, changes) && !loaded(out)) broken("a rebound file can be read", out.string());
  operations::MergeOptions merging;
  merging.load.open = small_limits().open;
  merging.join = (choice & 2) != 0;
  merging.threads = 1;
  if (operations::merge(file, {file}, out, merging, findings, changes) && !loaded(out)) broken("a merged file can be read", out.string());
  operations::ConvertOptions reviser = convert_options();
  reviser.skeletons = static_cast<operations::Skeletons>(choice >> 2 & 3);
  reviser.max_influences = choice >> 4;
  if (converted(file, out, reviser) && !loaded(out)) broken("a converted file can be read", out.string());
}

/// Reads a pose file for known valid models.
void pose(const fs::path& file, Input) {
  static const std::vector<Model> models = [] {
    std::vector<Model> list;
    for (const char* name : {"gltf/simple_skin.gltf", "gltf/morph_cube.gltf", "g4mf/arm_4d.g4tf", "g4mf/rig_2d.g4tf"}) {
      const fs::path path = fs::path(SINEW_SOURCE_DIR) / "samples" / name;
      auto model = loaded(path);
      if (!model) broken("samples can be read", path.string());
      list.push_back(std::move(*model));
    }
    return list;
  }();
  for (const Model& model : models) {
    const auto edit = io::load_pose_file(file, model);
    if (!edit) continue;
    Pose posed = model.rest_pose;
    if (apply(*edit, model, posed)) static_cast<void>(deformed(model, posed));
  }
}

constexpr Target all[] = {
    {"glb", ".glb", use_model},
    {"gltf", ".gltf", use_model},
    {"g4b", ".g4b", use_model},
    {"g4tf", ".g4tf", use_model},
    {"accessor", ".gltf", accessor, false},
    {"pose", ".json", pose},
    {"agree", ".glb", agree},
    {"kernels", ".glb", kernels},
    {"roundtrip", ".glb", roundtrip},
    {"roundtrip_g4mf", ".g4tf", roundtrip},
    {"edits", ".glb", edits},
    {"edits_g4mf", ".g4tf", edits},
    {"bounds", ".glb", bounds},
    {"bounds_g4mf", ".g4tf", bounds},
    {"compare", ".glb", compare},
    {"compare_g4mf", ".g4tf", compare},
    {"optimize", ".glb", optimize},
    {"optimize_g4mf", ".g4tf", optimize},
    {"tables", ".glb", tables},
    {"tables_g4mf", ".g4tf", tables},
    {"flex", ".glb", flex},
    {"flex_g4mf", ".g4tf", flex},
    {"retarget", ".glb", retarget},
    {"retarget_g4mf", ".g4tf", retarget},
    {"lift", ".glb", lift},
    {"lift_g4mf", ".g4tf", lift},
    {"smaller", ".glb", smaller},
    {"play", ".glb", play},
    {"play_g4mf", ".g4tf", play},
    {"pick", ".glb", pick},
    {"source", ".gltf", source},
    {"source_g4mf", ".g4tf", source},
    {"calls", ".glb", calls},
    {"calls_g4mf", ".g4tf", calls},
    {"json", "", json, false},
    {"meshopt", "", meshopt, false},
    {"draco", ".gltf", draco, false},
    {"suite", ".json", suite},
};

}  // namespace

std::span<const Target> targets() { return all; }

const Target* find_target(std::string_view name) {
  const auto* const found = std::ranges::find(all, name, &Target::name);
  return found == std::end(all) ? nullptr : found;
}

void run(const Target& target, Input bytes) {
  static const Cleaner cleaner;
  const fs::path file = folder() / ("model" + std::string(target.extension));
  if (!target.extension.empty()) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  target.run(file, bytes);
}

}  // namespace sinew::fuzz
