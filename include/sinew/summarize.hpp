// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sinew/batch.hpp"
#include "sinew/finding.hpp"
#include "sinew/result.hpp"

/// The lines of many runs put together again.
namespace sinew::batch {

/// The results of one command.
struct CommandSummary {
  struct Code {
    Severity severity = Severity::error;
    std::uint64_t findings = 0;
    std::uint64_t files = 0;
  };
  struct Bad {
    std::uint64_t number = 0;
    std::string uri;
    int status = 0;
    std::array<std::uint64_t, 4> counts{};
    std::string error;  ///< the error line of a file that could not be worked on
  };
  struct Duplicate {
    std::uint64_t number = 0;
    std::string uri;
    std::uint64_t times = 0;
  };
  struct MissingShard {
    Shard shard;
    std::uint64_t missing = 0;
    std::uint64_t files = 0;
  };

  std::uint64_t files = 0;    ///< that there are to be
  std::uint64_t results = 0;  ///< of them, with a line
  std::map<std::string, std::uint64_t, std::less<>> did;
  std::map<int, std::uint64_t> status;    ///< files by exit status
  std::array<std::uint64_t, 4> counts{};  ///< findings by severity
  std::map<std::string, Code, std::less<>> codes;
  std::vector<Bad> bad;                      ///< files with errors or another status than 0, by number
  std::vector<Duplicate> duplicates;         ///< done more than once, by number; failed and unchanged ones are not done again
  std::vector<MissingShard> missing_shards;  ///< where all lines are of one division into shards
  std::vector<std::uint64_t> lists;          ///< lengths, where lines are of lists of different lengths
};

struct Summary {
  struct Broken {
    std::string file;
    std::uint64_t line = 0;
    std::string why;
  };
  std::map<std::string, CommandSummary, std::less<>> commands;
  std::vector<Broken> broken;  ///< lines that are no result, or that contradict another one

  [[nodiscard]] bool complete() const;  ///< every file of every list has its result, once; not where there is no result at all
  [[nodiscard]] bool clean() const;     ///< no file is bad
};

/// Reads files of lines ("-": standard input), in any order. Of several lines about one file that counts which did the most. The result
/// does not depend on how the work was divided. Failure::input where a file cannot be read.
[[nodiscard]] Result<Summary> summarize(std::span<const std::string> paths);
[[nodiscard]] std::string to_json(const Summary& summary);

}  // namespace sinew::batch
