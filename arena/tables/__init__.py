"""Tables at which people and bots play together: a server of rooms, each one game with its transcript.

plan, state, store     what a table is to be, what it has come to, and where that is kept
pace, clock            how long everything takes, in time that can be stopped
names, words           what people are called, and what the table itself says
seats, asking, stage   who answers for a seat, what people are asked, and when the game is shown
audience               the streams that look on
game, room, house      one game as it is played, one table with all that is done at it, and all tables
server                 the addresses under which all this is
"""
