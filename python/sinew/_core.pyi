import os
from typing import Any, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union

import numpy as np
import numpy.typing as npt

from ._errors import Error

__version__: str

_Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
_Name = Union[str, int]
_Floats = Union[Sequence[float], npt.NDArray[Any]]
_Names = Union[str, Iterable[str]]
_Fit = Literal["none", "auto", "scale", "turn", "pose", "surface"]
_Pairs = Union[Mapping[str, str], Iterable[Tuple[str, str]], None]
_Amounts = Union[Mapping[str, float], Mapping[int, float], Mapping[_Name, float]]  # keys of mappings are invariant
_Cuts = Union[_Amounts, Iterable[Tuple[_Name, float]]]
_Bytes = Union[bytes, bytearray, memoryview, npt.NDArray[np.uint8]]
_Revision = Literal["2025-08", "2026-01", "2026-07"]
# Many poses as arrays: "local" or "world" (B, nodes, N+1, N+1); or "translation", "rotation", "rotor", "scale" (B, nodes, …); "amounts" (B, S).
# Arrays of numpy, and what has __dlpack__, __array__ or the buffer protocol.
_Poses = Mapping[str, Any]
_Profile = Literal["staik", "skin-strict", "skeleton-bone", "g4mf"]

class _RayHit(TypedDict):
    instance: int
    triangle: int
    barycentric: npt.NDArray[np.float64]
    distance: float

class _TriangleRange(TypedDict):
    first: int
    count: int
    instance: int
    surface: int
    material: Optional[int]

class _Influences(TypedDict):
    first: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float32]

class _PlayedClip(TypedDict):
    clip: int
    weight: float
    speed: float
    seconds: float
    loops: bool
    additive: bool

class Finding:
    """A problem that a check found."""
    @property
    def code(self) -> str:
        """The code of the finding (docs/findings.md)."""
    @property
    def severity(self) -> Literal["error", "warning", "information", "hint"]:
        '''"error", "warning", "information" or "hint".'''
    @property
    def pointer(self) -> str:
        """JSON pointer to the value; empty for the whole file. Valid if offset is None."""
    @property
    def offset(self) -> Optional[int]:
        """Bytes from the start of the file for findings outside the JSON text, else None."""
    @property
    def message(self) -> str:
        """What was found and what was expected."""
    @property
    def line(self) -> Optional[int]:
        """Line in the JSON text, from 1. Only validate sets it, else None."""
    @property
    def column(self) -> Optional[int]:
        """Column in characters, from 1, or None."""

class _Entity:
    @property
    def index(self) -> int:
        """Index in the list of its kind."""
    @property
    def name(self) -> str:
        """The name, or empty. Names are not unique in glTF."""
    @property
    def pointer(self) -> str:
        """JSON pointer into the file."""

class Node(_Entity):
    """A node: a transform in a hierarchy, optionally with a mesh."""
    @property
    def parent(self) -> Optional[int]:
        """Index of the parent, or None."""
    @property
    def children(self) -> List[int]:
        """Indices of the children."""
    @property
    def mesh(self) -> Optional[int]:
        """Index of its mesh, or None."""
    @property
    def skin(self) -> Optional[int]:
        """Index of the skin, or None."""
    @property
    def visible(self) -> bool:
        """False if the node itself is hidden."""
    @property
    def is_bone(self) -> bool:
        """Whether the file marks it as a bone."""
    @property
    def bone_length(self) -> Optional[float]:
        """Stored length of the bone along its +Y axis, or None."""

class Mesh(_Entity):
    """A mesh: vertices, surfaces, blend shapes."""
    @property
    def vertices(self) -> int:
        """Number of vertices."""
    @property
    def influences(self) -> int:
        """Largest number of influences of a vertex."""
    @property
    def surfaces(self) -> List[Dict[str, Any]]:
        """A dict per surface: name, block (of vertices), vertices (of the block), corners, material (index or None)."""
    @property
    def shapes(self) -> List[Tuple[str, float]]:
        """Blend shapes: (name, amount at rest)."""

class Skin(_Entity):
    """The binding of vertices to joints."""
    @property
    def joints(self) -> List[Optional[int]]:
        """Node index of each joint slot, or None."""
    @property
    def bind(self) -> str:
        """The kind of binding: "matrices", "identity", …"""
    @property
    def root(self) -> Optional[int]:
        """glTF's skin.skeleton, or None."""

class Skeleton(_Entity):
    """An explicit skeleton of the file."""
    @property
    def root(self) -> Optional[int]:
        """STAIK_skeletons: the topmost joint, or None."""
    @property
    def node(self) -> Optional[int]:
        """G4MF: the skeleton's node, or None."""
    @property
    def joints(self) -> List[Optional[int]]:
        """Node indices; None for an empty slot."""

class Clip(_Entity):
    """An animation."""
    @property
    def duration(self) -> float:
        """Time of the last key, in seconds."""
    @property
    def start(self) -> float:
        """Time of the first key, in seconds."""
    @property
    def channels(self) -> int:
        """Number of channels with a target."""
    @property
    def pointer_channels(self) -> int:
        """How many of them have a JSON pointer as target."""

class Material(_Entity):
    """A material: its name."""

class Scene(_Entity):
    """A scene."""
    @property
    def roots(self) -> List[int]:
        """Indices of its root nodes."""

class Instance:
    """A drawn mesh: a node of the scene with a mesh, or one of its copies."""
    @property
    def node(self) -> int:
        """Index of the node."""
    @property
    def mesh(self) -> int:
        """Index of the mesh."""
    @property
    def skin(self) -> Optional[int]:
        """Index of the skin, or None."""
    @property
    def visible(self) -> bool:
        """False if the node or one above it is hidden."""
    @property
    def copy(self) -> int:
        """Number of the copy, for a node that shows its mesh several times; otherwise 0."""

