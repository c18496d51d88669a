// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "show/page/http.hpp"
#include "show/page/viewer.hpp"

#include "sinew/render.hpp"

namespace sinew::show {

/// Answers the page's requests, without the network. The address is http://127.0.0.1:PORT/TOKEN/.
class Answers {
 public:
  /// Keeps references to the model and the options. `flex`: JSON of the page's findings of flex; "null": none.
  Answers(Viewer viewer, const Model& model, const ViewOptions& options, const ServeOptions& how, std::string flex, std::string token,
          std::uint16_t port);

  [[nodiscard]] Reply to(const Question& question);
  /// Returns how many bytes the body of a question may have.
  [[nodiscard]] std::uint64_t most_body(const Question& question) const;

 private:
  [[nodiscard]] bool from_here(const Question& question) const;
  /// Returns what follows the token in the path; nothing if the token is another one.
  [[nodiscard]] std::optional<std::string_view> name_in(const Question& question) const;
  [[nodiscard]] Answer take_motion(std::string_view bytes);
  [[nodiscard]] std::string motion_json() const;
  [[nodiscard]] Answer got(std::string_view name);
  [[nodiscard]] Reply posted(std::string_view name, std::string_view body);

  const Model& stored_;
  const ViewOptions& options_;
  const ServeOptions& how_;
  std::unique_ptr<WithMotion> moved_;  ///< with the animations of the dropped files; the viewer refers to it. Null: none
  Viewer viewer_;
  std::string html_;
  std::function<std::string()> make_findings_;
  std::optional<std::string> findings_;
  std::string comparison_, flex_;  ///< "null": none
  std::string token_;
  std::uint16_t port_;
};

}  // namespace sinew::show
