// SPDX-License-Identifier: MIT
// HTTP with Boost.Beast. It is header-only, so that programs that link the library get no new dependency, and it limits everything in a
// request. (The simpler cpp-httplib is a library on Debian that depends on OpenSSL and Brotli.)
#include "show/page/http.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <algorithm>
#include <csignal>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <random>

#include "base/catalogue.hpp"
#include "base/message.hpp"

namespace sinew::show {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using boost::system::error_code;

constexpr std::uint32_t most_header = 16 << 10;
constexpr long most_connections = 64;
constexpr std::size_t most_pages = 64;
constexpr std::size_t most_drained = 16 << 20;
constexpr std::chrono::seconds farewell{2};
constexpr std::chrono::seconds first_request{3};         // a connection must show soon that it knows the address
constexpr std::chrono::seconds connection_silence{120};  // longer than a sleeping page's heartbeat

std::string random_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += format_text("{:08x}", static_cast<std::uint32_t>(device()));
  return token;
}

/// Tracks open pages by their heartbeats, and decides when to stop waiting.
class Audience {
 public:
  Audience(asio::io_context& context, const HttpOptions& how) : context_(context), how_(how), timer_(context) {}

  void hear(const Heard& heard) {
    const auto& [sign, page] = heard;
    if (sign == Sign::none) return;
    if (sign == Sign::closed)
      heard_until_.erase(page);
    else if (heard_until_.contains(page) || heard_until_.size() < most_pages)
      heard_until_[page] = Clock::now() + how_.page_silence;
    wait();
  }

 private:
  void wait() {
    auto until = Clock::now() + how_.reload_pause;
    for (const auto& [page, heard_until] : heard_until_) until = std::max(until, heard_until);
    timer_.expires_at(until);
    timer_.async_wait([this](error_code cancelled) {
      if (!cancelled) context_.stop();
    });
  }

  asio::io_context& context_;
  const HttpOptions& how_;
  asio::steady_timer timer_;
  std::map<std::string, Clock::time_point> heard_until_;
};

/// State shared by all connections, on one thread.
struct Host {
  Replies replies;
  Audience audience;
  std::string policy;
  std::shared_ptr<const int> seat = std::make_shared<const int>(0);  ///< one copy per connection; connections may outlive the host
};

/// One connection: reads and answers requests in a loop. Lives as long as an operation is pending.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Host& host) : stream_(std::move(socket)), host_(host), seat_(host.seat) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(most_header);
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // set when the header is known
    stream_.expires_after(known_ ? connection_silence : first_request);
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](error_code failed, std::size_t) {
      if (failed) return self->received(failed);
      const std::uint64_t most = self->host_.replies.most_body(self->question());
      if (self->parser_->content_length().value_or(0) > most) return self->received(http::make_error_code(http::error::body_limit));
      self->parser_->body_limit(most);  // of a body of unknown length
      http::async_read(self->stream_, self->buffer_, *self->parser_, [self](error_code ended, std::size_t) { self->received(ended); });
    });
  }

 private:
  [[nodiscard]] Question question() const {
    const auto& request = parser_->get();
    const auto text = [](beast::string_view view) { return std::string_view(view.data(), view.size()); };
    return {request.method() == http::verb::post, text(request.target()), text(request[http::field::host]),
            text(request[http::field::origin]), request.body()};
  }

  void received(error_code failed) {
    if (failed == http::error::body_limit) return write({413, "text/plain; charset=utf-8", "the request is too long\n"}, false);
    if (failed == http::error::header_limit) return write({431, "text/plain; charset=utf-8", "the header is too long\n"}, false);
    if (failed && failed.category() == http::make_error_code(http::error::bad_method).category() && failed != http::error::end_of_stream)
      return write({400, "text/plain; charset=utf-8", "expected an HTTP request\n"}, false);
    if (failed) return close();
    const auto& request = parser_->get();
    const bool post = request.method() == http::verb::post;
    if (!post && request.method() != http::verb::get)
      return write({405, "text/plain; charset=utf-8", "expected GET or POST\n"}, request.keep_alive());
    auto [answer, heard] = host_.replies.reply(question());
    host_.audience.hear(heard);
    known_ = known_ || answer.status == 200;
    write(std::move(answer), request.keep_alive() && known_);
  }

  void write(Answer answer, bool keep) {
    response_ = {};
    response_.result(answer.status);
    response_.version(11);
    response_.set(http::field::content_type, beast::string_view(answer.type.data(), answer.type.size()));
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Content-Security-Policy", host_.policy);
    if (answer.status == 405) response_.set(http::field::allow, "GET, POST");
    response_.keep_alive(keep);
    response_.body() = std::move(answer.body);
    response_.prepare_payload();
    stream_.expires_after(connection_silence);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code failed, std::size_t) {
      if (failed || !self->response_.keep_alive()) return self->close();
      self->read();
    });
  }

  // Read and drop late bytes for a moment: closing a socket with unread bytes would also discard the answer.
  void close() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(farewell);
    drain();
  }

  void drain() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(most_header), [self = shared_from_this()](error_code ended, std::size_t count) {
      self->drained_ += count;
      if (!ended && self->drained_ < most_drained) self->drain();
    });
  }

  beast::tcp_stream stream_;
  Host& host_;
  std::shared_ptr<const int> seat_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  bool known_ = false;  ///< a request had the right address
  std::size_t drained_ = 0;
};

void accept(tcp::acceptor& acceptor, Host& host) {
  acceptor.async_accept([&](error_code failed, tcp::socket socket) {
    if (failed == asio::error::operation_aborted) return;
    error_code ignored;
    if (!failed && host.seat.use_count() <= most_connections) {
      socket.set_option(tcp::no_delay(true), ignored);
      std::make_shared<Connection>(std::move(socket), host)->read();
    }
    accept(acceptor, host);
  });
}

}  // namespace

Result<> serve_http(const std::function<Replies(std::string token, std::uint16_t port)>& replies, const HttpOptions& how) {
  asio::io_context context(1);
  tcp::acceptor acceptor(context);
  const tcp::endpoint wanted(asio::ip::address_v4::loopback(), how.port);
  error_code failed;
  acceptor.open(wanted.protocol(), failed);
  if (!failed && how.port != 0)
    acceptor.set_option(tcp::acceptor::reuse_address(true), failed);  // the port of the last view may still be in TIME_WAIT
  if (!failed) acceptor.bind(wanted, failed);
  if (!failed) acceptor.listen(asio::socket_base::max_listen_connections, failed);
  if (failed)
    return Unexpected(
        error("SINEW_USAGE"_code, Failure::usage, {}, format_text("cannot listen on port {}: {}", how.port, failed.message())));

  const std::uint16_t port = acceptor.local_endpoint().port();
  const std::string token = random_token();
  Host host{replies(token, port), Audience(context, how),
            format_text("default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; connect-src 'self'; img-src data: blob:; "
                        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                        token)};
  asio::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([&](error_code cancelled, int) {
    if (!cancelled) context.stop();
  });
  accept(acceptor, host);
  if (how.ready) how.ready(format_text("http://127.0.0.1:{}/{}/", port, token));
  context.run();
  return {};
}

}  // namespace sinew::show
