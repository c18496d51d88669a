// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/uri.hpp"
#include "document/json/json.hpp"
#include "document/schema/reader.hpp"
#include "g4mf/write/update.hpp"
#include "gltf/extensions/KHR_meshopt_compression.hpp"
#include "io/load/detect.hpp"
#include "io/load/read.hpp"
#include "operations/files/changed_file.hpp"
#include "operations/files/check_deformable.hpp"
#include "operations/optimize/asked_steps.hpp"
#include "operations/optimize/attribute_errors.hpp"
#include "operations/optimize/content_size.hpp"
#include "operations/optimize/decoded_view.hpp"
#include "operations/optimize/error_meter.hpp"
#include "operations/optimize/pack/compact.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/optimize/textures/textures.hpp"

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
    Step{OptimizeStep::textures, "textures", nullptr, 0},  // once, before the others
    Step{OptimizeStep::prune, "prune", prune, 0.1},
    Step{OptimizeStep::weights, "weights", reduce_weights, 0.25},
    Step{OptimizeStep::joints, "joints", reduce_joints, 0.05},
    Step{OptimizeStep::keys, "keys", reduce_keys, 0.8},
    Step{OptimizeStep::instances, "instances", join_nodes, 0.1},
    Step{OptimizeStep::triangles, "triangles", reduce_triangles, 0.75},
    Step{OptimizeStep::quantize, "quantize", quantize, 0.5},  // without compression: all
    Step{OptimizeStep::order, "order", order, 1},
    Step{OptimizeStep::lods, "lods", add_levels, 0},
    Step{OptimizeStep::compress, "compress", compress, 1},
    Step{OptimizeStep::names, "names", drop_names, 1},
};

class Optimizer {
 public:
  Optimizer(OpenFile file, const OptimizeOptions& options, FindingSink& changes)
      : file_(std::move(file)), options_(options), changes_(changes), document_(file_.document) {
    options_.max_error = options.max_error.value_or(0);
    options_.prune_unused = false;
    result_.bytes_before = document_->size();
  }

  Result<Optimized> run(const std::filesystem::path& to, FindingSink& sink) {
    if (auto fine = asked_.check(document_->path(), g4mf::revision_of(file_.model).has_value()); !fine)
      return Unexpected(std::move(fine.error()));
    if (auto done = measure_original(); !done) return Unexpected(std::move(done.error()));
    if (auto done = take_textures(); !done) return Unexpected(std::move(done.error()));
    if (auto done = decompress(); !done) return Unexpected(std::move(done.error()));
    limits_ = attribute_limits(*document_, options_, [&](std::string_view uri) -> std::optional<std::uint64_t> {
      const auto file = textures_.files.find(uri);
      return file == textures_.files.end() ? std::nullopt : std::optional(file->second.side);
    });
    if (auto done = take_all(); !done) return Unexpected(std::move(done.error()));
    if (!levels_.empty()) {
      auto stated = state_levels(document_, file_.model, options_, levels_, result_.lods);
      if (!stated) return Unexpected(std::move(stated.error()));
      document_ = std::move(*stated);
    }
    if (textures_report_) result_.ran.insert(result_.ran.begin(), *textures_report_);
    if (result_.refused != Refused::no) return std::move(result_);
    if (decoded_ != 0) settle_decoding();
    return write(to, sink);
  }

