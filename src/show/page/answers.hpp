// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "show/page/http.hpp"
#include "show/page/viewer.hpp"

#include "sinew/render.hpp"

namespace sinew::show {

/// Answers the page's requests, without the network. The address is http://127.0.0.1:PORT/TOKEN/.
class Answers {
 public:
  /// `flex`: JSON of the page's findings of flex; "null": none.
  Answers(Viewer viewer, const ViewOptions& options, std::string flex, std::string token, std::uint16_t port);

  [[nodiscard]] Reply to(const Question& question);

 private:
  [[nodiscard]] bool from_here(const Question& question) const;
  [[nodiscard]] Answer got(std::string_view name);
  [[nodiscard]] Reply posted(std::string_view name, std::string_view body);

  Viewer viewer_;
  std::string html_;
  std::function<std::string()> make_findings_;
  std::optional<std::string> findings_;
  std::string comparison_, flex_;  ///< "null": none
  std::string token_;
  std::uint16_t port_;
};

}  // namespace sinew::show
