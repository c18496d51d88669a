// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>
#ifdef SINEW_USE_ZLIB
#include <zlib.h>
#endif

#include "base/catalogue.hpp"
#include "base/deadline.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "document/files/output.hpp"
#include "document/files/uri.hpp"
#include "document/json/json_writer.hpp"
#include "document/schema/revision.hpp"
#include "operations/files/model_files.hpp"
#include "show/distinct_pictures.hpp"
#include "show/page/carried.hpp"
#include "show/page/flex_findings.hpp"
#include "show/page/view_state.hpp"
#include "show/page/viewer.hpp"

#include "sinew/load.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

namespace {

constexpr std::string_view place_in_page = "<!-- SINEW_MODEL -->";
constexpr std::uint64_t in_making =
    6;  // memory per byte of the model's files: as they are, in a packet, compressed, as text and in the page

void add_text(Packet& packet, std::string_view name, const std::string& text) { packet.add(name, std::as_bytes(std::span(text))); }

/// Returns zlib's format, which browsers decompress, or nothing if that is not smaller.
std::optional<std::string> compressed([[maybe_unused]] const std::string& bytes) {
#ifdef SINEW_USE_ZLIB
  constexpr std::size_t piece = 1 << 20;   // between two of them, asks the deadline
  constexpr std::size_t small = 16 << 20;  // 142 MB of instances: level 9 takes 35 s, level 4 takes 2 s and is smaller
  z_stream stream{};
  if (deflateInit(&stream, bytes.size() <= small ? 9 : 4) != Z_OK) return std::nullopt;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, deflateEnd);
  std::string out;
  for (std::size_t first = 0; stream.total_out < bytes.size();) {
    if (stream.avail_in == 0) {
      ask_deadline();
      const std::size_t count = std::min(piece, bytes.size() - first);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + first));  // not written to
      stream.avail_in = static_cast<uInt>(count);
      first += count;
    }
    const std::size_t used = out.size();
    out.resize(used + piece);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + used);
    stream.avail_out = piece;
    const int done = deflate(&stream, first == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    out.erase(out.size() - stream.avail_out);
    if (done == Z_STREAM_END) return out.size() < bytes.size() ? std::optional(std::move(out)) : std::nullopt;
    if (done != Z_OK) return std::nullopt;
  }
#endif
  return std::nullopt;
}

/// Returns bytes as the page reads them: `{"deflate": true|false, "base64": TEXT}`, which cannot end a script.
std::string in_page(const std::string& bytes) {
  const auto small = compressed(bytes);
  document::JsonWriter json;
  json.begin_object();
  json.key("deflate").boolean(small.has_value());
  json.key("base64").string(document::base64_encode(std::as_bytes(std::span(small ? *small : bytes))));
  json.end_object();
  return std::move(json).take();
}

/// Adds the decoded pictures of textures of three dimensions. A broken one is left out; the page uses the placeholder, as the program does.
void add_pictures(const Model& model, Packet& packet) {
  DistinctPictures pictures;
  for (Index m = 0; m < model.materials.size(); ++m) {
    std::optional<Error> ignored;
    const Appearance appearance = io::load_appearance(model, m, ignored);
    if (!appearance.volume || appearance.volume->image.empty()) continue;
    if (const std::size_t known = pictures.size(); pictures.number(*appearance.volume) != known) continue;
    const auto picture = decode_picture(appearance.volume->image, most_texels);
    if (!picture) continue;
    std::vector<std::byte> bytes;
    for (const std::size_t side : {picture->width, picture->height}) {
      const auto words = std::bit_cast<std::array<std::byte, 4>>(static_cast<std::uint32_t>(side));
      bytes.insert(bytes.end(), words.begin(), words.end());
    }
    const auto pixels = std::as_bytes(std::span(picture->rgba));
    bytes.insert(bytes.end(), pixels.begin(), pixels.end());
    packet.add(carried_picture(appearance.volume->image), bytes);
  }
}

/// Adds the files of the model and the choices of the user, for the module.
Result<> add_files(const Model& model, const ViewOptions& options, const ExportOptions& how, Packet& packet) {
  const auto files = operations::model_files(model);
  if (!files) return Unexpected(files.error());
  if (files->empty()) return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, "the model has no file that the page could carry"));
  std::uint64_t size = 0;
  for (const operations::NamedFile& file : *files) size += file.bytes.view.size();
  if (size > how.memory / in_making)
    return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, {}, "the page", size * in_making, how.memory));
  Choices choices{files->front().name, {}, options.scene, options.clip, options.expressions};
  choices.load.force = how.force;
  choices.load.revision = g4mf::revision_named(model.revision);
  for (const operations::NamedFile& file : *files) packet.add(file.name, file.bytes.view);
  add_pictures(model, packet);
  add_text(packet, carried_choices, choices_text(choices));  // the last of a name counts
  add_text(packet, carried_base, pose_text(model, options.base));
  add_text(packet, carried_edit, edit_text(options.edit));
  return {};
}

