// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace sinew::document {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  [[nodiscard]] int get() const { return value_; }
  [[nodiscard]] explicit operator bool() const { return value_ >= 0; }
  /// Closes the file now, so that an error can be reported. Returns 0 or -1, as close(2).
  [[nodiscard]] int close() { return ::close(std::exchange(value_, -1)); }

 private:
  int value_ = -1;
};

[[nodiscard]] inline std::string reason(int number) { return std::system_category().message(number); }

}  // namespace sinew::document
