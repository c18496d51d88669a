// SPDX-License-Identifier: MIT
#include "operations/optimize/error_meter.hpp"

#include <map>
#include <utility>

#include "g4mf/write/update.hpp"

#include "sinew/compare.hpp"

namespace sinew::operations {

void ErrorMeter::set_reduced(Model reduced, double error) {
  reduced_ = std::move(reduced);
  reduced_error_ = error;
  prepared_.clear();
}

void ErrorMeter::forget() {
  if (reduced_) prepared_.clear();
  reduced_.reset();
}

WriteOptions ErrorMeter::options_with(const KnownRows& rows) {
  WriteOptions measuring{options_};
  measuring.made_from.known = &rows;
  measuring.made_from.prepared = &prepared_;
  measuring.revision = g4mf::revision_of(file_);
  measuring.before = reduced_ ? &*reduced_ : &file_;
  return measuring;
}

Result<Written> ErrorMeter::measure(const std::shared_ptr<const document::Document>& document, const KnownRows& rows, Moments moments) {
  WriteOptions measuring = options_with(rows);
  // If the limit of influences refuses the file, its report needs the proof.
  if (options_.max_influences == 0) measuring.made_from.proof = Proof::left_out;
  if (moments == Moments::some) {
    measuring.made_from.most_moments = few_moments;
    measuring.made_from.also = furthest_;
  }
  auto measured = measure_only(document, measuring);
  if (!measured) return measured;
  if (moments == Moments::all) find_furthest(*measured->movement);
  if (diagonal_ == 0) diagonal_ = measured->movement->diagonal;
  return measured;
}

Result<Written> ErrorMeter::measure_last(const std::shared_ptr<const document::Document>& document, const KnownRows& rows) {
  WriteOptions measuring = options_with(rows);
  measuring.surfaces = is_reduced();
  measuring.before = &file_;
  if (is_reduced()) measuring.made_from.prepared = nullptr;
  return measure_only(document, measuring);
}

void ErrorMeter::find_furthest(const Comparison& all) {
  std::map<Index, const Distance*> of_clip;
  for (const InstancePair& pair : all.instances)
    for (const Part& part : pair.parts) {
      if (part.kind != Part::Kind::clip) continue;
      const Distance*& furthest = of_clip.try_emplace(part.a, &part.distance).first->second;
      if (part.distance.max > furthest->max) furthest = &part.distance;
    }
  furthest_.clear();
  for (const auto& [clip, distance] : of_clip) furthest_.push_back({clip, distance->seconds});
}

double ErrorMeter::error_of(const Written& measured) const {
  const Comparison& moved = *measured.movement;
  return reduced_ && diagonal_ > 0 ? reduced_error_ + moved.error() * moved.diagonal / diagonal_ : moved.error();
}

}  // namespace sinew::operations
