// SPDX-License-Identifier: MIT
#include "operations/flex/figure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/guard.hpp"
#include "deform/packed.hpp"
#include "math/extent.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations::bend {

namespace {

constexpr double least_weights = 0.01;  // a vertex with less is not bound

/// Returns a quantisation step of a block's positions, in its own space; 0 for floats.
double step_of(const VertexBlock& block) {
  const Attribute* const positions = find_attribute(block.attributes, Semantic::position);
  if (positions == nullptr || is_float(positions->values.type())) return 0;
  if (!positions->values.normalized()) return 1;
  const std::size_t bits = 8 * byte_size(positions->values.type());
  return 1 / (std::ldexp(1.0, static_cast<int>(std::min<std::size_t>(bits, 32)) - 1) - 1);
}

double size_of(const Affine& map) {
  double squares = 0;
  const std::size_t n = map.dimension();
  for (std::size_t i = 0; i < n * n; ++i) squares += map.values()[i] * map.values()[i];
  return std::sqrt(squares / static_cast<double>(n));
}

/// Makes the columns of a map orthonormal, in order. A column that vanishes is replaced by an axis.
std::vector<double> frame_of(const Affine& map) {
  const std::size_t n = map.dimension();
  std::vector<double> out(n * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t attempt = 0; attempt <= n; ++attempt) {
      double* const column = &out[j * n];
      for (std::size_t i = 0; i < n; ++i) column[i] = attempt == 0 ? map(i, j) : i == (j + attempt - 1) % n ? 1.0 : 0.0;
      double before = 0, after = 0;
      for (std::size_t i = 0; i < n; ++i) before += column[i] * column[i];
      for (int twice = 0; twice < 2; ++twice)
        for (std::size_t k = 0; k < j; ++k) {
          double along = 0;
          for (std::size_t i = 0; i < n; ++i) along += out[k * n + i] * column[i];
          for (std::size_t i = 0; i < n; ++i) column[i] -= along * out[k * n + i];
        }
      for (std::size_t i = 0; i < n; ++i) after += column[i] * column[i];
      if (!(after > 1e-12 * before) || !(before > 0)) continue;
      for (std::size_t i = 0; i < n; ++i) column[i] /= std::sqrt(after);
      break;
    }
  return out;
}

/// Builds a Figure step by step.
class Builder {
 public:
  Builder(const Model& model, Figure& figure) : model_(model), figure_(figure), n_(model.dimension) {
    figure.model = &model;
    figure.n = n_;
    figure.world = need(world_transforms(model, model.rest_pose));
    rest_.resize(model.nodes.size());
  }

  Result<> run(const deform::SceneDeformer& scene) {
    find_joints(scene);
    for (const bool skinned : {true, false})
      for (std::size_t i = 0; i < scene.instances().size(); ++i)
        if (uses(scene.instances()[i]) && (scene.instances()[i].skin != none) == skinned)
          if (auto done = add_body(scene, i); !done) return done;
    std::ranges::sort(order_, {}, [&](std::size_t body) { return bodies_[body].first_row; });
    for (const std::size_t body : order_) append(scene, body);
    scale();
    place_joints();
    figure_.rest = std::move(rest_);
    if (figure_.vertices.empty()) return {};
    add_shapes(scene);
    add_topology(std::move(raw_), figure_);
    mark_program();
    return {};
  }

 private:
  /// Returns whether an instance shows anything in a normal view. Copies of one node deform alike.
  [[nodiscard]] bool uses(const Instance& instance) const {
    if (!instance.visible || instance.copy != 0) return false;
    return std::ranges::none_of(model_.avatar.first_person, [&](const FirstPerson& person) {
      return person.node == instance.node && person.show == FirstPerson::Show::first_person_only;
    });
  }

