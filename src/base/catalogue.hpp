// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/result.hpp"

namespace sinew {

/// The catalogue describes every finding and error code once. glTF codes have the names and severities of the Khronos glTF-Validator (issue
/// list of the 2.0 validator) if it has such a code; GLTF_* and SINEW_* are our own. Messages are fmt templates; the compiler checks each
/// use against its row (see finding). The rows are split into parts, so that a new rule of one format does not recompile the other. Modules
/// include the part that they use (catalogue_gltf.hpp and so on); all_codes() contains all parts.
enum class Part : std::uint8_t {
  common,
  gltf,
  g4mf,
  model,  ///< rules that hold for any model
  edit    ///< reports of operations on files
};
template <Part part>
struct Rows;
template <>
struct Rows<Part::common> {
  static constexpr auto list = std::to_array<CatalogueRow>({
#include "base/catalogue/common.inc"
  });
};

/// A row of the catalogue, looked up by name at compile time: "GLB_INVALID_MAGIC"_code. An unknown name does not compile.
struct Code {
  Part part;
  std::uint16_t row;
  [[nodiscard]] const CatalogueRow& operator*() const;
  [[nodiscard]] const CatalogueRow* operator->() const { return &**this; }
};

/// Returns the code with that name from the rows of the parts, searched in order.
template <Part... parts>
consteval Code code_of(std::string_view name) {
  std::optional<Code> found;
  const auto search = [&]<Part part>() {
    for (std::size_t i = 0; i < Rows<part>::list.size() && !found; ++i)
      if (Rows<part>::list[i].code == name) found = Code{part, static_cast<std::uint16_t>(i)};
  };
  (search.template operator()<parts>(), ...);
  if (!found) throw "no such code in this part of the catalogue";
  return *found;
}

consteval Code operator""_code(const char* text, std::size_t length) { return code_of<Part::common>({text, length}); }

/// Replaces the middle of a message by "…" if it is longer than 2000 bytes: files can contain names and URIs of any length.
[[nodiscard]] std::string cut_middle(std::string message);

template <Code code, class... Args>
[[nodiscard]] std::string message_of(Args&&... args) {
  constexpr std::string_view text = Rows<code.part>::list[code.row].message;
  return cut_middle(fmt::format(fmt::format_string<Args...>(text), std::forward<Args>(args)...));
}

/// Creates a finding at a JSON pointer: finding<"SKIN_IBM_…"_code>(pointer, argument…).
template <Code code, class... Args>
[[nodiscard]] Finding finding(std::string pointer, Args&&... args) {
  constexpr const CatalogueRow& row = Rows<code.part>::list[code.row];
  return {row.code, row.severity, std::move(pointer), std::nullopt, message_of<code>(std::forward<Args>(args)...)};
}
/// Does the same with a code known at run time, whose message uses some or all of the arguments.
template <class... Args>
[[nodiscard]] Finding finding(Code code, std::string pointer, const Args&... args) {
  return {code->code, code->severity, std::move(pointer), std::nullopt,
          cut_middle(fmt::vformat(code->message, fmt::make_format_args(args...)))};
}
/// Creates a finding at a byte offset of the container.
template <Code code, class... Args>
[[nodiscard]] Finding finding_at(std::uint64_t offset, Args&&... args) {
  constexpr const CatalogueRow& row = Rows<code.part>::list[code.row];
  return {row.code, row.severity, {}, offset, message_of<code>(std::forward<Args>(args)...)};
}
/// Returns the error of the functions that the deadline of this thread ended; empty if it ended none.
[[nodiscard]] std::optional<Error> error_of_deadline();

/// Creates an error with the message of the catalogue. A deadline ends functions like the end of memory; the error then names it.
template <Code code, class... Args>
[[nodiscard]] Error error(Failure failure, Place place, Args&&... args) {
  if constexpr (code.part == Part::common && Rows<code.part>::list[code.row].code == "SINEW_NO_MEMORY")
    if (auto met = error_of_deadline()) {
      met->place = std::move(place);
      return *std::move(met);
    }
  return {failure, std::string(Rows<code.part>::list[code.row].code), std::move(place), message_of<code>(std::forward<Args>(args)...)};
}
/// Converts a finding that prevents all further work to an error.
[[nodiscard]] Error error_from(const Finding& finding, std::string file, Failure failure = Failure::input);

}  // namespace sinew
