"""Messages that no page sends: mutated HTTP requests and websocket messages, to a real server.

Requests are made from the server's own description of its interface: values of the right type most of the time, so that
they come far, and odd ones in between. Whatever comes, an answer must come: with a status below 500, in time, without
the folder that the server runs in.
"""

import json
import random
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from benchmarks.faults.studio_client import PATIENCE, Answer, Client
from benchmarks.faults.tries import Tries
from motionloom.studio import server

LIMIT = 2.0  # seconds that an answer may take
LEFT_OUT = ("/api/corpora/demo",)  # nothing in it can be mutated, and it makes 102 takes
WARM = (
    ("/api/snap/resolve", b'{"request": {}}'),
    ("/api/timeline/labels", b'{"takes": ["take 0"]}'),
    ("/api/methods/timeline/parse", b'{"text": "length: 2s"}'),
    ("/api/annotate/learn", b"{}"),
)
ODD_SHARE = 0.12  # of the values
_BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)
)
WORDS = (
    ["take 0", "take 1", "take 2", "walk", "turn", "wave", "small", "other", "untitled", "dance", "timeline", "snap"]
    + ["npz", "bvh", "glb", "10s", "take:take 0", "take:take 1", "0", "1", "label", "walk.bvh", "length: 2s\n"]
    + ["length: 2s\nlabels: [{label: walk, from: 0s, to: 1s}]\n", "steps: [{action: walk}]\n", "laplace", "usual"]
)
ODD: list[Any] = [None, True, False, -1, 0, 1, 2**31, 2**63, -(2**63) - 1, 10**30, 1e308, -1e308, 1e-320, 0.5]
ODD += ["", "\0", "\x1b[31m", "\ud800", "\udfff\ud800", "../../etc/passwd", "/etc/passwd", "..", ".", "a" * 20_000]
ODD += ["CON", "a/../b", "%s%n", "{0}", "\u202e", "é" * 300, "\n", "'; DROP TABLE takes; --", "1" * 5000, "!!set {a}"]
ODD += [_BOMB, "&a [*a]", "!!python/object/apply:os.system ['true']", '"\\ud800"', "[" * 2000, "? [a]\n: b\n"]
ODD += [[], {}, [[]], {"": ""}, {"__proto__": {}}, [None], float("nan"), float("inf"), "2001-13-45", "!!binary aGk="]


