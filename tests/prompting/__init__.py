"""The prompt packs: their texts, themes and personas, and what public reports say of such prompts."""
