// SPDX-License-Identifier: MIT
#include "sinew/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "base/catalogue.hpp"
#include "operations/compare/compare_sides.hpp"
#include "operations/compare/compare_vertices.hpp"

namespace sinew::operations {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The two sides of a moment, and which part of the result it belongs to.
struct Look {
  Moment a, b;
  std::size_t part;  ///< 0: rest; clips; shapes. Of an instance with fewer shapes: behind its last
};

/// What is kept of an instance pair beside the result.
struct Work {
  std::size_t a, b;  ///< places among the instances of either side
  Candidates candidates;
  std::vector<bool> odd;        ///< pairs that are counted apart; empty = none
  std::vector<double> squares;  ///< of each part: sum of squared distances
  std::vector<double> located;  ///< of each part: the distance at the place that it names
};

/// By more than rounding: of places that are equally far away the first one is named, whatever the order of sums.
bool larger(double distance, double than) { return distance > than * (1 + 1e-4); }

double distance(const float* a, const float* b, std::size_t width) {
  double sum = 0;
  for (std::size_t c = 0; c < width; ++c) {
    const double d = static_cast<double>(a[c]) - static_cast<double>(b[c]);
    sum += d * d;
  }
  return std::isfinite(sum) ? std::sqrt(sum) : infinite;
}

std::vector<std::string> names_of(const Side& side) {
  std::vector<std::string> names;
  for (const Instance& instance : side.instances()) names.push_back(side.model().nodes[instance.node].name);
  return names;
}

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  for (const Entity& thing : things) names.push_back(thing.name);
  return names;
}

class Comparer {
 public:
  Comparer(Side a, Side b, const CompareOptions& options) : a_(std::move(a)), b_(std::move(b)), options_(options) {}

  Result<Comparison> run() {
    measure_diagonal();
    pair_instances();
    if (auto done = plan_clips(); !done) return Unexpected(std::move(done.error()));
    plan_shapes();
    total_ = looks_.size();
    for (std::size_t i = 0; i < work_.size(); ++i) pair_vertices(i);
    if (options_.match) match();
    measure();
    return std::move(result_);
  }

 private:
  void measure_diagonal();
  void pair_instances();
  Result<> plan_clips();
  void plan_shapes();
  void pair_vertices(std::size_t pair);
  void match();
  void decide();
  void measure();
  void measure(std::size_t pair, std::size_t part, double seconds);
  void finish(std::size_t pair);
  void set_apart(std::size_t pair);
  [[nodiscard]] bool looked_at(std::size_t pair, const Look& look) const;
  void step() {
    if (options_.progress) options_.progress(++done_, total_);
  }

  Side a_, b_;
  const CompareOptions& options_;
  Comparison result_;
  std::vector<Work> work_;
  std::vector<Look> looks_{{{}, {}, 0}};
  std::size_t done_ = 0, total_ = 0;
};

void Comparer::measure_diagonal() {
  const std::size_t width = a_.model().dimension;
  std::vector<double> least(width, infinite), most(width, -infinite);
  a_.pose_at({});
  for (std::size_t i = 0; i < a_.instances().size(); ++i) {
    const auto rows = a_.rows(i);
    for (std::size_t k = 0; rows && k < rows->size(); ++k) {
      const auto value = static_cast<double>((*rows)[k]);
      if (!std::isfinite(value)) continue;
      least[k % width] = std::min(least[k % width], value);
      most[k % width] = std::max(most[k % width], value);
    }
  }
  double squares = 0;
  for (std::size_t c = 0; c < width; ++c)
    if (most[c] > least[c]) squares += (most[c] - least[c]) * (most[c] - least[c]);
  result_.diagonal = std::sqrt(squares);
}

void Comparer::pair_instances() {
  const std::vector<std::string> names = names_of(a_);
  const Paired paired = pair_by_name(names, names_of(b_));
  for (const auto& [a, b] : paired.pairs) {
    InstancePair& pair = result_.instances.emplace_back();
    pair.a = a_.instances()[a];
    pair.b = b_.instances()[b];
    pair.name = names[a];
    pair.vertices_a = a_.vertices(a);
    pair.vertices_b = b_.vertices(b);
    pair.parts.emplace_back();  // rest
    work_.push_back({a, b, {}, {}, {}, {}});
  }
  const auto alone = [](const Side& side, const std::vector<Index>& list, std::vector<Alone>& out) {
    for (const Index i : list) {
      const Index node = side.instances()[i].node;
      out.push_back({Alone::Kind::instance, node, node, side.model().nodes[node].name});
    }
  };
  alone(a_, paired.only_a, result_.only_a);
  alone(b_, paired.only_b, result_.only_b);
}

