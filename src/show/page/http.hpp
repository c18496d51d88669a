// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sinew/result.hpp"

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

/// What the page said with its last request.
struct Heard {
  Sign sign = Sign::none;
  std::string page;  ///< the page's name for itself
};

struct Reply {
  Answer answer;
  Heard heard;
};

/// Says how a page's requests are answered.
struct Replies {
  std::function<Reply(const Question&)> reply;
  std::function<std::uint64_t(const Question&)> most_body;  ///< bytes, of a question without its body yet
};

/// The options of ServeOptions, without those of the model: a source that knows HTTP compiles without the model.
struct HttpOptions {
  std::uint16_t port = 0;
  std::function<void(const std::string& url)> ready;
  std::chrono::milliseconds page_silence{};
  std::chrono::milliseconds reload_pause{};
};

/// Serves until every opened page is closed, or until SIGINT or SIGTERM. `replies` gets the token of the address and the port.
/// Throws what Boost throws on a system without sockets or a random device.
[[nodiscard]] Result<> serve_http(const std::function<Replies(std::string token, std::uint16_t port)>& replies, const HttpOptions& how);

}  // namespace sinew::show
