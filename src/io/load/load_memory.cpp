// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/memory.hpp"
#include "base/path_text.hpp"
#include "document/schema/edited.hpp"
#include "io/load/read.hpp"

#include "sinew/load.hpp"

namespace sinew::io {

Result<Model> load_memory(std::span<const std::byte> bytes, const std::filesystem::path& path, const LoadOptions& options,
                          FindingSink& sink) SINEW_TRY {
  const Place place{path_text(path), std::nullopt, std::nullopt};
  if (const std::uint64_t most = options.open.limits.memory; bytes.size() > most)
    return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, place, "the file's content", bytes.size(), most));
  document::Bytes copy;
  if (!bytes.empty()) {
    auto owner = shared_bytes(options.open.memory, bytes.size());
    std::ranges::copy(bytes, owner.get());
    copy = {std::span<const std::byte>(owner.get(), bytes.size()), owner};
  }
  auto document = document::from_bytes(std::move(copy), path, options.open, sink);
  if (!document) return Unexpected(document.error());
  return read(*document, options, sink);
}
SINEW_CATCH({path_text(path), std::nullopt, std::nullopt})

}  // namespace sinew::io
