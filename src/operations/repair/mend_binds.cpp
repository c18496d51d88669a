// SPDX-License-Identifier: MIT
#include "operations/repair/mend_binds.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "gltf/read/parsed.hpp"
#include "gltf/read/rig/bind_matrices.hpp"
#include "model/edit_reporter.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

namespace {

constexpr std::string_view wrong_row = "ACCESSOR_INVALID_IBM";
constexpr std::string_view about_binds[] = {wrong_row, "GLTF_BIND_MATRICES_BY_ROWS", "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE"};

std::string pointer_of(Index skin) { return format_text("/skins/{}/inverseBindMatrices", skin); }

/// Returns affine maps from the first `count` matrices, with rows and columns exchanged.
std::vector<Affine> transposed(const Array& matrices, std::size_t count) {
  std::vector<Affine> maps;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, 16> m;
    matrices.read(i, 1, m.data());
    const double columns[] = {m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10], m[3], m[7], m[11]};
    maps.emplace_back(3, columns);
  }
  return maps;
}

}  // namespace

Result<> mend_binds(const std::shared_ptr<const document::Document>& document, BindMatrices choice, std::vector<Finding>& found,
                    Model& before, Model& after, FindingSink& changes, FindingSink& notes) {
  std::set<std::string> wrong, settled;
  for (const Finding& finding : found)
    if (finding.code == wrong_row) wrong.insert(finding.pointer);
  if (wrong.empty()) return {};
  FindingList ignored;  // those of the file were already reported
  gltf::Parsed parsed(*document, ignored);
  if (auto read = gltf::parse_asset(parsed); !read) return Unexpected(std::move(read.error()));
  if (auto read = gltf::parse_contents(parsed); !read) return Unexpected(std::move(read.error()));
  const std::vector<document::JsonValue> skins = document::list_of(document->json().root()["skins"]);
  for (Index index = 0; index < skins.size(); ++index) {
    Skin& skin = after.skins[index];
    const std::string pointer = pointer_of(index);
    if (!wrong.contains(pointer) || skin.defect != none) continue;
    const auto& matrices = parsed.accessors->array(static_cast<Index>(*document::whole_number(skins[index]["inverseBindMatrices"])));
    const gltf::BindRows rows = gltf::judge_rows(*matrices, skin.slots.size());
    if (rows == gltf::BindRows::right || choice == BindMatrices::identity) continue;
    settled.insert(pointer);
    if (rows == gltf::BindRows::unclear && choice == BindMatrices::certain) {
      notes.add(finding("SINEW_REPAIR_UNCERTAIN"_code, pointer,
                        "the bind matrices stay as they are: their fourth rows are not 0 0 0 1, and neither are all fourth columns; choose "
                        "`transpose` if they are stored by rows, or `identity` to write 0 0 0 1"));
      continue;
    }
    skin.joint_from_mesh = transposed(*matrices, skin.slots.size());
    before.skins[index].joint_from_mesh.clear();
    EditReporter(changes).changed(
        pointer, format_text("transposed {}, which the file stores by rows", count_of(skin.slots.size(), "bind matrix", "bind matrices")));
  }
  std::erase_if(found, [&](const Finding& finding) {
    return settled.contains(finding.pointer) && std::ranges::find(about_binds, finding.code) != std::end(about_binds);
  });
  return {};
}

}  // namespace sinew::operations
