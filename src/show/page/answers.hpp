// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "show/page/viewer.hpp"

#include "sinew/render.hpp"

namespace sinew::show {

/// The relevant parts of an HTTP request.
struct Question {
  bool post = false;        ///< POST, otherwise GET
  std::string_view path;    ///< the target of the request, with the query
  std::string_view host;    ///< the header Host; empty if missing
  std::string_view origin;  ///< the header Origin; empty if missing
  std::string_view body;
};

struct Answer {
  unsigned status = 200;
  std::string_view type = "text/plain; charset=utf-8";
  std::string body;
};

/// The state of the asking page, according to its request.
enum class Sign : std::uint8_t { none, alive, closed };

/// Answers the page's requests, without the network. The address is http://127.0.0.1:PORT/TOKEN/.
class Answers {
 public:
  Answers(Viewer viewer, const ViewOptions& options, std::string token, std::uint16_t port);

  [[nodiscard]] Answer to(const Question& question);

  /// Returns the state of the page with the last request; `page` is the page's name for itself.
  [[nodiscard]] Sign sign() const { return sign_; }
  [[nodiscard]] const std::string& page() const { return page_; }

 private:
  [[nodiscard]] bool from_here(const Question& question) const;
  [[nodiscard]] Answer got(std::string_view name);
  [[nodiscard]] Answer posted(std::string_view name, std::string_view body);
  [[nodiscard]] Answer heard(Sign sign, std::string_view page);

  Viewer viewer_;
  std::string html_;
  std::function<std::string()> make_findings_;
  std::optional<std::string> findings_;
  std::string comparison_;  ///< "null": none
  std::string token_;
  std::uint16_t port_;
  Sign sign_ = Sign::none;
  std::string page_;
};

}  // namespace sinew::show
