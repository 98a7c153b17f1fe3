"""The shape of the project: its packages, what is built from it, and what its core may import."""

import ast
import importlib.util
import os
import re
import resource
import statistics
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("arena", "agents", "prompts", "transcripts")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {contract["id"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]}


def run(*command: str | Path, cwd: Path) -> str:
    """The command's output; its failure is the test's, with all that it said."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def listed_files() -> list[Path]:
    """Every file of the project that is, or is about to be, in its history."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout: nothing lists the project's own files")
    names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0")
    return [path for name in names if name and (path := ROOT / name).is_file()]


def modules() -> Iterator[tuple[str, Path]]:
    """Each module of the four packages, by its one right name."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(("tianhei", *parts)).removesuffix(".__init__"), path


def test_each_link_leads_to_its_folder() -> None:
    for package in PACKAGES:
        link = ROOT / "src" / "tianhei" / package
        assert os.readlink(link) == f"../../{package}"
        assert link.resolve() == ROOT / package


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wrong_name_is_refused_in_one_line(package: str) -> None:
    spec = importlib.util.spec_from_file_location(package, ROOT / package / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    with pytest.raises(ImportError) as refused:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert f"tianhei.{package}" in str(refused.value)
    assert "\n" not in str(refused.value)


def forbidden_imports(path: Path, forbidden: set[str]) -> list[str]:
    """Where the file imports one of the top-level modules, at any depth of its code."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=aliases):
                names = [alias.name for alias in aliases]
            case ast.ImportFrom(module=str(module), level=0):
                names = [module]
            case ast.Call(func=ast.Name(id="open" | "__import__" | "input" | "print" as builtin)):
                names = [builtin]
            case _:
                continue
        found += [f"{path.name}:{node.lineno}: {name}" for name in names if name.split(".")[0] in forbidden]
    return found


def test_the_core_does_no_io() -> None:
    contract = CONTRACTS["pure-core"]
    core = {name for name in contract["source_modules"] if name.startswith("tianhei.arena.")}
    paths = [path for name, path in modules() if any(f"{name}.".startswith(f"{one}.") for one in core)]
    assert len(paths) >= len(core), "a module of the core is missing"
    forbidden = {*contract["forbidden_modules"], "open", "input", "print", "__import__", "importlib"}
    assert [line for path in paths for line in forbidden_imports(path, forbidden)] == []


def test_forbidden_imports_are_found(tmp_path: Path) -> None:
    source = tmp_path / "bad.py"
    source.write_text("import os.path\ndef f():\n    from time import sleep\n    open('x')\n", encoding="utf-8")
    assert forbidden_imports(source, {"os", "time", "open"}) == [
        "bad.py:1: os.path",
        "bad.py:3: time",
        "bad.py:4: open",
    ]
    assert forbidden_imports(source, {"sleep", "path"}) == []


def test_every_module_has_its_layer() -> None:
    placed = {name for layer in CONTRACTS["layers"]["layers"] for name in re.findall(r"[\w.]+", layer)}
    homeless = [
        name
        for name, _ in modules()
        if not any(f"{name}.".startswith(f"{one}.") or one.startswith(f"{name}.") for one in placed)
    ]
    assert homeless == [], "give each a place in the layers of pyproject.toml"


# Written in parts, so that this file names none of them.
HOSTS = re.compile(
    r"(?:pypi|pythonhosted|npmjs|anaconda|conda|crates|debian|ubuntu|golang|maven|docker)" + r"\.(?:org|com|io|net)\b"
)
MACHINE_PATHS = re.compile(r"(?<![\w.~$}])/(?:root|work|home|Users|mnt|opt)/\w")


def test_no_file_names_a_registry_or_a_machine() -> None:
    found: list[str] = []
    for path in listed_files():
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            if HOSTS.search(line) or MACHINE_PATHS.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert found == []


def seconds(*command: str | Path) -> float:
    """Of a processor, which the command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*command, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_help_starts_quickly() -> None:
    """Started in turns and compared pair by pair, so that a busy machine slows both alike."""
    command = Path(sys.executable).with_name("tianhei")
    ratio = statistics.median(seconds(command, "--help") / seconds(sys.executable, "-c", "") for _ in range(11))
    assert ratio < 8, f"tianhei --help takes {ratio:.1f} times as long as the bare interpreter"


@pytest.mark.slow
def test_the_wheel_works_beside_another_package_called_agents(tmp_path: Path) -> None:
    """Source archive, wheel from that archive, a new environment, the command from another folder."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    wanted = {
        f"tianhei/{name}"
        for path in listed_files()
        if (name := path.relative_to(ROOT).as_posix()).startswith(tuple(f"{package}/" for package in PACKAGES))
    }
    assert wanted <= held
    assert "tianhei/py.typed" in held
    assert {name.split("/")[0] for name in held} == {
        "tianhei",
        wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info",
    }

    home = tmp_path / "environment"
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", "openai-agents", cwd=tmp_path)
    theirs = run(python, "-c", "import importlib.util as u; print(u.find_spec('agents').origin)", cwd=tmp_path).strip()
    assert theirs.endswith("site-packages/agents/__init__.py")
    for package in PACKAGES:
        run(python, "-c", f"import tianhei.{package}", cwd=tmp_path)
    assert "play" in run(home / "bin" / "tianhei", "--help", cwd=tmp_path)
