"""Rendering of motions on the CPU: contact sheets, charts, videos and single frames."""

from motionloom.render.charts.foot_chart import FootTracks, draw_foot_chart, write_foot_chart
from motionloom.render.charts.line_chart import Curve, CurvePanel, draw_line_chart, write_line_chart
from motionloom.render.charts.reach_chart import ReachPlan, draw_reach_chart, write_reach_chart
from motionloom.render.charts.turn_chart import TurnFan, draw_turn_chart, write_turn_chart
from motionloom.render.compared_faces_video import write_face_comparison_video
from motionloom.render.group_video import write_group_video
from motionloom.render.scene.camera import Camera, look_from
from motionloom.render.scene.figure import Figure
from motionloom.render.scene.figures import make_figures
from motionloom.render.scene.footprints import find_footprints, make_footprints
from motionloom.render.scene.frame import Look, render_frame
from motionloom.render.sheets.comparison_sheet import ComparedBody, draw_comparison_sheet, write_comparison_sheet
from motionloom.render.sheets.contact_sheet import draw_contact_sheet, write_contact_sheet
from motionloom.render.sheets.face_comparison import (
    ComparedFace,
    draw_face_comparison,
    write_face_comparison,
)
from motionloom.render.sheets.palette_sheet import ShownPose, draw_palette_sheet, write_palette_sheet
from motionloom.render.sheets.pose_sheet import HubPoses, draw_pose_sheet, write_pose_sheet
from motionloom.render.sheets.timeline_sheet import (
    PaintedTrack,
    PlayedRun,
    TimelineSheet,
    draw_timeline_sheet,
    write_timeline_sheet,
)
from motionloom.render.video import write_video

__all__ = [
    "Camera",
    "ComparedBody",
    "ComparedFace",
    "Curve",
    "CurvePanel",
    "Figure",
    "FootTracks",
    "HubPoses",
    "Look",
    "PaintedTrack",
    "PlayedRun",
    "ReachPlan",
    "ShownPose",
    "TimelineSheet",
    "TurnFan",
    "draw_comparison_sheet",
    "draw_contact_sheet",
    "draw_face_comparison",
    "draw_foot_chart",
    "draw_line_chart",
    "draw_palette_sheet",
    "draw_pose_sheet",
    "draw_reach_chart",
    "draw_timeline_sheet",
    "draw_turn_chart",
    "find_footprints",
    "look_from",
    "make_figures",
    "make_footprints",
    "render_frame",
    "write_comparison_sheet",
    "write_contact_sheet",
    "write_face_comparison",
    "write_face_comparison_video",
    "write_foot_chart",
    "write_group_video",
    "write_line_chart",
    "write_palette_sheet",
    "write_pose_sheet",
    "write_reach_chart",
    "write_timeline_sheet",
    "write_turn_chart",
    "write_video",
]
