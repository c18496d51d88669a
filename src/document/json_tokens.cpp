// SPDX-License-Identifier: MIT
#include "document/json_tokens.hpp"

#include <simdjson.h>

#include <algorithm>
#include <new>
#include <utility>

namespace sinew::document {

std::optional<QuickTokens> quick_tokens(std::string_view text) {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage;
  simdjson::error_code status =
      simdjson::get_active_implementation()->create_dom_parser_implementation(std::max<std::size_t>(text.size(), 1), 1, stage);
  if (status == simdjson::MEMALLOC) throw std::bad_alloc();
  if (status == simdjson::SUCCESS)
    status = stage->stage1(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), simdjson::stage1_mode::regular);
  if (status != simdjson::SUCCESS) return std::nullopt;
  const std::span<const std::uint32_t> list(stage->structural_indexes.get(), stage->n_structural_indexes);
  return QuickTokens{list, std::shared_ptr<const void>(std::move(stage))};
}

}  // namespace sinew::document