  void find_joints(const deform::SceneDeformer& scene) {
    std::vector<bool> is_joint(model_.nodes.size()), of_skin(model_.nodes.size());
    for (const Instance& instance : scene.instances()) {
      is_joint[instance.node] = true;
      if (instance.skin == none) continue;
      figure_.has_skin = true;
      for (const Index node : model_.skins[instance.skin].slots)
        if (node != none) is_joint[node] = of_skin[node] = true;
    }
    figure_.joint_of_node.assign(model_.nodes.size(), nothing);
    struct Open {
      Index node;
      Number parent, depth;
    };
    std::vector<Open> open;
    for (Index node = static_cast<Index>(model_.nodes.size()); node-- > 0;)
      if (model_.nodes[node].parent == none) open.push_back({node, nothing, 0});
    while (!open.empty()) {
      const Open now = open.back();
      open.pop_back();
      Number parent = now.parent;
      if (is_joint[now.node]) {
        figure_.joint_of_node[now.node] = static_cast<Number>(figure_.joints.size());
        Joint& joint = figure_.joints.emplace_back();
        joint.node = now.node;
        joint.parent = parent;
        joint.depth = now.depth;
        joint.of_skin = of_skin[now.node];
        parent = figure_.joint_of_node[now.node];
      }
      const std::vector<Index>& children = model_.nodes[now.node].children;
      for (std::size_t i = children.size(); i-- > 0;) open.push_back({children[i], parent, now.depth + 1});
    }
    std::vector<Joint>& joints = figure_.joints;
    for (std::size_t i = joints.size(); i-- > 0;) {  // descendants follow, so a joint's end is that of its last child
      joints[i].end = std::max(joints[i].end, static_cast<Number>(i + 1));
      if (joints[i].parent != nothing) joints[joints[i].parent].end = std::max(joints[joints[i].parent].end, joints[i].end);
    }
  }

