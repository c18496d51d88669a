// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "command.hpp"

#include "sinew/flex.hpp"
#include "sinew/model.hpp"
#include "sinew/render.hpp"
#include "sinew/result.hpp"

namespace app {

[[nodiscard]] bool names_page(const std::string& path);

/// Returns why this build cannot show or write a page, if so.
[[nodiscard]] std::optional<sinew::Error> why_no_page();

[[nodiscard]] sinew::show::ExportOptions page_options(const Common& common);

/// Prints the size of a written page, and warns of what this build could not give it.
void tell_of_page(const std::string& path, const sinew::show::Exported& made, const Common& common);

/// Bends a model as sinew::operations::flex, with a line of progress.
[[nodiscard]] sinew::Result<sinew::operations::FlexReport> bend_with_progress(const sinew::Model& model, sinew::operations::FlexOptions how,
                                                                              const Common& common);

}  // namespace app
