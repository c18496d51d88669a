# SPDX-License-Identifier: MIT
"""The streams of the compressed cases, from other projects' encoders and decoders: meshoptimizer and Draco, as npm packages.

    python3 conformance/rules/streams.py      runs tests/outside/compress.mjs and writes streams.json

streams.json has, for each request of compressed.py, the stream and what the decoder of the same project makes of it. The suite is then made
without Node.js. The evaluation never decodes a stream: it takes those bytes.
"""
import base64
import hashlib
import json
import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "streams.json")
MESHOPT = ("EXT_meshopt_compression", "KHR_meshopt_compression")
DRACO = "KHR_draco_mesh_compression"


def packed(data):
    return base64.b64encode(bytes(data)).decode()


def key_of(request):
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()[:16]


class Streams:
    def __init__(self):
        self.requests = {}
        self.stored = {}
        if os.path.exists(FILE):
            with open(FILE, encoding="utf-8") as file:
                self.stored = json.load(file)

    def of(self, request):
        """The result of a request; None while the requests are collected."""
        self.requests[key_of(request)] = request
        if COLLECTING:
            return None
        if key_of(request) not in self.stored:
            sys.exit("streams.json lacks a stream: run conformance/rules/streams.py")
        return self.stored[key_of(request)]

    def decoded(self, stream):
        """What the other project's decoder makes of a stream."""
        return next(result for result in self.stored.values() if result["stream"] == packed(stream))


def encode(requests):
    """Results in the order of the requests."""
    done = subprocess.run(["node", os.path.join(HERE, "..", "..", "tests", "outside", "compress.mjs")], input=json.dumps(list(requests)),
                          stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


COLLECTING = False
STREAMS = Streams()


def bytes_of(document, view):
    start = view.get("byteOffset", 0)
    return document.buffers[view["buffer"]][start : start + view["byteLength"]]


def decompress(document):
    """Puts the decoded bytes of all streams into a document of the oracle, as buffers of their own."""
    def append(data, **view):
        document.buffers.append(data)
        document.json["bufferViews"].append({"buffer": len(document.buffers) - 1, "byteLength": len(data), **view})
        return len(document.json["bufferViews"]) - 1

    views = document.json.get("bufferViews", [])
    for index, view in enumerate(list(views)):
        for name in MESHOPT:
            if name in view.get("extensions", {}):
                data = base64.b64decode(STREAMS.decoded(bytes_of(document, view["extensions"][name]))["decoded"])
                assert len(data) == view["byteLength"]
                views[index] = {**view, "buffer": len(document.buffers), "byteOffset": 0}
                document.buffers.append(data)
    for primitive in (p for mesh in document.json.get("meshes", []) for p in mesh["primitives"] if DRACO in p.get("extensions", {})):
        extension = primitive["extensions"][DRACO]
        found = STREAMS.decoded(bytes_of(document, views[extension["bufferView"]]))
        for name, attribute in found["attributes"].items():
            if extension["attributes"].get(name) == attribute["id"]:
                accessor = document.json["accessors"][primitive["attributes"][name]]
                accessor.update(bufferView=append(base64.b64decode(attribute["data"])), byteOffset=0)
        accessor = document.json["accessors"][primitive["indices"]]
        accessor.update(bufferView=append(np.array(found["indices"], "<u2").tobytes()), byteOffset=0)
    return document


def collect():
    """All requests of compressed.py by key."""
    global COLLECTING
    sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "tests", "oracle")]
    import streams  # this file, as compressed.py imports it
    import compressed  # noqa: F401
    import registry

    streams.COLLECTING = True
    for case in registry.CASES:
        if case.name.startswith("compressed/"):
            case.build()
    streams.COLLECTING = False
    return streams.STREAMS.requests


def main(path=FILE):
    requests = collect()
    results = dict(zip(requests, encode(requests.values())))
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(results, indent=0) + "\n")
    print(len(results), "streams")


if __name__ == "__main__":
    main(*sys.argv[1:])
