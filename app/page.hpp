// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace app {

/// The HTML page of `sinew view` (built from web/view by cmake/SinewPage.cmake); empty if it could not be built.
extern const std::string_view page;
/// The module of exported pages (sinew::show::ExportOptions::module); empty if this build has none.
extern const std::string_view page_module;

}  // namespace app
