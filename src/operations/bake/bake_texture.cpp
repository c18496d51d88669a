// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/parallel.hpp"
#include "io/save/vertex_domain.hpp"
#include "math/extent.hpp"
#include "model/deformable.hpp"
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

  // Frames are deformed again where they are needed, so that the memory does not depend on their number.
  Result<BakedTexture> run(const std::filesystem::path& mesh) {
    for (const auto step :
         {&TextureBaker::choose_frames, &TextureBaker::choose_size, &TextureBaker::make_mesh, &TextureBaker::measure_frames})
      if (auto done = (this->*step)(); !done) return Unexpected(std::move(done.error()));
    auto textures = write_textures(mesh);
    if (!textures) return Unexpected(std::move(textures.error()));
    add_rounding();
    TextureFiles files{proxy_, options_.format, *std::move(textures), min_, max_, uv_set_, options_.fps, made_.height / made_.frames};
    if (auto done = write_texture_files(std::move(files), mesh, made_); !done) return Unexpected(std::move(done.error()));
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
      if (is_deformable(model_, options_.scene, clip)) clips.push_back(clip);
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
      seconds_.push_back(need(animate::frame_times_at(clip.duration, options_.fps)));
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
    const std::size_t frame = made_.vertices * 3 * sizeof(float) * channels(), row = made_.width * 3 * sizeof(std::uint16_t) * channels();
    batch_ = std::clamp<std::size_t>(most_in_batch / frame, 1, 64);
    rows_ = std::clamp<std::size_t>(most_in_rows / row, 1, made_.height);
    if (rows_ > made_.frames) rows_ = rows_ / made_.frames * made_.frames;  // all frames of some vertices
    const std::uint64_t bytes = std::uint64_t{frame} * (std::min(batch_, made_.frames) + 1) + std::uint64_t{row} * rows_;
    if (bytes <= options_.most_bytes) return {};
    return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, place_of(model_), "the texture", bytes, options_.most_bytes));
  }
  [[nodiscard]] std::size_t channels() const { return made_.has_normals ? 2 : 1; }

  /// The vertices of a frame.
  struct Frame {
    std::size_t clip, number;  ///< of all frames
    const float *positions, *normals;
  };

  /// Deforms frames [first, last), several at once: `look` returns something of a frame, on any thread, `take` gets it in order.
  template <class Look, class Take>
  Result<> for_frames(std::size_t first, std::size_t last, const Look& look, const Take& take) {
    const std::size_t numbers = made_.vertices * 3;
    positions_.resize(batch_ * numbers);
    if (made_.has_normals) normals_.resize(batch_ * numbers);
    for (std::size_t c = 0; c < made_.clips.size(); ++c) {
      const BakedTexture::OfClip& clip = made_.clips[c];
      std::size_t begin = std::max(first, clip.first), count = 0;
      for (const std::size_t end = std::min(last, clip.first + clip.frames); begin < end; begin += count) {
        count = std::min(batch_, end - begin);
        deform::Output output;
        output.positions = {positions_.data(), count * made_.vertices, 3};
        if (made_.has_normals) output.normals = {normals_.data(), count * made_.vertices, 3};
        const auto seconds = std::span<const double>(seconds_[c]).subspan(begin - clip.first, count);
        if (auto done = deformer_.run_clip(clip.clip, seconds, output, options_.threads); !done) return done;
        const auto frame = [&](std::size_t i) {
          return Frame{c, begin + i, &positions_[i * numbers], made_.has_normals ? &normals_[i * numbers] : nullptr};
        };
        std::vector<decltype(look(frame(0)))> found(count);
        parallel_for(count, 1, options_.threads, [&](std::size_t from, std::size_t to) {
          for (std::size_t i = from; i < to; ++i) {
            turn_mirrored(i);
            found[i] = look(frame(i));
          }
        });
        for (std::size_t i = 0; i < count; ++i) take(frame(i), found[i]);
      }
    }
    return {};
  }

  /// The mesh has mirrored instances turned inside out (Winding); so are their normals in the texture.
  void turn_mirrored(std::size_t i) {
    for (const auto& [begin, end] : mirrored_)
      for (std::size_t n = (i * made_.vertices + begin) * 3; n < (i * made_.vertices + end) * 3; ++n) normals_[n] = -normals_[n];
  }

  /// Makes the mesh of the first frame, with the place of each vertex in the texture as texture coordinates.
  Result<> make_mesh() {
    Pose pose = model_.rest_pose;
    need(animate::sample(model_, model_.clips[made_.clips.front().clip], seconds_.front().front(), pose));
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

  [[nodiscard]] Result<> find_mirrored(const Pose& pose) {
    const std::vector<Affine> world = need(world_transforms(model_, pose)), rest_world = need(world_transforms(model_, model_.rest_pose));
    deform::Palette palette;
    for (std::size_t i = 0; i < deformer_.instances().size(); ++i) {
      const Instance& instance = deformer_.instances()[i];
      if (auto posed = deform::palette(model_, instance, world, rest_world, palette); !posed) return posed;
      const PackedMesh packed(deformer_.prepared(i));
      std::size_t first = deformer_.first(i), row = 0;
      for (const VertexBlock& block : model_.meshes[instance.mesh].blocks) {
        if (winding_of(packed, palette, row, block.vertices) == Winding::reversed) mirrored_.emplace_back(first, first + block.vertices);
        first += block.vertices;
        row += block.vertices;
      }
    }
    return {};
  }

  [[nodiscard]] Triple offset(const float* positions, std::size_t vertex) const {
    const Triple to = texture_axes(positions + vertex * 3), from = texture_axes(&base_[vertex * 3]);
    return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  }

  /// Finds the boxes of offsets and positions, and the clips that end as they begin.
  Result<> measure_frames() {
    struct Boxes {
      Extent offsets, positions;
    };
    Boxes all;
    for (std::size_t x = 0; x < 3; ++x) all.offsets.add(x, 0);
    std::vector<float> beginning;
    std::vector<double> apart(made_.clips.size());
    const auto look = [&](const Frame& frame) {
      Boxes own;
      for (std::size_t v = 0; v < made_.vertices; ++v) {
        const Triple by = offset(frame.positions, v);
        for (std::size_t x = 0; x < 3; ++x) {
          own.offsets.add(x, by[x]);
          own.positions.add(x, frame.positions[v * 3 + x]);
        }
      }
      return own;
    };
    const auto take = [&](const Frame& frame, const Boxes& own) {
      all.offsets.add(own.offsets);
      all.positions.add(own.positions);
      const BakedTexture::OfClip& clip = made_.clips[frame.clip];
      if (frame.number == clip.first) beginning.assign(frame.positions, frame.positions + made_.vertices * 3);
      if (frame.number + 1 == clip.first + clip.frames) apart[frame.clip] = furthest_apart(beginning.data(), frame.positions);
    };
    if (auto done = for_frames(0, made_.frames, look, take); !done) return done;
    const Extent& box = all.positions;
    made_.diagonal = length_of({box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]});
    for (std::size_t c = 0; c < made_.clips.size(); ++c)
      made_.clips[c].looping = made_.clips[c].frames > 1 && apart[c] <= 1e-3 * made_.diagonal;
    return choose_range(all.offsets);
  }

  [[nodiscard]] double furthest_apart(const float* first, const float* last) const {
    double furthest = 0;
    for (std::size_t v = 0; v < made_.vertices; ++v) {
      const Triple a = offset(first, v), b = offset(last, v);
      furthest = std::max(furthest, length_of({a[0] - b[0], a[1] - b[1], a[2] - b[2]}));
    }
    return furthest;
  }

  /// EXR stores offsets themselves, PNG as 0 … 1 between their bounds.
  Result<> choose_range(const Extent& offsets) {
    for (std::size_t x = 0; x < 3; ++x) {
      const double limit = options_.format == TexelFormat::exr ? largest_half : std::numeric_limits<float>::max() / 4;
      if (const double furthest = std::max(-offsets.low[x], offsets.high[x]); furthest > limit)
        return refused(format_text("a vertex moves by {:.6g} along an axis; {} textures hold at most {:.6g}{}", furthest,
                                   texture_extension(options_.format), limit,
                                   options_.format == TexelFormat::exr ? "; use --format png16" : ""));
      min_[x] = options_.format == TexelFormat::exr ? 0.0F : below(offsets.low[x]);
      max_[x] = options_.format == TexelFormat::exr ? 1.0F : above(offsets.high[x]);
    }
    return {};
  }

  /// What a frame, or a part of it, loses in the texture.
  struct Loss {
    double error = 0, largest = 0;  ///< the largest of the numbers that a reader adds, whose rounding counts as well
    double least_cosine = 1;
  };

  /// Writes the texels of vertices [begin, end) of a frame.
  void put_positions(const float* positions, std::size_t begin, std::size_t end, std::uint16_t* out, Loss& loss) const {
    for (std::size_t v = begin; v < end; ++v) {
      const Triple by = offset(positions, v);
      Triple wrong{};
      for (std::size_t x = 0; x < 3; ++x) {
        const double size = static_cast<double>(max_[x]) - min_[x];
        const std::uint16_t stored = *out++ = stored_texel(options_.format, size == 0 ? 0 : (by[x] - min_[x]) / size);
        const double shown = min_[x] + size * value_of_texel(options_.format, stored);
        wrong[x] = shown - by[x];
        const double base = std::abs(static_cast<double>(base_[v * 3 + x]));
        loss.largest = std::max({loss.largest, base, base + std::abs(by[x]), size, std::abs(static_cast<double>(min_[x]))});
      }
      loss.error = std::max(loss.error, length_of(wrong));
    }
  }

  void put_normals(const float* normals, std::size_t begin, std::size_t end, std::uint16_t* out, Loss& loss) const {
    for (std::size_t v = begin; v < end; ++v) {
      const Triple normal = texture_axes(normals + v * 3);
      Triple shown{};
      for (std::size_t x = 0; x < 3; ++x) {
        const std::uint16_t stored = *out++ = stored_texel(options_.format, (normal[x] + 1) / 2);
        shown[x] = 2 * value_of_texel(options_.format, stored) - 1;
      }
      if (const double sizes = length_of(normal) * length_of(shown); length_of(normal) > 0.5 && sizes > 0)
        loss.least_cosine = std::min(loss.least_cosine, (normal[0] * shown[0] + normal[1] * shown[1] + normal[2] * shown[2]) / sizes);
    }
  }

  /// The texels of some rows of a texture, and where they go.
  struct Rows {
    std::filesystem::path path;
    std::unique_ptr<TextureWriter> writer;
    std::vector<std::uint16_t> texels;
  };

  Result<std::vector<Waiting>> write_textures(const std::filesystem::path& mesh) {
    const TextureSize size{options_.format, made_.width, made_.height};
    std::vector<Rows> textures;
    for (const std::string_view ending : {"_vat", "_vnrm"}) {
      if (textures.size() == channels()) break;
      Rows rows{texture_path(mesh, ending, options_.format), nullptr, {}};
      auto file = document::OutputFile::create(rows.path, OutputName::made);
      if (!file) return Unexpected(std::move(file.error()));
      auto writer = write_texture(size, *std::move(file));
      if (!writer) return Unexpected(std::move(writer.error()));
      rows.writer = *std::move(writer);
      textures.push_back(std::move(rows));
    }
    for (std::size_t row = 0; row < made_.height;) {
      std::size_t count = std::min(rows_, made_.height - row);
      if (rows_ < made_.frames) count = std::min(count, made_.frames - row % made_.frames);  // of one part of the vertices
      if (auto done = write_rows(row, count, textures); !done) return Unexpected(std::move(done.error()));
      row += count;
    }
    std::vector<Waiting> waiting;
    for (Rows& texture : textures) {
      auto file = texture.writer->finish();
      if (!file) return Unexpected(std::move(file.error()));
      waiting.push_back({texture.path, *std::move(file)});
    }
    return waiting;
  }

  /// Writes rows of all frames of some parts of the vertices, or of some frames of one part.
  Result<> write_rows(std::size_t row, std::size_t count, std::vector<Rows>& textures) {
    for (Rows& texture : textures) texture.texels.assign(count * made_.width * 3, 0);
    const std::size_t part = row / made_.frames, parts = (count + made_.frames - 1) / made_.frames, frame = row % made_.frames;
    const auto look = [&](const Frame& now) {
      Loss loss;
      for (std::size_t p = 0; p < parts; ++p) {
        const std::size_t begin = (part + p) * made_.width, end = std::min(made_.vertices, begin + made_.width);
        const std::size_t at = (p * made_.frames + now.number - frame) * made_.width * 3;
        put_positions(now.positions, begin, end, &textures[0].texels[at], loss);
        if (made_.has_normals) put_normals(now.normals, begin, end, &textures[1].texels[at], loss);
      }
      return loss;
    };
    const auto take = [&](const Frame& now, const Loss& loss) {
      made_.clips[now.clip].error = std::max(made_.clips[now.clip].error, loss.error);
      loss_.largest = std::max(loss_.largest, loss.largest);
      loss_.least_cosine = std::min(loss_.least_cosine, loss.least_cosine);
    };
    if (auto done = for_frames(frame, std::min(made_.frames, frame + count), look, take); !done) return done;
    std::vector<Result<>> done(textures.size());
    parallel_for(textures.size(), 1, options_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) done[t] = textures[t].writer->write(textures[t].texels);
    });
    for (Result<>& each : done)
      if (!each) return std::move(each);
    return {};
  }

  void add_rounding() {
    // A reader computes base + (min + texel · (max − min)) in float32: five roundings of at most 2⁻²⁴ of a sum of three such numbers.
    const double rounding = std::sqrt(3.0) * 5 * 3 * loss_.largest * std::ldexp(1.0, -24);
    for (auto& clip : made_.clips) made_.error = std::max(made_.error, clip.error += rounding);
    if (!made_.has_normals) return;
    constexpr double degrees = 57.29577951308232, rounding_of_normals = 0.001;
    made_.normal_error = std::acos(std::clamp(loss_.least_cosine, -1.0, 1.0)) * degrees + rounding_of_normals;
  }

  // Of positions and normals: frames that are deformed at once, and texels that are kept until they are written.
  static constexpr std::size_t most_in_batch = std::size_t{16} << 20, most_in_rows = std::size_t{128} << 20;

  const Model& model_;
  const BakeTextureOptions& options_;
  deform::SceneDeformer deformer_;
  BakedTexture made_;
  std::vector<std::vector<double>> seconds_;                   ///< by clip of made_
  std::size_t batch_ = 1, rows_ = 1;                           ///< frames and rows of textures that are in memory at once
  std::vector<float> positions_, normals_;                     ///< of a batch
  std::vector<float> base_;                                    ///< the positions of the mesh
  std::vector<std::pair<std::size_t, std::size_t>> mirrored_;  ///< ranges of vertices
  Model proxy_;
  Index uv_set_ = 1;
  std::array<float, 3> min_{}, max_{};
  Loss loss_;
};

}  // namespace

Result<BakedTexture> bake_texture(const Model& model, const std::filesystem::path& mesh, const BakeTextureOptions& options) SINEW_TRY {
  const auto usage = [&](std::string message) {
    return Unexpected(error("SINEW_USAGE"_code, Failure::usage, place_of(model), std::move(message)));
  };
  if (model.dimension != 3) return usage(format_text("a texture stores 3 dimensions, but the model has {}", model.dimension));
  if (!(options.fps > 0) || !std::isfinite(options.fps)) return usage("the frames per second must be more than 0");
  if (auto done = check_texture_format(options.format); !done) return Unexpected(std::move(done.error()));
  if (auto defect = closure_defect(model, options.scene)) return Unexpected(std::move(*defect));
  deform::PrepareOptions channels;
  channels.normals = options.normals;
  auto deformer = deform::SceneDeformer::create(model, need(instances(model, options.scene)), channels);
  if (!deformer) return Unexpected(std::move(deformer.error()));
  return TextureBaker(model, options, std::move(*deformer)).run(mesh);
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations
