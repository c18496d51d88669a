// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/catalogue_edit.hpp"
#include "base/path_text.hpp"
#include "document/json/edit_members.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/KHR_meshopt_compression.hpp"
#include "math/extent.hpp"
#include "model/edit_reporter.hpp"
#include "operations/optimize/attribute_errors.hpp"
#include "operations/optimize/forms.hpp"
#include "operations/optimize/levers.hpp"
#include "operations/optimize/meshopt_encode.hpp"
#include "operations/optimize/pack/array_uses.hpp"
#include "operations/optimize/pack/compact.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/repair/repair_steps.hpp"

namespace sinew::operations {

#ifdef SINEW_USE_MESHOPT

namespace {

using document::JsonEdit;
using document::JsonValue;
using meshopt::Stream;

constexpr std::size_t stream_text = 130, filter_text = 25;  ///< bytes of JSON text that a compressed view needs more, about

template <class T>
double number_at(std::span<const std::byte> rows, std::size_t i) {
  T value;
  std::memcpy(&value, rows.data() + i * sizeof(T), sizeof(T));
  return std::is_integral_v<T> ? static_cast<double>(value) / static_cast<double>(std::numeric_limits<T>::max())
                               : static_cast<double>(value);
}

/// The largest distance between rows of `width` numbers. `rotations`: a quaternion equals its opposite.
template <class T>
double furthest(std::span<const std::byte> a, std::span<const std::byte> b, std::size_t width, std::size_t stride, bool rotations) {
  double most = 0;
  for (std::size_t row = 0; row + stride <= a.size(); row += stride) {
    double squares = 0, opposite = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const double x = number_at<T>(a.subspan(row), i), y = number_at<T>(b.subspan(row), i);
      squares += (x - y) * (x - y);
      opposite += (x + y) * (x + y);
    }
    most = std::max(most, rotations ? std::min(squares, opposite) : squares);
  }
  return std::sqrt(most);
}

std::size_t size_of(const document::Document& document) {
  return document.json().text().size() + (document.chunks().empty() ? 0 : document.chunks().front().view.size());
}

class Compressor {
 public:
  Compressor(const StepInput& input, const std::shared_ptr<const document::Document>& packed, const std::vector<PackedView>& views)
      : input_(input),
        packed_(packed),
        views_(views),
        root_(source()),
        accessors_(document::list_of(source()["accessors"])),
        uses_(array_uses(source())),
        levers_(levers_of(input.model, input.diagonal)),
        extension_(input.options.compression == OptimizeCompression::khr_meshopt ? gltf::meshopt_extension : gltf::ext_meshopt_extension) {}

  Result<std::shared_ptr<const document::Document>> run() {
    const std::vector<JsonValue> views = document::list_of(source()["bufferViews"]);
    for (std::size_t i = 0; i < views.size(); ++i) {
      const std::uint64_t offset = document::whole_number(views[i]["byteOffset"]).value_or(0);
      const auto bytes = packed_->chunks().front().view.subspan(offset, document::whole_number(views[i]["byteLength"]).value_or(0));
      const auto stored = i < views_.size() ? smallest(views_[i], bytes) : std::nullopt;
      if (stored && stored->form) use(*stored->form, views_[i], root_.find("bufferViews")->at(i));
      write(root_.find("bufferViews")->at(i), bytes, stored);
    }
    if (compressed == 0) return input_.document;
    JsonEdit& buffers = *root_.find("buffers");
    buffers.at(0).set("byteLength", JsonEdit::integer(binary_->size()));
    JsonEdit& fallback = buffers.push_back(JsonEdit::object());
    fallback.set("byteLength", JsonEdit::integer(decoded_));
    document::object_in(document::object_in(fallback, "extensions"), extension_).set("fallback", JsonEdit::boolean(true));
    document::add_name(root_, "extensionsUsed", extension_);
    document::add_name(root_, "extensionsRequired", extension_);
    return document::with_binary(*packed_, root_.text(), document::Bytes{*binary_, binary_});
  }

  std::size_t compressed = 0;  ///< views
  AttributeErrors errors;

 private:
  /// A compressed view, and the form of its rows if it is not the one of the file.
  struct Stored {
    Stream stream;
    std::optional<Form> form{};
  };

  [[nodiscard]] JsonValue source() const { return packed_->json().root(); }

