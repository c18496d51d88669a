// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/path_text.hpp"
#include "io/load/detect.hpp"

#include "sinew/validate.hpp"

namespace sinew::validate {

namespace {

using std::filesystem::path;

/// Collects models one folder at a time.
class Search {
 public:
  Search(const path& folder, bool allow_outside) : allow_outside_(allow_outside), folders_{folder} {}

  Result<FoundModels> run() {
    const DeadlineScope none(nullptr);  // the time is that of each file
    std::error_code unknown;
    root_ = std::filesystem::canonical(*folders_.begin(), unknown);
    while (!folders_.empty() || !links_.empty()) {
      // Visits links last: a folder that is reachable both ways is listed under its own name.
      std::set<path>& from = folders_.empty() ? links_ : folders_;
      const path folder = std::move(from.extract(from.begin()).value());
      std::error_code failed;
      const path place = std::filesystem::canonical(folder, failed);
      if (!failed && !visited_.insert(place).second) continue;
      if (!failed) look_into(folder, failed);
      if (failed) return Unexpected(error("IO_ERROR"_code, Failure::input, Place{path_text(folder), {}, {}}, failed.message()));
    }
    std::ranges::sort(found_.files);
    return std::move(found_);
  }

 private:
  void look_into(const path& folder, std::error_code& failed) {
    for (std::filesystem::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
      std::error_code gone;  // a dangling link is not a model
      const auto status = it->status(gone);
      const bool folder_below = std::filesystem::is_directory(status), link = it->is_symlink(gone);
      if (!folder_below && (!std::filesystem::is_regular_file(status) || io::promised_by(it->path()).format == io::Format::unknown))
        continue;
      if (link && !allow_outside_ && leads_out(it->path()))
        ++found_.outside;
      else if (folder_below)
        (link ? links_ : folders_).insert(it->path());
      else
        found_.files.push_back(it->path());
    }
  }

  [[nodiscard]] bool leads_out(const path& link) const {
    std::error_code failed;
    const path place = std::filesystem::canonical(link, failed);
    return failed || std::ranges::mismatch(root_, place).in1 != root_.end();
  }

  bool allow_outside_;
  path root_;
  std::set<path> folders_, links_;  ///< still to be searched
  std::set<path> visited_;          ///< by their canonical path, so that loops of links end
  FoundModels found_;
};

}  // namespace

Result<FoundModels> models_in(const path& folder, bool allow_outside) SINEW_TRY { return Search(folder, allow_outside).run(); }
SINEW_CATCH({path_text(folder), {}, {}})

}  // namespace sinew::validate
