// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "sinew/model.hpp"
#include "sinew/pose_edit.hpp"

namespace sinew::show {

/// A model to be looked at in a browser.
struct ViewOptions {
  std::string page;                        ///< the HTML of the page (the program carries it; web/view makes it)
  Index scene = none;                      ///< none: the default one
  unsigned threads = 0;                    ///< 0: all cores
  Pose base;                               ///< what poses start from: Model::rest, or another one for the same nodes
  Index clip = none;                       ///< that the page starts with
  PoseEdit edit;                           ///< is applied to every pose after the clip
  std::function<std::string()> findings;   ///< a report as validate::to_json writes it, made when the page first asks; empty: none
  std::function<void(const Error&)> note;  ///< is told of each texture that is missing or broken; empty: nobody
};

struct ServeOptions {
  std::uint16_t port = 0;                             ///< 0: a free one
  std::function<void(const std::string& url)> ready;  ///< called once, when the address can be opened
  std::chrono::milliseconds page_silence{90'000};  ///< a page that was not heard of for so long is gone (browsers let hidden pages sleep)
  std::chrono::milliseconds reload_pause{5'000};   ///< how long the last page may be gone before the end: reloading it takes a moment
};

/// Serves the page and its questions on 127.0.0.1 until every page that was opened is closed, or until SIGINT or SIGTERM (both are
/// caught while it runs). Only requests that know the random token in the address and name this host are answered, and nothing but the
/// page and its questions; no file is. One thread, beside those of the deformation. Failure::usage where the port cannot be had.
[[nodiscard]] Result<> serve(const Model& model, const ViewOptions& options, const ServeOptions& how);

struct ExportOptions {
  double fps = 30;                                     ///< frames per second; halved, down to 5, where the page would be too large
  std::uint64_t most_bytes = std::uint64_t{32} << 20;  ///< of all frames; where even that is too much, the last clips are left out
  std::uint64_t memory = std::uint64_t{2} << 30;       ///< bytes that frames may take while they are made; Failure::limit beyond
};

/// What an exported page holds.
struct Exported {
  std::size_t moving = 0;    ///< clips, without the model's own state
  std::size_t left_out = 0;  ///< of them, for want of room
  double fps = 0;
  std::uint64_t bytes = 0;
};

/// Writes one HTML file that shows the model without the program: the page and the frames of ViewOptions::clip, or, where that is `none`,
/// of the model's own state and all clips. Positions are kept to a 65535th of their extent; beyond three dimensions they are projected.
[[nodiscard]] Result<Exported> export_page(const Model& model, const ViewOptions& options, const ExportOptions& how,
                                           const std::filesystem::path& path);

}  // namespace sinew::show
