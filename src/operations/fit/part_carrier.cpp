// SPDX-License-Identifier: MIT
#include "operations/fit/part_carrier.hpp"

#include <utility>

#include "operations/fit/bone_shapes.hpp"

namespace sinew::operations::weights {

struct PartCarrier::Data {
  Data(const Model& model, const RiggedSurface& rigged, const Wearer& wearer, RiggedSurface surface)
      : theirs(std::move(surface)),
        body_outer(model, rigged),
        wearer_outer(wearer.model, theirs),
        body(figure_of_body(model, rigged, body_outer)),
        figure{wearer.model, theirs, wearer_outer, wearer.twin} {
    if (!body_outer.empty() && !wearer_outer.empty()) shapes.emplace(body, figure);
  }

  RiggedSurface theirs;
  OuterSurface body_outer, wearer_outer;
  Figure body, figure;
  std::optional<BoneShapes> shapes;  ///< nothing: one of the figures has no surface
};

PartCarrier::PartCarrier(std::unique_ptr<Data> data) : data_(std::move(data)) {}
PartCarrier::~PartCarrier() = default;
PartCarrier::PartCarrier(PartCarrier&&) noexcept = default;

Result<PartCarrier> PartCarrier::create(const Model& body, const RiggedSurface& rigged, const Wearer& wearer, unsigned threads) {
  auto theirs = RiggedSurface::of_figure(wearer.model, threads);
  if (!theirs) return Unexpected(std::move(theirs.error()));
  return PartCarrier(std::make_unique<Data>(body, rigged, wearer, std::move(*theirs)));
}

std::optional<Stretch> PartCarrier::carry(Index bone, bool beside, std::span<const Vec> points) {
  if (!data_->shapes) return std::nullopt;
  const BoneShape* const shape = data_->shapes->prepare(bone);
  if (shape == nullptr) return std::nullopt;
  if (shape->chest != nullptr) return shape->chest->rigid(points);
  if (!beside || !shape->map) return std::nullopt;
  return shape->map->rigid(points);
}

}  // namespace sinew::operations::weights
