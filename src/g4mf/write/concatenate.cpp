// SPDX-License-Identifier: MIT
#include "g4mf/write/concatenate.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/edit_members.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/renumber.hpp"
#include "g4mf/extensions/references.hpp"
#include "g4mf/schema/extras.hpp"
#include "g4mf/write/editor.hpp"
#include "g4mf/write/names.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::g4mf {

namespace {

/// The bytes of all buffers of a document, one after another.
struct Blob {
  std::vector<std::byte> bytes;
  std::vector<std::uint64_t> start;  ///< of each buffer
};

Result<Blob> blob_of(const Document& document, Revision revision) {
  QuietReading reading(document, {.force = false, .revision = revision});
  Reader& reader = reading.reader;
  Blob blob;
  const std::vector<JsonValue> list = list_of(document.json().root()["buffers"]);
  for (Index i = 0; i < reader.count(Reference::buffer); ++i) {
    auto stored = reading.buffers.packed(i);
    if (!stored) return Unexpected(reading.error_of(stored.error()));
    // The joined bytes need memory, too: buffers may share a chunk or a file.
    if (stored->format == Chunk::uncompressed)
      if (auto taken = reader.take(list[i], stored->bytes.view.size(), 1); !taken) return Unexpected(reading.error_of(taken.error()));
    const auto content = unpacked(reader, *stored, list[i], 2);
    if (!content) return Unexpected(content.error());
    blob.bytes.resize((blob.bytes.size() + alignment - 1) / alignment * alignment);
    blob.start.push_back(blob.bytes.size());
    blob.bytes.insert(blob.bytes.end(), content->view.begin(), content->view.end());
  }
  return blob;
}

class Appender {
 public:
  Appender(const Document& first, const Document& second, Revision revision, const Concatenation& nodes, FindingSink& losses)
      : first_(first),
        second_(second),
        revision_(revision),
        nodes_(nodes),
        losses_(losses),
        reporter_(losses),
        root_(first.json().root()),
        names_(first.json().root()) {
    const JsonValue root = first.json().root();
    for (std::size_t i = 1; i < shift_.size(); ++i) shift_[i] = root[array_name(static_cast<Reference>(i))].size();
    for (const JsonValue name : item_names(root, true)) taken_.insert(name.string());
  }

  Result<std::shared_ptr<const Document>> run() {
    auto blob = blob_of(second_, revision_);
    if (!blob) return Unexpected(std::move(blob.error()));
    blob_ = std::move(*blob);
    // Referenced lists come first, because an element may be merged with an equal one and so get another index.
    constexpr Reference order[] = {Reference::buffer_view, Reference::accessor, Reference::file,  Reference::model, Reference::texture,
                                   Reference::material,    Reference::light,    Reference::shape, Reference::mesh};
    for (const Reference reference : order) append(reference);
    append_nodes();
    unite_extension_lists();
    for (const JsonMember member : second_.json().root()["extensions"].members())
      reporter_.lost(member.value.pointer(), format_text("{} applies to the whole file", member.key.string()));
    if (blob_.start.empty()) return with_text(first_, root_.text(), {});
    return with_buffer(first_, revision_, root_, std::move(blob_.bytes));
  }

 private:
  std::optional<std::uint64_t> fresh(const Property& row, std::uint64_t index) const {
    const auto reference = static_cast<Reference>(row.reference);
    if (reference == Reference::nothing) return index;
    if (reference == Reference::node) {
      if (index >= nodes_.meaning.size() || nodes_.meaning[index] == none) return std::nullopt;
      return nodes_.meaning[index];
    }
    if (reference == Reference::buffer) return shift_[static_cast<std::size_t>(reference)];
    const auto& equals = equals_[static_cast<std::size_t>(reference)];
    const auto found = equals.find(index);
    return found != equals.end() ? found->second : index + shift_[static_cast<std::size_t>(reference)];
  }

  /// Uses an equal element of the first file in lists that must not have duplicates.
  void append(Reference reference) {
    const std::string_view name = array_name(reference);
    const Table& table = *root_table.rows[RootObject::place_of(name)].of;
    const JsonValue known_list = first_.json().root()[name];
    constexpr Reference once[] = {Reference::file, Reference::model, Reference::texture, Reference::material};
    std::map<std::string_view, std::uint64_t> known;
    if (std::ranges::find(once, reference) != std::end(once))
      for (const JsonValue element : known_list.elements()) known.emplace(element.text(), known.size());
    std::map<std::uint64_t, std::uint64_t>& equals = equals_[static_cast<std::size_t>(reference)];
    std::uint64_t next = known_list.size(), index = 0;
    for (const JsonValue element : second_.json().root()[name].elements()) {
      JsonEdit copy(element);
      renumber(&copy, element, table, renumbering_);
      const auto found = known.find(copy.text());
      if (found == known.end()) append(list_in(root_, name), element, table);
      equals[index++] = found == known.end() ? next++ : found->second;
    }
  }

