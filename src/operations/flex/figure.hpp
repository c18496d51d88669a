// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/flex.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations::bend {

using Number = std::uint32_t;
inline constexpr Number nothing = static_cast<Number>(-1);

/// Lists of numbers, one for each of some things.
struct Lists {
  std::vector<std::size_t> first{0};
  std::vector<Number> items;

  [[nodiscard]] std::size_t size() const { return first.size() - 1; }
  [[nodiscard]] std::span<const Number> operator[](std::size_t i) const {
    return std::span(items).subspan(first[i], first[i + 1] - first[i]);
  }
  /// Makes the lists of `count` things: item i belongs to thing of[i], or to none.
  static Lists group(std::size_t count, std::span<const Number> of);
};

/// A node that vertices follow. Joints are in depth-first order: those below joint j are (j, end).
struct Joint {
  Index node = none;
  Number parent = nothing;  ///< the nearest joint above
  Number end = 0;           ///< after the last joint below
  Number depth = 0;
  bool of_skin = false;       ///< it is a joint of a skin
  bool influences = false;    ///< a vertex follows it
  std::vector<double> at;     ///< its origin at rest: N numbers
  std::vector<double> frame;  ///< N orthonormal axes at rest
};

/// A slot of the palette of one instance.
struct Carrier {
  Number joint = nothing;
  Number instance = 0;
  Number slot = 0;
};

/// An instance whose vertices take part.
struct Body {
  Instance instance;
  Affine rest;                ///< world_from_mesh of all its slots at rest, in units of the scene
  Number first_vertex = 0;    ///< of Figure::vertices
  Number first_carrier = 0;   ///< of Figure::carriers
  Number carriers = 0;        ///< its slots and the node
  std::size_t first_row = 0;  ///< in the output of `deform`
};

/// How a blend shape moves the vertices of one body, in diagonals.
struct ShapeMoves {
  Number body = 0;
  Index shape = 0;
  std::string name;
  double stored = 0;           ///< its amount at rest
  std::vector<Number> vertex;  ///< those that it moves
  std::vector<double> by;      ///< N numbers for each
};

/// Influences of a twin.
struct Influence {
  Number joint, carrier;
  double weight;
};

/// Everything that the checks read: the scene at rest, divided by the diagonal of its box, and its topology. Vertices at one place are
/// welded; those of one place with equal weights are one *twin*, the unit of all checks.
struct Figure {
  const Model* model = nullptr;
  std::size_t n = 3;
  double diagonal = 0;
  double step = 0;  ///< of quantised positions, in diagonals
  bool has_skin = false;
  std::vector<Affine> world;                ///< stored pose, of all nodes
  std::vector<std::optional<Affine>> rest;  ///< by node, of joints that skins bind: world_from_joint at rest, in units of the scene

  std::vector<Joint> joints;
  std::vector<Number> joint_of_node;
  std::vector<Carrier> carriers;
  std::vector<Body> bodies;

  std::vector<FlexVertex> vertices;
  std::vector<double> weight_sum;  ///< by vertex, as stored
  std::vector<bool> unlisted;      ///< by vertex of a skinned mesh: no weight counts
  std::vector<Number> twin_of;     ///< by vertex
  std::vector<Number> body_of;     ///< by vertex

  Lists members;                 ///< vertices of each twin
  std::vector<double> at;        ///< by twin: N numbers
  std::vector<Number> place_of;  ///< by twin
  std::vector<Number> first_influence;
  std::vector<Influence> influences;
  std::vector<Number> strongest;  ///< by twin: the joint
  std::vector<bool> mixed;        ///< by twin: several joints count
  std::vector<bool> by_program;   ///< by twin: a spring chain moves it at run time
  Lists twins_of;                 ///< of each place

  std::size_t corners = 3;             ///< of a simplex
  std::vector<Number> simplexes;       ///< rows of twins, without those with two corners at one place
  std::vector<Number> simplex_vertex;  ///< the same as vertices
  Lists around;                        ///< simplexes of each twin
  Lists next;                          ///< neighbours of each twin
  std::vector<Number> part_of;         ///< by place: connected pieces of the welded simplexes
  std::size_t parts = 0;
  std::vector<Number> part_places;  ///< by part: how many places it has
  std::vector<Number> piece_of;     ///< by twin: connected pieces of the twin mesh
  std::vector<Number> rigid;        ///< by piece: the joint that all its vertices follow, or `nothing`

  std::vector<ShapeMoves> shapes;

  [[nodiscard]] std::size_t twins() const { return place_of.size(); }
  [[nodiscard]] std::size_t places() const { return twins_of.size(); }
  [[nodiscard]] std::size_t count() const { return corners == 0 ? 0 : simplexes.size() / corners; }
  [[nodiscard]] const double* place(Number twin) const { return &at[twin * n]; }
  [[nodiscard]] std::span<const Number> simplex(std::size_t i) const { return std::span(simplexes).subspan(i * corners, corners); }
  [[nodiscard]] std::span<const Influence> influences_of(Number twin) const {
    return std::span(influences).subspan(first_influence[twin], first_influence[twin + 1] - first_influence[twin]);
  }
  [[nodiscard]] double weight_of(Number twin, Number joint) const {
    for (const Influence& i : influences_of(twin))
      if (i.joint == joint) return i.weight;
    return 0;
  }
  [[nodiscard]] bool below(Number joint, Number top) const { return joint >= top && joint < joints[top].end; }
  [[nodiscard]] bool above(Number joint, Number low) const { return joint < low && low < joints[joint].end; }

  /// Reads a scene. Fails like deforming it.
  [[nodiscard]] static Result<Figure> create(const Model& model, Index scene, unsigned threads);
};

/// The steps of Figure::create after the vertices are known (topology.cpp).
struct RawVertices {
  std::vector<double> at;  ///< N numbers per vertex, in diagonals
  std::vector<std::size_t> first_influence{0};
  std::vector<Influence> influences;  ///< one per joint, ascending joints
  std::vector<Number> simplexes;      ///< rows of vertices
  double weld = 1e-5;                 ///< the distance at which vertices are one place
};
void add_topology(RawVertices raw, Figure& figure);

}  // namespace sinew::operations::bend
