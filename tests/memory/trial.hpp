// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "sinew/memory.hpp"
#include "sinew/result.hpp"
#include "sinew/sinew.h"
#include "sinew/sinew.hpp"

/// Calls of the library whose allocations fail.
namespace sinew::memory {

/// Makes allocations of this thread fail, counted from here: that with the number `first`, and with `all` those after it, too.
void fail_from(std::size_t first, bool all);
/// Lets allocations work again. Returns how many there were, and whether one failed.
struct Counted {
  std::size_t allocations = 0;
  bool failed = false;
};
Counted stop_failing();
/// Returns the number of blocks that are allocated and not freed, by any thread.
[[nodiscard]] std::size_t live_blocks();

/// A host's memory, whose allocations are counted and fail like all others.
class HostMemory final : public MemoryResource {
 public:
  void* allocate(std::size_t bytes, std::size_t) noexcept override {
    void* const block = ::operator new(bytes, std::nothrow);
    ++(block != nullptr ? given_ : refused_);
    return block;
  }
  void deallocate(void* memory, std::size_t, std::size_t) noexcept override { ::operator delete(memory); }

  [[nodiscard]] std::size_t given() const { return given_; }
  [[nodiscard]] std::size_t refused() const { return refused_; }

 private:
  std::size_t given_ = 0, refused_ = 0;
};

/// Runs a call once, with failing allocations, and keeps what was wrong with it.
class Trial {
 public:
  Trial(std::size_t first, bool all) : first_(first), all_(all) {}

  /// Calls a function of the library. Its result is an error only where an allocation failed, and then SINEW_NO_MEMORY.
  template <class Call>
  void operator()(const Call& call) {
    run([&] { keep(call()); });
  }
  /// The same for a function of the C interface.
  template <class Call>
  void c(const Call& call) {
    run([&] {
      sinew_error* error = nullptr;
      const sinew_status status = call(&error);
      counted_ = stop_failing();
      gave_up_ = status == SINEW_LIMIT;
      if (status != SINEW_OK && (status != SINEW_LIMIT || !counted_.failed)) wrong_ = "status " + std::to_string(status);
      if (status == SINEW_OK && error != nullptr) wrong_ = "an error without a failure";
      sinew_error_free(error);
    });
  }

  /// Checks the call that has run with a host's memory: it took some, and failed if the host had none.
  void check(const HostMemory& memory) {
    if (!wrong_.empty()) return;
    if (memory.refused() != 0 && !gave_up_) wrong_ = "the host had no memory, and the call did not fail";
    if (memory.given() == 0 && !counted_.failed) wrong_ = "nothing is in the host's memory";
  }

  [[nodiscard]] const std::string& wrong() const { return wrong_; }
  [[nodiscard]] const Counted& counted() const { return counted_; }

 private:
  void run(const std::function<void()>& call);
  void judge(const Error& error);

  template <class T>
  void keep(const Result<T>& result) {
    counted_ = stop_failing();
    if (!result) judge(result.error());
  }
  void keep(const std::optional<Error>& error) {
    counted_ = stop_failing();
    if (error) judge(*error);
  }
  /// A message. One failed allocation, such as the deadline's, does not shorten it.
  void keep(const std::string& message) {
    counted_ = stop_failing();
    if (!all_ && message == "out of memory") wrong_ = "a message that one failed allocation made short";
  }
  /// Of a function that is noexcept.
  template <class T>
  void keep(const T&) {
    counted_ = stop_failing();
  }

  std::size_t first_;
  bool all_;
  bool gave_up_ = false;  ///< the call said that there is no memory
  Counted counted_;
  std::string wrong_;
};

/// Files and models for the calls.
struct Given {
  std::filesystem::path samples, folder;  ///< `folder`: for outputs
  Model skin, cube, figure, avatar, arm, globe;
};

/// A public function, and a call of it. What the call needs is made before.
struct Row {
  const char* name;
  void (*call)(const Given& given, Trial& trial);
};
[[nodiscard]] std::span<const Row> core_rows();
[[nodiscard]] std::span<const Row> geometry_rows();
[[nodiscard]] std::span<const Row> tools_rows();
[[nodiscard]] std::span<const Row> pictures_rows();
[[nodiscard]] std::span<const Row> c_rows();

}  // namespace sinew::memory
