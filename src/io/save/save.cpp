// SPDX-License-Identifier: MIT
#include "sinew/save.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "base/suggestion.hpp"
#include "io/save/formats.hpp"
#include "io/save/vertex_domain.hpp"

#include "sinew/result.hpp"

namespace sinew::io {
namespace {

enum class Space : std::uint8_t { three_dimensions, any };
/// The treatment of values per corner: the format supports them, stores all values per vertex, or stores only vertices and elements.
enum class Corners : std::uint8_t { kept, made_vertices, without };

/// The supported formats, in the order of messages.
struct Format {
  std::string_view extension;
  Space space;
  Corners corners;
  bool shapes;  ///< holds blend shapes and clips of their amounts
  Result<> (*save)(const Model&, const Target&, std::vector<std::string>&);
};
constexpr Format formats[] = {
    {".npy", Space::any, Corners::without, false, save_npy},
    {".ply", Space::three_dimensions, Corners::made_vertices, false, save_ply},
    {".obj", Space::three_dimensions, Corners::kept, false, save_obj},
    {".off", Space::any, Corners::without, false, save_off},
    {".glb", Space::three_dimensions, Corners::made_vertices, true, save_glb},
    {".gltf", Space::three_dimensions, Corners::made_vertices, true, save_gltf},
    {".g4b", Space::any, Corners::kept, false, save_g4b},
    {".g4tf", Space::any, Corners::kept, false, save_g4tf},
};

const Format* format_of(const std::filesystem::path& path) noexcept {
  const auto found = std::ranges::find_if(formats, [&](const Format& format) { return has_extension(path, format.extension); });
  return found == std::end(formats) ? nullptr : found;
}

Unexpected refused(const std::filesystem::path& path, std::string message) {
  return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {path_text(path), {}, {}}, std::move(message)));
}

bool is_static(const Model& model, bool shapes) {
  const auto skinned = [](const Mesh& mesh) {
    return std::ranges::any_of(mesh.blocks, [](const VertexBlock& block) { return !block.influences.empty(); });
  };
  const auto moves_node = [](const Clip& clip) {
    return std::ranges::any_of(clip.tracks, [](const Track& track) { return track.path != TrackPath::amounts; });
  };
  if (!model.skins.empty() || std::ranges::any_of(model.meshes, skinned)) return false;
  if (shapes) return std::ranges::none_of(model.clips, moves_node);
  return model.clips.empty() && std::ranges::all_of(model.meshes, [](const Mesh& mesh) { return mesh.shapes.empty(); });
}

}  // namespace

bool can_save(const std::filesystem::path& path) noexcept { return format_of(path) != nullptr; }

std::string_view save_extensions() noexcept { return ".npy .ply .obj .off .glb .gltf .g4b .g4tf"; }

Result<> save(const Model& model, const std::filesystem::path& path, std::vector<std::string>* notes, OutputName name) SINEW_TRY {
  const Format* format = format_of(path);
  if (format == nullptr)
    return refused(path, format_text("unknown output format \"{}\", expected one of {}", path_text(path.extension()), save_extensions()));
  if (format->space == Space::three_dimensions && model.dimension != 3)
    return refused(path,
                   format_text("{} stores 3 dimensions, but the model has {}; use .g4b, .off or .npy", format->extension, model.dimension));
  if (!is_static(model, format->shapes))
    return refused(path, "found a model with skins, blend shapes or animations, expected a static model; bake it first");
  std::vector<std::string> unheard;
  std::vector<std::string>& heard = notes != nullptr ? *notes : unheard;
  return format->save(format->corners == Corners::made_vertices ? by_vertex(model, heard) : model, {path, name}, heard);
}
SINEW_CATCH()

}  // namespace sinew::io
