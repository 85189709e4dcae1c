"""The studio's server: routes, a websocket, jobs."""
