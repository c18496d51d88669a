// SPDX-License-Identifier: MIT
#include "g4mf/orphans.hpp"

#include <algorithm>
#include <set>

#include "base/catalogue_edit.hpp"
#include "document/edited.hpp"
#include "document/orphans.hpp"
#include "document/zstd.hpp"
#include "g4mf/buffer.hpp"
#include "g4mf/editing.hpp"
#include "g4mf/ext/SINEW_animation.hpp"
#include "g4mf/tables.hpp"

namespace sinew::g4mf {

namespace {

using document::ByteRange;
using document::Bytes;
using document::Chunk;
using document::JsonEdit;
using edit::operator""_code;

constexpr std::uint64_t alignment = 16;  // of the largest component

constexpr std::uint8_t number(Reference reference) { return static_cast<std::uint8_t>(reference); }
constexpr document::OwnedLists::List owned[] = {
    {"meshes", number(Reference::mesh), &mesh_table},
    {"materials", number(Reference::material), &material_table},
    {"textures", number(Reference::texture), &texture_table},
    {"accessors", number(Reference::accessor), &accessor_table},
    {"bufferViews", number(Reference::buffer_view), &buffer_view_table},
    {"buffers", number(Reference::buffer), &buffer_table},
};

void report_stale(JsonValue extension, FindingSink& losses) {
  const std::string pointer = extension.pointer();
  losses.add(finding<"SINEW_EDIT_STALE"_code>(pointer, pointer.substr(pointer.rfind('/') + 1)));
}

document::OwnedLists owned_lists() {
  return {&root_table, owned,
          [](const std::string& name, const row::Table& holder) {
            return name == animation::extension && &holder == &root_table ? &animation::root_table : nullptr;
          },
          [](JsonValue, const row::Table& table) -> const row::Table& { return table; }};
}

class Removing {
 public:
  Removing(const document::Document& document, Revision revision, document::Orphans orphans, JsonEdit root)
      : document_(document),
        revision_(revision),
        orphans_(std::move(orphans)),
        root_(std::move(root)),
        reading_(document, Checks::safety, ignored_, model_, as(revision)),
        buffers_(reading_),
        old_(document.json().root()) {}

  Result<std::shared_ptr<const document::Document>> run() {
    for (Index i = 0; i < old_["buffers"].size(); ++i) {
      if (auto done = cut(i); !done) return Unexpected(std::move(done.error()));
    }
    if (auto done = place_chunks(); !done) return Unexpected(std::move(done.error()));
    return document::with_chunks(document_, root_.text(), std::move(chunks_));
  }

 private:
  static ReadOptions as(Revision revision) {
    ReadOptions options;
    options.revision = revision;
    return options;
  }
  [[nodiscard]] const std::vector<bool>& dead(Reference reference) const { return orphans_.dead.at(number(reference)); }
  /// The index that an element which stays has now.
  [[nodiscard]] std::size_t place(Reference reference, std::size_t index) const {
    const std::vector<bool>& list = dead(reference);
    return static_cast<std::size_t>(std::count(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(index), false));
  }

  /// Takes the bytes of dead views out of a buffer that stays.
  Result<> cut(Index buffer) {
    if (dead(Reference::buffer)[buffer]) return {};
    std::vector<ByteRange> gone, used;
    std::size_t view = 0;
    for (const JsonValue value : old_["bufferViews"].elements()) {
      const bool is_dead = dead(Reference::buffer_view)[view++];
      if (document::whole_number(value["buffer"]).value_or(0) != buffer) continue;
      const std::uint64_t begin = document::whole_number(value["byteOffset"]).value_or(0);
      (is_dead ? gone : used).emplace_back(begin, begin + document::whole_number(value["byteLength"]).value_or(0));
    }
    const std::vector<ByteRange> removed = document::removable_bytes(std::move(gone), std::move(used), alignment);
    if (removed.empty()) return {};
    auto packed = buffers_.packed(buffer);
    if (!packed) return Unexpected(model_.defects[packed.error().index]);
    if (packed->format == Chunk::zstd) {
      auto content = document::zstd_decompress(packed->bytes.view, packed->length, document::Surplus::drop);
      if (!content) return Unexpected(std::move(content.error()));
      packed->bytes = std::move(content->bytes);
    }
    if (removed.back().second > packed->bytes.view.size()) return {};
    std::vector<std::byte> kept = document::without_ranges(packed->bytes.view, removed);
    pad_unlike(old_["buffers"], kept);
    JsonEdit& object = root_.find("buffers")->at(place(Reference::buffer, buffer));
    object.set("byteLength", JsonEdit::integer(kept.size()));
    object.erase("uri");
    move_views(buffer, removed);
    if (packed->format == Chunk::zstd) {
      auto frame = document::zstd_compress(kept);
      if (!frame) return Unexpected(std::move(frame.error()));
      kept = std::move(*frame);
    }
    const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(kept));
    cut_[buffer] = {Chunk::blob, packed->format, Bytes{*owner, owner}, 0};
    return {};
  }

