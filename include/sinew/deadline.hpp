// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <new>

#include "sinew/result.hpp"

namespace sinew {

class DeadlineState;
class EachDeadline;

/// What ends the work inside of a call at a Deadline. No function of the library throws it to its caller. It is a std::bad_alloc because
/// a caller's allocation function may throw it, which may throw nothing else.
class Interrupted : public std::bad_alloc {
 public:
  Interrupted(Failure failure, double seconds) noexcept : failure_(failure), seconds_(seconds) {}

  /// Returns the error of the call: Failure::deadline SINEW_DEADLINE or Failure::cancelled SINEW_STOPPED, without a place.
  [[nodiscard]] Error error() const noexcept;
  [[nodiscard]] const char* what() const noexcept override;

 private:
  Failure failure_;
  double seconds_;
};

/// Limits the time of calls. While it lives, a function of the library that this thread calls ends soon after `seconds` (0: no limit) with
/// Failure::deadline, or with Failure::cancelled once `stop` returns true. It writes no file by then. A second Deadline
/// replaces the time of the first one as long as it lives. Functions for several files give each file the whole time.
///
///     const sinew::Deadline deadline(2.0);
///     const auto model = sinew::io::load(file, {}, findings);
class Deadline {
 public:
  /// `stop`: called by this thread alone, about ten times per second while the library works; must not throw.
  explicit Deadline(double seconds, std::function<bool()> stop = {}) noexcept;
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  /// Looks at the clock: returns whether the last deadline of this thread is over.
  [[nodiscard]] static bool over() noexcept;
  /// Throws Interrupted for the last deadline of this thread. An allocation function may call it once that is over: the function of the
  /// library that allocates ends with the error of the deadline. Precondition: over() has returned true. Not without exceptions.
  [[noreturn]] static void interrupt();

 private:
  static constexpr std::size_t size_of_state = 160;
  friend class EachDeadline;
  explicit Deadline(const EachDeadline& each) noexcept;
  void begin(double seconds, std::function<bool()> stop, DeadlineState* outer) noexcept;

  DeadlineState* state_ = nullptr;                           ///< in `room_`, or null
  alignas(std::max_align_t) std::byte room_[size_of_state];  ///< so that a deadline allocates nothing
};

}  // namespace sinew
