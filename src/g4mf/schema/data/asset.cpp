// SPDX-License-Identifier: MIT
#include "g4mf/schema/data/asset.hpp"

#include <cmath>

#include "document/schema/revision.hpp"
#include "g4mf/extensions/SINEW_animation.hpp"

namespace sinew::g4mf {

namespace {

Checked<> read_dimension(Reader& reader, const AssetObject& asset) {
  const JsonValue value = asset["dimension"];
  if (!value) return reader.refuse("G4MF_ASSET_DIMENSION_MISSING"_code, asset.value());
  const auto number = value.number();
  if (!number || std::trunc(*number) != *number) return reader.refuse("G4MF_ASSET_DIMENSION_NOT_INTEGER"_code, value, excerpt(value));
  if (*number < 0) return reader.refuse("G4MF_ASSET_DIMENSION_NEGATIVE"_code, value, excerpt(value));
  const std::uint64_t most = reader.document().options().limits.dimension;
  if (*number > static_cast<double>(most))
    return reader.refuse(value, error("G4MF_ASSET_DIMENSION_UNSUPPORTED"_code, Failure::limit, {}, excerpt(value), most));
  reader.model().dimension = static_cast<std::size_t>(*number);
  return {};
}

}  // namespace

Checked<> read_asset(Reader& reader) {
  Model& model = reader.model();
  model.format = "G4MF";
  model.revision = name_of(reader.revision());
  const JsonValue value = reader.root()["asset"];
  if (!value) return reader.refuse(reader.root());
  const auto asset = reader.object<AssetObject>(value);
  model.generator = asset.string("generator");
  for (const JsonValue name : asset["extensionsUsed"].elements()) model.extensions_used.push_back(name.string());
  for (const JsonValue name : asset["extensionsRequired"].elements()) model.extensions_required.push_back(name.string());
  return read_dimension(reader, asset);
}

// Extensions that are not required are ignored, if no part of the reader knows them.
std::vector<JsonValue> unsupported_extensions(const Reader& reader) {
  Silence silence;
  const AssetObject asset(reader.root()["asset"], silence.sink());
  std::vector<JsonValue> names = list_of(asset["extensionsRequired"]);
  std::erase_if(names, [](JsonValue name) { return name.equals(animation::extension); });
  return names;
}

Checked<> require_support(Reader& reader) {
  const std::vector<JsonValue> names = unsupported_extensions(reader);
  if (names.empty()) return {};
  return reader.refuse(names.front(),
                       error("G4MF_ASSET_EXTENSION_REQUIRED_UNSUPPORTED"_code, Failure::unsupported, {}, excerpt(names.front())));
}

}  // namespace sinew::g4mf
