"""The methods: each turns a corpus and a request into new motion. None imports another.

A method is a package with `prepare(corpus, settings)`, `solve(model, request)` and `realize(plan, model)`, a `Request`,
`Settings` and a `Model`. Contract tests are made from this table; modules are loaded by whoever uses them.
"""

from collections.abc import Mapping

METHODS: Mapping[str, str] = {  # by name, the package
    "timeline": "motionloom.methods.timeline",
    "snap": "motionloom.methods.snap",
}