Result<> Comparer::plan_clips() {
  const std::vector<Clip>&in_a = a_.model().clips, &in_b = b_.model().clips;
  const Paired paired = pair_by_name(names_of(in_a), names_of(in_b));
  std::size_t part = 1;
  for (const auto& [a, b] : paired.pairs) {
    if (auto defect = closure_defect(a_.model(), options_.scene_a, a)) return Unexpected(std::move(*defect));
    if (auto defect = closure_defect(b_.model(), options_.scene_b, b)) return Unexpected(std::move(*defect));
    for (InstancePair& pair : result_.instances) pair.parts.push_back({Part::Kind::clip, a, b, in_a[a].name, {}});
    for (const double time : moments_of(in_a[a], in_b[b]))
      looks_.push_back({{Part::Kind::clip, a, time, {}}, {Part::Kind::clip, b, time, {}}, part});
    ++part;
  }
  for (const Index a : paired.only_a) result_.only_a.push_back({Alone::Kind::clip, a, none, in_a[a].name});
  for (const Index b : paired.only_b) result_.only_b.push_back({Alone::Kind::clip, b, none, in_b[b].name});
  return {};
}

// The first shapes of all meshes are looked at together, then the second ones, …
void Comparer::plan_shapes() {
  const std::size_t first = result_.instances.empty() ? 0 : result_.instances.front().parts.size();
  std::vector<Look> shapes;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    InstancePair& pair = result_.instances[i];
    const std::vector<BlendShape>&in_a = a_.mesh(work_[i].a).shapes, &in_b = b_.mesh(work_[i].b).shapes;
    const Paired paired = pair_by_name(names_of(in_a), names_of(in_b));
    for (std::size_t k = 0; k < paired.pairs.size(); ++k) {
      const auto [a, b] = paired.pairs[k];
      if (k == shapes.size()) {
        Look& look = shapes.emplace_back(Look{{Part::Kind::shape, none, 0, {}}, {Part::Kind::shape, none, 0, {}}, first + k});
        look.a.shapes.assign(a_.instances().size(), none);
        look.b.shapes.assign(b_.instances().size(), none);
      }
      shapes[k].a.shapes[work_[i].a] = a;
      shapes[k].b.shapes[work_[i].b] = b;
      pair.parts.push_back({Part::Kind::shape, a, b, in_a[a].name, {}});
    }
    for (const Index a : paired.only_a) result_.only_a.push_back({Alone::Kind::shape, a, pair.a.node, in_a[a].name});
    for (const Index b : paired.only_b) result_.only_b.push_back({Alone::Kind::shape, b, pair.b.node, in_b[b].name});
  }
  std::ranges::move(shapes, std::back_inserter(looks_));
}

bool Comparer::looked_at(std::size_t pair, const Look& look) const {
  return result_.instances[pair].pairing != Pairing::none && look.part < result_.instances[pair].parts.size();
}

void Comparer::pair_vertices(std::size_t i) {
  InstancePair& pair = result_.instances[i];
  Work& work = work_[i];
  work.squares.assign(pair.parts.size(), 0);
  work.located.assign(pair.parts.size(), 0);
  if (options_.match) {
    pair.pairing = Pairing::position;
    if ((pair.vertices_a == 0) != (pair.vertices_b == 0)) pair.pairing = Pairing::none, pair.why_not = "only one of the two has vertices";
    return;
  }
  if (pair.vertices_a == pair.vertices_b) {
    pair.pairing = Pairing::index;
    work.candidates.pairs = pairs_by_index(pair.vertices_a);
  } else if (auto pairs = pairs_by_corners(a_.mesh(work.a), b_.mesh(work.b), a_.model().dimension)) {
    pair.pairing = Pairing::corners;
    work.candidates.pairs = std::move(*pairs);
  } else {
    pair.why_not = fmt::format("{} and {} vertices, and their surfaces have different corners; pairing by position may work",
                               pair.vertices_a, pair.vertices_b);
  }
  set_apart(i);
}