class ClipBounds:
    """The boxes of one animation."""
    @property
    def clip(self) -> int:
        """Index of the animation."""
    @property
    def box(self) -> Optional[npt.NDArray[np.float32]]:
        """The box of all instances: (2, N), or None."""
    @property
    def instances(self) -> List[Optional[npt.NDArray[np.float32]]]:
        """The box of each instance: (2, N), or None."""

class InstanceBounds:
    """The bounds of one drawn mesh, over all poses."""
    @property
    def node(self) -> int:
        """Index of the node."""
    @property
    def box(self) -> Optional[npt.NDArray[np.float32]]:
        """The box: (2, N), or None."""
    @property
    def center(self) -> List[float]:
        """Centre of a ball that holds the same vertices; [] if there are none."""
    @property
    def radius(self) -> float:
        """Radius of that ball, in metres."""

class JointBounds:
    """The box of the vertices that one joint influences, in its own space."""
    @property
    def node(self) -> int:
        """Index of the joint's node."""
    @property
    def box(self) -> Optional[npt.NDArray[np.float32]]:
        """The box: (2, N), or None."""

class Bounds:
    """Boxes that hold every vertex at every time of the animations. A box is float32 (2, N): min, max."""
    @property
    def all(self) -> Optional[npt.NDArray[np.float32]]:
        """The box of all instances in all poses: (2, N), or None."""
    @property
    def rest(self) -> Optional[npt.NDArray[np.float32]]:
        """The box of the pose stored in the file: (2, N), or None."""
    @property
    def clips(self) -> List[ClipBounds]:
        """One ClipBounds for each animation."""
    @property
    def instances(self) -> List[InstanceBounds]:
        """One InstanceBounds for each drawn mesh, in the order of Model.instances."""
    @property
    def joints(self) -> List[JointBounds]:
        """One JointBounds for each joint, in the order of nodes."""

class Model:
    """A model in memory, independent of its file. Immutable, and safe to use from several threads. Can be pickled."""
    @property
    def dimension(self) -> int:
        """N, the dimension of the space."""
    @property
    def format(self) -> Literal["glTF", "G4MF"]:
        '''"glTF" or "G4MF".'''
    @property
    def revision(self) -> str:
        '''"2.0", "2026-01", …'''
    @property
    def generator(self) -> str:
        """The program that wrote the file, as stored in the file."""
    @property
    def nodes(self) -> List[Node]:
        """All nodes."""
    @property
    def meshes(self) -> List[Mesh]:
        """All meshes."""
    @property
    def skins(self) -> List[Skin]:
        """All skins."""
    @property
    def skeletons(self) -> List[Skeleton]:
        """All explicit skeletons."""
    @property
    def clips(self) -> List[Clip]:
        """All animations."""
    @property
    def materials(self) -> List[Material]:
        """All materials."""
    @property
    def scenes(self) -> List[Scene]:
        """All scenes."""
    @property
    def default_scene(self) -> Optional[int]:
        """Index of the default scene, or None."""
    @property
    def extensions_used(self) -> List[str]:
        """Names."""
    @property
    def extensions_required(self) -> List[str]:
        """Names."""
    @property
    def findings(self) -> List[Finding]:
        """Findings from reading the file. validate() checks much more."""
    @property
    def defects(self) -> List[Error]:
        """Exceptions for unusable parts of the model. Deforming such a part raises its exception."""
    def instances(self, scene: Optional[int] = None) -> List[Instance]:
        """Returns the drawn meshes of a scene (None: the default scene), ordered by node."""
    def find_node(self, name: _Name) -> int:
        """Returns the index of the node with this name. Raises sinew.UsageError if none or several match."""
    def find_clip(self, name: _Name) -> int:
        """Returns the index of the animation with this name. Raises sinew.UsageError if none or several match."""
    def pose(self) -> Pose:
        """Returns a new Pose, the pose stored in the file."""
    def bounds(self, *, clips: Optional[Iterable[_Name]] = None, blend_range: Optional[Tuple[float, float]] = None, slack: float = 0.01,
               scene: Optional[int] = None, threads: int = 0) -> Bounds:
        """Returns boxes that hold every vertex at every time of the animations, between keys as well (docs/bounds.md).

        clips: names or indices; None uses all animations, [] only the stored pose. blend_range: (least, most) that every blend
        amount may have; None uses amounts as stored and animated. slack: how far a side may lie outside of what vertices reach,
        relative to the diagonal of the box."""
    def slice(self, at: _Cuts, *, pose: Optional[Pose] = None, scene: Optional[int] = None, threads: int = 0) -> Model:
        """Cuts the model with hyperplanes and returns the cross-section, a Model in world space (docs/slice.md).

        Each cut removes one dimension. at: {"w": 0.3} or pairs (axis, metres); axes by letter (x y z w, then v u … backwards) or
        number, both of the uncut model. pose: None uses the pose stored in the file. scene: an index; None uses the default scene.
        The findings of the result list the losses."""
    def save(self, path: _Path, *, pose: Optional[Pose] = None, scene: Optional[int] = None, threads: int = 0) -> List[str]:
        """Writes a pose as a static model in world space, as `sinew deform` does. To keep skins and animations, use convert.

        The extension of path sets the format: .npy .ply .obj .off .glb .gltf .g4b .g4tf. Returns one line per loss."""
    def extract(self, path: _Path, *, scene: Optional[int] = None, fps: float = 30.0) -> Dict[str, int]:
        """Writes the rig and the motion of a scene as arrays, a NumPy .npz file, as `sinew extract` does (docs/datasets.md).

        scene: an index; None uses the default scene. fps: frames per second of the animations. Returns the numbers of vertices,
        joints, shapes, clips, frames and bytes."""
    @property
    def avatar(self) -> Optional[Dict[str, Any]]:
        """What the file says of an avatar (VRM, KHR_character), as the dict that `sinew info --json` writes, or None."""
    def world_transforms(self, pose: Optional[Pose] = None) -> npt.NDArray[np.float64]:
        """Returns the world transforms of all nodes: float64 (nodes, N, N+1), [L | t] with world = L @ local + t, in metres.
        pose: None uses the pose stored in the file; of others, nodes that follow others do so (VRMC_node_constraint)."""
    def sample(self, clip: _Name, times: Optional[_Floats] = None, *, fps: Optional[float] = None, frames: Optional[int] = None,
               space: Literal["local", "world"] = "local") -> Dict[str, npt.NDArray[np.float64]]:
        """Samples an animation (name or index) and returns its poses as arrays, a dict that Deformer.positions takes: "local", float64
        (T, nodes, N+1, N+1), and "amounts", float64 (T, blend shapes). Give one of times, fps and frames, as for Deformer.clip.

        space: "world" gives the world transforms, as "world", instead of those relative to the parents."""
    def __copy__(self) -> Model: ...
    def __deepcopy__(self, memo: Dict[int, Any]) -> Model: ...

