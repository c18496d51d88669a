// SPDX-License-Identifier: MIT
// The module of the page of `sinew view`: the program's own viewer (src/show/page), which the page asks as it asks the program.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/catalogue.hpp"
#include "base/number.hpp"
#include "document/files/file.hpp"
#include "show/page/carried.hpp"
#include "show/page/viewer.hpp"

#include "sinew/load.hpp"

#define EXPORTED(name) extern "C" __attribute__((export_name(#name)))

using namespace sinew;

/// The model of the page, and the last answer.
struct Page {
  std::optional<Model> model;  ///< at a fixed address: the viewer refers to it
  std::optional<show::Viewer> viewer;
  std::string answer;

  bool say(Result<std::string> made) {
    answer = made ? std::move(*made) : made.error().line();
    return made.has_value();
  }
};

namespace {

/// Reads a pose file that the page carries.
Result<PoseEdit> carried_pose(std::string_view name, const Model& model) { return io::load_pose_file(std::filesystem::path(name), model); }

Result<> open_page(Page& page) {
  const auto file = document::read_file(std::filesystem::path(show::carried_choices), FileAccess::automatic, std::uint64_t{1} << 20);
  if (!file) return Unexpected(file.error());
  const auto choices = show::read_choices({reinterpret_cast<const char*>(file->view.data()), file->view.size()});
  if (!choices) return Unexpected(choices.error());
  FindingList findings;
  auto model = io::load(choices->name, choices->load, findings);
  if (!model) return Unexpected(model.error());
  page.model = std::move(*model);
  show::ViewOptions options;
  options.scene = choices->scene;
  options.clip = choices->clip;
  options.expressions = choices->expressions;
  options.base = page.model->rest_pose;
  const auto base = carried_pose(show::carried_base, *page.model);
  if (!base) return Unexpected(base.error());
  if (auto done = apply(*base, *page.model, options.base); !done) return done;
  auto edit = carried_pose(show::carried_edit, *page.model);
  if (!edit) return Unexpected(edit.error());
  options.edit = std::move(*edit);
  auto viewer = show::Viewer::create(*page.model, options);
  if (!viewer) return Unexpected(viewer.error());
  page.viewer.emplace(std::move(*viewer));
  if (!document::read_file(std::filesystem::path(show::carried_bound), FileAccess::automatic, std::uint64_t{1} << 30))
    return {};  // no findings
  const auto bound = carried_pose(show::carried_bound, *page.model);
  if (!bound) return Unexpected(bound.error());
  Pose rest = page.model->rest_pose;
  if (auto done = apply(*bound, *page.model, rest); !done) return done;
  return page.viewer->bind(std::move(rest));
}

}  // namespace

namespace sinew::show {
// Flat textures are decoded by the browser; the page carries those of three dimensions decoded.
Result<Picture> decode_picture(std::span<const std::byte> bytes, std::size_t most) {
  const auto file = document::read_file(std::filesystem::path(carried_picture(bytes)), FileAccess::automatic, 8 + std::uint64_t{4} * most);
  if (!file) return Unexpected(file.error());
  std::array<std::uint32_t, 2> sides{};
  const auto broken = [] { return Unexpected(error("IO_ERROR"_code, Failure::input, {}, "the page is damaged")); };
  if (file->view.size() < sizeof sides) return broken();
  std::memcpy(sides.data(), file->view.data(), sizeof sides);
  const auto pixels = file->view.subspan(sizeof sides);
  if (std::uint64_t{sides[0]} * sides[1] * 4 != pixels.size()) return broken();
  Picture picture{sides[0], sides[1], std::vector<std::uint8_t>(pixels.size())};
  std::memcpy(picture.rgba.data(), pixels.data(), pixels.size());
  return picture;
}
}  // namespace sinew::show

/// Opens the model among the carried files. If that fails, page_ask answers with the reason.
EXPORTED(page_open) Page* page_open() {
  auto page = std::make_unique<Page>();
  if (auto done = open_page(*page); !done) page->answer = done.error().line();
  return page.release();
}

/// Answers a request of the page by its name, `body` as posted. Returns whether that worked; otherwise the answer is the reason.
EXPORTED(page_ask) bool page_ask(Page* page, const char* name_text, std::size_t name_size, const char* body_text, std::size_t body_size) {
  const std::string_view name(name_text, name_size), body(body_text, body_size);
  constexpr std::string_view weights = "weights/";
  if (!page->viewer) return false;
  if (name == "model") return page->say(page->viewer->description());
  if (name == "geometry") return page->say(page->viewer->geometry());
  if (name == "frame") return page->say(page->viewer->frame(body));
  if (name == "pose") return page->say(page->viewer->pose_file(body));
  const Index node = name.starts_with(weights) ? number_in<Index>(name.substr(weights.size())).value_or(none) : none;
  return page->say(page->viewer->weights(node));
}
EXPORTED(page_answer) const char* page_answer(const Page* page) { return page->answer.data(); }
EXPORTED(page_answer_size) std::size_t page_answer_size(const Page* page) { return page->answer.size(); }
