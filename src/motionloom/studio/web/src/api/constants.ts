// Made by `python -m motionloom.studio.server.client` from the server's messages and routes; do not edit.

import type * as T from "./types";

/** Steps that a history keeps. */
export const HISTORY_STEPS = 300;
/** Jobs that are remembered after they have ended. */
export const JOBS_KEPT = 30;
/** Frames in one message of the server. */
export const CHUNK = 256;
/** Whole number of a rotation for 1.0 in a message. */
export const UNIT = 32767;
/** Bytes at whose multiples the arrays of a message begin. */
export const ALIGNMENT = 8;

/** The document in which nothing was authored yet. */
export const EMPTY: T.Document = {
  "workspace": "library",
  "library": {
    "take": null
  },
  "annotate": {
    "vocabulary": [],
    "take": null,
    "classifier": "usual",
    "kernel": null,
    "gamma": null,
    "drafts": {}
  },
  "timeline": {
    "tracks": [],
    "request": {
      "length": "10s",
      "labels": [],
      "frames": [],
      "places": [],
      "alpha": 0.11,
      "fps": 60.0,
      "takes": null,
      "start_from": null
    },
    "beyond": {
      "labels": [],
      "frames": [],
      "places": []
    }
  },
  "graph": {
    "request": {
      "takes": [],
      "fps": 60.0,
      "w_min": 0.5,
      "threshold": null,
      "hubs": [],
      "actions": null,
      "mend": "remove"
    },
    "colours": {}
  },
  "buildup": {
    "request": {
      "name": "",
      "start": {
        "pose": null,
        "position": null,
        "heading": null
      },
      "start_from": null,
      "steps": [],
      "edits": [],
      "hits": [],
      "characters": [],
      "takes": null,
      "fps": 60.0,
      "groups": null,
      "measure": "points",
      "threshold": null
    },
    "props": []
  },
  "direct": {
    "request": {
      "length": null,
      "start_from": null,
      "skeleton": null,
      "poses": [],
      "points": [],
      "orientations": [],
      "angles": [],
      "distances": [],
      "projections": [],
      "cameras": {},
      "contacts": [],
      "contacts_like": null,
      "root": [],
      "head": null,
      "feet": "found",
      "hold": {
        "degrees": 1.0,
        "root": 0.005,
        "free": null
      },
      "prior": {
        "takes": null,
        "labels": null,
        "dimensions": null,
        "controls": null,
        "mirrored": null,
        "order": 3,
        "mixtures": 1,
        "pull": null,
        "independent_start": false
      },
      "method": "dynamics",
      "prior_weight": 1.0,
      "knots": 0.0,
      "iterations": 60,
      "fps": 60.0
    }
  },
  "control": {
    "buttons": {}
  },
  "methods": {}
};