class Pose:
    """The local transforms of all nodes and the blend amounts at one moment. Model.pose() creates it.

    Only one thread may change a pose at a time. Deforming uses a copy."""
    def set(self, node: _Name, *, translation: Optional[_Floats] = None, rotation: Optional[_Floats] = None,
            rotor: Optional[_Floats] = None, scale: Optional[_Floats] = None, basis: Optional[npt.ArrayLike] = None) -> None:
        """Changes the local transform of a node (name or index). Arguments that are None keep their value.

        translation: N numbers in metres. rotation: a quaternion (x, y, z, w) as in glTF, 3D only. rotor: scalar first, in the order of
        CONVENTIONS.md. scale: N numbers. basis: (N, N), replaces rotation and scale; columns are the images of the axes."""
    def turn(self, node: _Name, *, axis: Optional[_Floats] = None, plane: Optional[Tuple[int, int]] = None, angle: Optional[float] = None,
             rotation: Optional[_Floats] = None, rotor: Optional[_Floats] = None) -> None:
        """Turns a node (name or index) about its own origin, in its own axes, on top of the rotation that the pose has.

        axis and angle: three numbers and radians, 3D only. plane and angle: two axes (0 = x, 1 = y, …), from the first towards the
        second. rotation: a quaternion (x, y, z, w), 3D only. rotor: scalar first."""
    def sample(self, clip: _Name, seconds: float) -> None:
        """Applies an animation (name or index) at a time, clamped to its keys. Nodes without keys keep their transform."""
    def set_amounts(self, node: _Name, amounts: _Floats) -> None:
        """Sets the amounts of all blend shapes of a node's mesh: one number per blend shape."""
    def blend(self, shape: _Name, amount: float) -> None:
        """Sets the amount of a blend shape: "SHAPE" in every mesh that has it, or "NODE:SHAPE"; by name or index."""
    def express(self, expressions: _Amounts) -> None:
        """Turns on expressions of an avatar (VRM, KHR_character) together, and all others off: {name or index: amount from 0 to 1}.

        Sets the amounts of all blend shapes that expressions bind."""
    def apply_file(self, path: _Path) -> None:
        """Applies a pose file (docs/poses.md)."""
    def set_default(self) -> int:
        """Puts the skeletons of STAIK_skeletons into their default bind pose and returns the number of skeletons."""
    def translation(self, node: _Name) -> npt.NDArray[np.float64]:
        """Returns N numbers (a copy)."""
    def rotor(self, node: _Name) -> Optional[npt.NDArray[np.float64]]:
        """Returns 2^(N-1) numbers, scalar first (a copy); None if the node has a basis."""
    def scale(self, node: _Name) -> Optional[npt.NDArray[np.float64]]:
        """Returns N numbers (a copy); None if the node has a basis."""
    def matrix(self, node: _Name) -> npt.NDArray[np.float64]:
        """Returns the local transform as a matrix, float64 (N, N+1): [L | t]."""
    def amounts(self, node: _Name) -> npt.NDArray[np.float64]:
        """Returns the blend amounts of a node's mesh (a copy)."""
    def copy(self) -> Pose:
        """Returns an independent copy."""
    def __copy__(self) -> Pose: ...
    def __deepcopy__(self, memo: Dict[int, Any]) -> Pose: ...

