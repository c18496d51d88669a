// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "g4mf/check/checks.hpp"
#include "model/scan_memo.hpp"

namespace sinew::g4mf {

namespace {

struct IndexFaults {
  bool ascending = true;
  std::optional<std::uint32_t> twice;  ///< the first in ascending order
};

IndexFaults faults_in(const Array& indices) {
  IndexFaults faults;
  std::vector<std::uint32_t> items = indices.read<std::uint32_t>();
  faults.ascending = std::ranges::is_sorted(items);
  if (!faults.ascending) std::ranges::sort(items);
  if (const auto twice = std::ranges::adjacent_find(items); twice != items.end()) faults.twice = *twice;
  return faults;
}

/// What scans found in indices, so that those which shapes share are scanned once.
struct IndexScans {
  explicit IndexScans(std::uint64_t most) : work(most) {}

  WorkMeter work;
  ScanMemo<IndexFaults> memo{work};
};

class BlendChecks {
 public:
  BlendChecks(Reader& reader, Accessors& accessors, IndexScans& scans, JsonValue value, const Mesh& mesh)
      : reader_(reader), accessors_(accessors), scans_(scans), value_(value), mesh_(mesh) {}

  void run() {
    check_unit_range(reader_, value_["amounts"], "G4MF_BLEND_AMOUNT_RANGE"_code);
    for (const JsonValue shape : value_["shapes"].elements()) check_shape(shape);
    if (mesh_.defect == none) check_normals();
  }

 private:
  void check_shape(JsonValue shape) {
    if (!shape.is(JsonKind::object)) return;
    if (shape["name"].string().empty()) reader_.report("G4MF_BLEND_SHAPE_NO_NAME"_code, shape);
    bool moves = false;
    const auto look = [&](JsonValue holder, std::initializer_list<const char*> targets) {
      for (const char* name : targets)
        if (const JsonValue target = holder[name]) {
          moves = check_indices(target["indices"]) || moves;
        }
    };
    look(shape, {"position", "normal", "textureMap", "topologyNormal", "topologyTextureMap"});
    for (const JsonValue surface : shape["surfaces"].elements()) look(surface, {"normal", "textureMap"});
    if (!moves) reader_.report("G4MF_BLEND_SHAPE_EMPTY"_code, shape);
  }

  /// Checks indices. Returns whether there are some; true if that is unknown.
  bool check_indices(JsonValue value) {
    const Array* const array = accessors_.find(value);
    if (array == nullptr || is_float(array->type()) || array->width() != 1) return true;
    const IndexFaults& faults = scans_.memo.of(*array, 0, [&] { return faults_in(*array); });
    if (!faults.ascending) reader_.report("G4MF_BLEND_INDICES_NOT_ASCENDING"_code, value);
    if (faults.twice) reader_.report("G4MF_BLEND_INDEX_DUPLICATE"_code, value, *faults.twice);
    return array->size() != 0;
  }

  // A normal plus its offset must not be 0, because 0 cannot be normalised.
  void check_normals() {
    for (const Surface& surface : mesh_.surfaces)
      for (const Attribute& attribute : surface.attributes) {
        if (attribute.semantic != Semantic::normal) continue;
        for (const Offsets& offsets : attribute.offsets) {
          constexpr std::uint64_t steps_per_number = 4;
          scans_.work.add(steps_per_number * (attribute.values.size() + offsets.values.size()) * attribute.values.width(),
                          "the checked normals and offsets of all meshes");
          if (const auto row = first_cancelled(attribute.values, offsets))
            return reader_.report("G4MF_BLEND_NORMAL_CANCELS"_code, value_, *row);
        }
      }
  }

  static std::optional<std::uint32_t> first_cancelled(const Array& base, const Offsets& offsets) {
    const std::vector<double> normals = base.read<double>(), moves = offsets.values.read<double>();
    const std::vector<std::uint32_t> rows = offsets.indices.read<std::uint32_t>();
    const std::size_t width = base.width();
    if (offsets.values.width() != width) return std::nullopt;
    for (std::size_t i = 0; i < rows.size() && i < offsets.values.size(); ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < width; ++c) sum = std::hypot(sum, normals[rows[i] * width + c] + moves[i * width + c]);
      if (sum < 1e-6) return rows[i];
    }
    return std::nullopt;
  }

  Reader& reader_;
  Accessors& accessors_;
  IndexScans& scans_;
  JsonValue value_;
  const Mesh& mesh_;
};

}  // namespace

void check_blend(Reader& reader, Accessors& accessors) {
  IndexScans scans(reader.most_work());
  std::size_t index = 0;
  for (const JsonValue value : reader.root()["meshes"].elements()) {
    const Mesh& mesh = reader.model().meshes[index++];
    if (const JsonValue blend = value["blend"]) BlendChecks(reader, accessors, scans, blend, mesh).run();
  }
}

}  // namespace sinew::g4mf
