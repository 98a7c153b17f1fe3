"""Players that make results readable: each plays by one plain idea, so that a result can be held against it.

voter       what they share: votes for whom they aim at, else by lot; nights by lot
speaker     the same with words and typed claims; an officer's checks told honestly

uninformed_k, random_k    lots that spare mates           silent       the scripted player without a word
follow_majority, first_accuser                            follow what is said
claim_truster, reveal_police, solver                      follow the police: believing, in order, by reckoning
scripted_liar             killers' false officer          oracle       the ceiling: told who the killers are
"""