class Deformer:
    """Deforms all drawn meshes of a scene for any number of poses.

    Rows are vertices, instance after instance. Releases Python's global lock while working. Calls from several threads wait for each
    other; give each thread a copy(), which shares the packed meshes."""
    def __init__(self, model: Model, *, scene: Optional[int] = None, normals: Union[bool, Literal["computed"]] = False,
                 tangents: bool = False, max_influences: int = 0, kernel: str = "") -> None:
        """scene: an index; None uses the default scene. normals: True prepares those that the file stores, "computed" also computes the
        others from the deformed triangles. tangents: prepare them. max_influences: use only the strongest influences of each vertex,
        renormalised, like engines with four influences; 0 uses all. kernel: "plain", …; empty
        selects the fastest for this CPU."""
    @property
    def vertices(self) -> int:
        """Number of rows of positions."""
    @property
    def corners(self) -> int:
        """Number of rows of corner normals."""
    @property
    def dimension(self) -> int:
        """N, the dimension of the space."""
    @property
    def instances(self) -> List[Instance]:
        """The drawn meshes, in row order."""
    @property
    def kernel(self) -> str:
        """The name of the kernel in use."""
    def rows(self, instance: int) -> slice:
        """Returns the rows of an instance as a slice."""
    def simplexes(self) -> npt.NDArray[np.uint32]:
        """Returns the simplexes of all surfaces (triangles in 3D) as rows of positions: uint32 (simplexes, max(N, 3)). Excludes lines and
        points."""
    def copy(self) -> Deformer:
        """Returns a Deformer for another thread; it shares the packed meshes."""
    def __copy__(self) -> Deformer: ...
    def __deepcopy__(self, memo: Dict[int, Any]) -> Deformer: ...
    def hit(self, positions: Any, origin: _Floats, direction: _Floats) -> Optional[_RayHit]:
        """Finds the nearest triangle that a ray in world space meets, from either side: a dict, or None. Three dimensions only.

        positions: float32 (vertices, 3), as positions() returns them. The dict has instance (an index of instances), triangle (a row
        of simplexes()), barycentric (weights of its corners) and distance (in lengths of the direction)."""
    def triangle_ranges(self) -> List[_TriangleRange]:
        """Returns which surface and material the simplexes have, in their order: a list of dicts without gaps between them.

        A dict has first and count (rows of simplexes()), instance (an index of instances), surface (of its mesh; glTF: the primitive)
        and material (an index, or None)."""
    def influences(self) -> _Influences:
        """Returns the nodes that each vertex follows, as compressed rows: a dict with first, int64 (vertices + 1,), nodes, int32, and
        weights, float32.

        Vertex v has the entries first[v]:first[v + 1]. A node occurs once in a row. glTF: weights as stored; G4MF: their sum is 1.
        Vertices that no joint moves follow the node of their mesh, with the weight 1. max_influences counts."""
    def texture_coordinates(self, pose: Optional[Pose] = None, *, set: int = 0) -> npt.NDArray[np.float32]:
        """Returns the texture coordinates of each vertex: float32 (vertices, 2), NaN where a mesh has none. glTF.

        pose: its amounts of blend shapes move them; None uses the pose stored in the file. set: the n of TEXCOORD_n."""
    def bone_boxes(self, positions: Any, *, above: float = 0.0) -> npt.NDArray[np.float32]:
        """Returns a box for each node of the model, around the vertices that follow it: float32 (nodes, 2, N), minima and maxima in
        world space; NaN if no vertex follows the node.

        positions: float32 (vertices, N), as positions() returns them. above: only vertices with a larger weight for the node."""
    def positions(self, pose: Union[Pose, _Poses], *, out: Any = None, threads: int = 0) -> npt.NDArray[np.float32]:
        """Returns the positions of the vertices in world space, in metres: float32 (vertices, N) for a Pose.

        For many poses as arrays, (B, vertices, N): pose is a dict with "local" (transforms relative to the parent) or "world"
        (world transforms, independent of the parents), both (B, nodes, N+1, N+1) for column vectors; or any of "translation"
        (B, nodes, N), "rotation" (B, nodes, 4; quaternions x, y, z, w), "rotor" and "scale" (B, nodes, N); and "amounts"
        (B, blend shapes): those of every node with a mesh, in turn. What is left out stays as in the file. float64 arrays in C order
        of numpy, DLPack or the buffer protocol are read in place; do not change them during the call. Results equal those of single
        calls bit for bit. out: fill this array instead of a new one, and return it."""
    def normals(self, pose: Union[Pose, _Poses], *, out: Any = None, threads: int = 0) -> npt.NDArray[np.float32]:
        """Returns unit normals of the vertices: float32 (vertices, N), or (B, vertices, N). Rows without a normal are NaN. pose: as for
        positions."""
    def tangents(self, pose: Union[Pose, _Poses], *, out: Any = None, threads: int = 0) -> npt.NDArray[np.float32]:
        """Returns tangents of the vertices: float32 (vertices, 4), or (B, vertices, 4): x, y, z and the sign w. Rows without a tangent
        are NaN. glTF. pose: as for positions."""
    def corner_normals(self, pose: Pose, *, out: Optional[npt.NDArray[np.float32]] = None,
                       threads: int = 0) -> npt.NDArray[np.float32]:
        """Returns unit normals of the corners of all surfaces: float32 (corners, N). G4MF."""
    def run(self, pose: Union[Pose, _Poses], *, positions: Any = None, normals: Any = None, tangents: Any = None,
            threads: int = 0) -> None:
        """Fills the given arrays in one pass. pose: as for positions."""
    def palettes(self, poses: _Poses, *, threads: int = 0) -> npt.NDArray[np.float64]:
        """Returns the map from the mesh to the world of every joint slot, instance after instance: float64 (B, maps, N+1, N+1). The last
        map of an instance moves vertices without joints. poses: a dict of arrays, as for positions."""
    def vjp(self, poses: _Poses, grad_positions: Any, *, rest_positions: bool = True, threads: int = 0) -> Dict[str, npt.NDArray[np.float64]]:
        """Takes the gradient of a loss with respect to the positions, (B, vertices, N), back to the poses: the vector-Jacobian product.

        poses: a dict of arrays, as for positions. Returns a dict of float64 arrays: "world" if the poses give it, else "local",
        (B, nodes, N+1, N+1), with zeros in the last rows; "amounts" (B, blend shapes); and, unless rest_positions is False,
        "rest_positions" (vertices, N), of the positions in the file, summed over the poses. grad_positions is read as float32."""
    def frames(self, poses: Sequence[Pose], *, out: Optional[npt.NDArray[np.float32]] = None,
               threads: int = 0) -> npt.NDArray[np.float32]:
        """Returns the positions at many poses: float32 (poses, vertices, N)."""
    def clip(self, clip: _Name, *, times: Optional[_Floats] = None, fps: Optional[float] = None,
             frames: Optional[int] = None, out: Optional[npt.NDArray[np.float32]] = None, threads: int = 0) -> npt.NDArray[np.float32]:
        """Deforms an animation (name or index) and returns the positions: float32 (frames, vertices, N).

        Give one of three: times, a list in seconds; fps, a rate from 0 to the end of the animation; or frames, a number of equally
        spaced frames from 0 to the end, both included."""

