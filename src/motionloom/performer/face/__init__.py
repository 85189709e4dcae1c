"""The face of the performer: 40 markers on a surface, action units that deform it, a jaw, lids, and a head."""
