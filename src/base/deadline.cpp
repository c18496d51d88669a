// SPDX-License-Identifier: MIT
#include "base/deadline.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"

namespace sinew {

constinit thread_local DeadlineState* deadline_of_this_thread = nullptr;

namespace {

constexpr double longest = 1e9;  // seconds; more would overflow the clock
constexpr auto pause = std::chrono::milliseconds(100);

#ifdef SINEW_ONE_THREAD  // WebAssembly, which has no clock of its own
struct Clock : std::chrono::steady_clock {
  static time_point now() { return {}; }
};
#else
using Clock = std::chrono::steady_clock;
#endif

}  // namespace

class DeadlineState {
 public:
  enum class Met : unsigned char { no, time, stop };

  /// Also calls the `stop` of `outer`.
  DeadlineState(double seconds, std::function<bool()> stop, DeadlineState* outer)
      : outer_(outer),
        seconds_(seconds),
        end_(Clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(1e6 * std::min(seconds, longest)))),
        next_stop_(Clock::now() + pause),
        stop_(std::move(stop)),
        scope_(this) {}

  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] Met met() const { return met_.load(std::memory_order_relaxed); }

  /// Removes the time limit: each file has had its own.
  void lift() { lifted_ = true; }

  [[nodiscard]] bool ask() {
    const bool late = seconds_ > 0 && !lifted_ && Clock::now() >= end_;
    Met expected = Met::no;
    if (late) met_.compare_exchange_strong(expected, Met::time);
    return late || asked_to_stop();
  }

 private:
  bool asked_to_stop() {
    if (met() == Met::stop) return true;
    if (stop_ && owner_ == &deadline_of_this_thread) {
      const auto now = Clock::now();
      if (now >= next_stop_) {
        next_stop_ = now + pause;
        if (stop_()) met_ = Met::stop;
      }
    }
    if (outer_ && outer_->asked_to_stop()) met_ = Met::stop;
    return met() == Met::stop;
  }

  DeadlineState* outer_;
  double seconds_;
  Clock::time_point end_, next_stop_;
  std::function<bool()> stop_;
  DeadlineState** owner_ = &deadline_of_this_thread;  // names the thread
  std::atomic<Met> met_ = Met::no;
  std::atomic<bool> lifted_ = false;
  DeadlineScope scope_;
};

DeadlineScope::DeadlineScope(DeadlineState* deadline) : before_(std::exchange(deadline_of_this_thread, deadline)) {
  if (before_ && !deadline) before_->lift();
}
DeadlineScope::~DeadlineScope() { deadline_of_this_thread = before_; }

// Without a limit there is no state, and loops do not look at the clock.
Deadline::Deadline(double seconds, std::function<bool()> stop) noexcept {
  if (seconds > 0 || stop || deadline_of_this_thread) begin(seconds, std::move(stop), deadline_of_this_thread);
}
Deadline::Deadline(const EachDeadline& each) noexcept {
  if (each.outer_ != nullptr) begin(each.outer_->seconds(), {}, each.outer_);
}
Deadline::~Deadline() {
  if (state_ != nullptr) state_->~DeadlineState();
}

void Deadline::begin(double seconds, std::function<bool()> stop, DeadlineState* outer) noexcept {
  static_assert(sizeof(DeadlineState) <= sizeof(room_) && alignof(DeadlineState) <= alignof(std::max_align_t));
  state_ = new (room_) DeadlineState(seconds, std::move(stop), outer);
}

Deadline EachDeadline::item() const { return Deadline(*this); }

bool Deadline::over() noexcept { return deadline_of_this_thread && deadline_of_this_thread->ask(); }

namespace {

Interrupted end_of_time() {
  const DeadlineState& state = *deadline_of_this_thread;
  return {state.met() == DeadlineState::Met::stop ? Failure::cancelled : Failure::deadline, state.seconds()};
}

}  // namespace

void Deadline::interrupt() {
#ifndef SINEW_NO_EXCEPTIONS
  throw end_of_time();
#else
  std::terminate();
#endif
}

Result<> time_left() {
  if (!deadline_of_this_thread || !Deadline::over()) return {};
  return Unexpected(end_of_time().error());
}

Error Interrupted::error() const noexcept {
  const bool stopped = failure_ == Failure::cancelled;
  return made_or_short(failure_, stopped ? "SINEW_STOPPED" : "SINEW_DEADLINE", [&] {
    return stopped ? sinew::error("SINEW_STOPPED"_code, failure_, {}) : sinew::error("SINEW_DEADLINE"_code, failure_, {}, seconds_);
  });
}

const char* Interrupted::what() const noexcept { return "sinew::Interrupted"; }

}  // namespace sinew
