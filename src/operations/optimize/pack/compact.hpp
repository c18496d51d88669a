// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "document/json/json.hpp"

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The number of removed objects.
struct Compacted {
  std::size_t channels = 0;   ///< without a target
  std::size_t samplers = 0;   ///< of animations: without a channel, or equal to another one
  std::size_t accessors = 0;  ///< references now point to another accessor with the same content and use
  std::size_t nodes = 0;
};

/// Returns the document without objects that repeat others or do nothing, and without the flagged nodes. Unused accessors keep their place
/// (see without_orphans). If an unknown extension may refer to elements by index, nodes and accessors stay. Precondition: nothing refers
/// to the flagged nodes except parents and scenes.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> compact(const std::shared_ptr<const document::Document>& document,
                                                                        const std::vector<bool>& nodes, Compacted& done);

/// Returns the document with new buffer views in place of those that are used only in parts: one for each part that accessors in use cover.
/// The old views and accessors keep their places. Nothing changes if that would not save bytes, or if an unknown extension may refer to
/// elements by index.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> split_views(const std::shared_ptr<const document::Document>& document);

/// A buffer view that pack_views makes: rows of several accessors, of one kind and size.
struct PackedView {
  enum class Kind : std::uint8_t {
    vertices,    ///< attributes and their offsets
    directions,  ///< normals and tangents
    positions,   ///< a kind of attribute each, with PackInto::kinds
    normals,
    tangents,
    texcoords,
    colors,
    joints,
    weights,
    offsets,            ///< of positions
    direction_offsets,  ///< of normals and tangents
    triangles,          ///< indices of triangles
    indices,            ///< other indices
    rotations,          ///< keys without tangents: of rotations, of translations and scales, and of blend amounts
    lengths,
    amounts,
    sparse,  ///< the rows or values of sparse accessors
    data     ///< all else
  };
  struct Rows {
    std::size_t accessor = 0, offset = 0, count = 0;  ///< `offset`: in the view, in bytes
  };
  Kind kind = Kind::data;
  std::size_t step = 0;  ///< bytes from row to row
  std::vector<Rows> parts;
};

/// How pack_views groups the rows of vertices: attributes of one size, or also of one kind.
enum class PackInto : std::uint8_t { sizes, kinds };

/// Returns the content of a buffer view that an extension stores in another form; nothing for other views.
using DecodeView = std::function<std::optional<std::vector<std::byte>>(const document::Document&, document::JsonValue view)>;

/// Returns the document with one buffer, in which one view stores all rows of a kind and size. Views of images and other data follow. Bytes
/// outside of views are left out. Nothing changes if a view is not available, if an unknown extension may refer to views by index, or if
/// that would not save bytes. `made`, if given, gets the first views of the result, and sizes do not count.
/// `decode`, if given, decodes all views with an extension; the extensions of meshopt are then no longer used.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> pack_views(const std::shared_ptr<const document::Document>& document,
                                                                           std::vector<PackedView>* made = nullptr,
                                                                           const DecodeView& decode = {}, PackInto into = PackInto::sizes);

/// Returns the document without white space in its JSON text, with short bounds of accessors, and without transforms of nodes that equal
/// the default. `rounded`: transforms of nodes also get the precision of float32 where that is shorter.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> shortened(const std::shared_ptr<const document::Document>& document,
                                                                          bool rounded);

}  // namespace sinew::operations
