// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/message.hpp"

#include "sinew/result.hpp"

namespace sinew {

/// The catalogue describes every finding and error code once, in a row of a file in catalogue/:
///   SINEW_FINDING(code, severity, message, formats, source, why, mend[, unchecked])
/// with the members of CatalogueRow and Explanation. glTF codes have the names and severities of the Khronos glTF-Validator (issue list of
/// the 2.0 validator) if it has such a code; GLTF_* and SINEW_* are our own. Messages are templates (message.hpp); the compiler checks each
/// use against its row (see finding). The rows are split into parts, so that a new rule of one format does not recompile the other. Modules
/// include the part that they use (catalogue_gltf.hpp and so on), without the texts of explanation.cpp; all_codes() contains all parts.
enum class Part : std::uint8_t {
  common,
  gltf,
  g4mf,
  model,   ///< rules that hold for any model
  avatar,  ///< rules of VRM and KHR_character
  edit     ///< reports of operations on files
};

/// The CatalogueRow of a finding, without its explanation.
#define SINEW_CATALOGUE_ROW(code, severity, message, ...) {code, Severity::severity, message},

template <Part part>
struct Rows;
template <>
struct Rows<Part::common> {
  static constexpr auto list = std::to_array<CatalogueRow>({
#define SINEW_FINDING SINEW_CATALOGUE_ROW
#include "base/catalogue/common.inc"
#undef SINEW_FINDING
  });
};

/// A row of the catalogue, looked up by name at compile time: "GLB_INVALID_MAGIC"_code. An unknown name does not compile.
struct Code {
  Part part;
  std::uint16_t row;
  [[nodiscard]] const CatalogueRow& operator*() const;
  [[nodiscard]] const CatalogueRow* operator->() const { return &**this; }
};

/// A code as a constant, with its message, which the compiler compares with the arguments.
struct NamedCode : Code {
  std::string_view message;
};

/// Returns the code with that name from the rows of the parts, searched in order.
template <Part... parts>
consteval NamedCode code_of(std::string_view name) {
  std::optional<NamedCode> found;
  const auto search = [&]<Part part>() {
    for (std::size_t i = 0; i < Rows<part>::list.size() && !found; ++i)
      if (Rows<part>::list[i].code == name) found = NamedCode{{part, static_cast<std::uint16_t>(i)}, Rows<part>::list[i].message};
  };
  (search.template operator()<parts>(), ...);
  if (!found) not_a_constant("no such code in this part of the catalogue");
  return *found;
}

consteval NamedCode operator""_code(const char* text, std::size_t length) { return code_of<Part::common>({text, length}); }

/// A code for these types of arguments: a constant whose message has placeholders for all of them, or a code known at run time, whose
/// message uses some or all of them.
template <class... Args>
struct CodeFor : Code {
  consteval CodeFor(NamedCode named) : Code(named) {
    if (!takes<Args...>(named.message)) not_a_constant("the placeholders of the message are not those of the arguments");
  }
  constexpr CodeFor(Code known) : Code(known) {}
};

/// Replaces the middle of a message by "…" if it is longer than 2000 bytes: files can contain names and URIs of any length.
[[nodiscard]] std::string cut_middle(std::string message);

/// The place of a finding in a JSON text: the value, if it is known, and its pointer.
struct FindingPlace {
  FindingPlace(std::string at, std::uint32_t id = 0) : pointer(std::move(at)), value(id) {}  // NOLINT(google-explicit-constructor)
  FindingPlace(const char* at) : pointer(at) {}                                              // NOLINT(google-explicit-constructor)

  std::string pointer;
  std::uint32_t value = 0;  ///< Finding::value
};

/// Finding and error, with their arguments in a list.
[[nodiscard]] Finding finding_of(Code code, FindingPlace place, std::optional<std::uint64_t> offset,
                                 std::initializer_list<Argument> arguments);
[[nodiscard]] Error error_of(Code code, Failure failure, Place place, std::initializer_list<Argument> arguments);

/// Creates a finding at a place: finding("SKIN_IBM_…"_code, pointer or place, argument…).
template <class... Args>
[[nodiscard]] Finding finding(CodeFor<std::type_identity_t<Args>...> code, FindingPlace place, const Args&... args) {
  return finding_of(code, std::move(place), std::nullopt, {Argument(args)...});
}
/// Creates a finding at a byte offset of the container.
template <class... Args>
[[nodiscard]] Finding finding_at(CodeFor<std::type_identity_t<Args>...> code, std::uint64_t offset, const Args&... args) {
  return finding_of(code, "", offset, {Argument(args)...});
}
/// Creates an error with the message of the catalogue.
template <class... Args>
[[nodiscard]] Error error(CodeFor<std::type_identity_t<Args>...> code, Failure failure, Place place, const Args&... args) {
  return error_of(code, failure, std::move(place), {Argument(args)...});
}
/// Converts a finding that prevents all further work to an error.
[[nodiscard]] Error error_from(const Finding& finding, std::string file, Failure failure = Failure::input);

}  // namespace sinew
