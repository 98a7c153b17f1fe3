"""What if: games gone on with from a cut in two ways, what a change was worth, and a review of a game's choices.

arms       the two ways, many times over      rollouts  games gone on with by players without skill
swing      what the change was worth          review    who threw what away, and when the game turned
           turns   what a seat thought, said and did
"""
