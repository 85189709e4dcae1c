"""Retargeting with a prior: feet of the kit's own motion at their scaled places, likely by what was learnt."""