  /// Returns the smallest stream of a view, or nothing if none is smaller than the view.
  std::optional<Stored> smallest(const PackedView& view, std::span<const std::byte> bytes) {
    std::optional<Stored> best;
    const auto consider = [&](std::optional<Stream> stream, std::optional<Form> form = {}) {
      if (stream && form) stream->filter = form->filter;
      if (stream && cost(*stream) < (best ? cost(best->stream) : bytes.size())) best = Stored{std::move(*stream), std::move(form)};
    };
    const bool indices = view.kind == PackedView::Kind::triangles || view.kind == PackedView::Kind::indices;
    if (indices || view.kind == PackedView::Kind::sparse) {
      // The corners of a triangle may turn, so that no triangle may lie in two arrays.
      const bool whole = std::ranges::all_of(view.parts, [](const PackedView::Rows& part) { return part.count % 3 == 0; });
      const bool triangles = view.kind == PackedView::Kind::triangles && whole;
      if (view.step == 1 && indices) {
        Form form = widened(bytes);
        consider(triangles ? meshopt::encode_triangles(form.rows, 2) : meshopt::encode_indices(form.rows, 2), form);
      }
      const bool usable = view.step == 2 || view.step == 4;
      if (usable && triangles) consider(meshopt::encode_triangles(bytes, view.step));
      if (usable) consider(meshopt::encode_indices(bytes, view.step));
      if (indices) return best;
    }
    const std::size_t stride = stride_of(view);
    if (stride == 0) return best;
    const auto encoded = [&](std::vector<std::byte> rows, std::size_t step) {
      rows.resize((rows.size() + step - 1) / step * step);
      return meshopt::encode_rows(rows, step);
    };
    consider(encoded({bytes.begin(), bytes.end()}, stride));
    for (Form& form : forms_of(view, bytes)) {
      const std::size_t step = form.step == view.step ? stride : form.step;
      auto stream = encoded(form.rows, step);
      consider(std::move(stream), std::move(form));
    }
    return best;
  }

  /// Returns other forms of rows that keep the limits of the input.
  std::vector<Form> forms_of(const PackedView& view, std::span<const std::byte> bytes) {
    using Kind = PackedView::Kind;
    const std::optional<std::uint64_t> type = component_of(view);
    if (!type || bytes.size() % view.step != 0) return {};
    const bool small = *type == 5120 && view.step == 4, large = *type == 5122 && view.step == 8;
    if (view.kind == Kind::directions || view.kind == Kind::normals || view.kind == Kind::tangents)
      return small || large ? direction_forms(bytes, *type, input_.attributes.normal) : std::vector<Form>();
    if (*type == 5126 && view.kind == Kind::texcoords)
      return within(grid_forms(view, bytes, [&](const auto&) { return input_.attributes.texcoord; }), bytes);
    if (view.kind == Kind::direction_offsets && small && is_normalized(view)) return {calm_offsets(bytes, input_.attributes.normal_offset)};
    if (view.kind == Kind::texcoords && *type == 5123 && view.step == 4 && is_normalized(view)) {
      const double limit = input_.attributes.texcoord;
      return in_reals(view, bytes, [&](const PackedView& reals, std::span<const std::byte> rows) {
        return within(grid_forms(reals, rows, [&](const auto&) { return limit; }), rows);
      });
    }
    std::vector<Form> forms;
    if (*type == 5126 && view.step == 12 && (view.kind <= Kind::direction_offsets || view.kind == Kind::sparse)) {
      forms = grid_forms(view, bytes, [&](const PackedView::Rows& part) { return limit_of_vertices(part.accessor); });
      if (!forms.empty() && std::ranges::any_of(view.parts, [&](const auto& part) { return is_direction_offset(part.accessor); }))
        forms.front().errors.normal_offset = degrees(furthest<float>(bytes, forms.front().seen, 3, 12, false));
    }
    if (input_.distance <= 0 || input_.strict) return forms;
    if (auto rows = filter(view, bytes)) forms.push_back({std::move(*rows), view.step, 0, filter_});
    if (*type == 5126 && view.kind == Kind::lengths)
      for (Form& form : grid_forms(view, bytes, [&](const PackedView::Rows& part) { return limit_of(part.accessor) / 1.7321; }))
        forms.push_back(std::move(form));
    return forms;
  }

