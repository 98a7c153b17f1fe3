"""The uninformed player whose killers never vote for a mate: what the least of teamwork is worth."""

from tianhei.agents.baselines.voter import Voter


class UninformedK(Voter):
    """Votes and nights by lot, mates spared; no words."""

    name = "uninformed-k"
