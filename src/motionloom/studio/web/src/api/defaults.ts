// Made by `python -m motionloom.studio.server.client` from the server's messages and routes; do not edit.

import type * as T from "./types";

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
  "control": {
    "buttons": {}
  },
  "methods": {}
};
