// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "targets.hpp"

namespace sinew::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// Changes some bytes, whatever they mean; the result has `most` bytes or fewer.
using ByteMutator = std::function<void(Bytes& bytes, std::size_t most)>;

/// Changes an input: for models the JSON (as a tree, or as text) or a binary chunk, in a container that stays whole; now and then, and for
/// everything else, bytes.
[[nodiscard]] Bytes mutated(const Target& target, Input input, std::size_t most, std::uint32_t seed, const ByteMutator& mutate_bytes);

/// A byte mutator for programs without libFuzzer.
[[nodiscard]] ByteMutator plain_mutator(std::uint32_t seed);

}  // namespace sinew::fuzz
