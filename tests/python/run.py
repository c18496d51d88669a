# SPDX-License-Identifier: MIT
"""Runs the tests of the Python module with pytest: run.py --module FOLDER --sinew PROGRAM [--shared FOLDER] [pytest arguments]

Exit status 77, and a line that says why, where the module was not built or pytest is not there.
"""
import argparse
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

parser = argparse.ArgumentParser()
parser.add_argument("--module", default="", help="the folder that holds the package sinew")
parser.add_argument("--sinew", required=True)
parser.add_argument("--shared", default="")
options, rest = parser.parse_known_args()

if not options.module:
    sys.exit(print("skipped: the Python module was not built (pybind11-dev, python3-dev)") or 77)
sys.path.insert(0, options.module)
try:
    import pytest
except ImportError:
    sys.exit(print("skipped: pytest is not there (python3-pytest)") or 77)

os.environ.update(SINEW_PROGRAM=os.path.abspath(options.sinew), SINEW_MODULE=options.module)
if options.shared and Path(options.shared).is_dir():
    os.environ["SINEW_SHARED"] = os.path.abspath(options.shared)
else:
    os.environ.pop("SINEW_SHARED", None)
sys.exit(pytest.main([str(HERE), "-q", "-p", "no:cacheprovider", "--rootdir", str(HERE), *rest]))
