// SPDX-License-Identifier: MIT
#include "operations/optimize/pack/compact.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "document/json/edit_members.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/content_hash.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/orphans.hpp"
#include "document/schema/reader.hpp"
#include "gltf/extensions/references.hpp"
#include "gltf/schema/tables.hpp"
#include "gltf/write/buffer_content.hpp"
#include "operations/optimize/pack/accessor_rows.hpp"

namespace sinew::operations {

using document::Bytes;
using document::content_hash;
using document::Document;
using document::JsonEdit;
using document::JsonKind;
using document::JsonMember;
using document::JsonValue;
using document::Property;
using gltf::BufferFrom;
using gltf::Reference;
using gltf::reference_scheme;

namespace {

using Indices = std::vector<std::uint64_t>;

/// The buffers of a document, each read once.
class BufferCache {
 public:
  explicit BufferCache(const Document& document) : document_(document) {}

  /// The bytes of a buffer view as stored, or nothing if they are not at hand.
  std::optional<std::span<const std::byte>> view(JsonValue view) {
    const auto ranges = ranges_of(view);
    if (ranges.empty()) return std::nullopt;
    const auto [buffer, range] = ranges.front();
    auto [known, added] = known_.try_emplace(buffer);
    if (added)
      if (auto content = buffer_content(document_, buffer, BufferFrom::anywhere); content && *content) known->second = **content;
    if (range.end > known->second.view.size()) return std::nullopt;
    return known->second.view.subspan(range.begin, range.end - range.begin);
  }

 private:
  const Document& document_;
  std::map<std::uint64_t, Bytes> known_;
};

/// The content of an accessor without sparse values, in an uncompressed view.
class Content {
 public:
  static std::optional<Content> of(BufferCache& buffers, const std::vector<JsonValue>& views, JsonValue accessor) {
    const auto rows = accessor_rows(accessor);
    if (!rows || rows->view >= views.size() || views[rows->view]["extensions"]) return std::nullopt;
    const auto [index, offset, count, row] = *rows;
    const JsonValue in = views[index];
    const auto bytes = buffers.view(in);
    const std::uint64_t stride = whole_number(in["byteStride"]).value_or(row);
    if (!bytes || stride < row || offset > bytes->size() || (bytes->size() - offset) / stride + 1 < count) return std::nullopt;
    if ((count - 1) * stride + row > bytes->size() - offset) return std::nullopt;
    Content content;
    content.packed_.resize(count * row);
    for (std::size_t r = 0; r < count; ++r) std::memcpy(content.packed_.data() + r * row, bytes->data() + offset + r * stride, row);
    // Accessors with equal bytes are equal only if their other members and the target of their view are equal, too.
    for (const JsonMember member : accessor.members())
      if (!member.key.equals("bufferView") && !member.key.equals("byteOffset") && !member.key.equals("name"))
        content.text_.append(member.key.text()).append(member.value.text()).push_back(' ');
    content.text_.append(in["target"].text()).push_back(stride == row ? 'p' : 's');
    return content;
  }
  [[nodiscard]] std::uint64_t hash() const { return content_hash(packed_); }
  friend bool operator==(const Content&, const Content&) = default;

 private:
  std::vector<std::byte> packed_;
  std::string text_;
};

class Compaction {
 public:
  Compaction(const std::shared_ptr<const Document>& document, const std::vector<bool>& nodes, Compacted& done)
      : document_(document), gone_(nodes), done_(done), root_(source()) {}

  Result<std::shared_ptr<const Document>> run() {
    accessors_ = identity("accessors");
    find_uses();
    if (!unknown_indices_) {
      merge_accessors();
      renumber();
      remove_nodes();
    }
    std::uint32_t place = 0;
    for (const JsonValue animation : source()["animations"].elements()) compact_animation(animation, place++);
    if (root_.source()) return document_;
    return with_binary(*document_, root_.text(), std::nullopt);
  }

 private:
  [[nodiscard]] JsonValue source() const { return document_->json().root(); }
  [[nodiscard]] Indices identity(std::string_view list) const {
    Indices indices(source()[list].size());
    std::iota(indices.begin(), indices.end(), std::uint64_t{0});
    return indices;
  }
  static bool is(const Property& row, Reference kind) { return row.reference == static_cast<std::uint8_t>(kind); }

  void find_uses() {
    uses_.resize(accessors_.size());
    unknown_indices_ = visit_references(source(), reference_scheme(), [&](const Property& row, std::uint64_t index) {
      if (is(row, Reference::accessor) && index < uses_.size()) uses_[index].insert(row.usage);
      if (row.usage == static_cast<std::uint8_t>(gltf::Usage::channels)) numbered_.insert(index);
    });
  }

  void merge_accessors() {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_hash;
    const std::vector<JsonValue> accessors = list_of(source()["accessors"]), views = list_of(source()["bufferViews"]);
    BufferCache buffers(*document_);
    for (std::size_t place = 0; place < accessors.size(); ++place) {
      const auto content = uses_[place].empty() ? std::nullopt : Content::of(buffers, views, accessors[place]);
      if (!content) continue;
      std::vector<std::size_t>& alike = by_hash[content->hash()];
      const auto same = std::ranges::find_if(alike, [&](std::size_t other) {
        return uses_[other] == uses_[place] && Content::of(buffers, views, accessors[other]) == content;
      });
      if (same == alike.end()) {
        alike.push_back(place);
        continue;
      }
      accessors_[place] = *same;
      ++done_.accessors;
    }
  }

