// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "console/process_limits.hpp"

#include "sinew/deadline.hpp"

// All memory of C++ in the program comes from here, so that whatever allocates meets the deadline, too: some loops of the library do not
// ask for it themselves. The failure of any allocation is survived (tests/unit/validate/allocation_failure_test.cpp).
#ifndef SANITIZED

extern "C" const char __executable_start, etext;

namespace {

// Drivers of OpenGL allocate as well, with a lock held that an exception would leave locked for ever.
bool of_the_program(const void* caller) { return caller >= &__executable_start && caller < &etext; }

// Returns true once for each deadline: what then ends may allocate, in destructors as well.
bool ends_at_deadline() {
  thread_local unsigned allocations = 0;
  thread_local bool ended = false;
  constexpr unsigned each = 512;
  if (++allocations % each != 0 || std::uncaught_exceptions() != 0) return false;
  const bool before = std::exchange(ended, sinew::Deadline::over());
  return ended && !before;
}

}  // namespace

void* operator new(std::size_t size) {
  if (of_the_program(__builtin_return_address(0)) && ends_at_deadline()) sinew::Deadline::interrupt();
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
