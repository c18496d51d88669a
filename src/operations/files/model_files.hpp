// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {

/// A file by the name that another file uses for it: relative, percent-decoded.
struct NamedFile {
  std::string name;
  document::Bytes bytes;
};

/// Returns the file of a model, named as it was opened without its folder, and then the files that it refers to. They need neither Draco
/// nor Zstandard: such data are stored decompressed. Their model is the same; its file may be in the binary container. A file that cannot
/// be read is left out. Empty: a model without a source. Precondition: the model is as it was read. Failure::limit if memory runs out.
[[nodiscard]] Result<std::vector<NamedFile>> model_files(const Model& model);

}  // namespace sinew::operations
