"""The tables of the catalogue, and its format version."""

import sqlite3

APPLICATION = 0x6D6C6F6F  # SQLite application_id of our files
FORMAT_VERSION = 5
OLDEST_VERSION = 1  # that can be read; it is upgraded when it is opened for writing

SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE skeletons (digest TEXT PRIMARY KEY, hierarchy TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE takes (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('body', 'points')),
    n_frames INTEGER NOT NULL,
    fps REAL NOT NULL,
    floor_height REAL NOT NULL,
    floor_given INTEGER NOT NULL,
    skeleton TEXT REFERENCES skeletons (digest),
    point_names TEXT,
    digest TEXT NOT NULL,
    source TEXT NOT NULL,
    findings TEXT NOT NULL,
    file TEXT NOT NULL,
    crc INTEGER NOT NULL,
    added TEXT NOT NULL,
    code_version TEXT NOT NULL,
    removed TEXT,
    removed_because TEXT
);
CREATE UNIQUE INDEX take_names ON takes (name) WHERE removed IS NULL;
CREATE UNIQUE INDEX take_contents ON takes (digest) WHERE removed IS NULL;
CREATE TABLE labels (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, source TEXT NOT NULL,
    UNIQUE (take, label, start, stop, source)
);
CREATE TABLE contacts (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    point TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, source TEXT NOT NULL,
    UNIQUE (take, point, start, stop, source)
);
CREATE TABLE events (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    kind TEXT NOT NULL, frame INTEGER NOT NULL, source TEXT NOT NULL, data TEXT NOT NULL,
    UNIQUE (take, kind, frame, source, data)
);
CREATE TABLE layers (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    layer TEXT NOT NULL, key TEXT NOT NULL, made_with TEXT NOT NULL, code_version TEXT NOT NULL,
    take_digest TEXT NOT NULL,
    file TEXT NOT NULL, crc INTEGER NOT NULL, made TEXT NOT NULL,
    UNIQUE (take, layer)
);
CREATE TABLE models (
    kind TEXT NOT NULL, key TEXT NOT NULL, settings TEXT NOT NULL, code_version TEXT NOT NULL, takes TEXT NOT NULL,
    made TEXT NOT NULL, PRIMARY KEY (kind, key)
);
CREATE TABLE model_arrays (
    kind TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, crc INTEGER NOT NULL,
    PRIMARY KEY (kind, key, name), FOREIGN KEY (kind, key) REFERENCES models (kind, key) ON DELETE CASCADE
);
CREATE TABLE set_aside (what TEXT NOT NULL, content TEXT NOT NULL, reason TEXT NOT NULL, since TEXT NOT NULL);
"""
# Tables that each format version adds. Rows of `proposals` and `classified` inside verified frames are the classifier's
# output before a person verified them. `listed` has the labels of takes for which a full list of labels was given,
# `grounds` the boxes and the terrain that people gave for a take, as JSON, with the digest of that, and `curves` what
# was recorded beside a take: names and rates as JSON, with the digest of that, and the array of their rows.
ADDED = {
    2: """
CREATE TABLE verified (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    UNIQUE (take, label, start, stop)
);
CREATE TABLE proposals (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, confidence REAL NOT NULL,
    UNIQUE (take, label, start, stop)
);
CREATE TABLE classified (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    model TEXT NOT NULL, code_version TEXT NOT NULL, made TEXT NOT NULL,
    UNIQUE (take, label, start, stop)
);
""",
    3: """
CREATE TABLE listed (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    UNIQUE (take, label)
);
INSERT INTO listed SELECT DISTINCT take, label FROM labels;
""",
    4: """
CREATE TABLE grounds (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    digest TEXT NOT NULL, content TEXT NOT NULL,
    UNIQUE (take)
);
""",
    5: """
CREATE TABLE curves (
    take INTEGER NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    digest TEXT NOT NULL, content TEXT NOT NULL,
    file TEXT NOT NULL, crc INTEGER NOT NULL,
    UNIQUE (take)
);
""",
}


def write_schema(connection: sqlite3.Connection) -> None:
    """Make an empty SQLite file a catalogue without rows."""
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
    for schema in (SCHEMA, *ADDED.values()):
        execute_all(connection, schema)


def execute_all(connection: sqlite3.Connection, schema: str) -> None:
    """Execute the statements of a schema one by one."""
    for statement in schema.split(";\n"):
        connection.execute(statement)
