// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "document/files/uri.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "g4mf/write/update.hpp"
#include "gltf/extensions/KHR_meshopt_compression.hpp"
#include "io/load/detect.hpp"
#include "io/load/read.hpp"
#include "operations/files/changed_file.hpp"
#include "operations/files/check_deformable.hpp"
#include "operations/optimize/decoded_view.hpp"
#include "operations/optimize/pack/compact.hpp"
#include "operations/optimize/steps.hpp"

namespace sinew::operations {

namespace {

using document::Document;
using document::JsonValue;

struct Step {
  OptimizeStep step;
  std::string_view name;
  Result<StepResult> (*run)(const StepInput&, FindingSink&);
  double share;  ///< the part of the remaining error that the step may use
};
constexpr std::array steps{
    Step{OptimizeStep::prune, "prune", prune, 0.1},
    Step{OptimizeStep::weights, "weights", reduce_weights, 0.25},
    Step{OptimizeStep::joints, "joints", reduce_joints, 0.05},
    Step{OptimizeStep::keys, "keys", reduce_keys, 0.8},
    Step{OptimizeStep::instances, "instances", join_nodes, 0.1},
    Step{OptimizeStep::quantize, "quantize", quantize, 0.5},  // without compression: all
    Step{OptimizeStep::order, "order", order, 1},
    Step{OptimizeStep::compress, "compress", compress, 1},
};

/// The size of the JSON text and the buffers, whatever the container.
std::uint64_t content_size(const Document& document) {
  std::uint64_t size = document.json().text().size();
  std::size_t index = 0;
  for (const JsonValue buffer : document.json().root()["buffers"].elements()) {
    const JsonValue uri = buffer["uri"];
    const bool in_container = document.container() != document::Container::json && (index == 0 || buffer["chunk"]);
    ++index;
    if (!uri && !in_container) continue;  // the place for decoded bytes
    size += document::whole_number(buffer["byteLength"]).value_or(0);
    if (uri && document::is_data_uri(uri.string())) size -= std::min<std::uint64_t>(size, uri.text().size());
  }
  return size;
}

/// The size of a file and of the files with its buffers.
std::uint64_t stored_size(const std::filesystem::path& path, const document::OpenOptions& open) {
  std::error_code unknown;
  std::uint64_t size = std::filesystem::file_size(path, unknown);
  FindingList ignored;
  if (const auto document = document::open(path, open, ignored))
    for (const JsonValue buffer : (*document)->json().root()["buffers"].elements())
      if (const std::string uri = buffer["uri"].string(); !uri.empty() && !document::is_data_uri(uri)) {
        const auto beside = std::filesystem::file_size(path.parent_path() / document::percent_decode(uri), unknown);
        if (!unknown) size += beside;
      }
  return size;
}

class Optimizer {
 public:
  Optimizer(OpenFile file, const OptimizeOptions& options, FindingSink& changes)
      : file_(std::move(file)), options_(options), changes_(changes), document_(file_.document) {
    options_.max_error = options.max_error.value_or(0);
    options_.prune_unused = false;
    result_.bytes_before = document_->size();
  }

