"""Models behind OpenAI-compatible endpoints.

client     one model: asks, tries again, adapts        limiter    what all calls to one endpoint share
response   from a response to a completion             trouble    what an error means
ways       what a model was found to refuse            prices     what tokens cost
"""

from tianhei.arena.endpoint.client import OpenAIEndpoint, Settings, key_from_environment
from tianhei.arena.endpoint.limiter import Limiter

__all__ = ["Limiter", "OpenAIEndpoint", "Settings", "key_from_environment"]
