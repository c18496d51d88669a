// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "io/save/vertex_domain.hpp"
#include "math/extent.hpp"
#include "model/place.hpp"
#include "operations/bake/texture.hpp"
#include "operations/bake/texture_files.hpp"
#include "operations/bake/winding.hpp"

#include "sinew/animate.hpp"
#include "sinew/bake.hpp"
#include "sinew/bounds.hpp"

namespace sinew::operations {

namespace {

using Triple = std::array<double, 3>;

/// Converts between glTF's axes and those of the textures: x, −z, y (z up). The inverse is x, z, −y.
Triple texture_axes(const float* v) { return {v[0], -static_cast<double>(v[2]), v[1]}; }

double length_of(const Triple& v) { return std::hypot(v[0], v[1], v[2]); }

/// Rounds to float32, away from the other values.
float below(double value) {
  const auto rounded = static_cast<float>(value);
  return rounded > value ? std::nextafter(rounded, -std::numeric_limits<float>::infinity()) : rounded;
}
float above(double value) { return -below(-value); }

class TextureBaker {
 public:
  TextureBaker(const Model& model, const BakeTextureOptions& options, deform::SceneDeformer deformer)
      : model_(model), options_(options), deformer_(std::move(deformer)) {
    made_.vertices = deformer_.vertices();
    for (std::size_t i = 0; options.normals && i < deformer_.instances().size(); ++i)
      made_.has_normals |= deformer_.prepared(i).has_normals();
  }

  Result<BakedTexture> run(const std::filesystem::path& mesh) {
    for (const auto step : {&TextureBaker::choose_frames, &TextureBaker::choose_size, &TextureBaker::deform_frames,
                            &TextureBaker::make_mesh, &TextureBaker::make_positions})
      if (auto done = (this->*step)(); !done) return Unexpected(std::move(done.error()));
    if (made_.has_normals) make_normals();
    made_.diagonal = diagonal();
    find_loops();
    TextureFiles files{proxy_,  positions_texture_, made_.has_normals ? &normals_texture_ : nullptr, min_, max_,
                       uv_set_, options_.fps,       (made_.vertices + made_.width - 1) / made_.width};
    if (auto done = write_texture_files(files, mesh, made_); !done) return Unexpected(std::move(done.error()));
    return std::move(made_);
  }

 private:
  [[nodiscard]] Unexpected refused(std::string message) const {
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(model_), std::move(message)));
  }

  Result<> choose_frames() {
    if (made_.vertices == 0) return refused("the scene has no vertices to bake");
    std::vector<Index> clips = options_.clips;
    for (Index clip = 0; options_.clips.empty() && clip < model_.clips.size(); ++clip)
      if (!closure_defect(model_, options_.scene, clip)) clips.push_back(clip);
    if (clips.empty()) return refused("the file has no animation to bake");
    if (const Index last = *std::ranges::max_element(clips); last >= model_.clips.size())
      return refused(format_text("found animation {}, expected one of the {} animations", last, model_.clips.size()));
    double frames = 0;
    for (const Index clip : clips) frames += std::floor(model_.clips[clip].duration * options_.fps + 1e-6) + 1;
    const auto most = static_cast<double>(options_.most_texels);
    if (!(frames <= most))
      return refused(
          format_text("found {:.15g} frames, a texture of {} rows holds one each; lower --fps, choose one animation or raise --max-size",
                      frames, options_.most_texels));
    std::set<std::string> names;
    for (const Index index : clips) {
      const Clip& clip = model_.clips[index];
      if (auto defect = closure_defect(model_, options_.scene, index)) return Unexpected(std::move(*defect));
      const std::string wanted = clip.name.empty() ? format_text("animation_{}", index) : clip.name;
      std::string name = wanted;
      for (int number = 2; !names.insert(name).second; ++number) name = format_text("{}_{}", wanted, number);
      seconds_.push_back(animate::frame_times_at(clip.duration, options_.fps));
      made_.clips.push_back({index, std::move(name), made_.frames, seconds_.back().size(), 0, false});
      made_.frames += seconds_.back().size();
    }
    return {};
  }

