// SPDX-License-Identifier: MIT
#include "newer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taker.hpp"
#include "use.hpp"

#include "sinew/animate.hpp"
#include "sinew/flex.hpp"
#include "sinew/lift.hpp"
#include "sinew/optimize.hpp"
#include "sinew/pick.hpp"
#include "sinew/play.hpp"
#include "sinew/retarget.hpp"
#include "sinew/sinew.hpp"

namespace sinew::fuzz {

namespace {

namespace fs = std::filesystem;

/// Returns the loaded model if it can be deformed and is small.
std::optional<Model> deformable(const fs::path& file) {
  auto model = loaded(file);
  if (!model || is_large(*model) || !deformed(*model, model->rest_pose)) return std::nullopt;
  return model;
}

/// Files in memory, as an engine's package has them.
class Package final : public document::FileSource {
 public:
  Package(std::string name, std::vector<std::byte> bytes)
      : name_(std::move(name)), bytes_(std::make_shared<const std::vector<std::byte>>(std::move(bytes))) {}
  [[nodiscard]] Result<document::Bytes> read(std::string_view name) const override {
    if (name == name_) return document::Bytes{*bytes_, bytes_};
    if (name.find("..") != std::string_view::npos) broken("no name leads out of the folder", std::string(name));
    Error missing;
    missing.failure = Failure::input;
    missing.code = "IO_ERROR";
    missing.message = "no such file";
    return Unexpected(std::move(missing));
  }

 private:
  std::string name_;
  std::shared_ptr<const std::vector<std::byte>> bytes_;
};

std::size_t rows_of(const Model& model) {
  std::size_t rows = 0;
  for (const Instance& instance : got(instances(model)))
    for (const VertexBlock& block : model.meshes[instance.mesh].blocks) rows += block.vertices;
  return rows;
}

/// Two poses that one clip alone must make alike.
bool same_pose(const Pose& a, const Pose& b) {
  for (std::size_t node = 0; node < a.locals.size(); ++node)
    if (a.locals[node].translation != b.locals[node].translation || a.locals[node].rotor != b.locals[node].rotor ||
        a.locals[node].scale != b.locals[node].scale)
      return false;
  return a.amounts == b.amounts;
}

/// Ranges, influences, texture coordinates and boxes belong to rows, nodes and surfaces that exist.
void check_parts(Deformer& deformer, const Pose& pose, const std::vector<float>& positions) {
  const Model& model = *deformer.model();
  const std::size_t n = deformer.dimension(), rows = deformer.vertices();
  std::size_t triangles = 0;
  for (const TriangleRange& range : got(deformer.triangle_ranges())) {
    if (range.first != triangles || range.count == 0) broken("ranges follow each other", std::to_string(range.first));
    if (range.instance >= deformer.instances().size()) broken("a range names an instance", std::to_string(range.instance));
    triangles += range.count;
  }
  if (triangles * std::max<std::size_t>(n, 3) != got(deformer.triangles()).size())
    broken("ranges cover the triangles", std::to_string(triangles));
  const RowInfluences all = got(deformer.influences());
  if (all.first.size() != rows + 1 || all.first.back() != all.nodes.size() || all.nodes.size() != all.weights.size())
    broken("each row has influences", std::to_string(all.nodes.size()));
  for (const Index node : all.nodes)
    if (node >= model.nodes.size()) broken("an influence names a node", std::to_string(node));
  const auto coordinates = deformer.texture_coordinates(pose);
  if (coordinates && coordinates->size() != 2 * rows) broken("each row has texture coordinates", std::to_string(coordinates->size()));
  std::vector<float> boxes(model.nodes.size() * 2 * n);
  bone_boxes(all, positions, n, boxes);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = all.first[row]; i < all.first[row + 1]; ++i)
      for (std::size_t c = 0; c < n; ++c) {
        const float at = positions[row * n + c], *const box = &boxes[all.nodes[i] * 2 * n];
        if (all.weights[i] != 0 && !(box[c] <= at && at <= box[n + c])) broken("a box holds its rows", std::to_string(row));
      }
}

}  // namespace

