// SPDX-License-Identifier: MIT
#include "conformance/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "console/joined.hpp"
#include "console/number.hpp"

namespace app {

namespace {

sinew::Unexpected refused(const std::filesystem::path& path, std::string message) {
  return sinew::Unexpected(sinew::Error{sinew::Failure::input, "IO_ERROR", {path.string(), {}, {}}, std::move(message)});
}

/// Returns the text between `before` and `after` in the header.
std::string_view between(std::string_view header, std::string_view before, char after) {
  const std::size_t start = header.find(before);
  if (start == std::string_view::npos) return {};
  header.remove_prefix(start + before.size());
  const std::size_t end = header.find(after);
  return end == std::string_view::npos ? std::string_view() : header.substr(0, end);
}

std::optional<std::vector<std::size_t>> shape_of(std::string_view list) {
  std::vector<std::size_t> shape;
  constexpr const char* between_numbers = " ,";
  for (std::size_t at = list.find_first_not_of(between_numbers); at != std::string_view::npos;) {
    const std::size_t end = std::min(list.find_first_of(between_numbers, at), list.size());
    const auto length = number_in<std::size_t>(list.substr(at, end - at));
    if (!length) return std::nullopt;
    shape.push_back(*length);
    at = list.find_first_not_of(between_numbers, end);
  }
  return shape;
}

/// Returns the number of elements, if it is at most `most`.
std::optional<std::size_t> elements_in(const std::vector<std::size_t>& shape, std::size_t most) {
  std::size_t count = 1;
  for (const std::size_t length : shape) {
    if (length != 0 && count > most / length) return std::nullopt;
    count *= length;
  }
  return count;
}

template <class T>
bool read_values(std::istream& in, std::size_t count, std::vector<double>& out) {
  std::vector<T> stored(count);
  const auto bytes = static_cast<std::streamsize>(count * sizeof(T));
  if (!in.read(reinterpret_cast<char*>(stored.data()), bytes)) return false;
  out.assign(stored.begin(), stored.end());
  return true;
}

}  // namespace

sinew::Result<Numbers> read_npy(const std::filesystem::path& path, std::size_t most) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return refused(path, "cannot be read");
  char start[8];
  if (!in.read(start, sizeof start) || std::memcmp(start, "\x93NUMPY", 6) != 0) return refused(path, "expected a .npy file");
  std::uint32_t length = 0;
  in.read(reinterpret_cast<char*>(&length), start[6] == 1 ? 2 : 4);
  constexpr std::uint32_t longest = 1 << 16;
  std::string header(length <= longest ? length : 0, ' ');
  if (header.empty() || !in.read(header.data(), static_cast<std::streamsize>(header.size())))
    return refused(path, "the header is cut short");
  const std::string_view type = between(header, "'descr': '", '\'');
  const auto shape = shape_of(between(header, "'shape': (", ')'));
  if ((type != "<f8" && type != "<f4") || !shape)
    return refused(path, fmt::format("found the type \"{}\", expected little-endian float32 or float64 with a shape", type));
  if (header.find("'fortran_order': False") == std::string::npos) return refused(path, "found Fortran order, expected C order");
  const auto count = elements_in(*shape, most);
  if (!count) return refused(path, fmt::format("found the shape ({}), expected at most {} numbers", joined(*shape, ", "), most));
  Numbers numbers;
  numbers.shape = *shape;
  if (!(type == "<f8" ? read_values<double>(in, *count, numbers.values) : read_values<float>(in, *count, numbers.values)))
    return refused(path, "the numbers are cut short");
  return numbers;
}

}  // namespace app
