# SPDX-License-Identifier: MIT
"""What the extensions of a file refer to keeps its name through every edit that changes indices: each line of extension_rows.py after pruning, optimising, merging and
joining. A walker of its own finds the references; it knows only the lines."""
import base64
import collections
import json
import struct
import unittest

from extension_rows import FIRST_STAYS, rows
from program import DONE, UNSUPPORTED, ProgramTest, in_parallel, main, sinew

LISTS = ("accessors", "animations", "bufferViews", "cameras", "images", "materials", "meshes", "nodes", "textures")
UNUSED, USED, TARGET = range(3)
PIXEL = ("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")


def steps_of(way):
    """["humanBones", "[]", "node"] of "humanBones[].node"."""
    return way.replace("[]", ".[]").strip(".").split(".")


def put(holder, steps, value, some):
    """Sets a value at a way, in the first element of each list and the member `some` of each map."""
    step, rest = steps[0], steps[1:]
    if step == "[]":
        if not holder:
            holder.append(None)
        at = USED if len(holder) == 3 and "shader" in holder[USED] else 0  # of a list with an object for each material, that of a used one
        holder[at] = value if not rest else put(fresh(holder[at], rest), rest, value, some)
        return holder
    key = some if step == "*" else step
    holder[key] = value if not rest else put(fresh(holder.get(key), rest), rest, value, some)
    return holder


def fresh(old, rest):
    return old if isinstance(old, (dict, list)) else [] if rest[0] == "[]" else {}


def found(value, steps):
    """All values at a way."""
    if not steps:
        return [value]
    if steps[0] == "[]":
        return [leaf for element in value for leaf in found(element, steps[1:])] if isinstance(value, list) else []
    if not isinstance(value, dict):
        return []
    keys = list(value) if steps[0] == "*" else [steps[0]] if steps[0] in value else []
    return [leaf for key in keys for leaf in found(value[key], steps[1:])]


def list_at(document, name):
    """A list of the root, or of one of the root's extensions."""
    if "/" not in name:
        return document.get(name, [])
    value = document.get("extensions", {})
    for step in name.split("/"):
        value = value.get(step, {}) if isinstance(value, dict) else {}
    return value or []


