# SPDX-License-Identifier: MIT
"""The list of cases: `rule` registers a builder under the rule that its model tests."""
import dataclasses

CASES = []

# Where each rule is written: the section, and what it says in our own words.
SOURCES = {
    "skin": ("glTF 2.0, 3.7.3.1 Skins, Overview", "A joint matrix is the joint's global transform times its inverse bind matrix; the sum of joint matrices "
             "by weight moves the vertex."),
    "bind": ("glTF 2.0, 3.7.3.1 Skins, Overview", "Inverse bind matrices bring vertices into the space of the joint; without them each is the identity."),
    "own": ("glTF 2.0, 3.7.3.2 Joint Hierarchy", "Only the transforms of the joints apply to a skinned mesh; the transform of its own node is ignored."),
    "skeleton": ("glTF 2.0, 3.7.3.2 Joint Hierarchy", "skin.skeleton names a common root of the joints; it takes no part in the equation."),
    "weights": ("glTF 2.0, 3.7.3.3 Skinned Mesh Attributes", "A vertex follows each joint by its weight. Weights are float, or normalised unsigned bytes or shorts."),
    "sums": ("glTF 2.0, 3.7.3.3 Skinned Mesh Attributes", "Weights should add up to 1. The equation uses them as they are stored."),
    "sets": ("glTF 2.0, 3.7.3.3 Skinned Mesh Attributes", "More than four joints of a vertex are in further sets, JOINTS_1 and WEIGHTS_1 and so on, which count alike."),
    "instances": ("glTF 2.0, 3.7.4 Instantiation", "A mesh is instantiated by nodes; nodes may share a mesh and have different skins, transforms and weights."),
    "hierarchy": ("glTF 2.0, 3.5.2 Nodes and Hierarchy", "Nodes form strict trees; a scene is made of the nodes that its roots reach."),
    "transforms": ("glTF 2.0, 3.5.3 Transformations", "A local transform is a column-major matrix, or translation times rotation times scale; global = parent's global times local."),
    "morphs": ("glTF 2.0, 3.7.2.2 Morph Targets", "An attribute is its base value plus the sum of target values by weight; node weights win over mesh weights, else they are 0."),
    "before": ("glTF 2.0, 3.7.2.2 Morph Targets", "Morph targets displace attributes before the skin and before transforms."),
    "primitives": ("glTF 2.0, 3.7.2.1 Meshes, Overview", "A mesh is a list of primitives of any topology, each with attributes of its own."),
    "normals": ("glTF 2.0, 3.7.2.1 Meshes, Overview", "Normals and tangents are unit vectors of the surface; w of a tangent is its handedness. They move as the surface moves."),
    "accessors": ("glTF 2.0, 3.6.2.1 Accessors, Overview", "An accessor says where elements are: offset, stride, component type; without a view all are zeros."),
    "normalised": ("glTF 2.0, 3.11 Animations", "A normalised integer c is c/127, c/255, c/32767 or c/65535, and never less than -1."),
    "sparse": ("glTF 2.0, 3.6.2.3 Sparse Accessors", "Sparse values replace elements of the base, which is zeros without a view."),
    "buffers": ("glTF 2.0, 3.6.1 Buffers and Buffer Views", "Bytes come from a file beside the model, a data URI or the chunk of a GLB file."),
    "quantised": ("KHR_mesh_quantization", "Vertex attributes may be bytes or shorts, normalised or not."),
    "meshopt_ext": ("EXT_meshopt_compression", "The bytes of a view are those that its stream gives: a mode of entropy coding, then a filter."),
    "meshopt_khr": ("KHR_meshopt_compression", "The bytes of a view are those that its stream gives. Streams of attributes may have the version 1."),
    "draco": ("KHR_draco_mesh_compression", "A stream gives the indices of a primitive and the attributes that it names; other attributes stay as they are."),
    "animation": ("glTF 2.0, 3.11 Animations", "A channel replaces one property of its node; other properties keep their values."),
    "ends": ("glTF 2.0, 3.11 Animations", "Before the first key a channel has its first value, after the last key the last one."),
    "step": ("glTF 2.0, Appendix C.2 Step Interpolation", "The value is that of the key before."),
    "linear": ("glTF 2.0, Appendix C.3 Linear Interpolation", "(1 - t) a + t b between two keys."),
    "slerp": ("glTF 2.0, Appendix C.4 Spherical Linear Interpolation", "Rotations follow the shorter arc at constant speed."),
    "cubic": ("glTF 2.0, Appendix C.5 Cubic Spline Interpolation", "A Hermite spline; tangents are multiplied by the time between the keys, and rotations are normalised afterwards."),
    "pointer": ("KHR_animation_pointer", "A channel may name its property by a JSON pointer. Values and interpolation are those of the property."),
    "pointer_types": ("KHR_animation_pointer", "Keys may also be plain integers, which are converted to floats; normalised ones are parts of 1."),
    "object_model": ("glTF 2.0, Asset Object Model", "Mutable are translation, rotation, scale, all weights and single weights of a node; of a matrix only the translation."),
    "mesh_weights": ("glTF 2.0, Asset Object Model (until 2026)", "The default weights of a mesh were mutable. They count for nodes without weights of their own."),
    "copies": ("EXT_mesh_gpu_instancing", "A node shows its mesh once for each element; a copy's translation, rotation and scale act before the node's global transform."),
    "hidden": ("KHR_node_visibility", "A node that is not visible is not drawn, nor is anything below it. Transforms and joints do not change."),
    "staik": ("STAIK_skeletons (draft of 2019)", "A skin of a skeleton without matrices of its own is bound by the transforms of the nodes in the scene."),
    "g4mf_skin": ("G4MF, mesh skin", "An influence says which vertex follows which group by which weight. There is no limit of influences."),
    "g4mf_joints": ("G4MF, skeleton", "Groups select entries of the skeleton's joints; -1 leaves the vertex where it is."),
    "g4mf_bind": ("G4MF, character avatar", "The bind pose is the stored transform of the bones."),
    "g4mf_blend": ("G4MF, mesh blend shapes", "Offsets times amounts are added to the vertices; the amounts of an instance win over those of the mesh."),
    "g4mf_node": ("G4MF, node transforms", "A transform is a position with a basis, or with a rotor and a scale. Rotors list scalar, then planes, by mask of axes."),
    "g4mf_data": ("G4MF, data", "Accessors are packed numbers of a component type and a vector size."),
    "g4mf_clip": ("SINEW_animation", "A track replaces its part of the transform of a node."),
}


@dataclasses.dataclass
class Case:
    name: str  # subject/rule
    rule: str
    source: str  # a key of SOURCES
    build: object  # () -> builder
    poses: tuple  # of (clip, time), or for G4MF (clip, time, pose of the nodes)
    status: str  # "required", "recommended" (the text recommends, or allows engines less), "reading" (the text is silent or unclear)
    attribute: str
    errors: tuple  # codes that the Khronos validator reports as errors
    tolerance: float  # of the diagonal of the box of the expected vertices
    file: str
    options: dict


def rule(name, text, source, poses=((None, 0.0),), status="required", attribute="position", errors=(), tolerance=1e-5,
         file="model.gltf", **options):
    def register(build):
        assert source in SOURCES and all(case.name != name for case in CASES), name
        CASES.append(Case(name, text, source, build, tuple(poses), status, attribute, tuple(errors), tolerance, file, options))
        return build

    return register
