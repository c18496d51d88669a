// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "show/page/viewer.hpp"

#include "sinew/render.hpp"

namespace sinew::show {

/// What is asked for, and by whom: the parts of an HTTP request that matter.
struct Question {
  bool post = false;        ///< POST, otherwise GET
  std::string_view path;    ///< of the request's target, with the query
  std::string_view host;    ///< the header Host; empty where it is missing
  std::string_view origin;  ///< the header Origin; empty where it is missing
  std::string_view body;
};

struct Answer {
  unsigned status = 200;
  std::string_view type = "text/plain; charset=utf-8";
  std::string body;
};

/// Who is looking, as far as the questions tell.
enum class Sign : std::uint8_t { none, alive, closed };

/// Answers to the page's questions, without the network. The address is http://127.0.0.1:PORT/TOKEN/.
class Answers {
 public:
  Answers(Viewer viewer, const ViewOptions& options, std::string token, std::uint16_t port);

  [[nodiscard]] Answer to(const Question& question);

  /// What the last question said of the page that asked it; `page` is the name that it gives itself.
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
