// SPDX-License-Identifier: MIT
#include "sinew/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results.hpp"

#include "sinew/load.hpp"

namespace python {

namespace {

using sinew::Index;
using sinew::Model;

/// An entity and its model, which it keeps alive.
template <class T>
struct View {
  SharedModel loaded;
  Index index = 0;
  const T* entity = nullptr;

  const T* operator->() const { return entity; }
};

template <class T>
std::vector<View<T>> views(const SharedModel& loaded, const std::vector<T>& list) {
  std::vector<View<T>> out;
  out.reserve(list.size());
  for (const T& entity : list) out.push_back({loaded, static_cast<Index>(out.size()), &entity});
  return out;
}

template <class T>
py::class_<View<T>> bind_entity(py::module_& module, const char* name, const char* list, const char* doc) {
  py::class_<View<T>> type(module, name, doc);
  type.def_readonly("index", &View<T>::index, "Index in the list of its kind.");
  type.def_property_readonly(
      "name", [](const View<T>& view) { return text(view->name); }, "The name, or empty. Names are not unique in glTF.");
  type.def_property_readonly(
      "pointer",
      [](const View<T>& view) {
        const auto& source = view.loaded->model->source;
        return text(source ? source->pointer(view->source) : std::string());
      },
      "JSON pointer into the file.");
  type.def("__repr__", [name](const View<T>& view) {
    return text(std::string("<") + name + " " + std::to_string(view.index) + " \"" + view->name + "\">");
  });
  type.def("__reduce__",
           [list](const View<T>& view) { return py::make_tuple(restorer("entity"), py::make_tuple(view.loaded, list, view.index)); });
  return type;
}

py::list indices(const std::vector<Index>& list) {
  py::list out;
  for (const Index index : list) out.append(index_or_none(index));
  return out;
}

py::list surfaces(const sinew::Mesh& mesh, std::size_t dimension) {
  py::list list;
  for (const auto& surface : mesh.surfaces) {
    py::dict row;
    row["name"] = text(surface.name);
    row["block"] = surface.block;
    row["vertices"] = surface.block < mesh.blocks.size() ? mesh.blocks[surface.block].vertices : 0;
    row["corners"] = sinew::corner_count(mesh, surface, dimension);
    row["material"] = index_or_none(surface.material);
    list.append(row);
  }
  return list;
}

void bind_entities(py::module_& module) {
  using Node = View<sinew::Node>;
  bind_entity<sinew::Node>(module, "Node", "nodes", "A node: a transform in a hierarchy, optionally with a mesh.")
      .def_property_readonly(
          "parent", [](const Node& n) { return index_or_none(n->parent); }, "Index of the parent, or None.")
      .def_property_readonly(
          "children", [](const Node& n) { return indices(n->children); }, "Indices of the children.")
      .def_property_readonly(
          "mesh", [](const Node& n) { return index_or_none(n->mesh); }, "Index of its mesh, or None.")
      .def_property_readonly(
          "skin", [](const Node& n) { return index_or_none(n->skin); }, "Index of the skin, or None.")
      .def_property_readonly(
          "visible", [](const Node& n) { return n->visible; }, "False if the node itself is hidden.")
      .def_property_readonly(
          "is_bone", [](const Node& n) { return n->bone.has_value(); }, "Whether the file marks it as a bone.")
      .def_property_readonly(
          "bone_length", [](const Node& n) { return n->bone ? n->bone->length : std::nullopt; },
          "Stored length of the bone along its +Y axis, or None.");

  using Mesh = View<sinew::Mesh>;
  bind_entity<sinew::Mesh>(module, "Mesh", "meshes", "A mesh: vertices, surfaces, blend shapes.")
      .def_property_readonly(
          "vertices", [](const Mesh& m) { return vertex_count(*m.entity); }, "Number of vertices.")
      .def_property_readonly(
          "influences", [](const Mesh& m) { return most_influences(*m.entity); }, "Largest number of influences of a vertex.")
      .def_property_readonly(
          "surfaces", [](const Mesh& m) { return surfaces(*m.entity, m.loaded->model->dimension); },
          "A dict per surface: name, block (of vertices), vertices (of the block), corners, material (index or None).")
      .def_property_readonly(
          "shapes",
          [](const Mesh& m) {
            py::list list;
            for (const auto& shape : m->shapes) list.append(py::make_tuple(text(shape.name), shape.amount));
            return list;
          },
          "Blend shapes: (name, amount at rest).");

  using Skin = View<sinew::Skin>;
  bind_entity<sinew::Skin>(module, "Skin", "skins", "The binding of vertices to joints.")
      .def_property_readonly(
          "joints", [](const Skin& s) { return indices(s->slots); }, "Node index of each joint slot, or None.")
      .def_property_readonly(
          "bind", [](const Skin& s) { return to_string(s->bind); }, "The kind of binding: \"matrices\", \"identity\", …")
      .def_property_readonly("root", [](const Skin& s) { return index_or_none(s->root_hint); }, "glTF's skin.skeleton, or None.");

  using Skeleton = View<sinew::Skeleton>;
  bind_entity<sinew::Skeleton>(module, "Skeleton", "skeletons", "An explicit skeleton of the file.")
      .def_property_readonly(
          "root", [](const Skeleton& s) { return index_or_none(s->root); }, "STAIK_skeletons: the topmost joint, or None.")
      .def_property_readonly(
          "node", [](const Skeleton& s) { return index_or_none(s->node); }, "G4MF: the skeleton's node, or None.")
      .def_property_readonly("joints", [](const Skeleton& s) { return indices(s->joints); }, "Node indices; None for an empty slot.");

  using Clip = View<sinew::Clip>;
  bind_entity<sinew::Clip>(module, "Clip", "clips", "An animation.")
      .def_property_readonly(
          "duration", [](const Clip& c) { return c->duration; }, "Time of the last key, in seconds.")
      .def_property_readonly(
          "start", [](const Clip& c) { return c->start; }, "Time of the first key, in seconds.")
      .def_property_readonly(
          "channels", [](const Clip& c) { return c->channels; }, "Number of channels with a target.")
      .def_property_readonly(
          "pointer_channels", [](const Clip& c) { return c->pointer_channels; }, "How many of them have a JSON pointer as target.");

  bind_entity<sinew::Material>(module, "Material", "materials", "A material: its name.");
  bind_entity<sinew::Scene>(module, "Scene", "scenes", "A scene.")
      .def_property_readonly("roots", [](const View<sinew::Scene>& s) { return indices(s->roots); }, "Indices of its root nodes.");

  py::class_<sinew::Instance> instance(module, "Instance", "A drawn mesh: a node of the scene with a mesh, or one of its copies.");
  bind_state(instance);
  instance.def_readonly("node", &sinew::Instance::node, "Index of the node.")
      .def_readonly("mesh", &sinew::Instance::mesh, "Index of the mesh.")
      .def_property_readonly(
          "skin", [](const sinew::Instance& i) { return index_or_none(i.skin); }, "Index of the skin, or None.")
      .def_readonly("visible", &sinew::Instance::visible, "False if the node or one above it is hidden.")
      .def_readonly("copy", &sinew::Instance::copy, "Number of the copy, for a node that shows its mesh several times; otherwise 0.")
      .def("__repr__", [](const sinew::Instance& i) { return fmt::format("<Instance of mesh {} at node {}>", i.mesh, i.node); });
}

sinew::io::LoadOptions load_options(bool force, const std::optional<std::string>& revision, bool allow_outside, std::uint64_t max_memory) {
  sinew::io::LoadOptions options;
  options.open = open_options(allow_outside, max_memory);
  options.open.access = sinew::FileAccess::copy;
  options.force = force;
  options.revision = revision_of(revision);
  return options;
}

SharedModel load(const std::filesystem::path& path, bool force, const std::optional<std::string>& revision, bool allow_outside,
                 std::uint64_t max_memory, bool mapped) {
  sinew::io::LoadOptions options = load_options(force, revision, allow_outside, max_memory);
  if (path.empty()) raise_usage("path: expected a file name, found an empty one");
  if (mapped) options.open.access = sinew::FileAccess::automatic;
  const auto origin = std::make_shared<Origin>(Origin{path, py::none(), force, revision, allow_outside, max_memory});
  std::error_code none_there;  // the load says so
  if (path != "-") {
    origin->path = std::filesystem::absolute(path, none_there);
    origin->size = std::filesystem::file_size(path, none_there);
    origin->time = std::filesystem::last_write_time(path, none_there);
  }
  sinew::FindingList findings;
  auto model = value_of(without_lock([&] { return sinew::io::load(path, options, findings); }));
  return remembered({std::make_shared<const Model>(std::move(model)), findings.list(), origin});
}

SharedModel load_memory(const py::buffer& data, const std::filesystem::path& name, bool force, const std::optional<std::string>& revision,
                        bool allow_outside, std::uint64_t max_memory) {
  const sinew::io::LoadOptions options = load_options(force, revision, allow_outside, max_memory);
  const py::buffer_info info = data.request();
  if (info.itemsize != 1 || info.ndim != 1 || (info.size > 1 && info.strides[0] != 1)) raise_usage("data: expected contiguous bytes");
  const std::span<const std::byte> bytes(static_cast<const std::byte*>(info.ptr), static_cast<std::size_t>(info.size));
  sinew::FindingList findings;
  auto model = value_of(without_lock([&] { return sinew::io::load_memory(bytes, name, options, findings); }));
  const auto origin = std::make_shared<Origin>(Origin{name, py::none(), force, revision, allow_outside, max_memory});
  // The caller may change everything but bytes.
  origin->bytes = py::isinstance<py::bytes>(data) ? py::object(data) : py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::error_code kept_relative;
  if (name != "-") origin->path = std::filesystem::absolute(name, kept_relative);
  return remembered({std::make_shared<const Model>(std::move(model)), findings.list(), origin});
}

py::array_t<double> matrices(const std::vector<sinew::Affine>& maps, std::size_t n) {
  py::array_t<double> out({maps.size(), n, n + 1});
  for (std::size_t m = 0; m < maps.size(); ++m) write_rows(maps[m], out.mutable_data() + m * n * (n + 1));
  return out;
}

py::array_t<double> worlds_at(const Loaded& loaded, const Posed* pose) {
  sinew::Pose posed = pose_of(loaded.model, pose);
  if (pose != nullptr) value_of(constrain(*loaded.model, posed));
  return matrices(value_of(world_transforms(*loaded.model, posed)), loaded.model->dimension);
}

}  // namespace

void bind_model(py::module_& module) {
  bind_entities(module);
  ModelClass type(module, "Model",
                  "A model in memory, independent of its file. Immutable, and safe to use from several threads. Can be pickled.");
  type.def_property_readonly(
          "dimension", [](const Loaded& m) { return m.model->dimension; }, "N, the dimension of the space.")
      .def_property_readonly(
          "format", [](const Loaded& m) { return text(m.model->format); }, "\"glTF\" or \"G4MF\".")
      .def_property_readonly(
          "revision", [](const Loaded& m) { return text(m.model->revision); }, "\"2.0\", \"2026-01\", …")
      .def_property_readonly(
          "generator", [](const Loaded& m) { return text(m.model->generator); }, "The program that wrote the file, as stored in the file.")
      .def_property_readonly(
          "nodes", [](const SharedModel& m) { return views(m, m->model->nodes); }, "All nodes.")
      .def_property_readonly(
          "meshes", [](const SharedModel& m) { return views(m, m->model->meshes); }, "All meshes.")
      .def_property_readonly(
          "skins", [](const SharedModel& m) { return views(m, m->model->skins); }, "All skins.")
      .def_property_readonly(
          "skeletons", [](const SharedModel& m) { return views(m, m->model->skeletons); }, "All explicit skeletons.")
      .def_property_readonly(
          "clips", [](const SharedModel& m) { return views(m, m->model->clips); }, "All animations.")
      .def_property_readonly(
          "materials", [](const SharedModel& m) { return views(m, m->model->materials); }, "All materials.")
      .def_property_readonly(
          "scenes", [](const SharedModel& m) { return views(m, m->model->scenes); }, "All scenes.")
      .def_property_readonly(
          "default_scene", [](const Loaded& m) { return index_or_none(m.model->default_scene); }, "Index of the default scene, or None.")
      .def_property_readonly(
          "extensions_used", [](const Loaded& m) { return m.model->extensions_used; }, "Names.")
      .def_property_readonly(
          "extensions_required", [](const Loaded& m) { return m.model->extensions_required; }, "Names.")
      .def_readonly("findings", &Loaded::findings, "Findings from reading the file. validate() checks much more.")
      .def_property_readonly(
          "defects",
          [](const Loaded& m) {
            py::list list;
            for (const auto& defect : m.model->defects) list.append(exception_of(defect));
            return list;
          },
          "Exceptions for unusable parts of the model. Deforming such a part raises its exception.")
      .def(
          "instances",
          [](const Loaded& m, std::optional<std::int64_t> scene) { return value_of(instances(*m.model, scene_of(*m.model, scene))); },
          py::arg("scene") = py::none(), "Returns the drawn meshes of a scene (None: the default scene), ordered by node.")
      .def(
          "find_node", [](const Loaded& m, const py::object& name) { return node_of(*m.model, name); }, py::arg("name"),
          "Returns the index of the node with this name. Raises sinew.UsageError if none or several match.")
      .def(
          "find_clip", [](const Loaded& m, const py::object& name) { return clip_of(*m.model, name); }, py::arg("name"),
          "Returns the index of the animation with this name. Raises sinew.UsageError if none or several match.")
      .def(
          "pose", [](const SharedModel& m) { return Posed{m, m->model->rest_pose}; }, "Returns a new Pose, the pose stored in the file.")
      .def("world_transforms", worlds_at, py::arg("pose") = py::none(),
           "Returns the world transforms of all nodes: float64 (nodes, N, N+1), [L | t] with world = L @ local + t, in metres.\n"
           "pose: None uses the pose stored in the file; of others, nodes that follow others do so (VRMC_node_constraint).")
      .def("__repr__", [](const Loaded& m) {
        return text(fmt::format("<Model {} {}, {} dimensions, {} meshes, {} clips>", m.model->format, m.model->revision, m.model->dimension,
                                m.model->meshes.size(), m.model->clips.size()));
      });
  bind_static(type);
  bind_pickle(module, type);
  bind_avatar(type);
  bind_bounds_of(type);
  bind_sample(type);
  module.def(
      "load_memory", load_memory, py::arg("data"), py::kw_only(), py::arg("name") = "-", py::arg("force") = false,
      py::arg("revision") = py::none(), py::arg("allow_outside") = false, py::arg("max_memory") = default_memory,
      "Reads a model from the bytes of a file (bytes, bytearray, memoryview, numpy uint8). Copies the bytes.\n\n"
      "name: the name for messages. Files that the model refers to are read from the folder of this path; with \"-\" none are read.\n"
      "See load for the other arguments.");
  module.def(
      "load", load, py::arg("path"), py::kw_only(), py::arg("force") = false, py::arg("revision") = py::none(),
      py::arg("allow_outside") = false, py::arg("max_memory") = default_memory, py::arg("mapped") = false,
      "Reads a model: glTF (.gltf, .glb, .vrm) or G4MF (.g4tf, .g4b); \"-\" is standard input.\n\n"
      "force: read G4MF files despite certain errors (docs/semantics.md). revision: read a G4MF file as \"2025-08\", \"2026-01\" or\n"
      "\"2026-07\". allow_outside: allow the file to use files outside its folder. max_memory: a limit in bytes. mapped: map large\n"
      "files instead of reading them, which is faster; the file must not become shorter while the model exists.");
}

}  // namespace python
