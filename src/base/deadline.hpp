// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/exceptions.hpp"

#include "sinew/deadline.hpp"

namespace sinew {

/// The deadline of this thread, or null. Set by Deadline and DeadlineScope alone.
extern constinit thread_local DeadlineState* deadline_of_this_thread;

/// Throws Interrupted at the deadline of this thread; base/guard.hpp makes the error of it. Takes some ten nanoseconds, and one where there
/// is no deadline. Loops over counts from a file call it about every microsecond to millisecond. Without exceptions: does nothing.
inline void ask_deadline() {
#ifndef SINEW_NO_EXCEPTIONS
  if (deadline_of_this_thread && Deadline::over()) Deadline::interrupt();
#endif
}

/// Returns the error of the deadline of this thread once that is over: for the steps of core that have a Result, with exceptions and
/// without.
[[nodiscard]] Result<> time_left();

/// Asks the deadline once for 1024 short steps.
class DeadlineSteps {
 public:
  void step() {
    if ((++steps_ & 1023U) == 0) ask_deadline();
  }

 private:
  std::uint32_t steps_ = 0;
};

/// Makes a deadline, or none, that of this thread.
class DeadlineScope {
 public:
  explicit DeadlineScope(DeadlineState* deadline);
  ~DeadlineScope();
  DeadlineScope(const DeadlineScope&) = delete;
  DeadlineScope& operator=(const DeadlineScope&) = delete;

 private:
  DeadlineState* before_;
};

/// Gives the whole time of the current deadline to each item of a list. The loop over the items itself has no deadline.
class EachDeadline {
 public:
  EachDeadline() : outer_(deadline_of_this_thread), none_(nullptr) {}
  [[nodiscard]] Deadline item() const;

 private:
  friend class Deadline;
  DeadlineState* outer_;
  DeadlineScope none_;
};

}  // namespace sinew
