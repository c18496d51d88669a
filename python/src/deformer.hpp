// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "glue.hpp"

#include "sinew/deform.hpp"
#include "sinew/sinew.hpp"

namespace python {

/// One scene of a model, ready for deformation. A call holds `busy` while it works without Python's lock.
struct Deformer {
  SharedModel loaded;
  std::string kernel;  ///< as given
  sinew::Deformer deformer;
  std::unique_ptr<std::mutex> busy = std::make_unique<std::mutex>();
};

using Rows = sinew::strided_view<float>;

void bind_pick(py::class_<Deformer>& type);

[[nodiscard]] inline py::ssize_t size_of(std::size_t count) { return static_cast<py::ssize_t>(count); }
[[nodiscard]] std::string shape_text(const std::vector<py::ssize_t>& shape);
/// Returns an array of numbers without a copy if possible: numpy's own, of DLPack, or of the buffer protocol.
[[nodiscard]] py::object as_numpy(const py::object& values, std::string_view what);
/// Checks that an object is writable float32 memory of the shape, with packed and separate rows, so that it can be filled in place.
[[nodiscard]] py::array checked(const py::handle& object, const std::vector<py::ssize_t>& shape, std::string_view what);
/// Returns one frame of an array (…, rows, width).
[[nodiscard]] Rows rows_of(py::array& array, std::size_t frame = 0);

/// An array (frames, vertices, width), filled by a channel of sinew::deform::Output.
struct Channel {
  py::array array;
  Rows sinew::deform::Output::* member;
};

/// Calls `work(first, count)` for consecutive parts of `frames`, each long enough to keep all cores busy, without Python's lock. Between
/// two parts Python may handle a signal, such as Ctrl-C.
template <class Work>
void in_parts(Deformer& d, std::size_t frames, const Work& work) {
  constexpr std::size_t numbers_at_once = std::size_t{1} << 23;
  const std::size_t size = std::max<std::size_t>(d.deformer.vertices() * d.deformer.dimension(), 1);
  const std::size_t most = std::max<std::size_t>(numbers_at_once / size, 64);
  for (std::size_t first = 0; first < frames; first += most) {
    value_of(without_lock([&]() -> sinew::Result<> {
      const std::lock_guard lock(*d.busy);
      return work(first, std::min(most, frames - first));
    }));
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

/// Calls `run(first, count, rows)` for all frames as in_parts: frame by frame where an array has gaps between its frames.
template <class Run>
void run_frames(Deformer& d, std::size_t frames, std::vector<Channel> channels, const Run& run) {
  bool gaps = false;
  for (Channel& channel : channels) {
    const Rows one = frames == 0 ? Rows() : rows_of(channel.array);
    gaps |= frames > 1 && static_cast<std::size_t>(channel.array.strides(0)) != one.size() * one.stride();
  }
  const auto rows = [&](std::size_t first, std::size_t count) {
    sinew::deform::Output out;
    for (Channel& channel : channels) {
      const Rows one = rows_of(channel.array, first);
      out.*channel.member = {one.data(), count * one.size(), one.width(), one.stride()};
    }
    return out;
  };
  in_parts(d, frames, [&](std::size_t first, std::size_t count) -> sinew::Result<> {
    for (std::size_t done = 0, some = gaps ? 1 : count; done < count; done += some)
      if (auto made = run(first + done, some, rows(first + done, some)); !made) return made;
    return {};
  });
}

/// Poses that a caller gives as arrays, and what keeps the memory alive.
struct GivenPoses {
  sinew::PoseArrays arrays;
  std::vector<Doubles> kept;
};
/// Reads {"local": …, "amounts": …} and so on (PoseArrays); TypeError and sinew.UsageError say what was expected.
[[nodiscard]] GivenPoses given_poses(const sinew::Model& model, const py::object& mapping);

/// Returns the times of a clip: given times, times at a rate, or a number of times. Raises the error of a broken clip.
[[nodiscard]] std::vector<double> clip_times(const sinew::Model& model, sinew::Index clip, const std::optional<std::vector<double>>& wanted,
                                             std::optional<double> fps, std::optional<std::int64_t> count);

void bind_batch(py::class_<Deformer>& type);

}  // namespace python
