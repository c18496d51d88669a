// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "document/json/json.hpp"
#include "model/edit_reporter.hpp"
#include "model/influences.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/repair/influence_table.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {

/// Returns whether the model has all influences of the file. It has none of primitives without positions.
[[nodiscard]] bool shows_influences(const Mesh& mesh);

/// Flags only the first of slots that are alike, and at least one slot. Returns the place of each slot, or of the first one alike, among
/// the flagged ones; empty if all are flagged. `alike`: of a slot and a later one.
[[nodiscard]] std::vector<std::uint32_t> places_of(std::vector<bool>& used, const std::function<bool(std::uint32_t, std::uint32_t)>& alike);

/// Replaces slot numbers of weights that are not 0; other entries get the number 0. Weights of a vertex that get the same number are added.
void renumber_slots(Mesh& mesh, const std::vector<std::uint32_t>& places);

/// Keeps the flagged slots of a skin, and reports the number of removed ones.
void keep_slots(Skin& skin, const std::vector<bool>& kept, const EditReporter& reporter);

/// Returns whether a joint has no children and no content: without a skin it would be an empty node. `stored`: of the file.
[[nodiscard]] bool is_bare_joint(const Node& node, document::JsonValue stored);

/// Returns whether the user asked to keep the node.
[[nodiscard]] bool is_kept(const StepInput& input, Index node);

/// Returns whether an object has an extension other than STAIK_skeletons. Its meaning may depend on the order of joints.
[[nodiscard]] bool has_unknown_extension(document::JsonValue skin);

/// Returns whether a glTF file has an extension that Sinew does not know, or a value of a wrong type, that may refer to elements by index.
[[nodiscard]] bool has_unknown_indices(const document::Document& document);

}  // namespace sinew::operations