  /// Adds the error of texture coordinates to their forms.
  static std::vector<Form> within(std::vector<Form> forms, std::span<const std::byte> bytes) {
    for (Form& form : forms)
      for (std::size_t i = 0; i < bytes.size() / 4; ++i)
        form.errors.texcoord = std::max(form.errors.texcoord, std::abs(number_at<float>(bytes, i) - number_at<float>(form.seen, i)));
    return forms;
  }

  /// Returns the forms of 16 bit fractions as real numbers.
  template <class Forms>
  static std::vector<Form> in_reals(const PackedView& view, std::span<const std::byte> bytes, Forms forms_of) {
    constexpr std::uint64_t float32 = 5126;
    PackedView reals = view;
    reals.step *= 2;
    for (PackedView::Rows& part : reals.parts) part.offset *= 2;
    std::vector<std::byte> rows(bytes.size() * 2);
    for (std::size_t i = 0; i < bytes.size() / 2; ++i) {
      const auto value = static_cast<float>(number_at<std::uint16_t>(bytes, i));
      std::memcpy(&rows[4 * i], &value, sizeof value);
    }
    std::vector<Form> forms = forms_of(reals, std::span<const std::byte>(rows));
    for (Form& form : forms) form.component = float32;
    return forms;
  }

  [[nodiscard]] bool is_normalized(const PackedView& view) const {
    return std::ranges::all_of(
        view.parts, [&](const PackedView::Rows& part) { return accessors_[part.accessor]["normalized"].boolean().value_or(false); });
  }

  /// Returns the componentType of all accessors of a view; nothing if they differ.
  [[nodiscard]] std::optional<std::uint64_t> component_of(const PackedView& view) const {
    std::optional<std::uint64_t> type;
    for (const PackedView::Rows& part : view.parts) {
      const auto own = document::whole_number(accessors_[part.accessor]["componentType"]);
      if (!own || (type && *type != *own)) return std::nullopt;
      type = own;
    }
    return type;
  }

  [[nodiscard]] bool is_direction_offset(std::size_t accessor) const {
    return uses_[accessor].vertex == ArrayUse::Vertex::direction_offset;
  }

  /// Returns how far each number of positions, or of offsets, may move in the mesh.
  [[nodiscard]] double limit_of_vertices(std::size_t accessor) const {
    constexpr double corner = 1.7321;  // of a cube whose half side is 1
    if (is_direction_offset(accessor)) return radians(input_.attributes.normal_offset) / corner;
    const ArrayUse::Vertex vertex = uses_[accessor].vertex;
    if ((vertex != ArrayUse::Vertex::position && vertex != ArrayUse::Vertex::offset) || input_.strict) return 0;
    double factor = 0;
    for (const std::uint64_t mesh : uses_[accessor].meshes)
      if (mesh < levers_.meshes.size()) factor = std::max(factor, levers_.meshes[static_cast<std::size_t>(mesh)]);
    return factor > 0 ? input_.distance / factor / corner : 0;
  }

  /// Describes the form in the JSON of the view and of its accessors.
  void use(const Form& form, const PackedView& view, JsonEdit& stored) {
    errors = larger_of(errors, form.errors);
    if (stored.find("byteStride") != nullptr) stored.set("byteStride", JsonEdit::integer(form.step));
    for (const PackedView::Rows& part : view.parts) {
      JsonEdit& accessor = root_.find("accessors")->at(part.accessor);
      if (form.component != 0) accessor.set("componentType", JsonEdit::integer(form.component));
      if (form.component == 5126) accessor.erase("normalized");
      if (form.step != view.step) document::set_byte_offset(accessor, part.offset / view.step * form.step);
      if (!form.seen.empty() && view.step == 12) {
        set_bounds(accessor, std::span(form.seen).subspan(part.offset, part.count * view.step), is_partial(part));
      } else if (!form.filter.empty()) {  // other attributes and values of animations need no bounds
        accessor.erase("min");
        accessor.erase("max");
      }
    }
  }

  /// Returns whether other rows of the accessor are 0.
  [[nodiscard]] bool is_partial(const PackedView::Rows& part) const {
    return document::whole_number(accessors_[part.accessor]["count"]).value_or(0) > part.count;
  }

  /// `zeros`: there are also rows of zeros.
  static void set_bounds(JsonEdit& accessor, std::span<const std::byte> rows, bool zeros) {
    Extent box;
    for (std::size_t axis = 0; zeros && axis < 3; ++axis) box.add(axis, 0);
    for (std::size_t i = 0; i < rows.size() / 4; ++i) box.add(i % 3, number_at<float>(rows, i));
    for (const auto& [key, values] : {std::pair{"min", box.low}, std::pair{"max", box.high}})
      if (accessor.find(key) != nullptr) document::set_numbers(accessor, key, std::span<const double>(values, 3));
  }

