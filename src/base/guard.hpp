// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include "base/exceptions.hpp"

#include "sinew/result.hpp"

// No exception leaves a public function. One that allocates returns a Result, and its body is between these two:
//
//     Result<Model> load(const std::filesystem::path& path) SINEW_TRY {
//       …
//     }
//     SINEW_CATCH({path_text(path), {}, {}})
//
// SINEW_CATCH takes the place for the error, or nothing. Between them, `need` passes on the errors of other functions.
#ifndef SINEW_NO_EXCEPTIONS
#define SINEW_TRY try
#define SINEW_CATCH(...)                                                             \
  catch (...) {                                                                      \
    return ::sinew::ended_by_exception([&] { return ::sinew::Place(__VA_ARGS__); }); \
  }
#else
#define SINEW_TRY
#define SINEW_CATCH(...)
#endif

namespace sinew {

/// Returns the error of the exception that is being handled, without a place: that of Interrupted, Failure::deadline or Failure::cancelled;
/// that which Result::value threw; Failure::limit SINEW_NO_MEMORY of std::bad_alloc and std::length_error; Failure::input IO_ERROR of
/// std::system_error. Throws any other exception again: a bug. Where no memory is left for the message, it is shorter.
[[nodiscard]] Error error_of_exception();

/// Returns what `work` returns; if it throws, what `fallback` does, which must not. For public functions that have no Result, and messages.
template <class Work, class Fallback>
auto tried(const Work& work, const Fallback& fallback) noexcept -> decltype(work()) {
#ifndef SINEW_NO_EXCEPTIONS
  try {
    return work();
  } catch (...) {
    return fallback();
  }
#else
  static_cast<void>(fallback);
  return work();
#endif
}

/// Calls `work`; returns the error of the exception that it throws.
template <class Work>
[[nodiscard]] Result<> caught(const Work& work) {
#ifndef SINEW_NO_EXCEPTIONS
  try {
    work();
  } catch (...) {
    return Unexpected(error_of_exception());
  }
#else
  work();
#endif
  return {};
}

/// Returns what `make` returns, a message; what `fallback` does if it throws twice. The first may be the deadline, which an allocation of
/// the host meets once (Deadline::interrupt), also that of a message.
template <class Make, class Fallback>
auto tried_twice(const Make& make, const Fallback& fallback) noexcept -> decltype(make()) {
  return tried(make, [&] { return tried(make, fallback); });
}

/// Returns the error that `make` returns; where there is no memory for it, a short one. `code`: at most 15 characters.
template <class Make>
[[nodiscard]] Error made_or_short(Failure failure, const char* code, const Make& make) noexcept {
  return tried_twice(make, [&] { return Error{failure, code, {}, "out of memory"}; });  // allocates nothing
}

/// Returns the same at a place, if the error has none yet. `place` returns it, and is not called where no memory is left.
template <class MakePlace>
[[nodiscard]] Unexpected ended_by_exception(const MakePlace& place) {
  Error error = error_of_exception();
  if (error.place.file.empty() && !error.place.pointer && !error.place.offset) error.place = tried(place, [] { return Place(); });
  return Unexpected(std::move(error));
}

/// Throws an error that error_of_exception returns. Without exceptions: ends the program, so what fails for more than memory needs a
/// Result.
[[noreturn]] void throw_error(Error error);

/// Returns the value of a result, or throws its error to the SINEW_CATCH around the call: for functions that fail only where memory or time
/// runs out. None of them asks `time_left`, so that nothing is thrown without exceptions.
template <class T>
T need(Result<T> result) {
  if (!result) throw_error(std::move(result.error()));
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace sinew
