// SPDX-License-Identifier: MIT
#include "g4mf/check/check.hpp"

#include "document/container/container.hpp"
#include "document/json/g4mf_text.hpp"
#include "g4mf/check/checks.hpp"
#include "g4mf/read/parsed.hpp"

namespace sinew::g4mf {

namespace {

void check_all(Reading& reading, Buffers& buffers, Accessors& accessors) {
  check_properties(reading);
  accessors.read_all();
  buffers.fetch_all();
  buffers.check_chunks();
  check_items(reading);
  check_carried(reading);
  check_textures(reading, buffers);
  check_use(reading, accessors);
  check_nodes(reading);
  check_meshes(reading);
  check_blend(reading, accessors);
  check_skins(reading, accessors);
  check_skeletons(reading);
  check_rigs(reading);
  check_materials(reading, accessors);
}

// What a revision says of the control characters U+0080 to U+009F.
document::C1Controls c1_controls(Revision revision) {
  constexpr document::C1Controls rules[] = {document::C1Controls::allowed, document::C1Controls::discouraged,
                                            document::C1Controls::forbidden};
  return rules[static_cast<std::size_t>(revision)];
}

}  // namespace

Result<Model> check(std::shared_ptr<const document::Document> document, FindingSink& sink, const ReadOptions& options) {
  Parsed parsed(*document, sink, options);
  Reading& reading = parsed.reading;
  if (reading.root().value().is(JsonKind::object)) {
    document::check_g4mf_text(document->json().text(), document->json_offset(), c1_controls(reading.revision()), reading.sink());
    if (document->container() == document::Container::g4b && reading.revision() != Revision::r2026_07)
      document::check_g4b_json_chunk(document->chunk_list(), reading.sink());
  }
  auto read = parse_asset(parsed);
  if (read) read = parse_contents(parsed);
  if (!read) {
    document::report_unknown(reading.root().value(), root_rows, codes.unknown, reading.sink());
    document::report_unknown(reading.root()[RootRow::asset], asset_rows, codes.unknown, reading.sink());
    return Unexpected(std::move(read.error()));
  }
  check_all(reading, *parsed.buffers, *parsed.accessors);
  parsed.model.source = std::make_shared<Source>(std::move(document));
  return std::move(parsed.model);
}

}  // namespace sinew::g4mf