/// Findings name vertices of the scene, and numbers that exist.
void flex(const fs::path& file, Input) {
  const auto model = deformable(file);
  if (!model) return;
  operations::FlexOptions options;
  options.threads = 1;
  const auto report = operations::flex(*model, options);
  if (!report) return;
  const std::size_t rows = rows_of(*model);
  for (const operations::FlexFinding& finding : report->findings) {
    if (!std::isfinite(finding.value)) broken("a finding has a finite value", finding.message);
    if (std::ranges::any_of(finding.rows, [&](std::size_t row) { return row >= rows; }))
      broken("a finding names rows of deform", finding.message);
    if (!std::ranges::is_sorted(finding.rows)) broken("the rows of a finding ascend", finding.message);
    static_cast<void>(operations::flex_close_up(*model, finding, false, options));
  }
}

/// A model takes its own clips, and the new file can be read and deformed.
void retarget(const fs::path& file, Input bytes) {
  const auto model = deformable(file);
  if (!model) return;
  const std::uint8_t choice = bytes.empty() ? 0 : bytes[bytes.size() / 2];
  operations::RetargetOptions options;
  options.load = small_limits();
  options.threads = 1;
  options.align = (choice & 1) != 0;
  options.root_motion = static_cast<operations::RootMotion>((choice >> 1) % 3);
  const fs::path out = file.parent_path() / ("retargeted" + file.extension().string());
  const std::array motions{file};
  FindingList findings, losses;
  const auto done = operations::retarget(file, motions, out, options, findings, losses);
  if (!done || done->refused != operations::Refused::no) return;
  const auto again = loaded(out);
  if (!again) broken("a file with new clips can be read", out.string());
  static_cast<void>(operations::report_json(*done));
  const auto before = deformed(*model, model->rest_pose), after = deformed(*again, again->rest_pose);
  if (before && after && *before != *after) broken("retarget changes no vertex at rest", out.string());
}

/// The lifted file can be read, and has one dimension more.
void lift(const fs::path& file, Input) {
  const auto model = deformable(file);
  if (!model) return;
  operations::LiftOptions options;
  options.load = small_limits();
  options.threads = 1;
  options.rings = 4;
  const fs::path out = file.parent_path() / "lifted.g4b";
  FindingList findings, losses;
  const auto done = operations::lift(file, out, options, findings, losses);
  if (!done || done->refused != operations::Refused::no) return;
  const auto again = loaded(out);
  if (!again) broken("a lifted file can be read", out.string());
  if (again->dimension != model->dimension + 1) broken("a lifted file has one dimension more", std::to_string(again->dimension));
}

/// Fewer triangles and other images: the new file can be read, and each image is within its limits.
void smaller(const fs::path& file, Input bytes) {
  const auto model = deformable(file);
  if (!model) return;
  const std::uint8_t choice = bytes.empty() ? 0 : bytes[bytes.size() / 2];
  operations::OptimizeOptions options;
  options.load = small_limits();
  options.threads = 1;
  options.max_error = 1e-2;
  options.triangles = (choice & 1) != 0 ? 0.5 : 1;
  options.textures = static_cast<operations::OptimizeTextures>((choice >> 1) % 3);
  options.max_texture = (choice & 8) != 0 ? 8 : 0;
  const fs::path out = file.parent_path() / "smaller.glb";
  FindingList findings, changes;
  const auto done = operations::optimize(file, out, options, findings, changes);
  if (!done || done->refused != operations::Refused::no) return;
  if (!loaded(out)) broken("a smaller file can be read", out.string());
  if (done->triangles && done->triangles->after > done->triangles->before)
    broken("triangles become fewer", std::to_string(done->triangles->after));
  for (const operations::OptimizedTexture& image : done->textures)
    if (options.max_texture != 0 && std::max(image.width, image.height) > options.max_texture)
      broken("images keep to the largest size", std::to_string(image.width) + " x " + std::to_string(image.height));
}

