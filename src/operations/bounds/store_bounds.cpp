// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/path_text.hpp"
#include "document/json/edit_members.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "gltf/extensions/SINEW_bounds.hpp"
#include "math/extent.hpp"
#include "model/edit_reporter.hpp"
#include "operations/files/changed_file.hpp"

#include "sinew/bounds.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;

JsonEdit numbers(const std::vector<float>& side) {
  JsonEdit list = JsonEdit::array();
  for (const float value : side) list.push_back(JsonEdit::number(static_cast<double>(value)));
  return list;
}

/// Makes a box hold another one too.
void include(Box& all, const Box& box) {
  if (all.empty()) all = box;
  for (std::size_t axis = 0; axis < box.min.size(); ++axis) {
    all.min[axis] = std::min(all.min[axis], box.min[axis]);
    all.max[axis] = std::max(all.max[axis], box.max[axis]);
  }
}

/// The boxes of SINEW_bounds, one object each.
class StoredBoxes {
 public:
  explicit StoredBoxes(const Bounds& bounds) {
    add(bounds.all, [](JsonEdit&) {});
    add(bounds.rest, [](JsonEdit& box) { box.set("rest", JsonEdit::boolean(true)); });
    for (const Bounds::OfClip& clip : bounds.clips)
      add(clip.box, [&](JsonEdit& box) { box.set("animation", JsonEdit::integer(clip.clip)); });
    std::vector<Box> of_nodes = of_nodes_of(bounds, [&](std::size_t i) { return bounds.instances[i].box; });
    add_nodes(bounds, of_nodes, none);
    for (const Bounds::OfClip& clip : bounds.clips)
      add_nodes(bounds, of_nodes_of(bounds, [&](std::size_t i) { return clip.instances[i]; }), clip.clip);
    for (const Bounds::OfJoint& joint : bounds.joints)
      add(joint.box, [&](JsonEdit& box) { box.set("joint", JsonEdit::integer(joint.node)); });
  }

  [[nodiscard]] JsonEdit take() && { return std::move(boxes_); }

 private:
  template <class Say>
  void add(const Box& box, Say say) {
    if (box.empty()) return;
    JsonEdit object = JsonEdit::object();
    say(object);
    object.set("min", numbers(box.min));
    object.set("max", numbers(box.max));
    boxes_.push_back(std::move(object));
  }

  /// The union of the boxes of each node's copies, at the place of the first one; the others are empty.
  template <class BoxAt>
  static std::vector<Box> of_nodes_of(const Bounds& bounds, BoxAt box_at) {
    std::vector<Box> out(bounds.instances.size());
    std::size_t first = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (bounds.instances[i].copy == 0) first = i;
      include(out[first], box_at(i));
    }
    return out;
  }

  void add_nodes(const Bounds& bounds, const std::vector<Box>& boxes, Index clip) {
    for (std::size_t i = 0; i < boxes.size(); ++i)
      add(boxes[i], [&](JsonEdit& box) {
        box.set("node", JsonEdit::integer(bounds.instances[i].node));
        document::set_index(box, "animation", clip);
      });
  }

  JsonEdit boxes_ = JsonEdit::array();
};

/// The model without anything that places its meshes: each one is at the origin, with its copies and the amounts of its shapes.
Model without_places(const Model& model) {
  Model still = model;
  Scene scene;
  for (Index node = 0; node < still.nodes.size(); ++node) {
    still.nodes[node].parent = none;
    still.nodes[node].children.clear();
    still.nodes[node].skin = none;
    still.rest_pose.locals[node] = {};
    scene.roots.push_back(node);
  }
  for (Clip& clip : still.clips) std::erase_if(clip.tracks, [](const Track& track) { return track.path != TrackPath::amounts; });
  still.scenes.assign(1, std::move(scene));
  still.default_scene = 0;
  return still;
}

bool moves_in_a_clip(const Model& model, Index node) {
  for (; node != none; node = model.nodes[node].parent)
    for (const Clip& clip : model.clips)
      if (std::ranges::any_of(clip.tracks, [&](const Track& t) { return t.node == node && t.path != TrackPath::amounts; })) return true;
  return false;
}

/// Returns a box that holds the corners of another box after a transform.
Box moved(const Box& box, const Affine& map) {
  Extent all;
  for (unsigned corner = 0; corner < 8; ++corner)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double value = map.translation(axis), size = std::abs(value);
      for (unsigned from = 0; from < 3; ++from) {
        const double side = static_cast<double>((corner >> from & 1u) != 0 ? box.max[from] : box.min[from]);
        value += map(axis, from) * side;
        size += std::abs(map(axis, from) * side);
      }
      all.add(axis, value - size * 1e-12, value + size * 1e-12);
    }
  Box out;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    out.min.push_back(std::nextafter(static_cast<float>(all.low[axis]), -infinite));
    out.max.push_back(std::nextafter(static_cast<float>(all.high[axis]), infinite));
  }
  return out;
}

