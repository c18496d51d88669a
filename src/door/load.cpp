// SPDX-License-Identifier: MIT
#include "sinew/load.hpp"

#include "base/path_text.hpp"

#include "sinew/sinew.hpp"

namespace sinew {

Result<Model> load(const std::string& path) {
  FindingList ignored;
  return io::load(path_of(path), {}, ignored);
}

}  // namespace sinew