class Player:
    """Plays clips of a model together, frame by frame: weights, additive clips, masks, loops and speeds, root motion.

    The rules are those of include/sinew/play.hpp. One thread at a time may use it."""
    def __init__(self, model: Model, clips: Iterable[Union[_Name, Mapping[str, Any]]], *, root: Optional[_Name] = None) -> None:
        """clips: names or indices, or dicts with "clip" and perhaps "weight" (1), "speed" (1; seconds of the clip per second),
        "seconds" (0; the time in the clip), "loops" (True), "additive" (False) and "mask" (a number from 0 to 1 per node).
        root: a node (name or index) whose translation stays as stored; its movement is root_motion."""
    @property
    def clips(self) -> List[_PlayedClip]:
        """The clips as dicts, without masks (a copy)."""
    def set_weight(self, clip: int, weight: float) -> None:
        """Sets the weight of a clip, by its place in the list. It counts from the next advance."""
    def set_speed(self, clip: int, speed: float) -> None:
        """Sets the speed of a clip, by its place in the list; negative: backwards."""
    def seek(self, clip: int, seconds: float) -> None:
        """Sets the time in a clip, by its place in the list. It counts from the next advance."""
    def advance(self, seconds: float) -> None:
        """Moves all clips on and computes the pose; 0: computes it only."""
    @property
    def pose(self) -> Pose:
        """The pose (a copy)."""
    def world(self, node: _Name) -> npt.NDArray[np.float64]:
        """Returns the world transform of a node (name or index), float64 (N, N+1): [L | t]."""
    @property
    def root_motion(self) -> npt.NDArray[np.float64]:
        """N numbers: by how much the clips moved the root in the last advance, in the space of its parent. Loops go on."""

class Renderer:
    """Draws pictures of a scene off screen with OpenGL (docs/render.md).

    Raises sinew.UnsupportedError without OpenGL, and in a process that was forked after drawing. Releases Python's global lock while
    drawing. Calls from several threads wait for each other."""
    def __init__(self, model: Model, *, size: Tuple[int, int] = (800, 600), camera: Optional[Tuple[float, float]] = None,
                 background: Optional[Sequence[int]] = None, edges: bool = False, bones: bool = False, weights: Optional[_Name] = None,
                 at: Optional[_Cuts] = None, orthographic: bool = False, scene: Optional[int] = None, threads: int = 0) -> None:
        """size: width and height in pixels. camera: (yaw, pitch) in degrees; (0, 0) is the front, (90, 0) the left, (0, 90) the top.
        background: red, green, blue and optionally opacity, 0 to 255. edges, bones: draw them too. weights: show the weights of this
        joint (name or index of its node) as colours. at: draw a cross-section, {"w": 0.3} as in Model.slice. orthographic: project
        more than three dimensions without perspective. scene: an index; None uses the default scene."""
    def include(self, pose: Pose) -> None:
        """Makes the camera show all included poses, for every picture. Without included poses it shows the drawn pose."""
    def draw(self, pose: Optional[Pose] = None) -> npt.NDArray[np.uint8]:
        """Draws a pose: uint8 (height, width, 4), rows from the top, channels red, green, blue and opacity, sRGB. pose: None uses the pose
        stored in the file."""
    @property
    def notes(self) -> List[Error]:
        """Exceptions for parts that could not be drawn as stored, such as broken textures."""

class Report:
    """The findings of one file. Broken files have a report too."""
    @property
    def uri(self) -> str:
        """The path as the caller passed it."""
    @property
    def mime_type(self) -> str:
        """The media type, for example "model/gltf-binary"."""
    @property
    def issues(self) -> List[Finding]:
        """Findings under the rules of the format, in order of discovery. For glTF: the findings of the Khronos glTF-Validator."""
    @property
    def model_issues(self) -> List[Finding]:
        """Findings under Sinew's own rules: GLTF_* and SINEW_*."""
    @property
    def findings(self) -> List[Finding]:
        """The issues, then the model issues."""
    @property
    def counts(self) -> Dict[str, int]:
        """Number of findings of each severity, including those not listed."""
    @property
    def truncated(self) -> bool:
        """Whether some findings are not listed."""
    @property
    def ok(self) -> bool:
        """Whether the file has no errors."""
    def to_json(self) -> str:
        """Returns JSON text in the format of the Khronos glTF-Validator, with modelIssues beside issues."""
    def to_sarif(self) -> str:
        """Returns a log in the Static Analysis Results Interchange Format (SARIF) 2.1.0."""

class ComparedPart:
    """One compared state: the stored pose, an animation, a stress pose, or a blend shape."""
    @property
    def kind(self) -> Literal["rest", "animation", "stress", "shown", "blendShape"]:
        '''"rest", "animation", "stress", "shown" or "blendShape".'''
    @property
    def a(self) -> Optional[int]:
        """Index of the clip or shape in the first model, or None; of a stress pose an axis of its plane."""
    @property
    def b(self) -> Optional[int]:
        """The same in the second model."""
    @property
    def name(self) -> str:
        """Name in the first model; of a stress pose its plane."""
    @property
    def max(self) -> float:
        """Largest distance between paired vertices, in metres."""
    @property
    def rms(self) -> float:
        """Root mean square distance over pairs and times, in metres."""
    @property
    def seconds(self) -> float:
        """Time of the largest distance in an animation, in seconds."""
    @property
    def vertex_a(self) -> int:
        """Vertex with the largest distance."""
    @property
    def vertex_b(self) -> int:
        """The same in the second model."""

class EveryPose:
    """What is known about the poses that were not measured."""
    @property
    def why_not(self) -> str:
        """Why the skeletons are not the same, or empty."""
    @property
    def bound(self) -> Optional[float]:
        """No vertex is further away than this, in metres, while joints only turn and blend amounts are between 0 and 1. None: no bound."""
    def proved(self, distance: float) -> bool:
        """Returns whether it is proved that all vertices agree in every pose, to a distance in metres."""

