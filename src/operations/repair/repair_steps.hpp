// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/edit_reporter.hpp"
#include "model/scan_memo.hpp"
#include "operations/repair/repair.hpp"

namespace sinew::operations {

/// Returns "3 vertices" or "1 vertex".
[[nodiscard]] std::string count_of(std::size_t count, std::string_view one, std::string_view many);

/// Stores values in the type of `like` if that is float32, float64 or a normalised integer (rounded), otherwise in float32.
[[nodiscard]] Array stored_like(const std::vector<double>& values, const Array& like);

// All steps of one repair share `work`: objects that name one array multiply what it takes.
void repair_influences(Model& model, Index mesh, const RepairOptions& options, const EditReporter& changes, WorkMeter& work);
void repair_vectors(Model& model, Index mesh, const EditReporter& changes, WorkMeter& work);
/// The sorted offsets of the blend shapes, by those that were stored: shapes that share arrays share the sorted ones.
class SortedOffsets {
 public:
  explicit SortedOffsets(WorkMeter& work) : unsorted_(work), work_(work) {}
  /// Sorts rows in ascending order, each once; values of repeated rows are added. Returns whether anything changed.
  bool sort(Offsets& offsets);

 private:
  struct Sorted {
    Offsets stored, made;  ///< `stored` keeps its arrays alive, which are the key
  };
  ScanMemo<bool> unsorted_;
  WorkMeter& work_;
  std::map<std::vector<ArrayKey>, Sorted> sorted_;
};
void repair_offsets(Mesh& mesh, const EditReporter& changes, SortedOffsets& sorted);
void repair_clips(Model& model, const EditReporter& changes, WorkMeter& work);
/// `depth`: depths(model).
void repair_root_hint(Model& model, Index skin, std::span<const std::uint32_t> depth, const EditReporter& changes);

}  // namespace sinew::operations