/// One clip of weight 1 in a player is what `sample` gives; several together stay finite where each is.
void play(const fs::path& file, Input bytes) {
  const auto model = deformable(file);
  if (!model || model->clips.empty() || closure_defect(*model, none, 0)) return;
  const double part = bytes.empty() ? 0.5 : bytes[bytes.size() / 2] / 255.0;
  const double seconds = model->clips[0].duration * part;
  animate::PlayedClip one;
  one.clip = 0;
  one.loops = false;
  one.seconds = seconds;
  auto player = animate::Player::create(*model, {one});
  if (!player) return;
  got(player->advance(0));
  Pose sampled = model->rest_pose;
  got(animate::sample(*model, model->clips[0], seconds, sampled));
  if (!same_pose(player->pose(), sampled)) broken("a clip alone is what sample gives", std::to_string(seconds));
  std::vector<animate::PlayedClip> many;
  for (Index clip = 0; clip < std::min<std::size_t>(model->clips.size(), 3); ++clip)
    many.push_back({clip, 0.5, clip == 1 ? -1.0 : 1.0, 0, true, clip == 2, {}});
  auto mixed = animate::Player::create(*model, std::move(many), 0);
  if (!mixed) return;
  for (const double step : {0.0, 0.1, 3.7, -1.1}) {
    got(mixed->advance(step));
    static_cast<void>(mixed->world(0));
    static_cast<void>(mixed->root_motion());
  }
}

/// A ray through the middle of a triangle meets something, not behind it; the place of a hit lies on its triangle.
void pick(const fs::path& file, Input) {
  auto model = deformable(file);
  if (!model) return;
  const Pose pose = model->rest_pose;
  auto deformer = Deformer::create(std::move(*model));
  if (!deformer) return;
  const auto positions = deformer->positions(pose, 1);
  if (!positions) return;
  check_parts(*deformer, pose, *positions);
  if (deformer->dimension() != 3) return;
  const std::vector<std::uint32_t> triangles = got(deformer->triangles());
  const std::span<const InstanceRows> rows = deformer->instances();
  const auto corner = [&](std::size_t triangle, std::size_t which, std::size_t axis) {
    return double{(*positions)[std::size_t{triangles[3 * triangle + which]} * 3 + axis]};
  };
  for (std::size_t t = 0; t < std::min<std::size_t>(triangles.size() / 3, 20); ++t) {
    Ray ray;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double middle = (corner(t, 0, axis) + corner(t, 1, axis) + corner(t, 2, axis)) / 3;
      ray.direction[axis] = axis == t % 3 ? 1 : 0.25;
      ray.origin[axis] = middle - 2 * ray.direction[axis];
    }
    const auto met = hit(ray, *positions, triangles, rows);
    if (!met) continue;  // the triangle may have no area, or the ray may lie in it
    if (!(met->distance >= 0)) broken("a hit lies ahead", std::to_string(met->distance));
    if (met->triangle >= triangles.size() / 3 || met->instance >= rows.size())
      broken("a hit names a triangle", std::to_string(met->triangle));
    double sum = 0, size = 1e-9, off = 0;
    for (const double weight : met->barycentric) sum += weight;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double at = ray.origin[axis] + met->distance * ray.direction[axis];
      double on = 0;
      for (std::size_t which = 0; which < 3; ++which) {
        on += met->barycentric[which] * corner(met->triangle, which, axis);
        size = std::max({size, std::abs(corner(met->triangle, which, axis)), std::abs(ray.origin[axis])});
      }
      off = std::max(off, std::abs(at - on));
    }
    if (!(std::abs(sum - 1) < 1e-6)) broken("the weights of a hit sum to 1", std::to_string(sum));
    if (!(off <= 1e-4 * size)) broken("a hit lies on its triangle", std::to_string(off) + " of " + std::to_string(size));
  }
}

/// A model from a source of files is the same model as from the file system.
void source(const fs::path& file, Input bytes) {
  FindingList of_file, of_source;
  const auto model = io::load(file, small_limits(), of_file);
  const auto* const first = reinterpret_cast<const std::byte*>(bytes.data());
  io::LoadOptions options = small_limits();
  options.open.files = std::make_shared<Package>("pak://" + file.filename().string(), std::vector<std::byte>(first, first + bytes.size()));
  const auto same = io::load("pak://" + file.filename().string(), options, of_source);
  if (!model && model.error().code == "IO_ERROR") return;
  if (model.has_value() != same.has_value())
    broken("a source gives the same model", model ? "only the file can be read" : model.error().line());
  if (!model || is_large(*model)) return;
  const auto a = deformed(*model, model->rest_pose), b = deformed(*same, same->rest_pose);
  if (a && b && *a != *b) broken("a source gives the same vertices", file.string());
}

}  // namespace sinew::fuzz