  void move_views(Index buffer, std::span<const ByteRange> removed) {
    std::size_t view = 0;
    for (const JsonValue value : old_["bufferViews"].elements()) {
      const std::size_t index = view++;
      if (dead(Reference::buffer_view)[index] || document::whole_number(value["buffer"]).value_or(0) != buffer) continue;
      const auto begin = document::whole_number(value["byteOffset"]);
      if (begin)
        root_.find("bufferViews")
            ->at(place(Reference::buffer_view, index))
            .set("byteOffset", JsonEdit::integer(document::moved_place(*begin, removed)));
    }
  }

  /// The chunks of the buffers that stay, in their order, and behind them those that no buffer named.
  Result<> place_chunks() {
    const auto list = document_.chunk_list();
    std::set<const Chunk*> named;
    chunks_.push_back(list.empty() ? Chunk{Chunk::json, Chunk::uncompressed, {}, 0} : list.front());
    for (Index i = 0; i < old_["buffers"].size(); ++i) {
      const auto changed = cut_.find(i);
      const Chunk* chunk = nullptr;
      if (!old_["buffers"].at(i)["uri"]) {
        auto packed = buffers_.packed(i);
        if (!packed) return Unexpected(model_.defects[packed.error().index]);
        chunk = packed->chunk;
        named.insert(chunk);
      }
      if (dead(Reference::buffer)[i] || (chunk == nullptr && changed == cut_.end())) continue;
      const std::size_t place_now = place(Reference::buffer, i);
      JsonEdit& object = root_.find("buffers")->at(place_now);
      if (revision_ == Revision::r2026_07 || chunks_.size() != place_now + 1)
        object.set("chunk", JsonEdit::integer(chunks_.size()));
      else
        object.erase("chunk");
      chunks_.push_back(changed != cut_.end() ? changed->second : *chunk);
    }
    for (std::size_t i = 1; i < list.size(); ++i)
      if (!named.contains(&list[i])) chunks_.push_back(list[i]);
    return {};
  }

  const document::Document& document_;
  Revision revision_;
  document::Orphans orphans_;
  JsonEdit root_;
  FindingList ignored_;
  Model model_;
  Reading reading_;
  Buffers buffers_;
  JsonValue old_;
  std::map<Index, Chunk> cut_;  ///< buffers that became shorter
  std::vector<Chunk> chunks_;
};

}  // namespace

Result<std::shared_ptr<const document::Document>> remove_orphans(const document::Document& first, const document::Document& before,
                                                                 const std::shared_ptr<const document::Document>& after, Revision revision,
                                                                 FindingSink& losses) {
  const JsonValue root = after->json().root();
  const document::OwnedLists lists = owned_lists();
  document::Orphans orphans = document::find_orphans(first.json().root(), before.json().root(), root, lists);
  std::vector<bool>& buffers = orphans.dead[number(Reference::buffer)];
  for (const JsonValue view : root["bufferViews"].elements())
    if (!view["buffer"] && !buffers.empty()) buffers.front() = false;  // without a name it is of the first buffer
  if (!orphans.any()) return after;
  JsonEdit edit = document::without_orphans(root, orphans, lists, [&](JsonValue extension) { report_stale(extension, losses); });
  return Removing(*after, revision, std::move(orphans), std::move(edit)).run();
}

}  // namespace sinew::g4mf
