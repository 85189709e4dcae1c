"""What recordings that nobody had tuned for show: reading, knees, what feet stand on, and timelines made of them."""

from pathlib import Path

from benchmarks.measure import calibration


def figures(data: Path | None) -> list[dict]:
    """Everything that is claimed about takes, bodies and conventions that settings were not chosen on."""
    if data is None:
        return [calibration()]
    from benchmarks.unseen.air import air_figures
    from benchmarks.unseen.feet import feet_figures
    from benchmarks.unseen.given_ground import given_ground_figures
    from benchmarks.unseen.honesty import honesty_figures
    from benchmarks.unseen.knees import knees_figures
    from benchmarks.unseen.overstretched_body import overstretched_body_figures
    from benchmarks.unseen.reading import reading_figures
    from benchmarks.unseen.supports import supports_figures

    on_files = (reading_figures, supports_figures, given_ground_figures)
    on_timelines = (air_figures, feet_figures, honesty_figures, knees_figures, overstretched_body_figures)
    parts = (*on_files, *on_timelines)
    return [*(row for part in parts for row in part(data)), calibration()]
