"""How replies are read, shown by cases, by public reports, and by replies made at random.

`grammar` and `lined` write replies of every form and spoil them, and know by construction what the answer field says;
`judge` compares with that what was read, by the contract alone; `planted` faults show that it would notice; `growth`
holds what could take more than linear time. `python -m tests.reading` runs it at full size.
"""
