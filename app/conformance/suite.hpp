// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conformance/npy.hpp"

#include "sinew/model.hpp"

namespace app {

/// A case of the conformance suite: a model, poses, and where its vertices must be (conformance/README.md).
struct ConformanceCase {
  struct Moment {
    std::optional<sinew::Index> clip;  ///< none: the pose stored in the file
    double seconds = 0;
  };

  std::string name, rule, source, says, status, attribute;
  std::filesystem::path model;
  double tolerance = 0;
  std::vector<Moment> moments;
  Numbers expected;  ///< (moments, vertices, dimensions)

  [[nodiscard]] std::size_t rows() const { return expected.shape[1]; }
  [[nodiscard]] std::size_t width() const { return expected.shape[2]; }
};

/// Finds the suite: `given`, or the folder `conformance` here, beside the sources of this program, or where it was installed.
/// Failure::usage if there is none.
[[nodiscard]] sinew::Result<std::filesystem::path> find_suite(const std::string& given);

/// Reads the cases whose name contains `only`, sorted by name. Failure::input, with the file, if one is broken; Failure::usage if there is
/// none.
[[nodiscard]] sinew::Result<std::vector<ConformanceCase>> read_suite(const std::filesystem::path& suite, const std::string& only);

/// The result of an engine for a case.
struct ConformanceResult {
  enum class State : std::uint8_t { pass, differs, failed, not_covered };

  State state = State::failed;
  std::optional<double> error;  ///< the largest error of a coordinate, as a part of the diagonal of the expected box
  std::string reason;           ///< if there is no error: why
  std::size_t moment = 0;       ///< the moment of the error
  std::vector<double> rows{};   ///< what the engine has there
};

/// Compares the rows of one moment. A result that is worse than `result` replaces it.
void compare_rows(const ConformanceCase& wanted, std::size_t moment, const sinew::Result<Numbers>& found, ConformanceResult& result);

}  // namespace app