class ComparedInstance:
    """A drawn mesh, paired between the two models."""
    @property
    def name(self) -> str:
        """Name of the node in the first model."""
    @property
    def a(self) -> Instance:
        """The Instance of the first model."""
    @property
    def b(self) -> Instance:
        """The Instance of the second model."""
    @property
    def pairing(self) -> Literal["index", "permutation", "corners", "position", "none"]:
        """How the vertices were paired: "index", "permutation", "corners", "position" or "none"."""
    @property
    def why_not(self) -> str:
        """Why the vertices could not be paired, or empty."""
    @property
    def pairs(self) -> int:
        """Number of measured pairs of vertices."""
    @property
    def apart(self) -> int:
        """Number of excluded pairs, whose weights mean different things in the two formats."""
    @property
    def parts(self) -> List[ComparedPart]:
        """The compared states."""
    @property
    def every_pose(self) -> EveryPose:
        """What is known about all other poses."""
    @property
    def max(self) -> float:
        """Largest distance, in metres."""
    @property
    def rms(self) -> float:
        """Root mean square distance, in metres."""

class Comparison:
    """The distances between the vertices of two models, at rest, in every animation, in stress poses and with every blend shape."""
    @property
    def diagonal(self) -> float:
        """Diagonal of the bounds of the first scene at rest, in metres. Relative distances refer to it."""
    @property
    def instances(self) -> List[ComparedInstance]:
        """The pairs of drawn meshes."""
    @property
    def only_a(self) -> List[Tuple[str, int, str]]:
        """Tuples (kind, index, name) of items that only the first model has."""
    @property
    def only_b(self) -> List[Tuple[str, int, str]]:
        """Tuples (kind, index, name) of items that only the second model has."""
    @property
    def why_not(self) -> str:
        """Why the models cannot be compared, or empty."""
    @property
    def max(self) -> float:
        """Largest distance, in metres. Infinite: nothing could be compared."""
    @property
    def rms(self) -> float:
        """Root mean square distance over all pairs, in metres."""
    @property
    def every_pose(self) -> EveryPose:
        """What is known about the poses that were not measured."""
    def verdict(
        self, tolerance: float = 1e-05
    ) -> Literal["equal in every pose", "equal where sampled", "different", "not comparable"]:
        """Returns "equal in every pose", "equal where sampled", "different" or "not comparable"."""
    def relative(self, distance: float) -> float:
        """Returns a distance relative to the diagonal."""
    def equal_within(self, tolerance: float = 1e-05) -> bool:
        """Returns whether all items have a counterpart and no distance exceeds tolerance * diagonal."""

class Edited:
    """The result of an operation on a file."""
    @property
    def format(self) -> Optional[str]:
        """Format of the new file, for example "glTF 2.0" or "G4MF 2026-01"; None if nothing was written."""
    @property
    def bytes(self) -> Optional[int]:
        """Size of the new file in bytes, without a .bin file beside it; or None."""
    @property
    def changes(self) -> List[Finding]:
        """Findings with their places: changes (hints) and losses (warnings)."""
    @property
    def losses(self) -> List[Finding]:
        """The changes that are losses."""
    @property
    def findings(self) -> List[Finding]:
        """Findings from reading the input."""
    @property
    def written(self) -> bool:
        """False for repair and optimize without a target, and where max_error was exceeded."""
    @property
    def movement(self) -> Optional[Comparison]:
        """A Comparison with the distances that vertices moved: of repair and rebind if something changed, of all with max_error; or None."""
    @property
    def bones(self) -> List[Dict[str, Any]]:
        """merge: a dict per bone of the clothes, with file, name, becomes, added, parent and distance."""
    @property
    def steps(self) -> List[Dict[str, Any]]:
        """optimize: a dict per step, with step, saved (bytes), error (relative to the diagonal) and note."""
    @property
    def textures(self) -> List[Dict[str, Any]]:
        """optimize: a dict per changed image, with image (its index in the input), name, before and after (bytes), from
        and to (media types), width, height, psnr (decibels; inf: no pixel differs) and ssim."""
    @property
    def triangles(self) -> Optional[Dict[str, Any]]:
        """optimize: a dict with the triangles before and after, and surface_error; or None if all of them stayed."""
    @property
    def lods(self) -> List[Dict[str, Any]]:
        """optimize: a dict per coarser level of detail, with ratio, triangles and surface_error (relative to the
        diagonal)."""

def load(path: _Path, *, force: bool = False, revision: Optional[_Revision] = None, allow_outside: bool = False,
         max_memory: int = 2147483648, mapped: bool = False) -> Model:
    """Reads a model: glTF (.gltf, .glb, .vrm) or G4MF (.g4tf, .g4b); "-" is standard input.

    force: read G4MF files despite certain errors (docs/semantics.md). revision: read a G4MF file as "2025-08", "2026-01" or
    "2026-07". allow_outside: allow the file to use files outside its folder. max_memory: a limit in bytes. mapped: map large
    files instead of reading them, which is faster; the file must not become shorter while the model exists."""
def load_memory(data: _Bytes, *, name: _Path = "-", force: bool = False, revision: Optional[_Revision] = None,
                allow_outside: bool = False, max_memory: int = 2147483648) -> Model:
    """Reads a model from the bytes of a file (bytes, bytearray, memoryview, numpy uint8). Copies the bytes.

    name: the name for messages. Files that the model refers to are read from the folder of this path; with "-" none are read.
    See load for the other arguments."""
def explain(code: str) -> Dict[str, str]:
    """Explains a finding: a dict with code, formats, why, mend (how to fix it) and source."""