  // Rest of a skin: the matrix of its topmost joint that influences a vertex, for all joints.
  Result<> add_body(const deform::SceneDeformer& scene, std::size_t number) {
    Body body;
    body.instance = scene.instances()[number];
    body.first_row = scene.first(number);
    const deform::Prepared::Packed& packed = scene.prepared(number).packed();
    if (packed.vertices == 0) return {};
    deform::Palette palette(n_);
    if (auto made = deform::palette(model_, body.instance, figure_.world, figure_.world, palette); !made) return made;
    const Index own = body.instance.node;
    const std::size_t slots = body.instance.skin == none ? 0 : model_.skins[body.instance.skin].slots.size();
    body.carriers = static_cast<Number>(slots + 1);
    std::vector<Number> joint_of_slot;
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const Index node = model_.skins[body.instance.skin].slots[slot];
      joint_of_slot.push_back(figure_.joint_of_node[node == none ? own : node]);
    }
    joint_of_slot.push_back(figure_.joint_of_node[own]);
    std::size_t top = slots;
    for (const std::uint32_t slot : packed.used_slots) {
      if (slot >= slots) continue;
      figure_.joints[joint_of_slot[slot]].influences = true;
      if (top == slots || figure_.joints[joint_of_slot[slot]].depth < figure_.joints[joint_of_slot[top]].depth) top = slot;
    }
    if (top == slots) figure_.joints[joint_of_slot[slots]].influences = true;
    body.rest = palette[top];
    if (body.instance.skin == none) body.rest = rest_above(own) * body.rest;
    if (!inverse(body.rest)) return {};  // of scale 0: never shown
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const Index node = figure_.joints[joint_of_slot[slot]].node;
      const auto back = inverse(palette[slot]);
      if (back && !rest_[node] && std::ranges::binary_search(packed.used_slots, static_cast<std::uint32_t>(slot)))
        rest_[node] = body.rest * *back * figure_.world[node];
    }
    order_.push_back(bodies_.size());
    bodies_.push_back(body);
    numbers_.push_back(number);
    slots_.push_back(std::move(joint_of_slot));
    return {};
  }

  /// Returns how far the nearest joint above a node stands from its stored place at rest.
  [[nodiscard]] Affine rest_above(Index node) const {
    for (; node != none; node = model_.nodes[node].parent) {
      if (!rest_[node]) continue;
      if (const auto back = inverse(figure_.world[node])) return *rest_[node] * *back;
    }
    return Affine(n_);
  }

  void append(const deform::SceneDeformer& scene, std::size_t at) {
    Body body = std::move(bodies_[at]);
    const deform::Prepared::Packed& packed = scene.prepared(numbers_[at]).packed();
    const auto number = static_cast<Number>(figure_.bodies.size());
    body.first_vertex = static_cast<Number>(figure_.vertices.size());
    body.first_carrier = static_cast<Number>(figure_.carriers.size());
    for (Number slot = 0; slot < body.carriers; ++slot) figure_.carriers.push_back({slots_[at][slot], number, slot});
    const Mesh& mesh = model_.meshes[body.instance.mesh];
    for (std::size_t b = 0; b < packed.blocks.size(); ++b) {
      const deform::PackedBlock& block = packed.blocks[b];
      if (block.positions.empty()) continue;
      steps_ = std::max(steps_, step_of(mesh.blocks[b]) * size_of(body.rest));
      for (std::size_t v = 0; v < block.vertices; ++v) append(body, number, block, b, v);
    }
    append_simplexes(body, mesh, packed);
    figure_.bodies.push_back(std::move(body));
  }

  void append(const Body& body, Number number, const deform::PackedBlock& block, std::size_t b, std::size_t v) {
    std::vector<double> point(n_);
    for (std::size_t i = 0; i < n_; ++i) point[i] = static_cast<double>(block.positions.values[v * n_ + i]);
    for (const deform::PackedOffsets& offsets : block.positions.offsets) {
      const std::vector<double>& amounts = model_.rest_pose.amounts[body.instance.node];
      const double amount = offsets.shape < amounts.size() ? amounts[offsets.shape] : 0;
      if (amount == 0) continue;
      std::size_t row = v;
      if (offsets.sparse) {
        const auto found = std::ranges::lower_bound(offsets.rows, static_cast<std::uint32_t>(v));
        if (found == offsets.rows.end() || *found != v) continue;
        row = static_cast<std::size_t>(found - offsets.rows.begin());
      }
      for (std::size_t i = 0; i < n_; ++i) point[i] += amount * static_cast<double>(offsets.values[row * n_ + i]);
    }
    body.rest.apply(point, point);
    raw_.at.insert(raw_.at.end(), point.begin(), point.end());
    figure_.vertices.push_back(
        {body.instance.node, body.instance.mesh, static_cast<Index>(b), static_cast<Index>(v), body.first_row + block.first + v});
    figure_.body_of.push_back(number);
    append_influences(body, block, v);
  }

  void append_influences(const Body& body, const deform::PackedBlock& block, std::size_t v) {
    row_.clear();
    const Number own = body.first_carrier + body.carriers - 1;
    double sum = 0;
    bool listed = false;
    if (block.skinned)
      for (std::uint32_t i = block.row_first[v]; i < block.row_first[v + 1]; ++i) {
        const Number carrier = body.first_carrier + block.slot[i];
        const auto weight = static_cast<double>(block.weight[i]);
        sum += weight;
        if (weight == 0) continue;
        listed |= carrier != own;
        row_.push_back({figure_.carriers[carrier].joint, carrier, weight});
      }
    else
      sum = 1;
    if (!(sum >= least_weights)) row_.clear();
    if (row_.empty()) row_.push_back({figure_.carriers[own].joint, own, 1});
    figure_.weight_sum.push_back(sum);
    figure_.unlisted.push_back(block.skinned && (!listed || !(sum >= least_weights)));
    std::ranges::sort(row_, {}, &Influence::joint);
    double all = 0;
    for (const Influence& i : row_) all += i.weight;
    const std::size_t begin = raw_.influences.size();
    for (const Influence& i : row_)
      if (raw_.influences.size() > begin && raw_.influences.back().joint == i.joint)
        raw_.influences.back().weight += i.weight / all;
      else
        raw_.influences.push_back({i.joint, i.carrier, i.weight / all});
    raw_.first_influence.push_back(raw_.influences.size());
  }

  void append_simplexes(const Body& body, const Mesh& mesh, const deform::Prepared::Packed& packed) {
    figure_.corners = std::max<std::size_t>(n_, 3);
    std::vector<Number> first;
    Number next = body.first_vertex;
    for (const deform::PackedBlock& block : packed.blocks) {
      first.push_back(next);
      if (!block.positions.empty()) next += static_cast<Number>(block.vertices);
    }
    for (const Surface& surface : mesh.surfaces) {
      if (surface.defect != none || packed.blocks[surface.block].positions.empty()) continue;
      if (surface.primitive < Primitive::simplexes) continue;
      const Elements elements = need(elements_of(mesh, surface, n_));
      if (elements.corners != figure_.corners) continue;
      for (const std::uint32_t index : elements.indices) raw_.simplexes.push_back(first[surface.block] + index);
    }
  }

  void scale() {
    Extent box;
    for (std::size_t i = 0; i < raw_.at.size(); ++i) box.add(i % n_, raw_.at[i]);
    figure_.diagonal = box.diagonal(n_);
    const double unit = figure_.diagonal > 0 ? 1 / figure_.diagonal : 1;
    for (double& value : raw_.at) value *= unit;
    for (Body& body : figure_.bodies)
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < n_; ++j) body.rest(i, j) *= unit;
        body.rest.translation(i) *= unit;
      }
    // A step of 8 bits is larger than the details of meshes: there, only equal vertices are certain to be one place.
    figure_.step = steps_ * unit;
    raw_.weld = std::max(raw_.weld, std::min(figure_.step, 1e-4));
  }

  void place_joints() {
    const double unit = figure_.diagonal > 0 ? 1 / figure_.diagonal : 1;
    for (Joint& joint : figure_.joints) {
      const Affine map = rest_[joint.node] ? *rest_[joint.node] : rest_above(joint.node) * figure_.world[joint.node];
      for (std::size_t i = 0; i < n_; ++i) joint.at.push_back(map.translation(i) * unit);
      joint.frame = frame_of(map);
    }
  }

  void add_shapes(const deform::SceneDeformer& scene) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Body& body = figure_.bodies[i];
      const Mesh& mesh = model_.meshes[body.instance.mesh];
      const std::vector<double>& stored = model_.rest_pose.amounts[body.instance.node];
      for (Index shape = 0; shape < mesh.shapes.size(); ++shape) {
        ShapeMoves moves{static_cast<Number>(i), shape, mesh.shapes[shape].name, shape < stored.size() ? stored[shape] : 0, {}, {}};
        Number first = body.first_vertex;
        for (const deform::PackedBlock& block : scene.prepared(numbers_[order_[i]]).packed().blocks) {
          if (block.positions.empty()) continue;
          for (const deform::PackedOffsets& offsets : block.positions.offsets)
            if (offsets.shape == shape) add_offsets(offsets, first, body.rest, moves);
          first += static_cast<Number>(block.vertices);
        }
        figure_.shapes.push_back(std::move(moves));
      }
    }
  }

  void add_offsets(const deform::PackedOffsets& offsets, Number first, const Affine& rest, ShapeMoves& moves) const {
    for (std::size_t row = 0; row * n_ < offsets.values.size(); ++row) {
      std::vector<double> by(n_);
      bool moved = false;
      for (std::size_t j = 0; j < n_; ++j) {
        const auto part = static_cast<double>(offsets.values[row * n_ + j]);
        moved |= part != 0;
        for (std::size_t i = 0; i < n_; ++i) by[i] += rest(i, j) * part;
      }
      if (!moved) continue;
      moves.vertex.push_back(first + (offsets.sparse ? offsets.rows[row] : static_cast<Number>(row)));
      moves.by.insert(moves.by.end(), by.begin(), by.end());
    }
  }

  void mark_program() {
    std::vector<bool> swings(figure_.joints.size());
    for (const Spring& spring : model_.avatar.springs)
      for (const Index node : spring.joints) {
        const Number joint = figure_.joint_of_node[node];
        if (joint == nothing) continue;
        const Number end = model_.avatar.format == Avatar::Format::vrm0 ? figure_.joints[joint].end : joint + 1;
        std::fill(swings.begin() + joint, swings.begin() + end, true);
      }
    figure_.by_program.assign(figure_.twins(), false);
    for (Number twin = 0; twin < figure_.twins(); ++twin)
      for (const Influence& i : figure_.influences_of(twin))
        if (i.weight > 0.05 && swings[i.joint]) figure_.by_program[twin] = true;
  }

  const Model& model_;
  Figure& figure_;
  std::size_t n_;
  std::vector<std::optional<Affine>> rest_;  ///< by node, of joints of skins
  std::vector<Body> bodies_;
  std::vector<std::size_t> numbers_, order_;  ///< of the instances in the scene; by row
  std::vector<std::vector<Number>> slots_;
  RawVertices raw_;
  std::vector<Influence> row_;
  double steps_ = 0;
};

}  // namespace

Lists Lists::group(std::size_t count, std::span<const Number> of) {
  Lists out;
  out.first.assign(count + 1, 0);
  for (const Number thing : of)
    if (thing != nothing) ++out.first[thing + 1];
  std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
  out.items.resize(out.first.back());
  std::vector<std::size_t> next(out.first.begin(), out.first.end() - 1);
  for (std::size_t i = 0; i < of.size(); ++i)
    if (of[i] != nothing) out.items[next[of[i]]++] = static_cast<Number>(i);
  return out;
}

Result<Figure> Figure::create(const Model& model, Index scene, unsigned threads) {
  if (auto defect = closure_defect(model, scene)) return Unexpected(std::move(*defect));
  auto deformer = deform::SceneDeformer::create(model, need(sinew::instances(model, scene)), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  std::vector<float> positions(deformer->vertices() * model.dimension);
  if (auto fine = deformer->run(model.rest_pose, {{positions.data(), deformer->vertices(), model.dimension}, {}, {}}, threads); !fine)
    return Unexpected(std::move(fine.error()));
  Figure figure;
  if (auto done = Builder(model, figure).run(*deformer); !done) return Unexpected(std::move(done.error()));
  return figure;
}

}  // namespace sinew::operations::bend
