// SPDX-License-Identifier: MIT
#include "operations/bake/texture_files.hpp"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/files/output.hpp"
#include "document/json/json_writer.hpp"

#include "sinew/save.hpp"

namespace sinew::operations {

namespace {

using document::JsonWriter;

std::string_view name_of(TexelFormat format) {
  constexpr std::string_view names[] = {"png8", "png16", "exr"};
  return names[static_cast<std::size_t>(format)];
}

void write_numbers(JsonWriter& json, std::string_view key, const std::array<float, 3>& values) {
  json.key(key).begin_array();
  for (const float value : values) json.number(value);
  json.end_array();
}

void write_frame_range(JsonWriter& json, const TextureFiles& files, const BakedTexture::OfClip& clip) {
  json.key("startFrame").integer(clip.first + 1);
  json.key("endFrame").integer(clip.first + clip.frames);
  json.key("framerate").number(files.fps);
}

/// The members that readers of OpenVAT know.
void write_layout(JsonWriter& json, const TextureFiles& files, const BakedTexture& made) {
  json.space("\n  ");
  json.key("os-remap").begin_object();
  write_numbers(json, "Min", files.min);
  write_numbers(json, "Max", files.max);
  json.key("Frames").integer(made.frames);
  json.end_object();
  json.space("\n  ");
  json.key("animations").begin_object();
  for (const BakedTexture::OfClip& clip : made.clips) {
    json.space("\n    ");
    json.key(clip.name).begin_object();
    write_frame_range(json, files, clip);
    json.key("looping").boolean(clip.looping);
    json.end_object();
  }
  json.space("\n  ");
  json.end_object();
}

std::string sidecar(const TextureFiles& files, const BakedTexture& made, const std::vector<std::string>& names) {
  JsonWriter json;
  json.begin_object();
  write_layout(json, files, made);
  json.space("\n  ");
  json.key("sinew").begin_object();
  const auto entry = [&](std::string_view key) -> JsonWriter& {
    json.space("\n    ");
    return json.key(key);
  };
  entry("generator").string(format_text("sinew {}", version()));
  entry("mesh").string(names.front());
  entry("positions").string(names[1]);
  if (files.textures.size() > 1) entry("normals").string(names[2]);
  entry("format").string(name_of(files.format));
  entry("width").integer(made.width);
  entry("height").integer(made.height);
  entry("vertices").integer(made.vertices);
  entry("rowsPerFrame").integer(files.wraps);
  entry("texCoord").integer(files.uv_set);
  entry("axes").string("x, -z, y of glTF");
  entry("proxy").string("the mesh, which is frame 1");
  entry("filter").string("nearest");
  entry("colorSpace").string("linear");
  entry("diagonal").number(made.diagonal);
  entry("maxError").number(made.error);
  entry("maxRelativeError").number(made.relative_error());
  if (files.textures.size() > 1) entry("maxNormalErrorDegrees").number(made.normal_error);
  entry("clips").begin_array();
  for (const BakedTexture::OfClip& clip : made.clips) {
    json.space("\n      ");
    json.begin_object();
    json.key("name").string(clip.name);
    json.key("animation").integer(clip.clip);
    write_frame_range(json, files, clip);
    json.key("maxError").number(clip.error);
    json.end_object();
  }
  json.space("\n    ");
  json.end_array();
  json.space("\n  ");
  json.end_object();
  json.space("\n");
  json.end_object();
  return std::move(json).take() + "\n";
}

Result<> add_file(const std::filesystem::path& path, std::span<const std::byte> bytes, std::vector<Waiting>& waiting) {
  auto file = document::OutputFile::create(path, OutputName::made);
  if (!file) return Unexpected(std::move(file.error()));
  if (auto done = file->write(bytes); !done) return done;
  waiting.push_back({path, std::move(*file)});
  return {};
}

/// Shows the files. If one cannot be shown, removes those that were not there before.
Result<> commit_all(const std::filesystem::path& mesh, bool mesh_is_new, std::vector<Waiting>& waiting) {
  std::vector<std::filesystem::path> shown;
  if (mesh_is_new) shown.push_back(mesh);
  std::error_code ignored;
  for (Waiting& next : waiting) {
    const bool is_new = !std::filesystem::exists(std::filesystem::symlink_status(next.path, ignored));
    if (auto done = next.file.commit(); !done) {
      for (const std::filesystem::path& path : shown) std::filesystem::remove(path, ignored);
      return done;
    }
    if (is_new) shown.push_back(next.path);
  }
  return {};
}

}  // namespace

std::filesystem::path texture_path(const std::filesystem::path& mesh, std::string_view ending, TexelFormat format) {
  return mesh.parent_path() / path_of(format_text("{}{}{}", path_text(mesh.stem()), ending, texture_extension(format)));
}

Result<> write_texture_files(TextureFiles files, const std::filesystem::path& mesh, BakedTexture& made) {
  std::vector<std::string> names{path_text(mesh.filename())};
  for (const Waiting& texture : files.textures) names.push_back(path_text(texture.path.filename()));
  const std::string text = sidecar(files, made, names);
  std::vector<Waiting>& waiting = files.textures;
  const std::filesystem::path beside = mesh.parent_path() / path_of(path_text(mesh.stem()) + "-remap_info.json");
  if (auto done = add_file(beside, std::as_bytes(std::span(text)), waiting); !done) return done;
  std::error_code ignored;
  const bool mesh_is_new = !std::filesystem::exists(std::filesystem::symlink_status(mesh, ignored));
  if (auto done = io::save(files.mesh, mesh, &made.notes, OutputName::made); !done) return done;
  if (auto done = commit_all(mesh, mesh_is_new, waiting); !done) return done;
  made.files.push_back(mesh);
  for (const Waiting& file : waiting) made.files.push_back(file.path);
  for (const std::filesystem::path& path : made.files) {
    const std::uint64_t size = std::filesystem::file_size(path, ignored);
    if (!ignored) made.bytes += size;
  }
  return {};
}

}  // namespace sinew::operations
