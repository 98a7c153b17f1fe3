"""A small language model inside the process: its weights, and the server that runs them.

Nothing here is imported by the game. The engine is the optional extra ``local``; weights
from the model hub need the extra ``hub``; the default weights need only pip.
"""

from tianhei.agents.embedded.catalogue import DEFAULT, Offer, catalogue, recommended
from tianhei.agents.embedded.hub import reachable as hub_reachable
from tianhei.agents.embedded.server import EmbeddedServer
from tianhei.agents.embedded.shelf import Model, ModelError, models_folder
from tianhei.agents.embedded.store import add, ensure_default, find, installed

__all__ = [
    "DEFAULT",
    "EmbeddedServer",
    "Model",
    "ModelError",
    "Offer",
    "add",
    "catalogue",
    "ensure_default",
    "find",
    "hub_reachable",
    "installed",
    "models_folder",
    "recommended",
]
