// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace app {

/// The page of `sinew view` in one HTML text (web/view, by cmake/SinewPage.cmake); empty where it could not be built.
extern const std::string_view page;

}  // namespace app
