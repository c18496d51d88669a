// SPDX-License-Identifier: MIT
#include "operations/files/changed_file.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "g4mf/write/update.hpp"
#include "io/load/detect.hpp"
#include "io/load/read.hpp"

namespace sinew::operations {

Result<OpenFile> open_file(const std::filesystem::path& from, const std::filesystem::path& to, const io::LoadOptions& options,
                           FindingSink& sink) {
  const io::Format wanted = io::promised_by(to).format;
  if (!to.empty())
    if (auto fine = check_extension(to); !fine) return Unexpected(std::move(fine.error()));
  auto document = document::open(from, options.open, sink);
  if (!document) return Unexpected(std::move(document.error()));
  if (auto whole = check_whole(**document); !whole) return Unexpected(std::move(whole.error()));
  const io::Format format = io::detect(**document);
  if (wanted != io::Format::unknown && format != io::Format::unknown && format != wanted)
    return Unexpected(error("SINEW_CONVERT_UNSUPPORTED"_code, Failure::unsupported, Place{path_text(from), {}, {}},
                            format == io::Format::gltf ? "glTF" : "G4MF", path_text(to.extension())));
  auto model = io::read(*document, options, sink);
  if (!model) return Unexpected(std::move(model.error()));
  return OpenFile{std::move(*document), std::move(*model)};
}

Result<Written> write_changed(const OpenFile& file, const std::shared_ptr<const document::Document>& document,
                              const std::filesystem::path& to, const EditOptions& options, std::size_t changes, FindingSink& sink,
                              LossWatch& losses, const ChangedFile& how) {
  WriteOptions writing{options};
  writing.compression = how.compression;
  writing.stored_amounts = how.stored_amounts;
  writing.made = how.made;
  writing.measured = how.measured;
  writing.revision = g4mf::revision_of(file.model);
  if (changes != 0 || options.measure || options.max_error) writing.before = &file.model;
  FindingList ignored;  // the findings concern an intermediate document
  auto written =
      to.empty() ? measure_only(document, writing) : write_file(document, to, writing, document == file.document ? sink : ignored, losses);
  if (written) written->changes = changes;
  return written;
}

}  // namespace sinew::operations
