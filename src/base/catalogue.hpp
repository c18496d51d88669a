// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/finding.hpp"
#include "sinew/result.hpp"

namespace sinew {

/// Every finding and error code, described once. glTF codes carry the names and severities of the Khronos glTF-Validator (issue list of
/// the 2.0 validator) where it has one; GLTF_* and SINEW_* are our own. Messages are fmt templates; each use is checked against its row
/// by the compiler (see report). Sorted by nothing but sense: containers, JSON, objects, data, rigs, then the program's own errors.
inline constexpr auto catalogue = std::to_array<CatalogueRow>({
#include "base/catalogue.inc"
});

/// An index into the catalogue, made from a name at compile time: "GLB_INVALID_MAGIC"_code. A name that is not there does not compile.
struct Code {
  std::size_t row;
  [[nodiscard]] constexpr const CatalogueRow& operator*() const { return catalogue[row]; }
  [[nodiscard]] constexpr const CatalogueRow* operator->() const { return &catalogue[row]; }
};

consteval Code operator""_code(const char* text, std::size_t length) {
  for (std::size_t i = 0; i < catalogue.size(); ++i)
    if (catalogue[i].code == std::string_view(text, length)) return {i};
  throw "no such code in the catalogue";
}

template <Code code, class... Args>
[[nodiscard]] std::string message_of(Args&&... args) {
  constexpr std::string_view text = catalogue[code.row].message;
  return fmt::format(fmt::format_string<Args...>(text), std::forward<Args>(args)...);
}

/// A finding at a JSON pointer: finding<"SKIN_IBM_…"_code>(pointer, argument…).
template <Code code, class... Args>
[[nodiscard]] Finding finding(std::string pointer, Args&&... args) {
  return {code->code, code->severity, std::move(pointer), std::nullopt, message_of<code>(std::forward<Args>(args)...)};
}
/// A finding at a byte offset of the container.
template <Code code, class... Args>
[[nodiscard]] Finding finding_at(std::uint64_t offset, Args&&... args) {
  return {code->code, code->severity, {}, offset, message_of<code>(std::forward<Args>(args)...)};
}
/// An error with the message of the catalogue.
template <Code code, class... Args>
[[nodiscard]] Error error(Failure failure, Place place, Args&&... args) {
  return {failure, std::string(code->code), std::move(place), message_of<code>(std::forward<Args>(args)...)};
}
/// The error that a finding becomes where it leaves nothing to go on with.
[[nodiscard]] Error error_from(const Finding& finding, std::string file, Failure failure = Failure::input);

}  // namespace sinew
