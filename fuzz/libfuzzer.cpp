// SPDX-License-Identifier: MIT
// One program for all targets: SINEW_FUZZ_TARGET selects the one that libFuzzer runs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "mutate.hpp"
#include "targets.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

const sinew::fuzz::Target& chosen() {
  static const sinew::fuzz::Target& target = [&]() -> const sinew::fuzz::Target& {
    const char* name = std::getenv("SINEW_FUZZ_TARGET");
    const sinew::fuzz::Target* found = sinew::fuzz::find_target(name == nullptr ? "" : name);
    if (found == nullptr) {
      std::fputs("SINEW_FUZZ_TARGET names no target; there are:", stderr);
      for (const sinew::fuzz::Target& known : sinew::fuzz::targets())
        std::fprintf(stderr, " %.*s", static_cast<int>(known.name.size()), known.name.data());
      std::fputs("\n", stderr);
      std::exit(2);
    }
    return *found;
  }();
  return target;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  static_cast<void>(chosen());
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sinew::fuzz::run(chosen(), {data, size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const auto mutate_bytes = [](sinew::fuzz::Bytes& bytes, std::size_t limit) {
    const std::size_t old = bytes.size();
    bytes.resize(std::max<std::size_t>({limit, old, 1}));
    bytes.resize(LLVMFuzzerMutate(bytes.data(), old, bytes.size()));
  };
  const sinew::fuzz::Bytes out = sinew::fuzz::mutated(chosen(), {data, size}, most, seed, mutate_bytes);
  const std::size_t count = std::min(out.size(), most);
  std::copy_n(out.begin(), count, data);
  return count;
}
