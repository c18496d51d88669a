// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::io {

/// Returns the header of an array of a type such as "<f4", by NumPy's format description (numpy.lib.format, version 1.0): magic, version,
/// length, and a Python dictionary, padded with spaces and ended by a line feed so that the data starts at a multiple of 64 bytes.
[[nodiscard]] inline std::string npy_header(std::string_view type, const std::vector<std::size_t>& shape) {
  std::string tuple = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != 0) tuple += ", ";
    tuple += std::to_string(shape[i]);
  }
  tuple += shape.size() == 1 ? ",)" : ")";
  std::string dictionary = "{'descr': '";
  dictionary.append(type);
  dictionary += "', 'fortran_order': False, 'shape': " + tuple + ", }";
  constexpr std::size_t prefix = 10;
  const std::size_t unpadded = prefix + dictionary.size() + 1;
  dictionary.append((64 - unpadded % 64) % 64, ' ');
  dictionary += '\n';
  assert(dictionary.size() <= 0xffff);  // only a shape with thousands of axes is longer

  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

}  // namespace sinew::io
