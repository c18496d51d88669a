// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "sinew/compare.hpp"
#include "sinew/convert.hpp"
#include "sinew/finding.hpp"
#include "sinew/load.hpp"
#include "sinew/repair.hpp"
#include "sinew/result.hpp"

namespace sinew::edit {

struct RepairFileOptions {
  io::LoadOptions load;
  ops::RepairOptions model;
  bool prune_unused = false;  ///< leave out what nothing in the file refers to, also what the old one had already
  unsigned threads = 0;       ///< for measuring the movement; 0 = all cores
  OnLoss on_loss = OnLoss::write;
};

/// What was done.
struct RepairedFile {
  std::size_t changes = 0;                  ///< arrays and objects
  std::optional<ops::Comparison> movement;  ///< of vertices, by what changed; nothing: no change, or the model cannot be deformed
  std::optional<Converted> written;         ///< nothing: nobody asked for a file
};

/// Mends what can be mended without a guess (ops::repair), and what reading takes otherwise than the file says it: that is stored as it is
/// read. In G4MF also names that are not legal or not unique, and joints out of order. What findings each part mends is in docs/repair.md.
///
/// The new file has the format of the old one, in the container that the extension of `to` names; `to` empty: nothing is written. What does
/// not change stays, with its index; what nothing refers to after the change goes. `changes` hears of every change, as hints, and of what
/// the new container has no place for; what reading has to say goes to `sink`.
[[nodiscard]] Result<RepairedFile> repair(const std::filesystem::path& from, const std::filesystem::path& to,
                                          const RepairFileOptions& options, FindingSink& sink, FindingSink& changes);

}  // namespace sinew::edit