def validate(path: _Path, *, profile: Optional[_Profile] = None, only: _Names = (), ignore: _Names = (), limit: Optional[int] = None,
             revision: Optional[_Revision] = None, allow_outside: bool = False, max_memory: int = 2147483648) -> Report:
    """Checks a file against the rules of its format. Raises only if the file cannot be opened; the report lists all other faults.

    profile: also check skeletons against a dialect: "staik", "skin-strict", "skeleton-bone" or "g4mf". only, ignore: codes of
    findings. limit: list at most this number of findings, the most severe first."""
def validate_many(paths: Sequence[_Path], *, threads: int = 0, profile: Optional[_Profile] = None, only: _Names = (),
                  ignore: _Names = (), limit: Optional[int] = None, revision: Optional[_Revision] = None, allow_outside: bool = False,
                  max_memory: int = 2147483648) -> List[Union[Report, Error]]:
    """Validates many files on several threads (0: all cores). Returns a list with the Report of each file, in order. If a file cannot
    be opened, the list contains the sinew.Error instead; it is not raised."""
def compare(a: Model, b: Model, *, match: bool = False, scene_a: Optional[int] = None, scene_b: Optional[int] = None,
            threads: int = 0) -> Comparison:
    """Compares the deformed vertices of two models of any format. match: pair vertices by position instead of order."""
class FlexFinding:
    """Bad deformation: the worst pose of a joint or blend shape for one code (docs/flex.md)."""
    @property
    def code(self) -> str:
        """For example "FLEX_TEAR"."""
    @property
    def severity(self) -> Literal["error", "warning", "info"]:
        '''"error", "warning" or "info".'''
    @property
    def joint(self) -> str:
        """Name of the responsible joint; "": no joint is."""
    @property
    def node(self) -> Optional[int]:
        """Index of that joint's node, or None."""
    @property
    def value(self) -> float:
        """How bad it is, in the unit."""
    @property
    def limit(self) -> float:
        """The value from which on it is a finding."""
    @property
    def unit(self) -> str:
        '''"diagonal", "ratio", "weight" or "count".'''
    @property
    def pose(self) -> Dict[str, Any]:
        """The worst pose, as in the JSON of `sinew flex`: a dict with the key "kind"."""
    @property
    def vertices(self) -> List[Dict[str, int]]:
        """At most 8 vertices, the worst first: node, mesh, primitive, vertex and row."""
    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """All vertices beyond the limit, as rows of a Deformer of the scene: int64, ascending."""
    @property
    def count(self) -> int:
        """Vertices beyond the limit (FLEX_FLIP: triangles, FLEX_SELF: pairs)."""
    @property
    def exact(self) -> bool:
        """Whether value is the largest one of all poses of the kind."""
    @property
    def message(self) -> str:
        """One sentence."""

class FlexReport:
    """Where the vertices of a model deform badly."""
    @property
    def findings(self) -> List[FlexFinding]:
        """A FlexFinding per code and joint or blend shape, the most severe first."""
    @property
    def counts(self) -> Dict[str, int]:
        """Number of findings of each severity."""
    @property
    def ok(self) -> bool:
        """Whether there is no error and no warning."""
    @property
    def dimension(self) -> int:
        """Dimension of the model."""
    @property
    def diagonal(self) -> float:
        """Of the box around the model at rest: the unit of lengths."""
    @property
    def skipped(self) -> List[Tuple[str, str]]:
        """Checks that did not run: pairs of code and reason."""

def flex(model: Model, *, animations: Optional[Iterable[_Name]] = None, angles: Iterable[float] = (45.0, 90.0), kinds: _Names = (),
         names: bool = False, scene: Optional[int] = None, threads: int = 0) -> FlexReport:
    """Bends the rig in every joint, animation and blend shape, and reports where vertices deform badly (docs/flex.md).

    animations: names or indices; None uses all, [] none. angles: of stress poses, in degrees. kinds: only these, for example
    ["tear", "spike"]; empty: all. names: know the bones of a humanoid by their names."""
def convert(source: _Path, target: _Path, *, revision: Optional[_Revision] = None, compress: Literal["keep", "none", "zstd"] = "keep",
            group_names: Literal["keep", "drop", "write"] = "keep", skeletons: Literal["keep", "strict", "bone", "plain"] = "keep",
            max_influences: int = 0, prune_unused: bool = False, max_error: Optional[float] = None, allow_outside: bool = False,
            max_memory: int = 2147483648) -> Edited:
    """Converts a file to the format of the extension of target (.gltf, .glb, .g4tf, .g4b).

    revision: revision of G4MF to write. compress: "keep", "none", "zstd" (G4MF). group_names: "keep", "drop", "write" (G4MF).
    skeletons: "keep", "strict", "bone", "plain" (glTF). max_influences: keep the strongest influences of each vertex; 0 keeps all.
    prune_unused: remove what nothing in the file refers to. max_error: write nothing if a vertex moves further than this, relative
    to the size of the model. Edited.losses lists what the new file cannot store."""
def merge(body: _Path, clothes: Sequence[_Path], target: _Path, *, skeleton: str = "", rename: _Pairs = None,
          keep_separate: _Names = (), animations: _Names = (), meshes: _Names = (), names: str = "",
          fit: Union[None, _Fit, Iterable[_Fit]] = None, made_for: Optional[_Path] = None, tolerance: float = 0.01, attach: str = "", grip: bool = False,
          scale: Optional[float] = None, weights: Literal["auto", "keep", "transfer"] = "auto", weights_from: _Names = (),
          weights_distance: float = 0.05, weights_angle: float = 30.0, max_influences: int = 0, join: bool = False,
          prune_unused: bool = False, max_error: Optional[float] = None, threads: int = 0,
          allow_outside: bool = False, max_memory: int = 2147483648) -> Edited:
    """Puts the meshes of other files (clothes: a list of paths) on one skeleton of body, without moving them at rest (docs/merge.md).

    rename: {old: new} for bones of the clothes. names: "auto", a naming scheme, or a file with lines OLD NEW. animations: names of
    clips of the clothes to keep, or "all". meshes: names of the meshes to take; default: all. join: join all meshes.
    fit: bring clothes of another figure to body: "auto", or a list of "scale", "turn", "pose" and "surface"; None: "auto" with
    made_for, the figure that they were made for, else not at all. tolerance: of pivots. attach: a bone that carries things without
    bones; grip: it is a hand; scale: of such things. weights: "auto" gives some to meshes without a skin, "keep" to none,
    "transfer" to all; weights_from, weights_distance, weights_angle and max_influences say how.
    prune_unused: remove what nothing in the file refers to.
    Raises InputError with the code SINEW_MERGE_NO_MATCH if clothes have bones and none matches."""