// Candidates are told apart in two steps: nearest in a few poses at once, the rest pose counting most; then by the whole motion.
void Comparer::match() {
  constexpr std::size_t most_poses = 8;
  constexpr float weight_of_rest = 64;
  constexpr double slack = 1e-5;  // of the diagonal
  const std::size_t width = a_.model().dimension, poses = std::min(most_poses, looks_.size()), wide = width * poses;
  std::vector<std::vector<float>> in_a(work_.size()), in_b(work_.size());
  for (std::size_t p = 0; p < poses; ++p) {
    const Look& look = looks_[poses == 1 ? 0 : p * (looks_.size() - 1) / (poses - 1)];
    const auto keep = [&](Side& side, std::size_t instance, std::vector<float>& rows) {
      rows.resize(side.vertices(instance) * wide);
      const auto moved = side.rows(instance);
      for (std::size_t k = 0; moved && k < moved->size(); ++k)
        if (const float value = (*moved)[k]; std::isfinite(value))
          rows[k / width * wide + p * width + k % width] = p == 0 ? value * weight_of_rest : value;
    };
    a_.pose_at(look.a);
    b_.pose_at(look.b);
    for (std::size_t i = 0; i < work_.size(); ++i) {
      if (result_.instances[i].pairing == Pairing::none) continue;
      keep(a_, work_[i].a, in_a[i]);
      keep(b_, work_[i].b, in_b[i]);
    }
  }
  bool decided = true;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (wide == 0) continue;
    work_[i].candidates = nearest_rows(in_a[i], in_b[i], wide, slack * result_.diagonal);
    decided &= work_[i].candidates.decided();
  }
  if (!decided) decide();
  for (std::size_t i = 0; i < work_.size(); ++i) {
    std::vector<RowPair>& pairs = work_[i].candidates.pairs;
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    set_apart(i);
  }
}

// Of several candidates the one whose largest distance over everything is the least.
void Comparer::decide() {
  total_ += looks_.size();
  std::vector<std::vector<double>> furthest(work_.size());
  for (std::size_t i = 0; i < work_.size(); ++i) furthest[i].assign(work_[i].candidates.pairs.size(), 0);
  const std::size_t width = a_.model().dimension;
  for (const Look& look : looks_) {
    a_.pose_at(look.a);
    b_.pose_at(look.b);
    for (std::size_t i = 0; i < work_.size(); ++i) {
      const Candidates& candidates = work_[i].candidates;
      if (!looked_at(i, look) || candidates.decided()) continue;
      const auto rows_a = a_.rows(work_[i].a), rows_b = b_.rows(work_[i].b);
      if (!rows_a || !rows_b) continue;
      for (std::size_t k = 0; k < candidates.pairs.size(); ++k)
        furthest[i][k] =
            std::max(furthest[i][k], distance(&(*rows_a)[candidates.pairs[k].a * width], &(*rows_b)[candidates.pairs[k].b * width], width));
    }
    step();
  }
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const Candidates& from = work_[i].candidates;
    Candidates made;
    for (std::size_t row = 0; row + 1 < from.first.size(); ++row) {
      const auto begin = furthest[i].begin() + from.first[row], end = furthest[i].begin() + from.first[row + 1];
      if (begin != end) made.pairs.push_back(from.pairs[static_cast<std::size_t>(std::min_element(begin, end) - furthest[i].begin())]);
    }
    work_[i].candidates = std::move(made);
  }
}

// What the formats mean differently by rule, and what no pair holds.
void Comparer::set_apart(std::size_t i) {
  InstancePair& pair = result_.instances[i];
  Work& work = work_[i];
  const std::vector<RowPair>& pairs = work.candidates.pairs;
  const auto divides = [](const Mesh& mesh) {
    return std::ranges::any_of(mesh.blocks, [](const VertexBlock& block) { return block.influences.divide_by_sum; });
  };
  const Mesh &a = a_.mesh(work.a), &b = b_.mesh(work.b);
  if (pair.a.skin != none && pair.b.skin != none && divides(a) != divides(b)) {
    const std::vector<bool> odd = odd_weight_sums(divides(a) ? b : a);
    work.odd.resize(pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) work.odd[k] = odd[divides(a) ? pairs[k].b : pairs[k].a];
  }
  pair.apart = static_cast<std::size_t>(std::ranges::count(work.odd, true));
  pair.pairs = pairs.size() - pair.apart;
  std::vector<bool> met_a(pair.vertices_a), met_b(pair.vertices_b);
  for (const RowPair& rows : pairs) met_a[rows.a] = met_b[rows.b] = true;
  pair.unpaired_a = static_cast<std::size_t>(std::ranges::count(met_a, false));
  pair.unpaired_b = static_cast<std::size_t>(std::ranges::count(met_b, false));
}

void Comparer::measure() {
  for (const Look& look : looks_) {
    a_.pose_at(look.a);
    b_.pose_at(look.b);
    for (std::size_t i = 0; i < work_.size(); ++i)
      if (looked_at(i, look)) measure(i, look.part, look.a.seconds);
    step();
  }
  for (std::size_t i = 0; i < work_.size(); ++i) finish(i);
}

void Comparer::measure(std::size_t i, std::size_t part, double seconds) {
  Work& work = work_[i];
  InstancePair& pair = result_.instances[i];
  Distance& worst = pair.parts[part].distance;
  const std::size_t width = a_.model().dimension;
  const auto rows_a = a_.rows(work.a), rows_b = b_.rows(work.b);
  const std::vector<RowPair>& pairs = work.candidates.pairs;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const double d = rows_a && rows_b ? distance(&(*rows_a)[pairs[k].a * width], &(*rows_b)[pairs[k].b * width], width) : infinite;
    if (!work.odd.empty() && work.odd[k]) {
      pair.apart_max = std::max(pair.apart_max, d);
      continue;
    }
    work.squares[part] += d * d;
    worst.max = std::max(worst.max, d);
    if (!larger(d, work.located[part])) continue;
    work.located[part] = d;
    worst.seconds = seconds;
    worst.vertex_a = pairs[k].a;
    worst.vertex_b = pairs[k].b;
  }
  worst.measured += pair.pairs;
}

