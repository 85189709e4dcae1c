"""Takes on steps, ladders, chairs and obstacles: listed by name from their descriptions alone, before any measurement.

Their props are not in the recordings, so feet that rest on them are in the air, and a step over an obstacle is no usual
step. Benchmarks of feet report them apart. Takes that only duck under something stand on the floor and are not here.
"""

REASONS = {
    "football_like/143_14": "obstacle: Walk And Step Over",
    "football_like/143_15": "obstacle: Walk And Step Over",
    "football_like/143_16": "obstacle: Walk And Step Over",
    "football_like/127_25": "obstacle: Run Jump Over",
    "football_like/127_27": "obstacle: Run Jump Over",
    "football_like/127_33": "obstacle: Run Over",
    "everyday/143_17": "steps: Walk Up Stairs And Over",
    "everyday/143_18": "chair: Sit Down And Get Up",
    "everyday/143_19": "chair: Sit On Stool And Get Up",
    "everyday/143_37": "ladder: Climb Up And Down Ladder",
    "everyday/13_01": "chair: sit on high stool, stand up",
    "everyday/13_02": "chair: sit on high stool, stand up",
    "everyday/13_04": "chair: sit on stepstool, chin in hand",
    "everyday/13_05": "chair: sit on stepstool, hands against chin, fidget, stand up",
    "everyday/13_33": "ladder: climb ladder",
    "everyday/13_35": "steps: climb 3 steps",
    "everyday/13_36": "steps: climb 3 steps",
    "everyday/13_37": "steps: climb 3 steps",
    "everyday/86_09": "chair: walking, sitting, looking, stand up",
    "everyday/40_09": "obstacle: climb, step over, jump over stepstool",
    "everyday/36_37": "steps: jump/hop on uneven terrain",
    "everyday/114_04": "chair: Getting up from chair",
    "everyday/114_08": "steps: Walking up and down stairs",
}
ON_PROPS = frozenset(REASONS)