/// Adds the findings of flex: a module plays them by itself, without one the page has their frames.
Result<> add_flex(const Model& model, const ViewOptions& options, const ExportOptions& how, Viewer& viewer, Packet& packet) {
  const auto flex = FlexFindings::create(model, options, viewer);
  if (!flex) return Unexpected(flex.error());
  std::vector<std::size_t> frames;
  if (how.module.empty()) {
    auto added = flex->add_played(viewer, packet);
    if (!added) return Unexpected(added.error());
    frames = *std::move(added);
  }
  add_text(packet, carried_bound, pose_text(model, flex->rest()));
  const std::string json = flex->json(frames);
  if (json.size() > how.memory / in_making)
    return Unexpected(
        error("SINEW_MEMORY_LIMIT"_code, Failure::limit, {}, "the findings of the page", json.size() * in_making, how.memory));
  add_text(packet, carried_flex, json);
  return {};
}

std::string script(std::string_view id, std::string_view json) {
  return format_text("<script type=\"application/json\" id=\"{}\">{}</script>\n", id, json);
}

}  // namespace

struct PageFile::State {
  /// What the reader can choose: the model of a script, or why there is none.
  struct Entry {
    std::string name, script, why;
  };

  State(std::string begin_, std::string end_, ExportOptions how_, document::OutputFile file_)
      : begin(std::move(begin_)), end(std::move(end_)), how(std::move(how_)), file(std::move(file_)) {}

  Result<> write(std::string_view text) {
    bytes += text.size();
    if (bytes > how.memory) return Unexpected(error("SINEW_MEMORY_LIMIT"_code, Failure::limit, {}, "the page", bytes, how.memory));
    return file.write(text);
  }

  std::string begin, end;  ///< of the page, around the models
  ExportOptions how;
  document::OutputFile file;
  std::vector<Entry> entries;
  std::uint64_t bytes = 0;
  std::size_t models = 0;
  bool moves = false;
};

PageFile::PageFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
PageFile::PageFile(PageFile&&) noexcept = default;
PageFile& PageFile::operator=(PageFile&&) noexcept = default;
PageFile::~PageFile() = default;

Result<PageFile> PageFile::create(std::string page, ExportOptions how, const std::filesystem::path& path) SINEW_TRY {
  const std::size_t at = page.find(place_in_page);
  if (at == std::string::npos)
    return Unexpected(error("SINEW_USAGE"_code, Failure::unsupported, {}, "the page lacks the marker for the model"));
  std::string end = page.substr(at + place_in_page.size());
  page.erase(at);
  constexpr std::string_view nonce = " nonce=\"SINEW_NONCE\"";  // only the served page has it
  for (std::string* const part : {&page, &end})
    if (const std::size_t attribute = part->find(nonce); attribute != std::string::npos) part->erase(attribute, nonce.size());
  auto file = document::OutputFile::create(path);
  if (!file) return Unexpected(file.error());
  return PageFile(std::make_unique<State>(std::move(page), std::move(end), std::move(how), *std::move(file)));
}
SINEW_CATCH()

Result<> PageFile::add(const std::string& name, const Model& model, const ViewOptions& options) SINEW_TRY {
  const ExportOptions& how = state_->how;
  auto viewer = Viewer::create(model, options);
  if (!viewer) return Unexpected(viewer.error());
  const auto stored = viewer->stored_pose();
  if (!stored) return Unexpected(stored.error());
  Packet packet;
  if (!how.module.empty())
    if (auto done = add_files(model, options, how, packet); !done) return done;
  if (options.flex != nullptr)
    if (auto done = add_flex(model, options, how, *viewer, packet); !done) return done;
  state_->moves = state_->moves || !how.module.empty() || (options.flex != nullptr && !options.flex->findings.empty());
  add_text(packet, carried_stored, *stored);
  add_text(packet, carried_model, viewer->description());
  add_text(packet, carried_findings, options.findings ? options.findings() : "null");
  const std::string id = state_->models == 0 ? "carried" : format_text("carried{}", state_->models);
  const std::string text = script(id, in_page(std::move(packet).take()));
  if (state_->models == 0) {
    if (auto done = state_->write(state_->begin); !done) return done;
    if (!how.module.empty())
      if (auto done = state_->write(script("module", how.module)); !done) return done;
  }
  if (auto done = state_->write(text); !done) return done;
  ++state_->models;
  state_->entries.push_back({name, id, {}});
  return {};
}
SINEW_CATCH()

Result<> PageFile::add_missing(const std::string& name, const std::string& why) SINEW_TRY {
  state_->entries.push_back({name, {}, why});
  return {};
}
SINEW_CATCH()

Result<Exported> PageFile::finish() SINEW_TRY {
  if (state_->models == 0) return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, "the page has no model"));
  if (state_->entries.size() > 1) {
    document::JsonWriter json;
    json.begin_array();
    for (const State::Entry& entry : state_->entries) {
      json.begin_object();
      json.key("name").string(entry.name);
      json.key("id").string(entry.script);
      json.key("why").string(entry.why);
      json.end_object();
    }
    json.end_array();
    if (auto done = state_->write(script("models", in_page(std::move(json).take()))); !done) return Unexpected(done.error());
  }
  if (auto done = state_->write(state_->end); !done) return Unexpected(done.error());
  if (auto done = state_->file.commit(); !done) return Unexpected(done.error());
  return Exported{state_->bytes, state_->moves};
}
SINEW_CATCH()

Result<Exported> export_page(const Model& model, const ViewOptions& options, const ExportOptions& how,
                             const std::filesystem::path& path) SINEW_TRY {
  auto file = PageFile::create(options.page, how, path);
  if (!file) return Unexpected(file.error());
  if (auto done = file->add({}, model, options); !done) return Unexpected(done.error());
  return file->finish();
}
SINEW_CATCH()

}  // namespace sinew::show
