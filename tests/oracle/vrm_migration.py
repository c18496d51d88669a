# SPDX-License-Identifier: MIT
"""What a VRM 0.x file becomes in VRM 1.0, from the two specifications alone: the expected objects for valid files.

An outside truth for `sinew convert --vrm 1.0`: it shares no code with it. Nodes that the conversion adds at the ends of chains are given as
("end of", node). Facts about the licence get the strictest values, because only the owner can state others.
"""
import math

PRESETS = {"neutral": "neutral", "a": "aa", "i": "ih", "u": "ou", "e": "ee", "o": "oh", "blink": "blink", "joy": "happy", "angry": "angry",
           "sorrow": "sad", "fun": "relaxed", "lookup": "lookUp", "lookdown": "lookDown", "lookleft": "lookLeft", "lookright": "lookRight",
           "blink_l": "blinkLeft", "blink_r": "blinkRight", "surprised": "surprised"}
FLAGS = {"auto": "auto", "both": "both", "thirdpersononly": "thirdPersonOnly", "firstpersononly": "firstPersonOnly"}
USERS = {"OnlyAuthor": "onlyAuthor", "ExplicitlyLicensedPerson": "onlySeparatelyLicensedPerson", "Everyone": "everyone"}


def srgb_to_linear(x):
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def linear(colour):
    return [srgb_to_linear(x) for x in colour[:3]] + list(colour[3:4])


def vector(value, absent=(0, 0, 0)):
    return [-value.get("x", 0), value.get("y", 0), value.get("z", 0)] if value is not None else list(absent)


def bone_name(old):
    for side in ("left", "right"):
        if old == side + "ThumbProximal":
            return side + "ThumbMetacarpal"
        if old == side + "ThumbIntermediate":
            return side + "ThumbProximal"
    return old


def place_of(scale_x, scale_y, offset_x, offset_y):
    """Texture coordinates have v upwards in Unity and downwards in glTF."""
    return {"scale": [scale_x, scale_y], "offset": [offset_x, 1 - offset_y - scale_y]}


