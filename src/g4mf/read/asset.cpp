// SPDX-License-Identifier: MIT
#include "g4mf/read/asset.hpp"

#include <cmath>

#include "g4mf/read/ext/SINEW_animation.hpp"

namespace sinew::g4mf {

namespace {

Checked<> read_dimension(Reading& reading, const AssetObject& asset) {
  const JsonValue value = asset[AssetRow::dimension];
  if (!value) return reading.refuse<"G4MF_ASSET_DIMENSION_MISSING"_code>(asset.value());
  const auto number = value.number();
  if (!number || std::trunc(*number) != *number)
    return reading.refuse<"G4MF_ASSET_DIMENSION_NOT_INTEGER"_code>(value, document::excerpt(value));
  if (*number < 0) return reading.refuse<"G4MF_ASSET_DIMENSION_NEGATIVE"_code>(value, document::excerpt(value));
  const std::uint64_t most = reading.document().options().limits.dimension;
  if (*number > static_cast<double>(most))
    return reading.refuse(value, error<"G4MF_ASSET_DIMENSION_UNSUPPORTED"_code>(Failure::limit, {}, document::excerpt(value), most));
  reading.model().dimension = static_cast<std::size_t>(*number);
  return {};
}

}  // namespace

Checked<> read_asset(Reading& reading) {
  Model& model = reading.model();
  model.format = "G4MF";
  model.revision = revision_names[static_cast<std::size_t>(reading.revision())];
  const JsonValue value = reading.root()[RootRow::asset];
  if (!value) return reading.refuse(reading.root());
  const auto asset = reading.object<AssetObject>(value);
  model.generator = asset.string(AssetRow::generator);
  for (const JsonValue name : asset[AssetRow::extensionsUsed].elements()) model.extensions_used.push_back(name.string());
  for (const JsonValue name : asset[AssetRow::extensionsRequired].elements()) model.extensions_required.push_back(name.string());
  return read_dimension(reading, asset);
}

// What is not required is carried, if no part of the reader knows it.
std::vector<JsonValue> unsupported_extensions(const Reading& reading) {
  document::Silence silence;
  const AssetObject asset(reading.root()[RootRow::asset], silence.sink());
  std::vector<JsonValue> names = list_of(asset[AssetRow::extensionsRequired]);
  std::erase_if(names, [](JsonValue name) { return name.equals(animation::extension); });
  return names;
}

Checked<> require_support(Reading& reading) {
  const std::vector<JsonValue> names = unsupported_extensions(reading);
  if (names.empty()) return {};
  return reading.refuse(
      names.front(), error<"G4MF_ASSET_EXTENSION_REQUIRED_UNSUPPORTED"_code>(Failure::unsupported, {}, document::excerpt(names.front())));
}

}  // namespace sinew::g4mf
