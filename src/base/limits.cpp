// SPDX-License-Identifier: MIT
#include <iterator>

#include "sinew/result.hpp"

namespace sinew {

namespace {

constexpr LimitRow rows[] = {
    {"memory", &Limits::memory, "decoded data of one model, in memory", "SINEW_MEMORY_LIMIT", true},
    {"json_size", &Limits::json_size, "decompressed JSON text", "SINEW_JSON_LIMIT", true},
    {"json_depth", &Limits::json_depth, "nesting depth of JSON values", "SINEW_JSON_LIMIT", false, 10'000},
    {"node_depth", &Limits::node_depth, "nesting depth of nodes", "SINEW_NODE_DEPTH_LIMIT", false, 100'000},
    {"dimension", &Limits::dimension, "number of dimensions", "G4MF_ASSET_DIMENSION_UNSUPPORTED", false, 16},
    {"expansion", &Limits::expansion, "decoded bytes per stored byte of compressed data, after the first 64 MiB", "SINEW_EXPANSION_LIMIT",
     false},
    {"work", &Limits::work, "steps of comparing, measuring, drawing and converting, and 20 % more for each MB of the file",
     "SINEW_WORK_LIMIT", false},
    {"findings", &Limits::findings, "findings per file", "SINEW_FINDINGS_DROPPED", false},
};
static_assert(std::size(rows) * sizeof(std::uint64_t) == sizeof(Limits), "a row for every member");

}  // namespace

std::span<const LimitRow> all_limits() noexcept { return rows; }

}  // namespace sinew
