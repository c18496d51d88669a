// SPDX-License-Identifier: MIT
#include "g4mf/check/check.hpp"

#include "document/container/container.hpp"
#include "document/json/g4mf_text.hpp"
#include "g4mf/check/checks.hpp"
#include "g4mf/read/parsed.hpp"

namespace sinew::g4mf {

namespace {

void check_all(Reader& reader, Buffers& buffers, Accessors& accessors) {
  check_properties(reader);
  accessors.read_all();
  buffers.fetch_all();
  buffers.check_chunks();
  check_items(reader);
  check_carried(reader);
  check_textures(reader, buffers);
  check_use(reader, accessors);
  check_nodes(reader);
  check_meshes(reader);
  check_blend(reader, accessors);
  check_skins(reader, accessors);
  check_skeletons(reader);
  check_rigs(reader);
  check_materials(reader, accessors);
}

/// The rule of each revision about the control characters U+0080 to U+009F.
constexpr C1Controls c1_controls[] = {C1Controls::allowed, C1Controls::discouraged, C1Controls::forbidden};

}  // namespace

Result<Model> check(std::shared_ptr<const Document> document, FindingSink& sink, const ReadOptions& options) {
  Parsed parsed(*document, sink, options);
  Reader& reader = parsed.reader;
  if (reader.root().value().is(JsonKind::object)) {
    const C1Controls controls = c1_controls[static_cast<std::size_t>(reader.revision())];
    check_g4mf_text(document->json().text(), document->json_offset(), controls, reader.sink());
    if (document->container() == Container::g4b && reader.revision() != Revision::r2026_07)
      check_g4b_json_chunk(document->chunk_list(), reader.sink());
  }
  auto read = parse_asset(parsed);
  if (read) read = parse_contents(parsed);
  if (!read) {
    report_unknown(reader.root().value(), root_table.rows, codes.unknown, reader.sink());
    report_unknown(reader.root()["asset"], asset_table.rows, codes.unknown, reader.sink());
    return Unexpected(std::move(read.error()));
  }
  check_all(reader, *parsed.buffers, *parsed.accessors);
  parsed.model.source = std::make_shared<Source>(std::move(document));
  return std::move(parsed.model);
}

}  // namespace sinew::g4mf
