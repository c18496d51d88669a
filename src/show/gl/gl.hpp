// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/result.hpp"

namespace sinew::show::gl {

using Name = std::uint32_t;  ///< the name of an OpenGL object

/// Returns whether this process was forked from one that used OpenGL: it lacks the driver's threads, so OpenGL calls would hang.
/// It must not call OpenGL, not even to delete objects.
[[nodiscard]] bool is_fork();
/// Failure::unsupported in such a process.
[[nodiscard]] Result<> usable_here();

/// An OpenGL 4.3 core context without a window or a display. It must outlive its objects.
/// Failure::unsupported if OpenGL is missing (the message names the packages) or if is_fork().
class Context {
 public:
  [[nodiscard]] static Result<Context> create();
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  ~Context();

  /// Makes the context current on this thread until release(); it is current on one thread at a time.
  [[nodiscard]] bool make_current() const;
  void release() const;

 private:
  struct State;
  explicit Context(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// An object of OpenGL and the function that deletes it.
class Object {
 public:
  using Delete = void (*)(Name);
  Object() = default;
  Object(Name name, Delete remove) : name_(name), remove_(remove) {}
  Object(Object&& other) noexcept : name_(std::exchange(other.name_, 0)), remove_(other.remove_) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(remove_, other.remove_);
    return *this;
  }
  ~Object() {
    if (name_ != 0 && !is_fork()) remove_(name_);
  }
  [[nodiscard]] Name name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  Name name_ = 0;
  Delete remove_ = nullptr;
};

/// Fails if the driver had no memory for an object or a picture since the last call; what it drew is then incomplete.
[[nodiscard]] Result<> check_memory();
/// Throws std::bad_alloc if this process may not have so many bytes more (--max-memory): a driver crashes where it gets none.
void keep_room(std::uint64_t bytes);

[[nodiscard]] Object make_vertex_array();
[[nodiscard]] Object make_buffer(std::span<const std::byte> bytes);
template <class T, class Allocator>
[[nodiscard]] Object make_buffer(const std::vector<T, Allocator>& values) {
  return make_buffer(std::as_bytes(std::span(values)));
}
/// Replaces the contents of a buffer by any number of bytes.
void fill_buffer(const Object& buffer, std::span<const std::byte> bytes);
template <class T>
void fill_buffer(const Object& buffer, std::span<const T> values) {
  fill_buffer(buffer, std::as_bytes(values));
}

/// The sources of a program; `geometry` may be empty. `captured`: outputs of the vertex stage for transform feedback, interleaved.
struct Sources {
  std::string_view vertex;
  std::string_view geometry = {};
  std::string_view fragment;
  std::vector<const char*> captured = {};
};
/// Failure::unsupported, with the compiler's first line, if the driver rejects it.
[[nodiscard]] Result<Object> make_program(const Sources& sources);

/// A multisampled half-precision colour buffer with depth, and its resolved picture.
class Target {
 public:
  [[nodiscard]] static Result<Target> create(std::size_t width, std::size_t height);
  /// Makes it the render target and clears it to transparent.
  void bind() const;
  /// Reads the resolved picture: rows from the bottom, four floats per pixel.
  void read(std::vector<float>& rgba) const;

 private:
  std::size_t width_ = 0, height_ = 0;
  Object colour_, depth_, resolved_colour_;
  Object framebuffer_, resolved_;
};

/// Returns the largest side of a Target.
[[nodiscard]] std::size_t largest_side();
/// Returns whether vertex shaders may read this many storage buffers.
[[nodiscard]] bool has_vertex_storage(int buffers);

}  // namespace sinew::show::gl
