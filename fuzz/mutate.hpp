// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "targets.hpp"

namespace sinew::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// Changes some bytes, regardless of their meaning; the result has at most `most` bytes.
using ByteMutator = std::function<void(Bytes& bytes, std::size_t most)>;

/// Mutates an input. For models usually the JSON (as a tree or as text) or a binary chunk, in a container that stays valid. Sometimes, and
/// always for other inputs, plain bytes.
[[nodiscard]] Bytes mutated(const Target& target, Input input, std::size_t most, std::uint32_t seed, const ByteMutator& mutate_bytes);

/// Returns a byte mutator for programs without libFuzzer.
[[nodiscard]] ByteMutator plain_mutator(std::uint32_t seed);

}  // namespace sinew::fuzz