  JsonEdit& append(JsonEdit& target, JsonValue element, const Table& table) {
    JsonEdit& edit = target.push_back(JsonEdit(element));
    renumber(&edit, element, table, renumbering_);
    const std::size_t prefix = element.pointer().size();
    for (const JsonValue name : item_names(element, true)) {
      const std::string pointer = name.pointer();
      JsonEdit* const copied = at_pointer(edit, std::string_view(pointer).substr(prefix));
      if (copied != nullptr && !name.equals("")) rename(*copied, name.string(), name.string());
    }
    if (&table == &buffer_view_table && element.is(JsonKind::object)) move_start(edit, element);
    return edit;
  }

  /// Sets a name that no item of the first file has: `wanted`, or `wanted` with the prefix.
  void rename(JsonEdit& name, const std::string& old, const std::string& wanted) {
    std::string free = names_.take(taken_.contains(wanted) ? nodes_.prefix + wanted : wanted);
    if (free != old) name = JsonEdit::string(free);
  }

  void move_start(JsonEdit& view, JsonValue source) {
    const std::uint64_t buffer = whole_number(source["buffer"]).value_or(0);
    if (buffer >= blob_.start.size()) return;
    view.set("buffer", JsonEdit::integer(shift_[static_cast<std::size_t>(Reference::buffer)]));
    const std::uint64_t start = whole_number(source["byteOffset"]).value_or(0) + blob_.start[buffer];
    if (blob_.start[buffer] != 0) view.set("byteOffset", JsonEdit::integer(start));
  }

  void report_stale(const JsonMember& extension) const {
    using operations::operator""_code;
    losses_.add(finding("SINEW_EDIT_STALE"_code, extension.value.place(), extension.key.string()));
  }

  void append_nodes() {
    JsonEdit& target = list_in(root_, "nodes");
    std::size_t i = 0;
    for (const JsonValue node : second_.json().root()["nodes"].elements()) {
      if (nodes_.place[i] == none) {
        report_left_out(node);
      } else {
        JsonEdit& edit = append(target, node, node_table);
        if (!edit.is(JsonKind::object)) edit = JsonEdit::object();  // reading treats it as a node without properties
        edit.erase("children");
        if (!nodes_.names[i].empty()) rename(edit.set("name", JsonEdit::string(nodes_.names[i])), {}, nodes_.names[i]);
      }
      ++i;
    }
    append_children(target, nodes_.place, nodes_.parent, none);
  }

  void report_left_out(JsonValue node) {
    for (const std::string_view member : {"camera", "light", "physics", "extensions", "extras", "comment"})
      if (node[member] && !(member == "extras" && is_own(node[member])))
        reporter_.lost(node[member].pointer(), format_text("{} of a node that the body already has", member));
  }

  void unite_extension_lists() {
    for (const std::string_view name : {"extensionsUsed", "extensionsRequired"})
      for (const JsonValue extension : second_.json().root()["asset"][name].elements())
        add_name(*root_.find("asset"), name, extension.string());
  }

  const Document& first_;
  const Document& second_;
  Revision revision_;
  const Concatenation& nodes_;
  FindingSink& losses_;
  EditReporter reporter_;
  JsonEdit root_;
  Names names_;
  std::set<std::string> taken_;  ///< in the first file
  Blob blob_;
  std::array<std::size_t, static_cast<std::size_t>(Reference::count)> shift_{};
  std::array<std::map<std::uint64_t, std::uint64_t>, static_cast<std::size_t>(Reference::count)> equals_;  ///< new indices
  const Renumbering renumbering_{.scheme = reference_scheme(),
                                 .index = [this](const Property& row, std::uint64_t index) { return fresh(row, index); },
                                 .unreadable = [this](const JsonMember& extension) { report_stale(extension); }};
};

}  // namespace

Result<std::shared_ptr<const Document>> concatenate(const Document& first, const Document& second, Revision revision,
                                                    const Concatenation& nodes, FindingSink& losses) SINEW_TRY {
  return Appender(first, second, revision, nodes, losses).run();
}
SINEW_CATCH({path_text(second.path()), {}, {}})

}  // namespace sinew::g4mf
