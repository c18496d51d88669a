// SPDX-License-Identifier: MIT
#include "console/process_limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace app {

namespace {

#if defined(__linux__) && !defined(SANITIZED)
/// Returns the bytes of private writable memory that the process has, as RLIMIT_DATA counts them; 0 if unknown.
std::uint64_t data_size() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long pages = 0;
  const bool read = std::fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) == 1;
  std::fclose(file);
  return read ? std::uint64_t{pages} * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

rlim_t stack_size() {
  rlimit stack{};
  constexpr rlim_t usual = 8 << 20;
  return ::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY ? stack.rlim_cur : usual;
}
#endif

}  // namespace

#if defined(__linux__) && !defined(SANITIZED)
void limit_memory(std::uint64_t bytes, std::uint64_t models, unsigned threads) {
  constexpr std::uint64_t room = std::uint64_t{24} << 20;  // for the program itself, and for reporting that memory ran out
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  const std::uint64_t now = data_size();
  rlimit limit{};
  if (now == 0 || bytes > most / models || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(now + models * bytes + room + threads * stack_size(), limit.rlim_max);
  ::setrlimit(RLIMIT_DATA, &limit);
}
#else
void limit_memory(std::uint64_t, std::uint64_t, unsigned) {}
#endif

}  // namespace app