  /// Every frame takes `wraps` rows, each `frames` rows below the one before.
  Result<> choose_size() {
    const std::size_t most = options_.most_texels, wraps = (made_.vertices + most - 1) / most;
    if (wraps * made_.frames > most)
      return refused(format_text(
          "found {} vertices and {} frames, too many for a texture of {} × {}; lower --fps, choose one animation or raise --max-size",
          made_.vertices, made_.frames, most, most));
    made_.width = (made_.vertices + wraps - 1) / wraps;
    made_.height = wraps * made_.frames;
    // Positions and texels, the same for normals, and the bytes of the files.
    const std::uint64_t bytes = std::uint64_t{made_.width} * made_.height * (made_.has_normals ? 2 : 1) * (12 + 6 + 12);
    if (bytes <= options_.most_bytes) return {};
    return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, place_of(model_), "the texture", bytes, options_.most_bytes));
  }

  Result<> deform_frames() {
    const std::size_t numbers = made_.vertices * 3;
    positions_.resize(made_.frames * numbers);
    if (made_.has_normals) normals_.resize(made_.frames * numbers);
    for (std::size_t c = 0; c < made_.clips.size(); ++c) {
      const std::size_t first = made_.clips[c].first * numbers, rows = made_.clips[c].frames * made_.vertices;
      deform::Output output;
      output.positions = {positions_.data() + first, rows, 3};
      if (made_.has_normals) output.normals = {normals_.data() + first, rows, 3};
      if (auto done = deformer_.run_clip(made_.clips[c].clip, seconds_[c], output, options_.threads); !done) return done;
    }
    return {};
  }

  /// Makes the mesh of the first frame, with the place of each vertex in the texture as texture coordinates.
  Result<> make_mesh() {
    Pose pose = model_.rest_pose;
    animate::sample(model_, model_.clips[made_.clips.front().clip], seconds_.front().front(), pose);
    BakeOptions bake_options;
    bake_options.scene = options_.scene;
    bake_options.threads = options_.threads;
    auto baked = bake(model_, pose, bake_options);
    if (!baked) return Unexpected(std::move(baked.error()));
    if (made_.has_normals)
      if (auto done = find_mirrored(pose); !done) return done;
    const auto widen = [&](const std::vector<Attribute>& attributes) {
      for (const Attribute& attribute : attributes)
        if (attribute.semantic == Semantic::texcoord) uv_set_ = std::max(uv_set_, attribute.set + 1);
    };
    for (const Mesh& mesh : baked->meshes) {
      for (const VertexBlock& block : mesh.blocks) widen(block.attributes);
      for (const Surface& surface : mesh.surfaces) widen(surface.attributes);
    }
    base_.reserve(made_.vertices * 3);
    for (Mesh& mesh : baked->meshes)
      for (VertexBlock& block : mesh.blocks) {
        if (block.vertices == 0) continue;
        const std::size_t first = base_.size() / 3;
        const std::vector<float> rows = find_attribute(block.attributes, Semantic::position)->values.read<float>();
        base_.insert(base_.end(), rows.begin(), rows.end());
        block.attributes.push_back({Semantic::texcoord, uv_set_, {}, Array::own(coordinates(first, block.vertices), 2), {}, {}});
      }
    proxy_ = io::by_vertex(*baked, made_.notes);
    for (Mesh& mesh : proxy_.meshes)
      for (VertexBlock& block : mesh.blocks) fill_sets(block);
    return {};
  }

  /// The texel centres of the first frame, from the upper left corner.
  [[nodiscard]] std::vector<float> coordinates(std::size_t first, std::size_t count) const {
    std::vector<float> uv;
    uv.reserve(count * 2);
    for (std::size_t v = first; v < first + count; ++v) {
      uv.push_back(static_cast<float>((static_cast<double>(v % made_.width) + 0.5) / static_cast<double>(made_.width)));
      uv.push_back(static_cast<float>((static_cast<double>(v / made_.width * made_.frames) + 0.5) / static_cast<double>(made_.height)));
    }
    return uv;
  }

  /// glTF numbers sets of texture coordinates without gaps.
  void fill_sets(VertexBlock& block) const {
    for (Index set = 0; block.vertices != 0 && set < uv_set_; ++set)
      if (find_attribute(block.attributes, Semantic::texcoord, set) == nullptr)
        block.attributes.push_back({Semantic::texcoord, set, {}, Array::own(std::vector<float>(block.vertices * 2), 2), {}, {}});
  }

  /// The mesh has mirrored instances turned inside out (Winding); so are their normals in the texture.
  [[nodiscard]] Result<> find_mirrored(const Pose& pose) {
    const std::vector<Affine> world = world_transforms(model_, pose), rest_world = world_transforms(model_, model_.rest_pose);
    deform::Palette palette;
    for (std::size_t i = 0; i < deformer_.instances().size(); ++i) {
      const Instance& instance = deformer_.instances()[i];
      if (auto posed = deform::palette(model_, instance, world, rest_world, palette); !posed) return posed;
      std::size_t first = deformer_.first(i), row = 0;
      for (const VertexBlock& block : model_.meshes[instance.mesh].blocks) {
        if (winding_of(deformer_.prepared(i), palette, row, block.vertices) == Winding::reversed)
          mirrored_.emplace_back(first, first + block.vertices);
        first += block.vertices;
        row += block.vertices;
      }
    }
    for (std::size_t frame = 0; frame < made_.frames; ++frame)
      for (const auto& [begin, end] : mirrored_)
        for (std::size_t n = (frame * made_.vertices + begin) * 3; n < (frame * made_.vertices + end) * 3; ++n) normals_[n] = -normals_[n];
    return {};
  }

  [[nodiscard]] Texture empty_texture() const {
    return {options_.format, made_.width, made_.height, std::vector<std::uint16_t>(made_.width * made_.height * 3)};
  }
  [[nodiscard]] std::size_t texel(std::size_t frame, std::size_t vertex) const {
    return ((vertex / made_.width * made_.frames + frame) * made_.width + vertex % made_.width) * 3;
  }
  [[nodiscard]] const float* position(std::size_t frame, std::size_t vertex) const {
    return &positions_[(frame * made_.vertices + vertex) * 3];
  }
  [[nodiscard]] Triple offset(std::size_t frame, std::size_t vertex) const {
    const Triple to = texture_axes(position(frame, vertex)), from = texture_axes(&base_[vertex * 3]);
    return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  }

  /// EXR stores offsets themselves, PNG as 0 … 1 between their bounds.
  Result<> find_range() {
    Extent box;
    for (std::size_t x = 0; x < 3; ++x) box.add(x, 0);
    for (std::size_t frame = 0; frame < made_.frames; ++frame)
      for (std::size_t v = 0; v < made_.vertices; ++v) {
        const Triple by = offset(frame, v);
        for (std::size_t x = 0; x < 3; ++x) box.add(x, by[x]);
      }
    for (std::size_t x = 0; x < 3; ++x) {
      const double limit = options_.format == TexelFormat::exr ? largest_half : std::numeric_limits<float>::max() / 4;
      if (const double furthest = std::max(-box.low[x], box.high[x]); furthest > limit)
        return refused(format_text("a vertex moves by {:.6g} along an axis; {} textures hold at most {:.6g}{}", furthest,
                                   texture_extension(options_.format), limit,
                                   options_.format == TexelFormat::exr ? "; use --format png16" : ""));
      min_[x] = options_.format == TexelFormat::exr ? 0.0F : below(box.low[x]);
      max_[x] = options_.format == TexelFormat::exr ? 1.0F : above(box.high[x]);
    }
    return {};
  }

  Result<> make_positions() {
    if (auto done = find_range(); !done) return done;
    positions_texture_ = empty_texture();
    double largest = 0;  // of the numbers that a reader adds, whose rounding counts as well
    for (auto& clip : made_.clips) {
      for (std::size_t frame = clip.first; frame < clip.first + clip.frames; ++frame)
        for (std::size_t v = 0; v < made_.vertices; ++v) {
          const Triple by = offset(frame, v);
          Triple wrong{};
          for (std::size_t x = 0; x < 3; ++x) {
            const double size = static_cast<double>(max_[x]) - min_[x];
            std::uint16_t& stored = positions_texture_.values[texel(frame, v) + x];
            stored = stored_texel(options_.format, size == 0 ? 0 : (by[x] - min_[x]) / size);
            const double shown = min_[x] + size * value_of_texel(options_.format, stored);
            wrong[x] = shown - by[x];
            const double base = std::abs(static_cast<double>(base_[v * 3 + x]));
            largest = std::max({largest, base, base + std::abs(by[x]), size, std::abs(static_cast<double>(min_[x]))});
          }
          clip.error = std::max(clip.error, length_of(wrong));
        }
    }
    // A reader computes base + (min + texel · (max − min)) in float32: five roundings of at most 2⁻²⁴ of a sum of three such numbers.
    const double rounding = std::sqrt(3.0) * 5 * 3 * largest * std::ldexp(1.0, -24);
    for (auto& clip : made_.clips) made_.error = std::max(made_.error, clip.error += rounding);
    return {};
  }

  void make_normals() {
    normals_texture_ = empty_texture();
    double least_cosine = 1;
    for (std::size_t frame = 0; frame < made_.frames; ++frame)
      for (std::size_t v = 0; v < made_.vertices; ++v) {
        const Triple normal = texture_axes(&normals_[(frame * made_.vertices + v) * 3]);
        Triple shown{};
        for (std::size_t x = 0; x < 3; ++x) {
          std::uint16_t& stored = normals_texture_.values[texel(frame, v) + x];
          stored = stored_texel(options_.format, (normal[x] + 1) / 2);
          shown[x] = 2 * value_of_texel(options_.format, stored) - 1;
        }
        if (const double sizes = length_of(normal) * length_of(shown); length_of(normal) > 0.5 && sizes > 0)
          least_cosine = std::min(least_cosine, (normal[0] * shown[0] + normal[1] * shown[1] + normal[2] * shown[2]) / sizes);
      }
    constexpr double degrees = 57.29577951308232, rounding = 0.001;
    made_.normal_error = std::acos(std::clamp(least_cosine, -1.0, 1.0)) * degrees + rounding;
  }

  [[nodiscard]] double diagonal() const {
    Extent box;
    for (std::size_t i = 0; i < positions_.size(); ++i) box.add(i % 3, positions_[i]);
    return length_of({box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]});
  }

  void find_loops() {
    const double near = 1e-3 * made_.diagonal;
    for (auto& clip : made_.clips) {
      double furthest = 0;
      for (std::size_t v = 0; v < made_.vertices; ++v) {
        const Triple a = offset(clip.first, v), b = offset(clip.first + clip.frames - 1, v);
        furthest = std::max(furthest, length_of({a[0] - b[0], a[1] - b[1], a[2] - b[2]}));
      }
      clip.looping = clip.frames > 1 && furthest <= near;
    }
  }

  const Model& model_;
  const BakeTextureOptions& options_;
  deform::SceneDeformer deformer_;
  BakedTexture made_;
  std::vector<std::vector<double>> seconds_;                   ///< by clip of made_
  std::vector<float> positions_, normals_;                     ///< by frame
  std::vector<float> base_;                                    ///< the positions of the mesh
  std::vector<std::pair<std::size_t, std::size_t>> mirrored_;  ///< ranges of vertices
  Model proxy_;
  Index uv_set_ = 1;
  std::array<float, 3> min_{}, max_{};
  Texture positions_texture_, normals_texture_;
};

}  // namespace

Result<BakedTexture> bake_texture(const Model& model, const std::filesystem::path& mesh, const BakeTextureOptions& options) try {
  const auto usage = [&](std::string message) {
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(model), std::move(message)));
  };
  if (model.dimension != 3) return usage(format_text("a texture stores 3 dimensions, but the model has {}", model.dimension));
  if (!(options.fps > 0) || !std::isfinite(options.fps)) return usage("the frames per second must be more than 0");
  if (auto done = check_texture_format(options.format); !done) return Unexpected(std::move(done.error()));
  if (auto defect = closure_defect(model, options.scene)) return Unexpected(std::move(*defect));
  deform::PrepareOptions channels;
  channels.normals = options.normals;
  auto deformer = deform::SceneDeformer::create(model, instances(model, options.scene), channels);
  if (!deformer) return Unexpected(std::move(deformer.error()));
  return TextureBaker(model, options, std::move(*deformer)).run(mesh);
} catch (...) {
  return ended_by_exception(place_of(model));
}

}  // namespace sinew::operations