  Result<Optimized> run(const std::filesystem::path& to, FindingSink& sink) {
    if (auto fine = check_options(); !fine) return Unexpected(std::move(fine.error()));
    if (auto done = measure_original(); !done) return Unexpected(std::move(done.error()));
    if (auto done = decompress(); !done) return Unexpected(std::move(done.error()));
    for (const Step& step : steps) {
      if (!runs(step.step)) continue;
      if (auto done = take(step); !done) return Unexpected(std::move(done.error()));
      if (result_.refused != Refused::no) return std::move(result_);
    }
    if (decoded_ != 0) settle_decoding();
    LossWatch lost(changes_, options_.on_loss);
    for (const Finding& change : done_.list()) lost.add(change);
    const bool zstd = options_.compression == OptimizeCompression::zstd && ran(OptimizeStep::compress);
    auto written = write_changed(file_, document_, to, options_, done_.list().size(), sink, lost,
                                 {.compression = zstd ? Compression::zstd : Compression::keep});
    if (!written) return Unexpected(std::move(written.error()));
    static_cast<Written&>(result_) = std::move(*written);
    result_.bytes_after = result_.bytes_before;
    if (result_.refused != Refused::no) return std::move(result_);
    if (zstd && io::promised_by(to).container == document::Container::g4b) {  // texts store base64
      OptimizedStep& report = *std::ranges::find(result_.ran, OptimizeStep::compress, &OptimizedStep::step);
      const std::uint64_t content = content_size(*document_);
      report.saved = content - std::min(result_.bytes, content);
      report.note.clear();
    }
    result_.bytes = result_.bytes_after = stored_size(to, options_.load.open);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool ran(OptimizeStep step) const {
    return std::ranges::find(result_.ran, step, &OptimizedStep::step) != result_.ran.end();
  }
  [[nodiscard]] bool asks_for(OptimizeStep step) const { return std::ranges::find(options_.steps, step) != options_.steps.end(); }
  [[nodiscard]] bool runs(OptimizeStep step) const {
    if (!options_.steps.empty()) return asks_for(step);
    return step == OptimizeStep::compress ? compresses() : step != OptimizeStep::instances || joins_nodes();
  }
  [[nodiscard]] bool joins_nodes() const { return options_.instances == OptimizeInstances::nodes; }
  [[nodiscard]] bool compresses() const { return options_.compression != OptimizeCompression::none; }

  [[nodiscard]] Result<> check_options() const {
    const bool g4mf = g4mf::revision_of(file_.model).has_value();
    const auto refuse = [&](std::string_view what) {
      return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{document_->path().string(), {}, {}}, what));
    };
    const auto misused = [](std::string_view what) { return Unexpected(error("SINEW_USAGE"_code, Failure::usage, Place{}, what)); };
    if (options_.max_influences != 0 && !runs(OptimizeStep::weights)) return misused("--max-influences needs the step weights");
    if (options_.joint_budget != 0 && !runs(OptimizeStep::joints)) return misused("--joint-budget needs the step joints");
    if (asks_for(OptimizeStep::compress) && !compresses())
      return misused("the step compress needs a compression: meshopt, khr-meshopt or zstd");
    if (joins_nodes() && !runs(OptimizeStep::instances)) return misused("--instances nodes needs the step instances");
    if (asks_for(OptimizeStep::instances) && !joins_nodes()) return misused("the step instances needs --instances nodes");
    if (options_.joint_budget != 0 && g4mf) return refuse("--joint-budget works on glTF only");
    if (joins_nodes() && g4mf) return refuse("--instances nodes works on glTF only: G4MF has no copies of a node");
    for (const OptimizeStep step : {OptimizeStep::quantize, OptimizeStep::order})
      if (g4mf && asks_for(step)) return refuse(format_text("the step {} works on glTF only", to_string(step)));
    if (compresses() && g4mf != (options_.compression == OptimizeCompression::zstd))
      return refuse(g4mf ? "expected the compression none or zstd for G4MF"
                         : "expected the compression none, meshopt or khr-meshopt for glTF");
    return {};
  }

  /// Decodes a file that is compressed already, so that the steps can change it.
  Result<> decompress() {
    const bool stored = std::ranges::any_of(gltf::meshopt_extensions, [&](std::string_view name) {
      return std::ranges::find(file_.model.extensions_used, name) != file_.model.extensions_used.end();
    });
    if (!stored || !compresses()) return {};
    std::vector<PackedView> views;
    auto plain = pack_views(document_, &views, decoded_view);
    if (!plain) return Unexpected(std::move(plain.error()));
    if (*plain == document_) return {};
    document_ = std::move(*plain);
    decoded_ = content_size(*document_);
    return {};
  }

  /// Counts the bytes that decoding added to those that compressing saved. If the file did not become smaller, it stays as it was.
  void settle_decoding() {
    const std::uint64_t before = content_size(*file_.document);
    const bool smaller = content_size(*document_) < before;
    const std::uint64_t added = decoded_ - std::min(decoded_, before);
    for (OptimizedStep& step : result_.ran) {
      if (step.step == OptimizeStep::compress) step.saved -= std::min(step.saved, added);
      if (smaller) continue;
      step = {step.step, 0, 0, "left out: the compressed file would not become smaller"};
    }
    if (smaller) return;
    document_ = file_.document;
    done_ = FindingList();
    error_ = 0;
  }