  static std::size_t cost(const Stream& stream) { return stream.bytes.size() + stream_text + (stream.filter.empty() ? 0 : filter_text); }

  /// Returns the bytes of an encoded row, or 0 if the rows cannot be encoded.
  [[nodiscard]] std::size_t stride_of(const PackedView& view) const {
    std::size_t step = view.step;
    if (view.kind == PackedView::Kind::amounts) {  // a key has a number for each blend shape
      std::size_t shapes = 0;
      for (const PackedView::Rows& part : view.parts)
        for (const auto& channel : uses_[part.accessor].channels) shapes = std::gcd(shapes, shapes_of(channel.node));
      step *= std::max<std::size_t>(shapes, 1);
    }
    if (step % 4 != 0 && view.step < 4) step = 4;
    return step % 4 == 0 && step <= 256 ? step : 0;
  }

  [[nodiscard]] std::size_t shapes_of(std::uint64_t node) const {
    const std::vector<Node>& nodes = input_.model.nodes;
    if (node >= nodes.size() || nodes[node].mesh == none) return 1;
    return std::max<std::size_t>(input_.model.meshes[nodes[node].mesh].shapes.size(), 1);
  }

  /// Returns filtered keys with the fewest bits that keep vertices near enough, or nothing if no filter can.
  std::optional<std::vector<std::byte>> filter(const PackedView& view, std::span<const std::byte> bytes) {
    std::vector<std::byte> rows(bytes.begin(), bytes.end());
    for (const PackedView::Rows& part : view.parts) {
      const std::uint64_t type = document::whole_number(accessors_[part.accessor]["componentType"]).value_or(0);
      const std::span<std::byte> own = std::span(rows).subspan(part.offset, part.count * view.step);
      bool done = false;
      if (view.kind == PackedView::Kind::rotations && type == 5122 && view.step == 8)
        done = filter_rotations(own, limit_of(part.accessor));
      else if (type == 5126 && !uses_[part.accessor].channels.empty())
        done = filter_reals(own, view.step, limit_of(part.accessor), view.kind == PackedView::Kind::rotations);
      if (!done) return std::nullopt;
    }
    return rows;
  }

  /// Tries numbers of bits, the smallest first, until `error` of the rows that a reader sees is at most `limit`.
  static bool with_bits(std::span<std::byte> rows, int least, int most, double limit,
                        const std::function<std::vector<std::byte>(std::span<std::byte>, int)>& filter,
                        const std::function<double(std::span<const std::byte>, std::span<const std::byte>)>& error) {
    const std::vector<std::byte> before(rows.begin(), rows.end());
    for (int bits = least; bits <= most; ++bits) {
      std::ranges::copy(before, rows.begin());
      if (error(before, filter(rows, bits)) <= limit) return true;
    }
    std::ranges::copy(before, rows.begin());
    return false;
  }

  bool filter_rotations(std::span<std::byte> rows, double limit) {
    filter_ = "QUATERNION";
    const auto error = [](std::span<const std::byte> a, std::span<const std::byte> b) { return furthest<std::int16_t>(a, b, 4, 8, true); };
    return with_bits(rows, 4, 16, limit, [](auto own, int bits) { return meshopt::filter_quaternion(own, bits); }, error);
  }

  bool filter_reals(std::span<std::byte> rows, std::size_t step, double limit, bool rotations) {
    filter_ = "EXPONENTIAL";
    for (std::size_t i = 0; i < rows.size() / 4; ++i)
      if (!std::isfinite(number_at<float>(rows, i))) return false;
    const auto error = [&](std::span<const std::byte> a, std::span<const std::byte> b) {
      return furthest<float>(a, b, step / 4, step, rotations);
    };
    return with_bits(rows, 2, 24, limit, [&](auto own, int bits) { return meshopt::filter_exponential(own, step, bits); }, error);
  }

