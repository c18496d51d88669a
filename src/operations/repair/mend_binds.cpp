// SPDX-License-Identifier: MIT
#include "operations/repair/mend_binds.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "gltf/extensions/STAIK_skeletons.hpp"
#include "gltf/read/parsed.hpp"
#include "gltf/read/rig/bind_matrices.hpp"
#include "model/edit_reporter.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

namespace {

constexpr std::string_view wrong_rows[] = {"ACCESSOR_INVALID_IBM", "STAIK_IBM_LAST_ROW"};
constexpr std::string_view about_binds[] = {wrong_rows[0], wrong_rows[1], "GLTF_BIND_MATRICES_BY_ROWS",
                                            "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE"};

bool is_one_of(std::string_view code, std::span<const std::string_view> codes) { return std::ranges::find(codes, code) != codes.end(); }

/// Bind matrices of a skin or a strict skeleton, in the file and in the models before and after the repair.
struct Binds {
  document::JsonValue accessor;
  std::size_t count;
  std::vector<Affine>&before, &after;
};

/// Returns the bind matrices of all skins and skeletons without a defect.
std::vector<Binds> binds_of(document::JsonValue root, Model& before, Model& after) {
  std::vector<Binds> list;
  const auto add = [&](document::JsonValue objects, auto& old, auto& now, auto slots) {
    const std::vector<document::JsonValue> stored = document::list_of(objects);
    for (std::size_t i = 0; i < std::min(stored.size(), now.size()); ++i)
      if (now[i].defect == none)
        list.push_back({stored[i]["inverseBindMatrices"], (now[i].*slots).size(), old[i].joint_from_mesh, now[i].joint_from_mesh});
  };
  add(root["skins"], before.skins, after.skins, &Skin::slots);
  add(root["extensions"][gltf::staik_extension]["skeletons"], before.skeletons, after.skeletons, &Skeleton::joints);
  return list;
}

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
    if (is_one_of(finding.code, wrong_rows)) wrong.insert(finding.pointer);
  if (wrong.empty()) return {};
  FindingList ignored;  // those of the file were already reported
  gltf::Parsed parsed(*document, ignored);
  if (auto read = gltf::parse_asset(parsed); !read) return Unexpected(std::move(read.error()));
  if (auto read = gltf::parse_contents(parsed); !read) return Unexpected(std::move(read.error()));
  for (const Binds& binds : binds_of(document->json().root(), before, after)) {
    const std::string pointer = binds.accessor.pointer();
    if (!wrong.contains(pointer)) continue;
    const auto& matrices = parsed.accessors->array(static_cast<Index>(*document::whole_number(binds.accessor)));
    const gltf::BindRows rows = gltf::judge_rows(*matrices, binds.count);
    if (rows == gltf::BindRows::right || choice == BindMatrices::identity) continue;
    settled.insert(pointer);
    if (rows == gltf::BindRows::unclear && choice == BindMatrices::certain) {
      notes.add(finding("SINEW_REPAIR_UNCERTAIN"_code, pointer,
                        "the bind matrices stay as they are: their fourth rows are not 0 0 0 1, and neither are all fourth columns; choose "
                        "`transpose` if they are stored by rows, or `identity` to write 0 0 0 1"));
      continue;
    }
    binds.after = transposed(*matrices, binds.count);
    binds.before.clear();
    EditReporter(changes).changed(
        pointer, format_text("transposed {}, which the file stores by rows", count_of(binds.count, "bind matrix", "bind matrices")));
  }
  std::erase_if(found, [&](const Finding& finding) { return settled.contains(finding.pointer) && is_one_of(finding.code, about_binds); });
  return {};
}

}  // namespace sinew::operations
