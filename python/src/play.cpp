// SPDX-License-Identifier: MIT
#include "sinew/play.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "glue.hpp"

namespace python {

namespace {

using sinew::animate::PlayedClip;

/// A player and the model that it refers to.
struct Playing {
  SharedModel loaded;
  sinew::animate::Player player;
  sinew::Index root;

  [[nodiscard]] std::size_t clip(std::int64_t index) const {
    const auto count = static_cast<std::int64_t>(player.clips().size());
    if (index < 0 || index >= count) raise_usage(fmt::format("clip: found {}, expected an index below {}", index, count));
    return static_cast<std::size_t>(index);
  }
};

double finite(double value, std::string_view what) {
  if (!std::isfinite(value)) raise_usage(fmt::format("{}: expected a finite number", what));
  return value;
}

/// Reads a name or an index, or a dict.
PlayedClip played_clip(const sinew::Model& model, const py::object& given) {
  PlayedClip made;
  if (!py::isinstance<py::dict>(given)) {
    made.clip = clip_of(model, given);
    return made;
  }
  const auto members = py::reinterpret_borrow<py::dict>(given);
  constexpr std::array<std::string_view, 7> known{"clip", "weight", "speed", "seconds", "loops", "additive", "mask"};
  for (const auto& [key, value] : members)
    (void)choice(py::cast<std::string>(key), "clips", {known[0], known[1], known[2], known[3], known[4], known[5], known[6]});
  if (!members.contains("clip")) raise_usage("clips: expected a dict with \"clip\"");
  made.clip = clip_of(model, py::reinterpret_borrow<py::object>(members["clip"]));
  const auto read = [&](const char* key, auto& to) {
    if (members.contains(key)) to = py::cast<std::decay_t<decltype(to)>>(members[key]);
  };
  read("weight", made.weight);
  read("speed", made.speed);
  read("seconds", made.seconds);
  read("loops", made.loops);
  read("additive", made.additive);
  if (members.contains("mask") && !members["mask"].is_none())
    for (const double part : numbers(py::reinterpret_borrow<py::object>(members["mask"]), model.nodes.size(), "mask"))
      made.mask.push_back(static_cast<float>(part));
  return made;
}

Playing make_player(const SharedModel& loaded, const py::iterable& clips, const py::object& root) {
  const sinew::Model& model = *loaded->model;
  std::vector<PlayedClip> list;
  for (const py::handle one : clips) list.push_back(played_clip(model, py::reinterpret_borrow<py::object>(one)));
  const sinew::Index node = root.is_none() ? sinew::none : node_of(model, root);
  return {loaded, value_of(sinew::animate::Player::create(model, std::move(list), node)), node};
}

py::list clips_of(const Playing& playing) {
  py::list out;
  for (const PlayedClip& clip : playing.player.clips()) {
    py::dict row;
    row["clip"] = clip.clip;
    row["weight"] = clip.weight;
    row["speed"] = clip.speed;
    row["seconds"] = clip.seconds;
    row["loops"] = clip.loops;
    row["additive"] = clip.additive;
    out.append(row);
  }
  return out;
}

/// The arguments that make a player at the same times.
py::tuple reduced_player(const Playing& playing) {
  const py::list clips = clips_of(playing);
  for (std::size_t i = 0; i < clips.size(); ++i)
    if (const auto& mask = playing.player.clips()[i].mask; !mask.empty()) clips[i]["mask"] = mask;
  return py::make_tuple(restorer("player"), py::make_tuple(playing.loaded, clips, index_or_none(playing.root)));
}

py::array_t<double> world_of(const Playing& playing, const py::object& node) {
  return matrix_from(value_of(playing.player.world(node_of(*playing.loaded->model, node))));
}

}  // namespace

void bind_play(py::module_& module) {
  py::class_<Playing>(module, "Player",
                      "Plays clips of a model together, frame by frame: weights, additive clips, masks, loops and speeds, root motion.\n\n"
                      "The rules are those of include/sinew/play.hpp. One thread at a time may use it.")
      .def(py::init(&make_player), py::arg("model"), py::arg("clips"), py::kw_only(), py::arg("root") = py::none(),
           "clips: names or indices, or dicts with \"clip\" and perhaps \"weight\" (1), \"speed\" (1; seconds of the clip per second),\n"
           "\"seconds\" (0; the time in the clip), \"loops\" (True), \"additive\" (False) and \"mask\" (a number from 0 to 1 per node).\n"
           "root: a node (name or index) whose translation stays as stored; its movement is root_motion.")
      .def_property_readonly("clips", clips_of, "The clips as dicts, without masks (a copy).")
      .def(
          "set_weight",
          [](Playing& p, std::int64_t clip, double weight) {
            if (!(finite(weight, "weight") >= 0)) raise_usage("weight: expected a number that is not negative");
            p.player.set_weight(p.clip(clip), weight);
          },
          py::arg("clip"), py::arg("weight"), "Sets the weight of a clip, by its place in the list. It counts from the next advance.")
      .def(
          "set_speed", [](Playing& p, std::int64_t clip, double speed) { p.player.set_speed(p.clip(clip), finite(speed, "speed")); },
          py::arg("clip"), py::arg("speed"), "Sets the speed of a clip, by its place in the list; negative: backwards.")
      .def(
          "seek", [](Playing& p, std::int64_t clip, double seconds) { p.player.seek(p.clip(clip), finite(seconds, "seconds")); },
          py::arg("clip"), py::arg("seconds"), "Sets the time in a clip, by its place in the list. It counts from the next advance.")
      .def(
          "advance", [](Playing& p, double seconds) { value_of(p.player.advance(finite(seconds, "seconds"))); }, py::arg("seconds"),
          "Moves all clips on and computes the pose; 0: computes it only.")
      .def_property_readonly(
          "pose", [](const Playing& p) { return Posed{p.loaded, p.player.pose()}; }, "The pose (a copy).")
      .def("world", world_of, py::arg("node"), "Returns the world transform of a node (name or index), float64 (N, N+1): [L | t].")
      .def_property_readonly(
          "root_motion",
          [](const Playing& p) {
            const auto moved = p.player.root_motion();
            return py::array_t<double>(static_cast<py::ssize_t>(moved.size()), moved.data());
          },
          "N numbers: by how much the clips moved the root in the last advance, in the space of its parent. Loops go on.")
      .def("__reduce__", reduced_player);
}

}  // namespace python