class Migration:
    def __init__(self, document):
        self.document = document
        self.old = document["extensions"]["VRM"]

    def nodes_with(self, mesh):
        return [n for n, node in enumerate(self.document["nodes"]) if node.get("mesh") == mesh]

    def meta(self):
        old = self.old["meta"]
        new = {"name": old["title"], "authors": [old["author"]], "licenseUrl": "https://vrm.dev/licenses/1.0/"}
        for key in ("version", "contactInformation"):
            if old.get(key):
                new[key] = old[key]
        if old.get("reference"):
            new["references"] = [old["reference"]]
        if old.get("texture", -1) >= 0:
            new["thumbnailImage"] = self.document["textures"][old["texture"]]["source"]
        new["avatarPermission"] = USERS.get(old.get("allowedUserName"), "onlyAuthor")
        new["commercialUsage"] = "personalProfit" if old.get("commercialUssageName") == "Allow" else "personalNonProfit"
        new["allowExcessivelyViolentUsage"] = old.get("violentUssageName") == "Allow"
        new["allowExcessivelySexualUsage"] = old.get("sexualUssageName") == "Allow"
        new.update(allowPoliticalOrReligiousUsage=False, allowAntisocialOrHateUsage=False, allowRedistribution=False,
                   creditNotation="required", modification="prohibited")
        urls = [old[key] for key in ("otherLicenseUrl", "otherPermissionUrl") if old.get(key)]
        if urls:
            new["otherLicenseUrl"] = " ".join(dict.fromkeys(urls))
        return new

    def bones(self):
        found = {}
        for bone in self.old["humanoid"]["humanBones"]:
            if bone["node"] >= 0:
                found.setdefault(bone_name(bone["bone"]), {"node": bone["node"]})
        return found

    def look_at(self):
        old = self.old["firstPerson"]
        by_expression = old.get("lookAtTypeName") == "BlendShape"
        new = {"offsetFromHeadBone": vector(old.get("firstPersonBoneOffset")), "type": "expression" if by_expression else "bone"}
        for part in ("HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp"):
            degrees = old.get("lookAt" + part, {})
            new["rangeMap" + part] = {"inputMaxValue": degrees.get("xRange", 90), "outputScale": degrees.get("yRange", 1 if by_expression else 10)}
        return new

    def first_person(self):
        return [{"node": node, "type": FLAGS[annotation["firstPersonFlag"].lower()]}
                for annotation in self.old["firstPerson"]["meshAnnotations"] for node in self.nodes_with(annotation["mesh"])]

    def expressions(self):
        new = {"preset": {}, "custom": {}}
        for group in self.old["blendShapeMaster"]["blendShapeGroups"]:
            preset = PRESETS.get(group.get("presetName", "unknown").lower()) or PRESETS.get(group["name"].lower())
            target, name = (new["preset"], preset) if preset else (new["custom"], group["name"])
            if name not in target:
                target[name] = self.expression(group)
        return new

    def expression(self, group):
        new = {"isBinary": group.get("isBinary", False), "morphTargetBinds": [], "materialColorBinds": [], "textureTransformBinds": []}
        for bind in group.get("binds", []):
            new["morphTargetBinds"] += [{"node": node, "index": bind["index"], "weight": bind["weight"] / 100} for node in self.nodes_with(bind["mesh"])]
        places = {}
        for value in group.get("materialValues", []):
            names = [material.get("name") for material in self.document["materials"]]
            if value["materialName"] not in names:
                continue
            material, target = names.index(value["materialName"]), value["targetValue"]
            kinds = {"_Color": "color", "_EmissionColor": "emissionColor", "_ShadeColor": "shadeColor", "_RimColor": "rimColor", "_OutlineColor": "outlineColor"}
            if value["propertyName"] in kinds:
                colour = target if value["propertyName"] == "_EmissionColor" else linear(target)
                new["materialColorBinds"].append({"material": material, "type": kinds[value["propertyName"]], "targetValue": colour})
            elif value["propertyName"].startswith("_MainTex_ST"):
                own = self.old["materialProperties"][material]["vectorProperties"].get("_MainTex", [0, 0, 1, 1])
                place = places.setdefault(material, place_of(own[2], own[3], own[0], own[1]))
                wanted = place_of(*target)
                for axis, ending in ((0, "_S"), (1, "_T")):
                    if value["propertyName"] in ("_MainTex_ST", "_MainTex_ST" + ending):
                        for part in ("scale", "offset"):
                            place[part][axis] = wanted[part][axis]
        new["textureTransformBinds"] = [{"material": material, **place} for material, place in sorted(places.items())]
        return {key: value for key, value in new.items() if value != []}

    def springs(self):
        old = self.old["secondaryAnimation"]
        colliders, groups, numbers = [], [], {}
        for number, group in enumerate(old["colliderGroups"]):
            if group["colliders"]:
                numbers[number] = len(groups)
                groups.append(list(range(len(colliders), len(colliders) + len(group["colliders"]))))
            colliders += [{"node": group["node"], "offset": vector(c.get("offset")), "radius": c.get("radius", 0)} for c in group["colliders"]]
        chains, taken = [], set()
        for group in old["boneGroups"]:
            gravity, power = vector(group.get("gravityDir"), (0, -1, 0)), group.get("gravityPower", 0)
            length = math.hypot(*gravity)
            joint = {"hitRadius": group.get("hitRadius", 0), "stiffness": group.get("stiffiness", 1), "gravityPower": power * length,
                     "gravityDir": [x / length for x in gravity], "dragForce": group.get("dragForce", 0.4)}
            shape = {"colliderGroups": [numbers[n] for n in group.get("colliderGroups", []) if n in numbers]}
            for root in group["bones"]:
                starts = [root] if root not in taken else []
                while starts:
                    node, chain = starts.pop(0), []
                    while node is not None:
                        taken.add(node)
                        chain.append(node)
                        children = [c for c in self.document["nodes"][node].get("children", []) if c not in taken]
                        starts += children[1:]
                        node = children[0] if children else None
                    name = group.get("comment") or self.document["nodes"][chain[0]].get("name", "")
                    chains.append({"name": name, "joints": [*chain, ("end of", chain[-1])], "joint": joint, **shape, "center": group.get("center", -1)})
        return {"colliders": colliders, "groups": groups, "springs": chains}

    def end(self, node):
        """Where the node at the end of a chain lies: 7 cm along the node's own translation, which the half turn has changed."""
        x, y, z = self.document["nodes"][node].get("translation", (0, 0, 0))
        length = math.hypot(x, y, z)
        return [-0.07 * x / length, 0.07 * y / length, -0.07 * z / length]

    def orders(self):
        """renderQueueOffsetNumber of transparent materials."""
        entries = self.old["materialProperties"]
        mode = lambda e: (e["floatProperties"].get("_BlendMode", 0) if e["shader"] == "VRM/MToon" else 3 if e["shader"] == "VRM/UnlitTransparentZWrite" else 0)
        plain = sorted({e["renderQueue"] for e in entries if mode(e) == 2}, reverse=True)
        deep = sorted({e["renderQueue"] for e in entries if mode(e) == 3})
        return [-min(9, plain.index(e["renderQueue"])) if mode(e) == 2 else min(9, deep.index(e["renderQueue"])) if mode(e) == 3 else 0 for e in entries]

    def texture(self, entry, name, placed=True):
        if name not in entry["textureProperties"]:
            return None
        info = {"index": entry["textureProperties"][name]}
        own = entry["vectorProperties"].get("_MainTex", [0, 0, 1, 1])
        place = place_of(own[2], own[3], own[0], own[1])
        if placed and place != {"scale": [1, 1], "offset": [0, 0]}:
            info["extensions"] = {"KHR_texture_transform": place}
        return info

    def toon(self, entry, order):
        """The values of one MToon material: of the glTF material, and of its extension."""
        f = lambda name, absent: entry["floatProperties"].get(name, absent)
        v = lambda name, absent: entry["vectorProperties"].get(name, absent)
        mode = int(f("_BlendMode", 0))
        emission = v("_EmissionColor", [0, 0, 0, 1])[:3]
        strength = max(1, *emission)
        a = f("_ShadeShift", 0)
        b = 1 + (a - 1) * f("_ShadeToony", 0.9)
        outline = int(f("_OutlineWidthMode", 0))
        core = {"alphaMode": ["OPAQUE", "MASK", "BLEND", "BLEND"][mode], "doubleSided": f("_CullMode", 2) != 2,
                "baseColorFactor": linear(v("_Color", [1, 1, 1, 1])), "baseColorTexture": self.texture(entry, "_MainTex"),
                "emissiveFactor": [x / strength for x in emission], "emissiveTexture": self.texture(entry, "_EmissionMap"),
                "emissiveStrength": strength, "alphaCutoff": f("_Cutoff", 0.5) if mode == 1 else None}
        normal = self.texture(entry, "_BumpMap")
        core["normalTexture"] = normal and {**normal, "scale": f("_BumpScale", 1)}
        matcap = [1, 1, 1] if "_SphereAdd" in entry["textureProperties"] else [0, 0, 0]
        extension = {
            "specVersion": "1.0", "transparentWithZWrite": mode == 3, "renderQueueOffsetNumber": order,
            "shadeColorFactor": linear(v("_ShadeColor", [0.97, 0.81, 0.86, 1]))[:3],
            "shadeMultiplyTexture": self.texture(entry, "_ShadeTexture") or self.texture(entry, "_MainTex"),
            "shadingToonyFactor": min(1, max(0, (2 - (b - a)) / 2)), "shadingShiftFactor": min(1, max(-1, -(a + b) / 2)),
            "giEqualizationFactor": min(1, max(0, 1 - f("_IndirectLightIntensity", 0.1))),
            "matcapFactor": matcap, "matcapTexture": self.texture(entry, "_SphereAdd", placed=False),
            "parametricRimColorFactor": linear(v("_RimColor", [0, 0, 0, 1]))[:3], "rimMultiplyTexture": self.texture(entry, "_RimTexture"),
            "rimLightingMixFactor": 1, "parametricRimFresnelPowerFactor": f("_RimFresnelPower", 1), "parametricRimLiftFactor": f("_RimLift", 0),
            "outlineWidthMode": ["none", "worldCoordinates", "screenCoordinates"][outline],
            "outlineWidthFactor": [0, f("_OutlineWidth", 0.5) / 100, f("_OutlineWidth", 0.5) / 200][outline],
            "outlineWidthMultiplyTexture": self.texture(entry, "_OutlineWidthTexture"),
            "outlineColorFactor": linear(v("_OutlineColor", [0, 0, 0, 1]))[:3],
            "outlineLightingMixFactor": f("_OutlineLightingMix", 1) if f("_OutlineColorMode", 0) == 1 else 0,
            "uvAnimationMaskTexture": self.texture(entry, "_UvAnimMaskTexture"),
            "uvAnimationScrollXSpeedFactor": f("_UvAnimScrollX", 0), "uvAnimationScrollYSpeedFactor": -f("_UvAnimScrollY", 0),
            "uvAnimationRotationSpeedFactor": 2 * math.pi * f("_UvAnimRotation", 0),
        }
        return core, {key: value for key, value in extension.items() if value is not None}
