// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sinew/result.hpp"

namespace sinew {

class DeadlineState;

/// Limits the time of calls. While it lives, a function of the library that this thread calls ends soon after `seconds` (0: no limit) with
/// Failure::limit and the code SINEW_DEADLINE, or SINEW_STOPPED once `stop` returns true. It writes no file by then. A second Deadline
/// replaces the time of the first one as long as it lives. Functions for several files give each file the whole time.
///
///     const sinew::Deadline deadline(2.0);
///     const auto model = sinew::io::load(file, {}, findings);
class Deadline {
 public:
  /// `stop`: called by this thread alone, about ten times per second while the library works; must not throw.
  explicit Deadline(double seconds, std::function<bool()> stop = {});
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  /// Returns the error of the functions that the last deadline of this thread ended; empty if it ended none.
  [[nodiscard]] static std::optional<Error> met();
  /// Looks at the clock: returns whether the last deadline of this thread is over. An allocation function may throw std::bad_alloc then:
  /// the library's functions end with the error of the deadline.
  [[nodiscard]] static bool over();

 private:
  friend class EachDeadline;
  explicit Deadline(std::unique_ptr<DeadlineState> state);

  std::unique_ptr<DeadlineState> state_;
};

}  // namespace sinew
