"""What tokens cost, by a maintained table of prices (genai-prices). What is not in it is unknown, never free."""

from __future__ import annotations

from decimal import Decimal

from tianhei.arena.player import Usage


def price(model: str, url: str, usage: Usage) -> Decimal | None:
    """US dollars for these tokens of a model at an address; None where the price is unknown."""
    from genai_prices import Usage as Priced
    from genai_prices import calc_price

    tokens = Priced(
        input_tokens=usage.prompt or 0, cache_read_tokens=usage.cached or 0, output_tokens=usage.completion or 0
    )
    try:
        return calc_price(tokens, model_ref=model, provider_api_url=url).total_price
    except (LookupError, ValueError):
        return None