  void renumber() {
    std::vector<std::optional<std::uint64_t>> nodes;
    for (std::size_t i = 0; i < gone_.size(); ++i) {
      nodes.push_back(gone_[i] ? std::nullopt : std::optional<std::uint64_t>(i - done_.nodes));
      done_.nodes += gone_[i] ? 1 : 0;
    }
    if (done_.nodes == 0 && done_.accessors == 0) return;
    renumber_references(root_, source(), reference_scheme(), [&](const Property& row, std::uint64_t index) -> std::optional<std::uint64_t> {
      if (is(row, Reference::accessor)) return index < accessors_.size() ? accessors_[index] : index;
      if (is(row, Reference::node)) return index < nodes.size() ? nodes[index] : index;
      return index;
    });
  }

  // glTF has no empty lists.
  void remove_nodes() {
    if (done_.nodes == 0) return;
    JsonEdit& nodes = *root_.find("nodes");
    for (std::size_t i = 0; i < gone_.size(); ++i) erase_if_empty(nodes.at(i), "children");
    nodes.erase_where(gone_);
    erase_if_empty(root_, "nodes");
    JsonEdit* const scenes = root_.find("scenes");
    for (std::size_t i = 0; i < length(scenes); ++i) erase_if_empty(scenes->at(i), "nodes");
  }

  static void erase_if_empty(JsonEdit& object, std::string_view key) {
    const JsonEdit* const list = object.find(key);
    if (list != nullptr && list->is(JsonKind::array) && list->size() == 0) object.erase(key);
  }

  void compact_animation(JsonValue animation, std::uint32_t place) {
    std::vector<bool> silent;
    for (const JsonValue channel : animation["channels"].elements())
      silent.push_back(!channel["target"]["node"] && !channel["target"]["extensions"]);
    const bool all = std::ranges::find(silent, false) == silent.end();  // an animation has a channel
    if (all || numbered_.contains(place)) std::fill(silent.begin(), silent.end(), false);
    const Indices equal = equal_samplers(animation);
    std::vector<bool> used(equal.size());
    std::size_t c = 0;
    for (const JsonValue channel : animation["channels"].elements()) {
      const auto sampler = whole_number(channel["sampler"]);
      if (!silent[c++] && sampler && *sampler < used.size()) used[equal[*sampler]] = true;
    }
    const auto channels = static_cast<std::size_t>(std::ranges::count(silent, true));
    const auto samplers = static_cast<std::size_t>(std::ranges::count(used, false));
    if (channels == 0 && samplers == 0) return;
    done_.channels += channels;
    done_.samplers += samplers;
    JsonEdit& edit = root_.find("animations")->at(place);
    Indices fresh(equal.size());
    for (std::size_t i = 0; i < fresh.size(); ++i)
      fresh[i] = static_cast<std::uint64_t>(std::count(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(equal[i]), true));
    c = 0;
    for (const JsonValue channel : animation["channels"].elements()) {
      const auto sampler = whole_number(channel["sampler"]);
      if (sampler && *sampler < fresh.size() && fresh[*sampler] != *sampler)
        edit.find("channels")->at(c).set("sampler", JsonEdit::integer(fresh[*sampler]));
      ++c;
    }
    edit.find("channels")->erase_where(silent);
    used.flip();
    if (JsonEdit* const list = edit.find("samplers")) list->erase_where(used);
  }

  /// For each sampler of an animation, the first one that is equal.
  [[nodiscard]] Indices equal_samplers(JsonValue animation) const {
    Indices equal;
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::string_view>, std::uint64_t> known;
    const auto accessor = [&](JsonValue value) {
      const std::uint64_t index = whole_number(value).value_or(accessors_.size());
      return index < accessors_.size() ? accessors_[index] : index;
    };
    for (const JsonValue sampler : animation["samplers"].elements()) {
      const std::uint64_t place = equal.size();
      const bool special = sampler["extras"] || sampler["extensions"];
      const std::tuple key(accessor(sampler["input"]), accessor(sampler["output"]), sampler["interpolation"].text());
      equal.push_back(special ? place : known.try_emplace(key, place).first->second);
    }
    return equal;
  }

  const std::shared_ptr<const Document>& document_;
  const std::vector<bool>& gone_;
  Compacted& done_;
  JsonEdit root_;
  Indices accessors_;                         ///< the accessor to use in place of each one
  std::vector<std::set<std::uint8_t>> uses_;  ///< of each accessor
  std::set<std::uint64_t> numbered_;          ///< animations whose channels are known by number
  bool unknown_indices_ = false;
};

}  // namespace

Result<std::shared_ptr<const Document>> compact(const std::shared_ptr<const Document>& document, const std::vector<bool>& nodes,
                                                Compacted& done) {
  return Compaction(document, nodes, done).run();
}

}  // namespace sinew::operations