  /// Fails for models that cannot be compared.
  Result<> measure_original() {
    constexpr std::uint64_t times = 2;  // the least number of passes over all vertices
    if (auto fits = check_surface_work(file_.model, times); !fits) return fits;
    auto same = measure(document_);
    if (!same) return Unexpected(std::move(same.error()));
    if (!(same->movement->error() <= 0))
      return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{document_->path().string(), {}, {}},
                              "vertices are not finite in a pose, so that no error can be measured"));
    diagonal_ = same->movement->diagonal;
    return {};
  }

  Result<Written> measure(const std::shared_ptr<const Document>& document) const {
    WriteOptions measuring{options_};
    measuring.revision = g4mf::revision_of(file_.model);
    measuring.before = &file_.model;
    return measure_only(document, measuring);
  }

  Result<> take(const Step& step) {
    OptimizedStep& report = result_.ran.emplace_back();
    report.step = step.step;
    report.error = error_;
    FindingList ignored;  // findings of an intermediate document
    io::LoadOptions reading = options_.load;
    reading.revision = g4mf::revision_of(file_.model);
    const auto model = document_ == file_.document ? Result<Model>(file_.model) : io::read(document_, reading, ignored);
    if (!model) return Unexpected(model.error());
    if (step.step == OptimizeStep::weights && options_.max_influences != 0) return limit_influences(step, *model, report);
    // The limit of influences may need all of the allowed error.
    const bool reserved = step.step == OptimizeStep::prune && options_.max_influences != 0;
    const bool last = step.step == OptimizeStep::quantize && !compresses();
    const double budget = reserved ? 0 : (*options_.max_error - error_) * (last ? 1 : step.share);
    constexpr std::array scales{1.0, 0.7, 0.5, 0.35, 0.25, 0.12, 0.06, 0.0};
    for (const double scale : scales) {
      if (scale != 0 && budget == 0) continue;
      for (const bool strict : {false, true}) {
        if (strict && scale != 0) continue;
        const StepInput input = input_of(*model, budget * scale * diagonal_, strict);
        const auto done = attempt(step, input, error_ + budget, report);
        if (!done) return Unexpected(done.error());
        if (*done) return {};
      }
    }
    report.note = "left out: it would move a vertex too far";
    return {};
  }

  [[nodiscard]] StepInput input_of(const Model& model, double distance, bool strict) const {
    return {document_, model, g4mf::revision_of(file_.model), options_, diagonal_, distance, strict};
  }

  /// Refuses the file if the demanded limit moves a vertex too far.
  Result<> limit_influences(const Step& step, const Model& model, OptimizedStep& report) {
    const double left = *options_.max_error - error_;
    const auto done = attempt(step, input_of(model, left * diagonal_, false), *options_.max_error, report);
    if (!done) return Unexpected(done.error());
    if (*done) return {};
    report.note =
        format_text("--max-influences {} needs a larger error than --max-error {:g}", options_.max_influences, *options_.max_error);
    static_cast<Written&>(result_) = std::move(too_far_);
    result_.refused = Refused::error;
    result_.bytes_after = result_.bytes_before;
    return {};
  }

  /// Returns false if a vertex moves too far.
  Result<bool> attempt(const Step& step, const StepInput& input, double allowed, OptimizedStep& report) {
    FindingList changes;
    auto made = step.run(input, changes);
    if (!made) return Unexpected(std::move(made.error()));
    report.note = std::move(made->note);
    if (made->document == document_) {
      if (report.note.empty()) report.note = "found nothing to change";
      return true;
    }
    const std::uint64_t before = content_size(*document_), after = content_size(*made->document);
    // Another order has the same size, but for the digits of offsets, and is faster to draw. So have fewer influences and joints.
    const bool order = step.step == OptimizeStep::order || step.step == OptimizeStep::joints;
    const std::uint64_t slack = order ? 100 + before / 1000 : step.step == OptimizeStep::weights ? 1 : 0;
    if (after >= before + slack && !made->required) {
      report.note = "left out: it would not make the file smaller";
      return true;
    }
    auto measured = measure(made->document);
    if (!measured) return Unexpected(std::move(measured.error()));
    const double error = measured->movement->error();
    if (error > allowed) {
      too_far_ = std::move(*measured);
      return false;
    }
    error_ = report.error = error;
    report.saved = before - std::min(before, after);
    document_ = std::move(made->document);
    for (const Finding& change : changes.list()) done_.add(change);
    return true;
  }

  OpenFile file_;
  OptimizeOptions options_;
  FindingSink& changes_;
  std::shared_ptr<const Document> document_;
  FindingList done_;
  Optimized result_;
  Written too_far_;  ///< the measurement of the last attempt that moved a vertex too far
  double diagonal_ = 0;
  double error_ = 0;           ///< of document_
  std::uint64_t decoded_ = 0;  ///< bytes of a compressed file after decoding; 0: not decoded
};

}  // namespace

std::string_view to_string(OptimizeStep step) { return std::ranges::find(steps, step, &Step::step)->name; }

std::string_view to_string(OptimizeCompression compression) {
  switch (compression) {
    case OptimizeCompression::meshopt:
      return "meshopt";
    case OptimizeCompression::khr_meshopt:
      return "khr-meshopt";
    case OptimizeCompression::zstd:
      return "zstd";
    case OptimizeCompression::none:
      break;
  }
  return "none";
}

std::vector<OptimizeStep> optimize_steps() {
  std::vector<OptimizeStep> all;
  for (const Step& step : steps) all.push_back(step.step);
  return all;
}

Result<Optimized> optimize(const std::filesystem::path& from, const std::filesystem::path& to, const OptimizeOptions& options,
                           FindingSink& sink, FindingSink& changes) try {
  auto file = open_file(from, to, options.load, sink);
  if (!file) return Unexpected(std::move(file.error()));
  return Optimizer(std::move(*file), options, changes).run(to, sink);
} catch (...) {
  return ended_by_exception({from.string(), {}, {}});
}

}  // namespace sinew::operations