/// Writes a bounding volume: a box around its middle, which holds the given one after rounding. Sides of 0 become a millionth of the
/// diagonal.
void set_volume(JsonEdit& node, JsonEdit& shapes, const Box& box) {
  double squares = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    squares += std::pow(static_cast<double>(box.max[axis]) - static_cast<double>(box.min[axis]), 2);
  const double least = std::max(2e-6 * std::sqrt(squares), 1e-30);
  JsonEdit middle = JsonEdit::array(), size = JsonEdit::array();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = static_cast<double>(box.min[axis]), high = static_cast<double>(box.max[axis]), center = low + (high - low) / 2;
    double side = std::max(high - low, least);
    while (center - side / 2 > low || center + side / 2 < high) side = std::nextafter(side, std::numeric_limits<double>::infinity());
    middle.push_back(JsonEdit::number(center));
    size.push_back(JsonEdit::number(side));
  }
  JsonEdit lengths = JsonEdit::object(), shape = JsonEdit::object(), volume = JsonEdit::object();
  lengths.set("size", std::move(size));
  shape.set("type", JsonEdit::string("box"));
  shape.set("box", std::move(lengths));
  volume.set("shape", JsonEdit::integer(shapes.size()));
  volume.set("translation", std::move(middle));
  shapes.push_back(std::move(shape));
  node.set("boundingVolume", std::move(volume));
}

class Storer {
 public:
  Storer(const OpenFile& file, const BoundsOptions& poses, bool volumes, FindingSink& changes)
      : file_(file), poses_(poses), volumes_(volumes), reporter_(file.model, changes), root_(file.document->json().root()) {}

  Result<std::shared_ptr<const document::Document>> run() {
    const auto found = bounds(file_.model, poses_);
    if (!found) return Unexpected(found.error());
    JsonEdit object = JsonEdit::object();
    object.set("boxes", StoredBoxes(*found).take());
    document::object_in(root_, "extensions").set(gltf::bounds_extension, std::move(object));
    document::add_name(root_, "extensionsUsed", gltf::bounds_extension);
    if (volumes_)
      if (auto done = add_volumes(*found); !done) return Unexpected(std::move(done.error()));
    return document::with_binary(*file_.document, root_.text(), std::nullopt);
  }

 private:
  Result<> add_volumes(const Bounds& found) {
    BoundsOptions still = poses_;
    still.scene = none;
    const auto own = bounds(without_places(file_.model), still);
    if (!own) return Unexpected(own.error());
    const std::vector<Affine> world = need(world_transforms(file_.model, file_.model.rest_pose));
    JsonEdit& asset = document::object_in(root_, "asset");
    asset.set("version", JsonEdit::string("2.1"));
    if (asset.find("minVersion") == nullptr) asset.set("minVersion", JsonEdit::string("2.0"));
    JsonEdit& shapes = document::list_in(root_, "shapes");
    std::vector<Box> boxes(file_.model.nodes.size());
    for (const Bounds::OfInstance& instance : own->instances)
      if (file_.model.nodes[instance.node].skin == none) include(boxes[instance.node], instance.box);
    for (const Bounds::OfInstance& instance : found.instances) {
      const Node& node = file_.model.nodes[instance.node];
      if (node.skin == none) continue;
      const auto node_from_world = inverse(world[instance.node]);
      if (!node_from_world || moves_in_a_clip(file_.model, instance.node)) {
        if (instance.copy == 0)
          reporter_.changed(node, "no bounding volume: the node moves, or has no size, and its skinned mesh does not follow it");
        continue;
      }
      if (!instance.box.empty()) include(boxes[instance.node], moved(instance.box, *node_from_world));
    }
    for (Index node = 0; node < boxes.size(); ++node)
      if (!boxes[node].empty()) set_volume(root_.find("nodes")->at(node), shapes, boxes[node]);
    return {};
  }

  const OpenFile& file_;
  const BoundsOptions& poses_;
  bool volumes_;
  EditReporter reporter_;
  JsonEdit root_;
};

}  // namespace

Result<Written> store_bounds(const std::filesystem::path& from, const std::filesystem::path& to, const StoreBoundsOptions& options,
                             FindingSink& sink, FindingSink& changes) SINEW_TRY {
  const auto file = open_file(from, to, options.load, sink);
  if (!file) return Unexpected(file.error());
  if (file->model.has_root_node())
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, {path_text(file->document->path()), {}, {}},
                            "boxes are stored in glTF files only"));
  const auto poses = options.poses ? options.poses(file->model) : BoundsOptions();
  if (!poses) return Unexpected(poses.error());
  LossWatch lost(changes, options.on_loss);
  const auto document = Storer(*file, *poses, options.volumes, lost).run();
  if (!document) return Unexpected(document.error());
  return write_changed(*file, *document, to, options, 1, sink, lost);
}
SINEW_CATCH({path_text(from), {}, {}})

}  // namespace sinew::operations
