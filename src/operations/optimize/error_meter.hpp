// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "operations/compare/known_rows.hpp"
#include "operations/files/write_file.hpp"

#include "sinew/model.hpp"
#include "sinew/optimize.hpp"

namespace sinew::operations {

/// Measures how far vertices are from those of the file, in documents that steps make from it. The file is prepared once.
class ErrorMeter {
 public:
  /// Which moments of clips are looked at. Some: a few, evenly, and the furthest ones of when all were.
  enum class Moments : std::uint8_t { some, all };

  /// Both must outlive it; reads the options as they are at each call.
  ErrorMeter(const Model& file, const OptimizeOptions& options) : file_(file), options_(options) {}

  /// From now on, documents are compared with a model that has fewer triangles, whose surfaces have this error.
  void set_reduced(Model reduced, double error);
  /// Compares with the file again.
  void forget();
  [[nodiscard]] bool is_reduced() const { return reduced_.has_value(); }

  /// `rows`: where the vertices of the file are in the document.
  [[nodiscard]] Result<Written> measure(const std::shared_ptr<const document::Document>& document, const KnownRows& rows, Moments moments);
  /// Measures what is written, as it is reported: in all moments, and what is proved.
  [[nodiscard]] Result<Written> measure_last(const std::shared_ptr<const document::Document>& document, const KnownRows& rows);

  /// Returns the error of a measured document: that of the model with fewer triangles and how far its vertices moved since, or the latter
  /// alone. Both are distances of surfaces, so the sum is not less than the distance from the file's surfaces.
  [[nodiscard]] double error_of(const Written& measured) const;
  /// Of the file, as first measured.
  [[nodiscard]] double diagonal() const { return diagonal_; }

 private:
  [[nodiscard]] WriteOptions options_with(const KnownRows& rows);
  void find_furthest(const Comparison& all);

  const Model& file_;
  const OptimizeOptions& options_;
  std::optional<Model> reduced_;
  double reduced_error_ = 0, diagonal_ = 0;
  PreparedSides prepared_;            ///< of `reduced_`, or else of the file
  std::vector<ClipMoment> furthest_;  ///< of each clip
};

}  // namespace sinew::operations