def retarget(model: _Path, motions: Sequence[_Path], target: _Path, *, animations: Sequence[str] = (), map: Optional[_Path] = None,
             names: str = "auto", root_motion: Literal["scale", "keep", "none"] = "scale", align: bool = False, threads: int = 0,
             allow_outside: bool = False, max_memory: int = 2147483648) -> Dict[str, Any]:
    """Writes model as target, with the animations of other characters (motions: a list of paths) for its skeleton (docs/retarget.md).

    animations: names or indices; default: all. map: a file with lines MOTION_BONE TARGET_BONE. names: a profile of names of bones, or
    "auto". root_motion: "scale", "keep" or "none", of the hips. align: turn the limbs of model at rest as those of the motion
    first. Returns the report as the dict that `sinew retarget --json` writes.
    Raises InputError with the code RETARGET_NO_MATCH or RETARGET_MOVES_NOTHING if nothing would move."""
def repair(source: _Path, target: Optional[_Path] = None, *, max_influences: int = 0, prune: float = 0.0,
           bind_matrices: Literal["certain", "transpose", "identity"] = "certain", names: bool = False,
           seams: bool = False, islands: bool = False, prune_unused: bool = False, max_error: Optional[float] = None, force: bool = False,
           threads: int = 0, allow_outside: bool = False, max_memory: int = 2147483648) -> Edited:
    """Fixes what can be fixed unambiguously and lists the changes (docs/repair.md). target: None writes no file.

    max_influences: keep the strongest influences of each vertex; 0 keeps all.
    bind_matrices: what to do if their fourth row is not 0 0 0 1: "certain", "transpose" or "identity".
    seams: join the weights of vertices that coincide at rest and part in a pose. islands: remove stray weights.
    prune: remove weights below this. prune_unused: remove what nothing in the file refers to."""
def optimize(source: _Path, target: Optional[_Path] = None, *, max_error: float, steps: _Names = (), keep: _Names = (),
             max_influences: int = 0, joint_budget: int = 0,
             compress: Literal["none", "meshopt", "khr-meshopt", "zstd"] = "none", instances: Literal["keep", "nodes"] = "keep",
             triangles: float = 1.0, lods: Iterable[float] = (), textures: Literal["keep", "png", "webp"] = "keep", max_texture: int = 0, texture_psnr: float = 40.0, drop_names: bool = False,
             force: bool = False, threads: int = 0, allow_outside: bool = False, max_memory: int = 2147483648) -> Edited:
    """Makes a file smaller and measures how far vertices move (docs/optimize.md). target: None writes no file.

    max_error: the largest allowed movement of a vertex, relative to the size of the model. steps: names of the steps to run;
    default: all. keep: names of nodes that stay. max_influences: the most influences of a vertex, with fitted weights; nothing is
    written if this needs a larger error. joint_budget: the most joints of a skin (glTF); 0: any number. compress: "none", "meshopt", "khr-meshopt" (glTF) or "zstd" (G4MF). instances: "nodes" joins nodes that show the same mesh to one node with
    copies (glTF). triangles: the part of the triangles to keep, by collapsing edges; max_error then limits the distance of the
    surfaces (glTF). lods: parts of the triangles of coarser levels of detail, descending (MSFT_lod of glTF). textures: "png" or "webp" stores images in fewer bytes, with at least texture_psnr decibels (glTF).
    max_texture: the most pixels on a side of an image; 0: any number. drop_names: remove names that nothing mentions (glTF).
    Edited.steps lists what each step saved, Edited.textures the changed images, and Edited.lods the levels."""
def rebind(source: _Path, target: _Path, *, to: Literal["keep", "rest", "clip", "default", "identity"] = "keep",
           animation: Optional[_Name] = None, seconds: float = 0.0, unify: bool = False, bake_shapes: bool = False,
           world: bool = False, keep_vertices: bool = False, joints: _Pairs = None, skin: str = "",
           tolerance: float = 0.0001, prune_unused: bool = False, max_error: Optional[float] = None, force: bool = False,
           threads: int = 0, allow_outside: bool = False, max_memory: int = 2147483648) -> Edited:
    """Binds skins to another pose without changing the deformation (docs/rebind.md).

    to: "keep", "rest", "clip" (with animation and seconds), "default", "identity". joints: {slot: bone or "none"}.
    bake_shapes: add the stored amounts of blend shapes to the meshes. world: with rest or clip, store vertices in the space of the
    scene. keep_vertices: with rest or clip, bind the vertices as they are stored; this changes the deformation.
    tolerance: how far vertices may move, relative to the diagonal of their mesh. prune_unused: remove what nothing in the file
    refers to."""

# For sinew._pickle only.
def _known_model(id: str) -> Optional[Model]: ...
def _remember_model(model: Model, id: str) -> None: ...
def _pose(of: Model, lengths: npt.NDArray[np.uint32], numbers: npt.NDArray[np.float64]) -> Pose: ...
def _plain(kind: type, state: Any) -> Any: ...