class Maker:
    """Makes requests from the description of the interface."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        description = json.loads((Path(server.__file__).parent / "openapi.json").read_text(encoding="utf-8"))
        self._schemas = description["components"]["schemas"]
        self._routes = [
            (method.upper(), path, route)
            for path, methods in description["paths"].items()
            for method, route in methods.items()
            if path not in LEFT_OUT
        ]

    def request(self) -> tuple[str, str, bytes | None]:
        """Method, address and body of a request."""
        method, path, route = self.chance.choice(self._routes)
        query = {}
        for parameter in route.get("parameters", ()):
            value = self._value(parameter["schema"])
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", _in_address(value))
            elif self.chance.random() > 0.05:
                query[parameter["name"]] = _text(value)
        content = route.get("requestBody", {}).get("content", {})
        body = None
        for kind, described in content.items():
            body = self._body(kind, described["schema"])
        return method, path + (f"?{urlencode(query, errors='surrogatepass')}" if query else ""), body

    def message(self) -> str | bytes:
        """A message of a page over the websocket."""
        start = self.chance.choice([0, 5, 39, 40, 10**9])
        good: dict[str, Any] = self.chance.choice(
            [
                {"type": "frames", "motion": "take:take 0", "start": start, "stop": self.chance.choice([1, 10, 40])},
                {"type": "cancel", "job": self.chance.randrange(5)},
                {"type": "ping"},
            ]
        )
        for key in list(good):
            if self.chance.random() < 0.3:
                good[self.chance.choice([key, "more"])] = self.chance.choice(ODD)
        text = self._damaged(json.dumps(good).encode())
        return text if self.chance.random() < 0.1 else text.decode("utf-8", "replace")

    def _body(self, kind: str, schema: dict[str, Any]) -> bytes:
        if kind != "application/json":
            return self.chance.randbytes(self.chance.randrange(200))
        return self._damaged(json.dumps(self._value(schema)).encode())

    def _damaged(self, content: bytes) -> bytes:
        if self.chance.random() < 0.9 or not content:
            return content
        damaged = bytearray(content)
        for _ in range(self.chance.randrange(1, 4)):
            damaged[self.chance.randrange(len(damaged))] = self.chance.randrange(256)
        return bytes(damaged[: self.chance.choice([len(damaged), len(damaged) // 2])])

    def _value(self, schema: dict[str, Any], depth: int = 0) -> Any:
        """A value as described, or an odd one."""
        if self.chance.random() < ODD_SHARE:
            return self.chance.choice(ODD)
        if "$ref" in schema:
            return self._value(self._schemas[schema["$ref"].rsplit("/", 1)[1]], depth + 1)
        for word in ("anyOf", "oneOf", "allOf"):
            if word in schema:
                return self._value(self.chance.choice(schema[word]), depth + 1)
        for word in ("enum", "const"):
            if word in schema:
                return self.chance.choice(schema[word] if word == "enum" else [schema[word]])
        make: Callable[[dict[str, Any], int], Any] = {
            "object": self._object,
            "array": self._array,
            "string": lambda *_: self.chance.choice(WORDS),
            "integer": lambda *_: self.chance.choice([0, 1, 2, 5, 20, 39, 40, 41, 1000]),
            "number": lambda *_: self.chance.choice([0.0, 0.25, 1.0, 3.5, 60.0]),
            "boolean": lambda *_: self.chance.random() < 0.5,
            "null": lambda *_: None,
        }.get(schema.get("type", ""), lambda *_: self.chance.choice(WORDS))
        return make(schema, depth)

    def _object(self, schema: dict[str, Any], depth: int) -> Any:
        required = schema.get("required", ())
        made = {
            name: self._value(described, depth + 1)
            for name, described in schema.get("properties", {}).items()
            if name in required or (depth < 6 and self.chance.random() < 0.5)
        }
        more = schema.get("additionalProperties")
        if isinstance(more, dict) and depth < 6:
            made |= {self.chance.choice(WORDS): self._value(more, depth + 1) for _ in range(self.chance.randrange(3))}
        return made

    def _array(self, schema: dict[str, Any], depth: int) -> Any:
        if "prefixItems" in schema:
            return [self._value(item, depth + 1) for item in schema["prefixItems"]]
        count = self.chance.randrange(4) if depth < 6 else 0
        return [self._value(schema.get("items", {}), depth + 1) for _ in range(count)]


def send_requests(client: Client, count: int, seed: int, limit: float = LIMIT) -> Tries:
    """Send mutated requests, one after another.

    Args:
        client: who sends them.
        count: how many.
        seed: of the mutations.
        limit: seconds that an answer may take.
    """
    for path, body in WARM:  # desks start when they are first asked
        client.ask("POST", path, body)
    maker, tries = Maker(random.Random(seed)), Tries("mutated HTTP requests", seed)
    for _ in range(count):
        method, path, body = maker.request()
        shown = f"{method} {path[:150]} {(body or b'')[:300]!r}"
        try:
            answer = client.ask(method, path, body)
        except (OSError, ValueError) as error:
            tries.add([f"{shown}: {error!r}"])
            continue
        tries.add(f"{shown}: {finding}" for finding in _judge(client, answer, limit))
    return tries


def send_messages(client: Client, count: int, seed: int) -> Tries:
    """Send mutated websocket messages; after each, a ping is answered, or the server has closed with a reason."""
    maker, tries = Maker(random.Random(seed)), Tries("mutated websocket messages", seed)
    with ExitStack() as line:
        socket = line.enter_context(client.socket())
        for _ in range(count):
            message = maker.message()
            findings, is_open = _send(client, socket, message)
            if not is_open:
                line.close()
                socket = line.enter_context(client.socket())
            tries.add(f"{message[:300]!r}: {finding}" for finding in findings)
    return tries


def _send(client: Client, socket: ClientConnection, message: str | bytes) -> tuple[list[str], bool]:
    """What is wrong with the answer to a message, and whether the line is still open."""
    try:
        socket.send(message)
        socket.send('{"type": "ping"}')
        return _listen(client, socket.recv), True
    except ConnectionClosed as closed:
        is_said = closed.rcvd is not None and closed.rcvd.code < 1011
        return [] if is_said else [f"closed with {closed!r}"], False
    except (OSError, TimeoutError) as error:
        return [repr(error)], False


def _listen(client: Client, receive: Callable[..., str | bytes]) -> list[str]:
    findings = []
    while True:
        heard = receive(PATIENCE)
        if isinstance(heard, str):
            if str(client.home) in heard:
                findings.append(f"names the folder of the server: {heard[:300]}")
            if json.loads(heard)["type"] == "pong":
                return findings


def _judge(client: Client, answer: Answer, limit: float) -> list[str]:
    findings = []
    if answer.status >= 500 and answer.status != 503:
        findings.append(f"answered {answer.status}: {answer.body[:300]!r}")
    if answer.seconds > limit:
        findings.append(f"answered after {answer.seconds:.1f} s")
    if str(client.home).encode() in answer.body:
        findings.append(f"names the folder of the server: {answer.body[:300]!r}")
    return findings


def _in_address(value: Any) -> str:
    return quote(_text(value).encode("utf-8", "surrogatepass"), safe="")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
