// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/finding.hpp"
#include "sinew/limits.hpp"
#include "sinew/result.hpp"

namespace sinew::document {

class Json;

/// Bytes and what keeps them alive (a mapping, a decoded buffer). Null owner: empty.
struct Bytes {
  std::span<const std::byte> view;
  std::shared_ptr<const void> owner;
};

enum class Container : std::uint8_t { json, glb, g4b };

struct OpenOptions {
  Limits limits;
  FileAccess access = FileAccess::automatic;
  bool allow_outside = false;  ///< let relative URIs leave the file's folder
};

/// A file's container, JSON and bytes, uninterpreted. Immutable; safe on any thread.
class Document {
 public:
  struct Parts;
  explicit Document(std::unique_ptr<const Parts> parts);
  ~Document();

  [[nodiscard]] const std::filesystem::path& path() const;  ///< as given; "-" for standard input
  [[nodiscard]] Container container() const;
  [[nodiscard]] const Json& json() const;
  [[nodiscard]] std::span<const Bytes> chunks() const;  ///< binary chunks after the JSON chunk, in order
  /// Why the container ends before what it announces, as it was reported; nullptr where it is whole. Its last chunk cannot be trusted.
  [[nodiscard]] const Finding* cut() const;
  [[nodiscard]] const OpenOptions& options() const;

  /// The bytes behind a `uri` of the JSON: `data:` decoded, else a file in the document's folder (percent-decoded). Refused: absolute
  /// paths, schemes, ways out of the folder (unless allow_outside), everything relative when read from standard input.
  [[nodiscard]] Result<Bytes> fetch(std::string_view uri) const;

 private:
  std::unique_ptr<const Parts> parts_;
};

/// Opens a file ("-": standard input): container and JSON syntax are checked, nothing is interpreted. Findings about both go to `sink`;
/// those that leave nothing to read are also the returned error.
[[nodiscard]] Result<std::shared_ptr<const Document>> open(const std::filesystem::path& path, const OpenOptions& options,
                                                           FindingSink& sink);

}  // namespace sinew::document
