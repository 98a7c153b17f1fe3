"""Crash and damage: a game that is broken off anywhere, by anything, goes on to what it would have come to.

`points` names every boundary of a process that plays: each line as it is written, each sync, cut and call. `table` is
the small game that is broken off there, `runs` what must hold of each run and each resume, `mortal` the processes that
are really killed, `disks` those that fail, `damage` the files that are cut off or changed, `full` all at full size.
"""