class File:
    """A skinned figure in which every list has an element that nothing uses, one that is used, and one to which only the extension refers."""

    def __init__(self, tag, extension_rows, bones=("hip", "chest")):
        self.tag, self.blob, self.rows = tag, b"", extension_rows
        self.json = {"asset": {"version": "2.0"}, "extensionsUsed": [], "scene": 0, "scenes": [{"name": tag + "scene", "nodes": [0, 1, 3]}], "bufferViews": [], "accessors": []}
        for kind in ("unused", "used", "target"):
            self.accessor(f"{tag}accessors_{kind}", "VEC3", 5126, [(0, 0, 0), (1, 0, 0), (0, 1, len(self.json["accessors"]) + ord(tag[0]))])
            self.json["bufferViews"][-1]["name"] = f"{tag}bufferViews_{kind}"
        joints = self.accessor("joints", "VEC4", 5121, [(0, 1, 0, 0)] * 3, "B")
        weights = self.accessor("weights", "VEC4", 5126, [(0.5, 0.5, 0, 0)] * 3)
        times = self.accessor("times", "SCALAR", 5126, [(0,), (1,)])
        turns = self.accessor("turns", "VEC4", 5126, [(0, 0, 0, 1), (0, 0, 1, 0)])
        primitive = {"attributes": {"POSITION": USED, "JOINTS_0": joints, "WEIGHTS_0": weights}}
        three = lambda kind, **more: [{"name": f"{tag}{kind}_{use}", **more} for use in ("unused", "used", "target")]
        self.json.update(
            images=three("images", uri=PIXEL), textures=[dict(texture, source=USED) for texture in three("textures")], materials=three("materials"),
            cameras=three("cameras", type="orthographic", orthographic={"xmag": 1, "ymag": 1, "zfar": 1, "znear": 0}),
            meshes=[dict(mesh, primitives=[dict(primitive)]) for mesh in three("meshes")], nodes=[*three("nodes"), {"name": bones[0]}, {"name": bones[1]}],
            skins=[{"joints": [3, 4]}],
            animations=three("animations", samplers=[{"input": times, "output": turns}], channels=[{"sampler": 0, "target": {"node": 4, "path": "rotation"}}]))
        for i, image in enumerate(self.json["images"]):
            image["extras"] = {"number": i}
        self.json["materials"][USED]["pbrMetallicRoughness"] = {"baseColorTexture": {"index": USED}}
        self.json["meshes"][USED]["primitives"][0]["material"] = USED
        self.json["nodes"][USED].update(mesh=USED, skin=0, camera=USED)
        self.json["nodes"][3].update(children=[4, TARGET])
        self.json["nodes"][4].update(translation=[0, 1, 0])
        for row in extension_rows:
            self.add(*row)

    def accessor(self, name, kind, component, values, code="f"):
        data = b"".join(struct.pack("<" + code * len(value), *value) for value in values)
        self.json["bufferViews"].append({"name": name, "buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data)})
        self.blob += data + b"\0" * (-len(data) % 4)
        index = len(self.json["accessors"])
        bounds = {"min": [min(column) for column in zip(*values)], "max": [max(column) for column in zip(*values)]} if code == "f" else {}
        self.json["accessors"].append({"name": name, "bufferView": index, "componentType": component, "count": len(values), "type": kind, **bounds})
        return index

    def use(self, name):
        if name not in self.json["extensionsUsed"]:
            self.json["extensionsUsed"].append(name)

    def own_list(self, name):
        """Makes a list of a root extension with named elements."""
        extension, *steps = name.split("/")
        self.use(extension)
        value = self.json.setdefault("extensions", {}).setdefault(extension, {})
        for step in steps[:-1]:
            value = value.setdefault(step, {})
        elements = value.setdefault(steps[-1], [])
        while len(elements) < 3:
            elements.append({})
        for element, use in zip(elements, ("unused", "used", "target")):
            element["name"] = f"{self.tag}{steps[-1]}_{use}"

    def holders(self, document, place):
        """The objects of a kind that hold the extension, by the tag of their file."""
        named = {"node": "nodes", "material": "materials", "mesh": "meshes", "primitive": "meshes", "texture": "textures", "image": "images", "animation": "animations", "target": "animations"}
        if place in ("root", "asset"):
            return [document if place == "root" else document["asset"]]
        if place == "scene":
            return document["scenes"]
        chosen = [element for element in document.get(named[place], []) if element.get("name") == f"{self.tag}{named[place]}_used"]
        if place == "primitive":
            chosen = [primitive for mesh in chosen for primitive in mesh["primitives"]]
        return [channel["target"] for clip in chosen for channel in clip["channels"]] if place == "target" else chosen

    def add(self, extension, place, way, target):
        self.use(extension)
        for name in (target.lstrip("#=|->"), *([f"{extension}/{way.split('[]')[0].replace('.', '/')}"] if place == "root" and "[]" in way and not way.startswith("materialProperties") else [])):
            if "/" in name:
                self.own_list(name)
        if place == "target":
            clip = self.json["animations"][USED]
            clip["channels"].append({"sampler": 0, "target": {"path": "pointer"}})
            holder = clip["channels"][-1]["target"]
        else:
            holder = self.holders(self.json, place)[0]
        value = holder.setdefault("extensions", {}).setdefault(extension, {})
        name = target.lstrip("#=|->")
        pointer = f"/extensions/{name}/{TARGET}/color" if "/" in name else f"/{name}/{TARGET}/{'weights' if name == 'meshes' else 'extras'}"
        described = [{"name": material["name"], "shader": "VRM/MToon"} for material in self.json["materials"]]
        if target.startswith("||"):
            return put(value, steps_of(way), described, self.tag)
        if way.endswith("ROTATION"):  # its accessors have four columns
            return put(value, steps_of(way), self.accessor(f"{self.tag}accessors_target", "VEC4", 5126, [(0, 0, 0, 1)] * 3), self.tag)
        kept = {"->": {"__mhc_link_type": name[:-1], "index": TARGET}, "#": pointer, "=": f"{self.tag}{name}_target"}
        return put(value, steps_of(way), next((kept[sign] for sign in kept if target.startswith(sign)), TARGET), self.tag)

    def save(self, path):
        blob = base64.b64encode(self.blob).decode()
        self.json["buffers"] = [{"byteLength": len(self.blob), "uri": "data:application/octet-stream;base64," + blob}]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.json, file)
        return path


def names(document, holder, extension, way, target):
    """The names of what the references of a holder's extension reach."""
    name = target.lstrip("#=|->")
    if target.startswith("->"):
        way += ".index"
    if target.startswith("||"):
        return [entry.get("name") == material["name"] for entry, material in
                zip(*[found(holder.get("extensions", {}).get(extension, {}), steps_of(way))[0], document["materials"]], strict=True)]
    reached = []
    for leaf in found(holder.get("extensions", {}).get(extension, {}), steps_of(way)):
        if target.startswith("="):
            reached.append(leaf if leaf in [element.get("name") for element in list_at(document, name)] else f"nothing is named {leaf}")
            continue
        if target.startswith("#"):
            steps = leaf.split("/")
            if name.split("/")[-1] not in steps:
                continue  # of another line
            at = steps.index(name.split("/")[-1])
            leaf = int(steps[at + 1])
        elements = list_at(document, name)
        reached.append(elements[leaf].get("name", "no name") if isinstance(leaf, int) and leaf < len(elements) else f"{leaf!r} is no index")
    return reached


class References(ProgramTest):
    def setUp(self):
        super().setUp()
        groups = collections.OrderedDict()
        for row in rows():
            groups.setdefault(row[0], []).append(row)
        self.groups = list(groups.values())

    def document(self, path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def each(self, check):
        """Calls check(rows of one extension, its name) for all, and reports every failure."""
        problems = [problem for problems in in_parallel(check, self.groups) for problem in problems]
        self.assertFalse(problems, f"{len(problems)} of {len(rows())}:\n" + "\n".join(problems))

    def same_names(self, run, extension_rows, file, document, skip=()):
        if run.status != DONE:
            return [f"{extension_rows[0][0]}: {run}"]
        problems = []
        for extension, place, way, target in extension_rows:
            if place in skip or target.lstrip("#=|->") in skip:
                continue
            reached = [name for holder in file.holders(document, place) for name in names(document, holder, extension, way, target)]
            last = target.lstrip("#=|->").split("/")[-1]
            expected = [True] * len(document["materials"]) if target.startswith("||") else [f"{file.tag}{last}_target"]
            if sorted(set(map(str, reached))) != sorted(set(map(str, expected))):
                problems.append(f"{extension} {place} {way}: reached {reached}, expected {expected}")
        return problems

    def edited(self, *arguments):
        def check(extension_rows):
            name = extension_rows[0][0]
            file = File("A_", extension_rows)
            out = self.path(f"{name}_out.gltf")
            run = sinew(arguments[0], file.save(self.path(name + ".gltf")), "-o", out, *arguments[1:])
            document = self.document(out) if run.status == DONE else {}
            problems = self.same_names(run, extension_rows, file, document)
            lists = {target.lstrip("#=|->") for _, _, _, target in extension_rows}
            if arguments[0] == "repair" and not problems and "materials" not in lists and any(element.get("name") == "A_materials_unused" for element in document["materials"]):
                problems.append(f"{name}: nothing was pruned")
            return problems

        self.each(check)

    def test_pruning(self):
        self.edited("repair", "--prune-unused")

    def test_optimising(self):
        self.edited("optimize", "--max-error", "0")

    def test_merging(self):
        def check(extension_rows, *options, skip=()):
            name = extension_rows[0][0]
            body, coat = File("A_", extension_rows), File("B_", extension_rows)
            out = self.path(f"{name}_out{len(options)}.gltf")
            run = sinew("merge", body.save(self.path(name + "_body.gltf")), coat.save(self.path(name + "_coat.gltf")), "-o", out, "--animation", "all", *options)
            if "--join" in options and run.status == UNSUPPORTED and "refer to blend shapes of single meshes" in run.err:
                return []  # an expression of the avatar would lose its mesh
            if run.status != DONE:
                return [f"{name}: {run}"]
            document = self.document(out)
            problems = self.same_names(run, [row for row in extension_rows if row[1] != "root"], body, document, skip)
            problems += self.same_names(run, [row for row in extension_rows if row[1] != "root"], coat, document, (*skip, "scene", "asset"))
            for extension, place, way, target in extension_rows:
                if place != "root" or target.lstrip("#=|->") in skip:
                    continue
                reached = set(map(str, names(document, document, extension, way, target)))
                last = target.lstrip("#=|->").split("/")[-1]
                one = any(extension == of and way.startswith(start) for of, start in FIRST_STAYS)
                expected = {"True"} if target.startswith("||") else {f"{file.tag}{last}_target" for file in ((body,) if one else (body, coat))}
                if reached != expected:
                    problems.append(f"{extension} root {way}: reached {sorted(reached)}, expected {sorted(expected)}")
            return problems

        self.each(check)
        # a joined mesh takes the place of others, with their nodes
        self.each(lambda extension_rows: check(extension_rows, "--join", skip=("mesh", "meshes", "primitive", "node", "nodes", "materials")))

    def test_channels_by_number(self):
        """KHR_character numbers the channels of an animation; one without effect before them stays."""
        file = File("A_", [("KHR_character_expression", "root", "expressions[].animation", "animations")])
        clip = file.json["animations"][TARGET]
        clip["channels"].insert(0, {"sampler": 0, "target": {"path": "translation"}})
        file.json["extensions"]["KHR_character_expression"]["expressions"][0]["extensions"] = {"KHR_character_expression_joint": {"channels": [1]}}
        out = self.path("channels.gltf")
        self.succeeds("optimize", file.save(self.path("in.gltf")), "-o", out, "--max-error", "1e-3")
        document = self.document(out)
        expression = document["extensions"]["KHR_character_expression"]["expressions"][0]
        channels = document["animations"][expression["animation"]]["channels"]
        number = expression["extensions"]["KHR_character_expression_joint"]["channels"][0]
        self.assertEqual(channels[number]["target"], {"node": [node["name"] for node in document["nodes"]].index("chest"), "path": "rotation"})

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(rows()), 150)
        self.assertEqual(len(set(rows())), len(rows()))


if __name__ == "__main__":
    main()
