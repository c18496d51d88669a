// SPDX-License-Identifier: MIT
#include "sinew/load.hpp"

#include "base/guard.hpp"
#include "base/path_text.hpp"

#include "sinew/sinew.hpp"

namespace sinew {

Result<Model> load(const std::string& path) SINEW_TRY {
  FindingList ignored;
  return io::load(path_of(path), {}, ignored);
}
SINEW_CATCH()

}  // namespace sinew
