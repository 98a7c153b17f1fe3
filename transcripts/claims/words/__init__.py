"""The words of the game, by language: patterns as data, for text in which every seat is one mark.

mark      seats and pronouns as marks        reading   claims, record statements and phenomena of a sentence
rule      how a pattern is written           en, zh    the patterns
"""
