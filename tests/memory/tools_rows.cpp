// SPDX-License-Identifier: MIT
// The calls of the library of tools: checking, writing and the operations on files.
#include <string>
#include <utility>
#include <vector>

#include "trial.hpp"

#include "sinew/bake.hpp"
#include "sinew/batch.hpp"
#include "sinew/bounds.hpp"
#include "sinew/compare.hpp"
#include "sinew/convert.hpp"
#include "sinew/extract.hpp"
#include "sinew/flex.hpp"
#include "sinew/lift.hpp"
#include "sinew/merge.hpp"
#include "sinew/optimize.hpp"
#include "sinew/project.hpp"
#include "sinew/rebind.hpp"
#include "sinew/repair.hpp"
#include "sinew/retarget.hpp"
#include "sinew/save.hpp"
#include "sinew/slice.hpp"
#include "sinew/validate.hpp"

namespace sinew::memory {
namespace {

using namespace operations;
using Path = std::filesystem::path;

struct Ignored final : FindingSink {
  void add(Finding) override {}
};

/// The options of an operation, on one thread.
template <class Options>
Options alone(Options options = {}) {
  options.threads = 1;
  return options;
}

Model baked(const Model& model) { return bake(model, model.rest(), {.threads = 1}).value(); }
Comparison compared(const Given& given) { return compare(given.skin, given.cube, alone<CompareOptions>()).value(); }
/// Made once: it takes longer than the calls that are given it.
const FlexReport& flexed(const Given& given) {
  static const FlexReport report = flex(given.figure, {.angles = {45}, .threads = 1}).value();
  return report;
}
validate::Report checked(const Given& given) { return validate::check_file(given.samples / "gltf/tube_8_influences.gltf", {}).value(); }

std::vector<batch::Item> items(const Given& given) {
  const std::vector<std::string> paths{(given.samples / "gltf").string()};
  return batch::list_models(paths, batch::Order::sorted).value().items;
}
batch::Line line_of(const batch::Item& item) {
  batch::Line line;
  line.command = "validate";
  line.item = &item;
  line.total = 1;
  line.key = std::string(32, '0');
  line.result = "{\"a\": 1}";
  return line;
}
Path lines_of(const Given& given) {
  const Path path = given.folder / "lines.jsonl";
  const auto list = items(given);
  auto writer = batch::LineWriter::create(path).value();
  if (!writer.write(batch::to_json_line(line_of(list[0])).value()) || !writer.finish()) std::abort();
  return path;
}

constexpr Row checking[] = {
    {"sinew::io::check",
     [](const Given& given, Trial& trial) {
       const Path file = given.samples / "g4mf/arm_4d.g4b";
       Ignored sink;
       trial([&] { return io::check(file, {}, sink); });
     }},
    {"sinew::validate::check_file",
     [](const Given& given, Trial& trial) {
       const Path file = given.samples / "gltf/simple_skin.gltf";
       const validate::Options options;
       trial([&] { return validate::check_file(file, options); });
     }},
    {"sinew::validate::check_files",
     [](const Given& given, Trial& trial) {
       const std::vector<Path> files{given.samples / "gltf/simple_skin.gltf"};
       const validate::Options options;
       trial([&] { return validate::check_files(files, options, 1, {}); });
     }},
    {"sinew::validate::group_findings",
     [](const Given& given, Trial& trial) {
       const auto report = checked(given);
       trial([&] { return validate::group_findings(report, validate::GroupBy::array); });
     }},
    {"sinew::validate::count_codes",
     [](const Given& given, Trial& trial) {
       const auto report = checked(given);
       trial([&] { return validate::count_codes({&report, 1}); });
     }},
    {"sinew::validate::to_json",
     [](const Given& given, Trial& trial) {
       const auto report = checked(given);
       trial([&] { return validate::to_json(report); });
     }},
    {"sinew::validate::to_json",
     [](const Given& given, Trial& trial) {
       const auto report = checked(given);
       trial([&] { return validate::to_json({&report, 1}, 0); });
     }},
    {"sinew::validate::to_sarif",
     [](const Given& given, Trial& trial) {
       const auto report = checked(given);
       trial([&] { return validate::to_sarif({&report, 1}, {}); });
     }},
    {"sinew::validate::Report::name_of",
     [](const Given& given, Trial& trial) {
       const auto report = checked(given);
       const Finding finding{"GLTF_X", Severity::error, "/meshes/0/primitives/0", {}, {}};
       trial([&] { return report.name_of(finding); });
     }},
};

constexpr Row writing[] = {
    {"sinew::io::save",
     [](const Given& given, Trial& trial) {
       const Model model = baked(given.globe);
       const Path path = given.folder / "saved.glb";
       std::vector<std::string> notes;
       trial([&] { return io::save(model, path, &notes); });
     }},
    {"sinew::io::save",
     [](const Given& given, Trial& trial) {
       const Model model = baked(given.arm);
       const Path path = given.folder / "saved.g4b";
       trial([&] { return io::save(model, path); });
     }},
    {"sinew::io::can_save",
     [](const Given& given, Trial& trial) {
       const Path path = given.folder / "a long name of a file.glb";
       trial([&] { return io::can_save(path) && io::is_vertex_cache(path); });
     }},
    {"sinew::io::NpyWriter::create",
     [](const Given& given, Trial& trial) {
       const Path path = given.folder / "rows.npy";
       const std::vector<std::size_t> shape{2, 3};
       trial([&] { return io::NpyWriter::create(path, shape); });
     }},
    {"sinew::io::NpyWriter::write",
     [](const Given& given, Trial& trial) {
       auto writer = io::NpyWriter::create(given.folder / "rows.npy", {2, 3}).value();
       const std::vector<float> values(6);
       trial([&] { return writer.write(values); });
     }},
    {"sinew::io::NpyWriter::write_behind",
     [](const Given& given, Trial& trial) {
       auto writer = io::NpyWriter::create(given.folder / "rows.npy", {2, 3}).value();
       std::vector<float> values(6);
       trial([&] { return writer.write_behind(values); });
     }},
    {"sinew::io::NpyWriter::finish",
     [](const Given& given, Trial& trial) {
       auto writer = io::NpyWriter::create(given.folder / "rows.npy", {0, 3}).value();
       trial([&] { return writer.finish(); });
     }},
    {"sinew::io::VertexCacheWriter::create",
     [](const Given& given, Trial& trial) {
       const Path path = given.folder / "rows.mdd";
       const std::vector<double> seconds{0, 1};
       trial([&] { return io::VertexCacheWriter::create(path, 1, seconds); });
     }},
    {"sinew::io::VertexCacheWriter::write",
     [](const Given& given, Trial& trial) {
       const std::vector<double> seconds{0};
       auto writer = io::VertexCacheWriter::create(given.folder / "rows.mdd", 1, seconds).value();
       const std::vector<float> values(3);
       trial([&] { return writer.write(values); });
     }},
    {"sinew::io::VertexCacheWriter::finish",
     [](const Given& given, Trial& trial) {
       auto writer = io::VertexCacheWriter::create(given.folder / "rows.pc2", 0, std::vector<double>{0}).value();
       trial([&] { return writer.finish(); });
     }},
};

constexpr Row batches[] = {
    {"sinew::batch::list_models",
     [](const Given& given, Trial& trial) {
       const std::vector<std::string> paths{(given.samples / "gltf/simple_skin.gltf").string()};
       trial([&] { return batch::list_models(paths, batch::Order::sorted); });
     }},
    {"sinew::batch::share_of",
     [](const Given& given, Trial& trial) {
       const auto list = items(given);
       trial([&] { return batch::share_of(list, {1, 2}); });
     }},
    {"sinew::batch::output_paths",
     [](const Given& given, Trial& trial) {
       const auto list = items(given);
       trial([&] { return batch::output_paths(list, given.folder, ".glb", {}); });
     }},
    {"sinew::batch::check_outputs",
     [](const Given& given, Trial& trial) {
       const std::vector<std::string> inputs{(given.samples / "gltf/simple_skin.gltf").string()};
       const std::vector<Path> outputs{given.folder / "new.glb"};
       trial([&] { return batch::check_outputs(inputs, outputs, {}); });
     }},
    {"sinew::batch::in_order",
     [](const Given&, Trial& trial) {
       const std::function<void(std::size_t)> nothing = [](std::size_t) {};
       trial([&] { return batch::in_order(3, 2, nothing, nothing); });
     }},
    {"sinew::batch::to_json_line",
     [](const Given& given, Trial& trial) {
       const auto list = items(given);
       const batch::Line line = line_of(list[0]);
       trial([&] { return batch::to_json_line(line); });
     }},
    {"sinew::batch::LineWriter::create",
     [](const Given& given, Trial& trial) {
       const Path path = given.folder / "more.jsonl";
       trial([&] { return batch::LineWriter::create(path); });
     }},
    {"sinew::batch::LineWriter::write",
     [](const Given& given, Trial& trial) {
       auto writer = batch::LineWriter::create(given.folder / "more.jsonl").value();
       trial([&] { return writer.write("{\"a\": \"a line that is long enough\"}\n"); });
     }},
    {"sinew::batch::LineWriter::finish",
     [](const Given& given, Trial& trial) {
       auto writer = batch::LineWriter::create(given.folder / "more.jsonl").value();
       trial([&] { return writer.finish(); });
     }},
    {"sinew::batch::content_key",
     [](const Given& given, Trial& trial) {
       const Path file = given.samples / "gltf/simple_skin.gltf";
       trial([&] { return batch::content_key(file, "", {}); });
     }},
    {"sinew::batch::save_record",
     [](const Given& given, Trial& trial) {
       const Path file = given.folder / "record.gltf";
       std::filesystem::copy_file(given.samples / "gltf/simple_skin.gltf", file, std::filesystem::copy_options::overwrite_existing);
       trial([&] { return batch::save_record(file, "from", "{}", {}, {}); });
     }},
    {"sinew::batch::find_record",
     [](const Given& given, Trial& trial) {
       const Path file = given.folder / "record.gltf";
       trial([&] { return batch::find_record(file, "from", {}); });
     }},
    {"sinew::batch::Earlier::read",
     [](const Given& given, Trial& trial) {
       const Path lines = lines_of(given);
       trial([&] { return batch::Earlier::read(lines, "validate"); });
     }},
    {"sinew::batch::summarize",
     [](const Given& given, Trial& trial) {
       const std::vector<std::string> paths{lines_of(given).string()};
       trial([&] { return batch::summarize(paths); });
     }},
    {"sinew::batch::to_json",
     [](const Given& given, Trial& trial) {
       const auto summary = batch::summarize(std::vector<std::string>{lines_of(given).string()}).value();
       trial([&] { return batch::to_json(summary); });
     }},
};

constexpr Row measuring[] = {
    {"sinew::operations::bounds",
     [](const Given& given, Trial& trial) {
       const auto options = alone<BoundsOptions>();
       trial([&] { return bounds(given.skin, options); });
     }},
    {"sinew::operations::compare",
     [](const Given& given, Trial& trial) {
       auto options = alone<CompareOptions>();
       options.attributes = options.triangles = true;
       options.worst = 2;
       trial([&] { return compare(given.skin, given.skin, options); });
     }},
    {"sinew::operations::Comparison::every_pose",
     [](const Given& given, Trial& trial) {
       const Comparison comparison = compared(given);
       trial([&] { return comparison.every_pose(); });
     }},
    {"sinew::operations::Comparison::verdict",
     [](const Given& given, Trial& trial) {
       const Comparison comparison = compared(given);
       trial([&] { return comparison.verdict(0.1); });
     }},
    {"sinew::operations::distance_in_words",
     [](const Given& given, Trial& trial) {
       const Comparison comparison = compared(given);
       trial([&] { return distance_in_words(comparison, 0.25); });
     }},
    {"sinew::operations::in_words",
     [](const Given& given, Trial& trial) {
       const Comparison comparison = compare(given.skin, given.skin, alone<CompareOptions>()).value();
       trial([&] { return in_words(comparison, comparison.instances[0]); });
     }},
    {"sinew::operations::flex",
     [](const Given& given, Trial& trial) {
       const FlexOptions options{.angles = {45}, .threads = 1};
       trial([&] { return flex(given.skin, options); });
     }},
    {"sinew::operations::find_flex_kind", [](const Given&, Trial& trial) { trial([] { return find_flex_kind("flex_penetration"); }); }},
    {"sinew::operations::flex_changes",
     [](const Given& given, Trial& trial) {
       const FlexReport none_at_all;
       const FlexReport& report = flexed(given);
       trial([&] { return flex_changes(given.figure, report, given.figure, none_at_all); });
     }},
    {"sinew::operations::flex_close_up",
     [](const Given& given, Trial& trial) {
       const FlexReport& report = flexed(given);
       const FlexOptions options{.threads = 1};
       if (!report.findings.empty()) trial([&] { return flex_close_up(given.figure, report.findings[0], false, options); });
     }},
    {"sinew::operations::describe_skeletons",
     [](const Given& given, Trial& trial) { trial([&] { return describe_skeletons(given.figure); }); }},
    {"sinew::operations::extract",
     [](const Given& given, Trial& trial) {
       const Path path = given.folder / "rig.npz";
       trial([&] { return extract(given.skin, path, {.fps = 4}); });
     }},
};

constexpr Row shaping[] = {
    {"sinew::operations::bake",
     [](const Given& given, Trial& trial) {
       const BakeOptions options{.threads = 1};
       trial([&] { return bake(given.arm, given.arm.rest(), options); });
     }},
    {"sinew::operations::bake_frames",
     [](const Given& given, Trial& trial) {
       const FrameList frames{"clip", {0, 1}, [&](double, Pose& pose) {
                                pose = given.skin.rest();
                                return Result<>();
                              }};
       const BakeOptions options{.threads = 1};
       trial([&] { return bake_frames(given.skin, frames, options); });
     }},
    {"sinew::operations::bake_texture",
     [](const Given& given, Trial& trial) {
       const Path path = given.folder / "texture.glb";
       BakeTextureOptions options;
       options.fps = 2;
       options.threads = 1;
       trial([&] { return bake_texture(given.skin, path, options); });
     }},
    {"sinew::operations::fitted",
     [](const Given& given, Trial& trial) {
       const std::vector<float> rows(8);
       Projection projection;
       trial([&] { return fitted(std::move(projection), {rows.data(), 2, given.arm.dimension}); });
     }},
    {"sinew::operations::Projector::run",
     [](const Given&, Trial& trial) {
       const std::vector<float> rows(8, 0.5F);
       const Projector projector(4, fitted({}, {rows.data(), 2, 4}).value());
       std::vector<float> out(6), hidden(2);
       trial([&] {
         projector.run({rows.data(), 2, 4}, {out.data(), 2, 3}, {hidden.data(), 2, 1});
         return 0;
       });
     }},
    {"sinew::operations::shape_edges",
     [](const Given&, Trial& trial) {
       const std::vector<double> rows{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
       const std::vector<std::uint32_t> triangles{0, 1, 2, 0, 1, 3};
       trial([&] { return shape_edges({rows.data(), 4, 3}, triangles); });
     }},
    {"sinew::operations::with_shape_edges", [](const Given& given, Trial& trial) { trial([&] { return with_shape_edges(given.arm); }); }},
    {"sinew::operations::project",
     [](const Given& given, Trial& trial) {
       const Model model = baked(given.arm);
       trial([&] { return project(model, {}); });
     }},
    {"sinew::operations::project",
     [](const Given& given, Trial& trial) {
       const BakeOptions options{.threads = 1};
       trial([&] { return project(given.arm, given.arm.rest(), {}, options); });
     }},
    {"sinew::operations::Slicer::create",
     [](const Given&, Trial& trial) {
       std::vector<Elements> groups{{3, {0, 1, 2}}};
       trial([&] { return Slicer::create(3, std::move(groups)); });
     }},
    {"sinew::operations::Slicer::run",
     [](const Given&, Trial& trial) {
       auto slicer = Slicer::create(3, {{3, {0, 1, 2}}}).value();
       const std::vector<float> rows{0, 0, -1, 1, 0, 1, 0, 1, 1};
       const Hyperplane plane{2, 0, {}};
       trial([&] {
         Section section;
         return slicer.run({rows.data(), 3, 3}, plane, section);
       });
     }},
    {"sinew::operations::slice",
     [](const Given& given, Trial& trial) {
       const Model model = baked(given.arm);
       Ignored losses;
       trial([&] { return slice(model, {3, 0.05, {}}, losses); });
     }},
    {"sinew::operations::slice",
     [](const Given& given, Trial& trial) {
       const std::vector<Hyperplane> planes{{3, 0.05, {}}};
       const BakeOptions options{.threads = 1};
       Ignored losses;
       trial([&] { return slice(given.arm, given.arm.rest(), planes, options, losses); });
     }},
    {"sinew::operations::hyperplanes_across",
     [](const Given&, Trial& trial) {
       const std::vector<AxisCut> cuts{{"w", 0.5}};
       trial([&] { return hyperplanes_across(cuts, 4); });
     }},
    {"sinew::operations::lift",
     [](const Given& given, Trial& trial) {
       auto options = alone<LiftOptions>();
       options.rings = 4;
       Ignored losses;
       LiftReport report;
       trial([&] { return lift(given.skin, options, report, losses); });
     }},
};

constexpr Row editing[] = {
    {"sinew::operations::lift",
     [](const Given& given, Trial& trial) {
       const Path from = given.samples / "gltf/simple_skin.gltf", to = given.folder / "lifted.g4b";
       auto options = alone<LiftOptions>();
       options.rings = 4;
       Ignored sink, losses;
       trial([&] { return lift(from, to, options, sink, losses); });
     }},
    {"sinew::operations::convert",
     [](const Given& given, Trial& trial) {
       const Path from = given.samples / "gltf/simple_skin.gltf", to = given.folder / "converted.g4b";
       const auto options = alone<ConvertOptions>();
       Ignored sink, losses;
       trial([&] { return convert(from, to, options, sink, losses); });
     }},
    {"sinew::operations::save_losses",
     [](const Given& given, Trial& trial) {
       const Path path = given.folder / "losses.json";
       const std::vector<Finding> losses{{"SINEW_X", Severity::hint, "/nodes/0", {}, "a message that is long enough"}};
       trial([&] { return save_losses(losses, path); });
     }},
    {"sinew::operations::repair",
     [](const Given& given, Trial& trial) {
       const Path from = given.samples / "gltf/tube_8_influences.gltf", to = given.folder / "repaired.glb";
       auto options = alone<RepairOptions>();
       options.max_influences = 4;
       Ignored sink, changes;
       trial([&] { return repair(from, to, options, sink, changes); });
     }},
    {"sinew::operations::rebind",
     [](const Given& given, Trial& trial) {
       const Path from = given.samples / "gltf/simple_skin.gltf", to = given.folder / "rebound.glb";
       auto options = alone<RebindOptions>();
       options.to = BindPose::rest;
       Ignored sink, changes;
       trial([&] { return rebind(from, to, options, sink, changes); });
     }},
    {"sinew::operations::store_bounds",
     [](const Given& given, Trial& trial) {
       const Path from = given.samples / "gltf/simple_skin.gltf", to = given.folder / "bounded.glb";
       const auto options = alone<StoreBoundsOptions>();
       Ignored sink, changes;
       trial([&] { return store_bounds(from, to, options, sink, changes); });
     }},
    {"sinew::operations::merge",
     [](const Given& given, Trial& trial) {
       const Path body = given.samples / "merge/body.gltf", to = given.folder / "merged.glb";
       const std::vector<Path> clothes{given.samples / "merge/shirt.gltf"};
       const auto options = alone<MergeOptions>();
       Ignored sink, losses;
       trial([&] { return merge(body, clothes, to, options, sink, losses); });
     }},
    {"sinew::operations::optimize",
     [](const Given& given, Trial& trial) {
       const Path from = given.samples / "gltf/simple_skin.gltf", to = given.folder / "optimized.glb";
       auto options = alone<OptimizeOptions>();
       options.max_error = 0.01;
       Ignored sink, changes;
       trial([&] { return optimize(from, to, options, sink, changes); });
     }},
    {"sinew::operations::retarget",
     [](const Given& given, Trial& trial) {
       const Path target = given.samples / "show/figure.gltf", to = given.folder / "retargeted.glb";
       const std::vector<Path> motions{given.samples / "show/figure.gltf"};
       const auto options = alone<RetargetOptions>();
       Ignored sink, losses;
       trial([&] { return retarget(target, motions, to, options, sink, losses); });
     }},
    {"sinew::operations::report_json",
     [](const Given&, Trial& trial) {
       Retargeted done;
       done.motions.push_back({"motion.glb", {{"hips", "Hips", "Pelvis"}}, {"Tail"}, 1, "hips", {}});
       trial([&] { return report_json(done); });
     }},
    {"sinew::operations::pair_bones",
     [](const Given& given, Trial& trial) {
       const RetargetOptions options;
       trial([&] { return pair_bones(given.figure, given.figure, options); });
     }},
    {"sinew::operations::retarget_model",
     [](const Given& given, Trial& trial) {
       const auto options = alone<RetargetOptions>();
       trial([&] { return retarget_model(given.figure, given.figure, options); });
     }},
    {"sinew::operations::transfer_clip",
     [](const Given& given, Trial& trial) {
       const auto pairs = pair_bones(given.figure, given.figure, {}).value();
       const auto options = alone<RetargetOptions>();
       trial([&] { return transfer_clip(given.figure, 0, given.figure, pairs, options); });
     }},
};

}  // namespace

std::span<const Row> tools_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all;
    for (const std::span<const Row> part : {std::span<const Row>(checking), std::span<const Row>(writing), std::span<const Row>(batches),
                                            std::span<const Row>(measuring), std::span<const Row>(shaping), std::span<const Row>(editing)})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return rows;
}

}  // namespace sinew::memory