  /// Returns by how much the values of an animation may change.
  [[nodiscard]] double limit_of(std::size_t accessor) const {
    double factor = 0;
    for (const auto& channel : uses_[accessor].channels) {
      if (channel.node >= levers_.reach.size()) return 0;
      const auto node = static_cast<std::size_t>(channel.node);
      const std::vector<double>& shapes = levers_.shapes[node];
      factor = std::max(factor, channel.path == TrackPath::translation ? levers_.scale[node]
                                : channel.path == TrackPath::rotation  ? 2 * levers_.reach[node]
                                : channel.path == TrackPath::scale     ? levers_.reach[node]
                                                                       : std::accumulate(shapes.begin(), shapes.end(), 0.0));
    }
    return factor > 0 ? input_.distance / factor : 0;
  }

  void write(JsonEdit& view, std::span<const std::byte> bytes, const std::optional<Stored>& made) {
    const Stream* const stream = made ? &made->stream : nullptr;
    const std::size_t offset = (binary_->size() + 3) / 4 * 4;
    binary_->resize(stream != nullptr ? binary_->size() : offset);
    const std::size_t start = binary_->size();
    const std::span<const std::byte> stored = stream != nullptr ? std::span<const std::byte>(stream->bytes) : bytes;
    binary_->insert(binary_->end(), stored.begin(), stored.end());
    if (stream == nullptr) {
      document::set_byte_offset(view, start);
      return;
    }
    ++compressed;
    decoded_ = (decoded_ + 3) / 4 * 4;
    const std::size_t size = stream->stride * stream->count;
    view.set("buffer", JsonEdit::integer(1));
    document::set_byte_offset(view, decoded_);
    view.set("byteLength", JsonEdit::integer(size));
    decoded_ += size;
    JsonEdit& object = document::object_in(document::object_in(view, "extensions"), extension_);
    object.set("buffer", JsonEdit::integer(0));
    document::set_byte_offset(object, start);
    object.set("byteLength", JsonEdit::integer(stored.size()));
    object.set("byteStride", JsonEdit::integer(stream->stride));
    object.set("count", JsonEdit::integer(stream->count));
    object.set("mode", JsonEdit::string(stream->mode));
    if (!stream->filter.empty()) object.set("filter", JsonEdit::string(stream->filter));
  }

  const StepInput& input_;
  const std::shared_ptr<const document::Document>& packed_;
  const std::vector<PackedView>& views_;
  JsonEdit root_;
  std::vector<JsonValue> accessors_;
  std::vector<ArrayUse> uses_;
  Levers levers_;
  std::string_view extension_, filter_;
  std::shared_ptr<std::vector<std::byte>> binary_ = std::make_shared<std::vector<std::byte>>();
  std::size_t decoded_ = 0;  ///< bytes of the fallback buffer
};

}  // namespace

Result<StepResult> compress(const StepInput& input, FindingSink& changes) {
  if (input.revision) return StepResult{input.document, "buffers are compressed when the file is written"};
  if (is_compressed(input.model)) return StepResult{input.document, "the file is already compressed"};
  StepResult result{input.document};
  constexpr std::size_t text_of_view = 250, worth_it = 500;
  std::size_t compressed = 0, of_kinds = 0;
  for (const PackInto into : {PackInto::kinds, PackInto::sizes}) {  // small files save more with fewer views
    std::vector<PackedView> views;
    const auto packed = pack_views(input.document, &views, {}, into);
    if (!packed) return Unexpected(packed.error());
    if (views.empty()) return StepResult{input.document, "left out: the file has data that cannot be rearranged"};
    if (into == PackInto::kinds) of_kinds = views.size();
    if (compressed != 0 && views.size() <= of_kinds && (of_kinds - views.size()) * text_of_view * worth_it < size_of(*result.document))
      continue;  // the texts of a few views are nothing beside the data
    Compressor compressor(input, *packed, views);
    auto document = compressor.run();
    if (!document) return Unexpected(std::move(document.error()));
    if (compressor.compressed == 0 || (compressed != 0 && size_of(**document) >= size_of(*result.document))) continue;
    compressed = compressor.compressed;
    result.document = std::move(*document);
    result.attributes = compressor.errors;
  }
  if (compressed != 0) EditReporter(changes).changed("/bufferViews", "compressed " + count_of(compressed, "buffer view", "buffer views"));
  return result;
}

#else

Result<StepResult> compress(const StepInput& input, FindingSink&) {
  if (input.revision) return StepResult{input.document, "buffers are compressed when the file is written"};
  return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, Place{path_text(input.document->path()), {}, {}},
                          "this build cannot compress glTF: it lacks libmeshoptimizer (SINEW_MESHOPT=ON)"));
}

#endif

}  // namespace sinew::operations