 private:
  Result<Optimized> write(const std::filesystem::path& to, FindingSink& sink) {
    LossWatch lost(changes_, options_.on_loss);
    for (const FindingList* list : {&texture_changes_, &done_})
      for (const Finding& change : list->list()) lost.add(change);
    if (!to.empty()) {
      auto named = with_new_textures(document_, textures_, io::promised_by(to).container == document::Container::glb);
      if (!named) return Unexpected(std::move(named.error()));
      document_ = std::move(*named);
    }
    const bool zstd = options_.compression == OptimizeCompression::zstd && ran(OptimizeStep::compress);
    auto written = write_changed(file_, document_, to, options_, texture_changes_.list().size() + done_.list().size(), sink, lost,
                                 {.compression = zstd ? Compression::zstd : Compression::keep,
                                  .made = &textures_.made,
                                  .measured = last_.document != nullptr ? &last_.measured : nullptr});
    if (!written) return Unexpected(std::move(written.error()));
    static_cast<Written&>(result_) = std::move(*written);
    if (result_.triangles) result_.triangles->surface_error = result_.movement->error();
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

  [[nodiscard]] bool ran(OptimizeStep step) const {
    return std::ranges::find(result_.ran, step, &OptimizedStep::step) != result_.ran.end();
  }
  /// Runs the steps. They look at some moments of clips. If these miss a vertex that moves too far, the steps run again and look at all.
  /// Others do not know where the vertices are then. If they cannot find out, for example because parts are smaller than the error, the
  /// steps run again with a smaller one, and at last without moving vertices.
  Result<> take_all() {
    enum class Try : std::uint8_t { some_moments, all_moments, smaller_error, same_order };
    constexpr double smaller = 0.2;
    const auto start = document_;
    const double allowed = *options_.max_error;
    Try next = Try::some_moments;
    while (true) {
      looks_at_all_ = next != Try::some_moments;
      keeps_order_ = next == Try::same_order;
      options_.max_error = next == Try::smaller_error ? smaller * allowed : allowed;
      for (const Step& step : steps) {
        if (!asked_.runs(step.step) || step.step == OptimizeStep::textures) continue;
        if (auto done = take(step); !done || result_.refused != Refused::no) return done;
      }
      options_.max_error = allowed;
      if (last_.document != document_) {
        auto measured = meter_.measure_last(document_, rows_);
        if (!measured) return Unexpected(std::move(measured.error()));
        last_ = {document_, std::move(*measured)};
      }
      if (!meter_.is_reduced() && !result_.ran.empty()) result_.ran.back().error = last_.measured.movement->error();
      if (!looks_at_all_ && last_.measured.refused != Refused::no) {
        next = Try::all_moments;
      } else {
        if (rows_.empty() || result_.triangles || next == Try::same_order) return {};  // surfaces are found in any order
        const auto found = meter_.measure(document_, {}, ErrorMeter::Moments::some);
        if (!found) return Unexpected(found.error());
        if (found->movement->error() <= allowed) return {};
        next = next == Try::smaller_error ? Try::same_order : Try::smaller_error;
      }
      document_ = start;
      forget();
      result_.ran.clear();
    }
  }

  void forget() {
    last_ = {};
    meter_.forget();
    done_ = FindingList();
    rows_.clear();
    result_.attributes = {};
    result_.triangles.reset();
    result_.lods.clear();
    levels_.clear();
    error_ = 0;
  }

  /// Decodes a file that is compressed already, so that the steps can change it.
  Result<> decompress() {
    const bool stored = std::ranges::any_of(gltf::meshopt_extensions, [&](std::string_view name) {
      return std::ranges::find(file_.model.extensions_used, name) != file_.model.extensions_used.end();
    });
    if (!stored || !asked_.compresses()) return {};
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
    const std::uint64_t before = content_size(*base_);
    const bool smaller = content_size(*document_) < before || !levels_.empty();
    const std::uint64_t added = decoded_ - std::min(decoded_, before);
    for (OptimizedStep& step : result_.ran) {
      if (step.step == OptimizeStep::compress) step.saved -= std::min(step.saved, added);
      if (smaller || step.step == OptimizeStep::textures) continue;
      step = {step.step, 0, 0, "left out: the compressed file would not become smaller"};
    }
    if (smaller) return;
    document_ = base_;
    forget();
  }

  /// Images need no vertices: this step runs once, and the others start from its result.
  Result<> take_textures() {
    base_ = document_;
    if (!asked_.runs(OptimizeStep::textures)) return {};
    auto done = smaller_textures(document_, options_, texture_changes_);
    if (!done) return Unexpected(std::move(done.error()));
    textures_ = std::move(*done);
    const std::uint64_t before = content_size(*document_), after = content_size(*textures_.document);
    textures_report_ = {OptimizeStep::textures, before - std::min(before, after), 0, textures_.note};
    result_.textures = textures_.textures;
    document_ = base_ = textures_.document;
    return {};
  }

  /// Fails for models that cannot be compared.
  Result<> measure_original() {
    constexpr std::uint64_t times = 2;  // the least number of passes over all vertices
    if (auto fits = check_surface_work(file_.model, times); !fits) return fits;
    auto same = meter_.measure(document_, rows_, ErrorMeter::Moments::all);
    if (!same) return Unexpected(std::move(same.error()));
    if (!(same->movement->error() <= 0))
      return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(document_->path()), {}, {}},
                              "vertices are not finite in a pose, so that no error can be measured"));
    return {};
  }

  /// What a step made of document_.
  struct Trial {
    StepResult made;
    FindingList changes;
    std::uint64_t size = 0;
    std::optional<Written> measured;  ///< empty: the step changed nothing, or did not make the file smaller
    double error = 0;
  };

  Result<> take(const Step& step) {
    OptimizedStep& report = result_.ran.emplace_back();
    report.step = step.step;
    report.error = error_;
    FindingList ignored;  // findings of an intermediate document
    io::LoadOptions reading = options_.load;
    reading.revision = g4mf::revision_of(file_.model);
    auto model = document_ == file_.document ? Result<Model>(file_.model) : io::read(document_, reading, ignored);
    if (!model) return Unexpected(model.error());
    if (step.step == OptimizeStep::weights && options_.max_influences != 0) return limit_influences(step, *model, report);
    // The limit of influences may need all of the allowed error.
    const bool reserved = step.step == OptimizeStep::prune && options_.max_influences != 0;
    if (step.step == OptimizeStep::triangles) return take_triangles(step, *model, report);
    if (step.step == OptimizeStep::lods) return take_levels(step, *model, report);
    if (step.step == OptimizeStep::order || step.step == OptimizeStep::names) return take_order(step, *model, report);
    if (step.step == OptimizeStep::quantize) {
      const auto before = document_;
      if (auto done = take_weights(step, *model, report); !done) return done;
      if (document_ != before) {
        model = io::read(document_, reading, ignored);
        if (!model) return Unexpected(model.error());
      }
    }
    const bool last = step.step == OptimizeStep::quantize && !asked_.compresses();
    const double budget = reserved ? 0 : (*options_.max_error - error_) * (last ? 1 : share_of(step, *model));
    return search(step, *model, budget, report);
  }

  /// The part of the remaining error for a step: positions and keys share it by their amounts of data.
  [[nodiscard]] static double share_of(const Step& step, const Model& model) {
    if (step.step != OptimizeStep::keys && step.step != OptimizeStep::quantize) return step.share;
    double keys = 0, positions = 1;
    for (const Clip& clip : model.clips)
      for (const Track& track : clip.tracks) keys += static_cast<double>(track.values.size() * track.values.width());
    for (const Mesh& mesh : model.meshes)
      for (const VertexBlock& block : mesh.blocks)
        positions += 3 * static_cast<double>(block.vertices) * (1 + static_cast<double>(mesh.shapes.size()));
    constexpr double least = 0.3, most = 0.95;
    const double of_keys = std::clamp(keys / (keys + positions), 1 - most, most);
    return step.step == OptimizeStep::keys ? std::clamp(of_keys, least, step.share) : 1 - of_keys;
  }

  /// Parts of the tolerances that a step gets: of its budget, and of all that is left, for keys that become integers.
  struct Tolerance {
    double scale = 1, keys = 1;
  };

  Result<Trial> attempt(const Step& step, const Model& model, double budget, const Tolerance& at, OptimizedStep& report) {
    StepInput input = input_of(model, budget * at.scale * meter_.diagonal(), false);
    input.key_distance = std::max(input.distance, at.keys * (*options_.max_error - error_) * meter_.diagonal());
    return attempt(step, input, report);
  }

  /// Tries tolerances: smaller ones if a vertex moves too far, larger ones as long as they save and much of the budget is left.
  Result<> search(const Step& step, const Model& model, double budget, OptimizedStep& report) {
    constexpr int most_tries = 6;
    constexpr double smallest = 0.02;
    const bool quantizes = step.step == OptimizeStep::quantize, moves_keys = !model.clips.empty();
    const bool grows = quantizes || (step.step == OptimizeStep::compress && moves_keys);
    // Keys that become integers are worth more than their share, and their filters need little more.
    const double allowed = grows ? std::max(budget, 0.6 * (*options_.max_error - error_)) : budget;
    Tolerance at;
    bool grown = false;
    for (int tries = 0; tries < most_tries && budget > 0 && at.scale >= smallest; ++tries) {
      auto trial = attempt(step, model, budget, at, report);
      if (!trial) return Unexpected(std::move(trial.error()));
      if (!trial->measured) return {};
      std::optional<Trial> first;
      if (!grown && trial->error - error_ <= allowed) {
        grown = true;
        first = *trial;
        const Growth growth{step, model, budget, allowed};
        if (quantizes && moves_keys)
          if (auto done = grow(growth, &Tolerance::keys, at, *trial, report); !done) return done;
        if (grows)
          if (auto done = grow(growth, &Tolerance::scale, at, *trial, report); !done) return done;
      }
      const double most = std::min(1.1 * allowed, *options_.max_error - error_);
      for (Trial* near : {&*trial, first ? &*first : nullptr}) {
        if (near == nullptr) continue;
        if (moves_keys && looks_closely(step.step))
          if (auto done = look_at_all(step.step, *near, most); !done) return done;
        if (near->error - error_ <= most) return accept(std::move(*near), report), Result<>();
      }
      const double more = trial->error - error_;
      too_far_ = std::move(*trial->measured);
      at.scale *= std::clamp(0.9 * budget / more, 0.1, 0.8);
      at.keys /= 2;
    }
    return take_exact(step, model, report, false);
  }

  /// Returns whether all moments decide about a step: keys may move a vertex anywhere in a clip, and the last step uses up the error.
  [[nodiscard]] bool looks_closely(OptimizeStep step) const {
    return step == OptimizeStep::keys || step == OptimizeStep::compress || (step == OptimizeStep::quantize && !asked_.compresses());
  }

  /// Measures in all moments what is near enough in some.
  Result<> look_at_all(OptimizeStep step, Trial& trial, double allowed) {
    if (looks_at_all_ || trial.error - error_ > allowed) return {};
    const KnownRows& rows = trial.made.rows.empty() ? rows_ : trial.made.rows;
    const bool last = step != OptimizeStep::keys && !meter_.is_reduced();
    auto measured =
        last ? meter_.measure_last(trial.made.document, rows) : meter_.measure(trial.made.document, rows, ErrorMeter::Moments::all);
    if (!measured) return Unexpected(std::move(measured.error()));
    trial.error = meter_.error_of(*measured);
    if (last) last_ = {trial.made.document, *measured};
    trial.measured = std::move(*measured);
    return {};
  }

  struct Growth {
    const Step& step;
    const Model& model;
    double budget, allowed;
  };

  /// Tries larger tolerances of one kind, and smaller factors where those go too far.
  Result<> grow(const Growth& how, double Tolerance::* kind, Tolerance& at, Trial& best, OptimizedStep& report) {
    constexpr int most_tries = 4;
    constexpr double used_up = 0.9, worth_it = 0.99, least_factor = 1.08, most_factor = 4;
    const double limit = kind == &Tolerance::scale ? how.budget : how.allowed;
    double too_large = std::numeric_limits<double>::infinity();
    for (int tries = 0; tries < most_tries; ++tries) {
      const double used = (best.error - error_) / limit;
      const double factor = std::min(std::clamp(0.97 / std::max(used, 0.1), 1.0, most_factor), std::sqrt(too_large / (at.*kind)));
      if (used > used_up || factor < least_factor) break;
      Tolerance next = at;
      next.*kind *= factor;
      auto trial = attempt(how.step, how.model, how.budget, next, report);
      if (!trial) return Unexpected(std::move(trial.error()));
      if (!trial->measured) break;
      if (trial->error - error_ > how.allowed) {
        too_large = next.*kind;
        continue;
      }
      const bool gained = static_cast<double>(trial->size) < worth_it * static_cast<double>(best.size);
      if (trial->size < best.size) {
        best = std::move(*trial);
        at = next;
      }
      if (!gained) break;
    }
    return {};
  }

  /// Makes only changes that move no vertex, or none but for rounding.
  Result<> take_exact(const Step& step, const Model& model, OptimizedStep& report, bool any_error) {
    for (const bool strict : {false, true}) {
      auto trial = attempt(step, input_of(model, 0, strict), report);
      if (!trial) return Unexpected(std::move(trial.error()));
      if (!trial->measured) return {};
      if (trial->error <= (any_error ? *options_.max_error : std::max(error_, *options_.max_error * step.share)))
        return accept(std::move(*trial), report), Result<>();
      too_far_ = std::move(*trial->measured);
    }
    report.note = "left out: it would move a vertex too far";
    return {};
  }

  /// The order and the names need no error, whatever the steps before them used.
  Result<> take_order(const Step& step, const Model& model, OptimizedStep& report) { return take_exact(step, model, report, true); }

  /// From here on, vertices are compared with those that are left.
  Result<> take_triangles(const Step& step, const Model& model, OptimizedStep& report) {
    const bool last = !asked_.runs(OptimizeStep::quantize) && !asked_.compresses();
    const double budget = (*options_.max_error - error_) * (last ? 0.95 : step.share);
    FindingList changes;
    auto made = step.run(input_of(model, budget * meter_.diagonal(), false), changes);
    if (!made) return Unexpected(std::move(made.error()));
    report.note = made->note;
    if (made->document == document_) return {};
    const ReducedTriangles found = *made->triangles;
    Trial trial;
    trial.size = content_size(*made->document);
    trial.error = error_ + (meter_.diagonal() > 0 ? found.surface_error / meter_.diagonal() : 0);
    trial.made = std::move(*made);
    trial.changes = std::move(changes);
    accept(std::move(trial), report);
    io::LoadOptions reading = options_.load;
    FindingList ignored;
    auto reduced = io::read(document_, reading, ignored);
    if (!reduced) return Unexpected(std::move(reduced.error()));
    meter_.set_reduced(std::move(*reduced), error_);
    rows_.clear();
    result_.triangles = found;
    return {};
  }

  /// The finest level stays as it is, so there is nothing to measure yet.
  Result<> take_levels(const Step& step, const Model& model, OptimizedStep& report) {
    FindingList changes;
    StepInput input = input_of(model, 0, false);
    if (result_.triangles) input.triangles = result_.triangles->before;
    auto made = step.run(input, changes);
    if (!made) return Unexpected(std::move(made.error()));
    report.note = made->note;
    if (made->document == document_) return {};
    result_.lods = std::move(made->lods);
    levels_ = std::move(made->levels);
    Trial trial;
    trial.size = content_size(*made->document);
    trial.error = error_;
    trial.made = std::move(*made);
    trial.changes = std::move(changes);
    return accept(std::move(trial), report), Result<>();
  }

  /// Stores weights with the fewest bits that leave half of the remaining error.
  Result<> take_weights(const Step& step, const Model& model, OptimizedStep& report) {
    constexpr double most = 0.85;  // of what is left: 8 bits save more than positions need
    const double allowed = error_ + most * (*options_.max_error - error_);
    for (const int bits : {8, 16}) {
      StepInput input = input_of(model, (allowed - error_) * meter_.diagonal(), false);
      input.weight_bits = bits;
      auto trial = attempt(step, input, report);
      if (!trial) return Unexpected(std::move(trial.error()));
      report.note.clear();
      if (!trial->measured) return {};
      if (trial->error <= allowed) return accept(std::move(*trial), report), Result<>();
    }
    return {};
  }

  [[nodiscard]] StepInput input_of(const Model& model, double distance, bool strict) const {
    StepInput input{document_,         model,    g4mf::revision_of(file_.model), options_,
                    meter_.diagonal(), distance, limits_ - result_.attributes,   strict};
    input.keeps_order = keeps_order_;
    return input;
  }

  /// Refuses the file if the demanded limit moves a vertex too far.
  Result<> limit_influences(const Step& step, const Model& model, OptimizedStep& report) {
    const double left = *options_.max_error - error_;
    auto trial = attempt(step, input_of(model, left * meter_.diagonal(), false), report);
    if (!trial) return Unexpected(std::move(trial.error()));
    if (!trial->measured) return {};
    if (trial->error <= *options_.max_error) return accept(std::move(*trial), report), Result<>();
    too_far_ = std::move(*trial->measured);
    report.note =
        format_text("--max-influences {} needs a larger error than --max-error {:g}", options_.max_influences, *options_.max_error);
    static_cast<Written&>(result_) = std::move(too_far_);
    result_.refused = Refused::error;
    result_.bytes_after = result_.bytes_before;
    return {};
  }

  Result<Trial> attempt(const Step& step, const StepInput& input, OptimizedStep& report) {
    Trial trial;
    auto made = step.run(input, trial.changes);
    if (!made) return Unexpected(std::move(made.error()));
    report.note = made->note;
    if (made->document == document_) {
      if (report.note.empty() && report.saved == 0) report.note = "found nothing to change";
      return trial;
    }
    const std::uint64_t before = content_size(*document_);
    trial.size = content_size(*made->document);
    // Another order has the same size, but for the digits of offsets, and is faster to draw. So have fewer influences and joints.
    const bool order = step.step == OptimizeStep::order || step.step == OptimizeStep::joints;
    const std::uint64_t slack = order ? 100 + before / 1000 : step.step == OptimizeStep::weights ? 1 : 0;
    if (trial.size >= before + slack && !made->required) {
      report.note = "left out: it would not make the file smaller";
      return trial;
    }
    const KnownRows& rows = made->rows.empty() ? rows_ : made->rows;
    const bool refuses = step.step == OptimizeStep::weights && options_.max_influences != 0;
    auto measured = meter_.measure(made->document, rows, looks_at_all_ || refuses ? ErrorMeter::Moments::all : ErrorMeter::Moments::some);
    if (!measured) return Unexpected(std::move(measured.error()));
    trial.error = meter_.error_of(*measured);
    trial.measured = std::move(*measured);
    trial.made = std::move(*made);
    return trial;
  }

  void accept(Trial trial, OptimizedStep& report) {
    const std::uint64_t before = content_size(*document_);
    error_ = report.error = trial.error;
    report.saved += before - std::min(before, trial.size);
    report.note = std::move(trial.made.note);
    document_ = std::move(trial.made.document);
    if (!trial.made.rows.empty()) rows_ = std::move(trial.made.rows);
    result_.attributes = result_.attributes + trial.made.attributes;
    for (const Finding& change : trial.changes.list()) done_.add(change);
  }

  OpenFile file_;
  OptimizeOptions options_;
  AskedSteps asked_{options_};
  FindingSink& changes_;
  ErrorMeter meter_{file_.model, options_};
  std::shared_ptr<const Document> document_;
  FindingList done_;
  std::shared_ptr<const Document> base_;  ///< what the steps after `textures` start from
  SmallerTextures textures_;
  std::optional<OptimizedStep> textures_report_;
  FindingList texture_changes_;
  Optimized result_;
  Written too_far_;                 ///< the measurement of the last attempt that moved a vertex too far
  std::vector<NodeLevels> levels_;  ///< that the step `lods` added
  struct Last {
    std::shared_ptr<const Document> document;
    Written measured;
  } last_;                     ///< as it is reported
  bool looks_at_all_ = false;  ///< moments of clips
  KnownRows rows_;             ///< where the vertices of the input are in document_
  bool keeps_order_ = false;   ///< of vertices
  AttributeErrors limits_;
  double error_ = 0;           ///< of document_
  std::uint64_t decoded_ = 0;  ///< bytes of a compressed file after decoding; 0: not decoded
};

}  // namespace

std::string_view to_string(OptimizeStep step) noexcept { return std::ranges::find(steps, step, &Step::step)->name; }

std::string_view to_string(OptimizeCompression compression) noexcept {
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

std::span<const OptimizeStep> optimize_steps() noexcept {
  static constexpr auto all = [] {
    std::array<OptimizeStep, std::size(steps)> list{};
    std::ranges::transform(steps, list.begin(), &Step::step);
    return list;
  }();
  return all;
}

Result<Optimized> optimize(const std::filesystem::path& from, const std::filesystem::path& to, const OptimizeOptions& options,
                           FindingSink& sink, FindingSink& changes) SINEW_TRY {
  auto file = open_file(from, to, options.load, sink);
  if (!file) return Unexpected(std::move(file.error()));
  return Optimizer(std::move(*file), options, changes).run(to, sink);
}
SINEW_CATCH({path_text(from), {}, {}})

}  // namespace sinew::operations