void Comparer::finish(std::size_t i) {
  for (std::size_t part = 0; part < work_[i].squares.size(); ++part) {
    Distance& distance = result_.instances[i].parts[part].distance;
    if (distance.measured != 0) distance.rms = std::sqrt(work_[i].squares[part] / static_cast<double>(distance.measured));
  }
}

double rms_of(std::span<const InstancePair> pairs) {
  double squares = 0, measured = 0;
  for (const InstancePair& pair : pairs) {
    for (const Part& part : pair.parts) {
      if (part.distance.measured == 0) continue;
      const auto count = static_cast<double>(part.distance.measured);
      squares += part.distance.rms * part.distance.rms * count;
      measured += count;
    }
  }
  return measured > 0 ? std::sqrt(squares / measured) : 0;
}

}  // namespace

const Part* InstancePair::worst() const {
  const Part* worst = nullptr;
  for (const Part& part : parts)
    if (worst == nullptr || larger(part.distance.max, worst->distance.max)) worst = &part;
  return worst;
}

double InstancePair::max() const {
  double most = 0;
  for (const Part& part : parts) most = std::max(most, part.distance.max);
  return most;
}

double InstancePair::rms() const { return rms_of({this, 1}); }

const InstancePair* Comparison::worst() const {
  const InstancePair* worst = nullptr;
  for (const InstancePair& pair : instances)
    if (worst == nullptr || larger(pair.max(), worst->max())) worst = &pair;
  return worst;
}

double Comparison::max() const {
  double most = 0;
  for (const InstancePair& pair : instances) most = std::max(most, pair.max());
  return most;
}

double Comparison::rms() const { return rms_of(instances); }

double Comparison::relative(double distance) const {
  if (diagonal > 0) return distance / diagonal;
  return distance == 0 ? 0 : infinite;
}

double Comparison::error() const {
  if (!only_a.empty() || !why_not.empty()) return infinite;
  double largest = 0;
  for (const InstancePair& pair : instances) {
    if (pair.pairing == Pairing::none || pair.unpaired_a != 0) return infinite;
    largest = std::max({largest, pair.max(), pair.apart_max});
  }
  return relative(largest);
}

bool Comparison::equal_within(double tolerance) const {
  const bool comparable =
      why_not.empty() && std::ranges::none_of(instances, [](const InstancePair& p) { return p.pairing == Pairing::none; });
  return comparable && only_a.empty() && only_b.empty() && relative(max()) <= tolerance;
}

std::string in_words(const Comparison& comparison, const InstancePair& pair) {
  const Part* part = pair.worst();
  if (pair.pairing == Pairing::none || part == nullptr) return pair.why_not;
  const Distance& at = part->distance;
  if (at.max == 0) return "0";
  const std::string vertex =
      at.vertex_a == at.vertex_b ? fmt::format("vertex {}", at.vertex_a) : fmt::format("vertices {} and {}", at.vertex_a, at.vertex_b);
  const std::string distance = fmt::format("{:.3g} ({:.3g} of the diagonal), {}", at.max, comparison.relative(at.max), vertex);
  switch (part->kind) {
    case Part::Kind::rest:
      break;
    case Part::Kind::clip:
      return fmt::format("{}, at {:.6g} s of clip {} \"{}\"", distance, at.seconds, part->a, part->name);
    case Part::Kind::shape:
      return fmt::format("{}, with only blend shape {} \"{}\"", distance, part->a, part->name);
  }
  return distance + ", at rest";
}

Result<Comparison> compare(const Model& a, const Model& b, const CompareOptions& options) try {
  if (a.dimension != b.dimension) {
    Comparison different;
    different.why_not = fmt::format("a model of {} dimensions and one of {}", a.dimension, b.dimension);
    return different;
  }
  auto side_a = Side::create(a, options.scene_a, options.threads);
  if (!side_a) return Unexpected(std::move(side_a.error()));
  auto side_b = Side::create(b, options.scene_b, options.threads);
  if (!side_b) return Unexpected(std::move(side_b.error()));
  return Comparer(std::move(*side_a), std::move(*side_b), options).run();
} catch (const std::bad_alloc&) {
  return Unexpected(error<"SINEW_NO_MEMORY"_code>(Failure::limit, {}));
}

}  // namespace sinew::operations
