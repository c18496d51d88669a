// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "sinew/result.hpp"

namespace app {

/// The numbers of a .npy file, in C order.
struct Numbers {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

/// Reads a .npy file (version 1 to 3) of float32 or float64, little endian, C order. Failure::input, with the path, for any other content
/// and for more than `most` numbers.
[[nodiscard]] sinew::Result<Numbers> read_npy(const std::filesystem::path& path, std::size_t most);

}  // namespace app
