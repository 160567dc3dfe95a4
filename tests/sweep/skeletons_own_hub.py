"""Runs model_skeletons against the tests' own hub, as `make test` does: it never asks the public one.

With O2W_MODELS set, or outside of tools/run-tests (which sets O2W_TEST_HUB), the program runs as it is.
"""
import os
import sys

import model
from support import REPO, Place, entry

PROGRAM = os.path.join(os.environ["O2W_BIN"], "model_skeletons")


def run_against_own_hub():
    place = Place()
    try:
        place.hub.add(REPO, "a.onnx", model.scaled())
        manifest = place.manifest([entry("a.onnx")])
        variables = {"O2W_MODELS": "hub", "O2W_MANIFEST": str(manifest), "O2W_SKELETON_BACKEND": "cpu",
                     "O2W_SKELETON_CACHE": str(place.folder / "skeletons")}
        return os.spawnve(os.P_WAIT, PROGRAM, [PROGRAM], place.environ(variables))
    finally:
        place.close()


if __name__ == "__main__":
    if "O2W_MODELS" in os.environ or "O2W_TEST_HUB" not in os.environ:
        os.execv(PROGRAM, [PROGRAM])
    sys.exit(run_against_own_hub())
