"""Who may ask the studio's server, for what, and how much they may send."""

import asyncio
import json
import os
import sys
from dataclasses import dataclass, field

import pytest
from fastapi import FastAPI, Request
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import BadInput
from motionloom.studio.server.security import (
    BODY_LIMIT,
    EXTENSIONS,
    Guard,
    Hosts,
    Ticket,
    check_extension,
    own_token,
    safe_child,
)
from motionloom.studio.server.settings import UPLOAD_LIMIT

PORT = 8123
HERE = f"127.0.0.1:{PORT}"
TOKEN = "open-sesame-open-sesame"
COOKIE = f"motionloom-{PORT}"


@dataclass
class Answer:
    status: int = 0
    headers: list = field(default_factory=list)
    body: bytes = b""

    def header(self, name):
        return next((value for key, value in self.headers if key == name), None)

    @property
    def error(self):
        return json.loads(self.body)["error"]


def make_app(seen):
    """Counts what it is sent and says 'in'."""

    async def app(scope, receive, send):
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            return
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                seen.append("gone")
                return
            size, more = size + len(message.get("body", b"")), message.get("more_body", False)
        seen.append(size)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"max-age=9")]})
        await send({"type": "http.response.body", "body": b"in"})

    return app


def ask(guard, path="/api/session", *, method="GET", host=HERE, query="", chunks=(b"",), kind="http", **headers):
    """Send one request to a guard; header names with _ for -. A list sends a header more than once."""
    pairs = [(b"host", name.encode()) for name in (host if isinstance(host, list) else [host])] if host else []
    pairs += [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    scope = dict(type=kind, path=path, query_string=query.encode(), headers=pairs, extensions={})
    if kind == "http":
        scope["method"] = method
    else:
        scope["extensions"] = {"websocket.http.response": {}}
    waiting = list(chunks)
    answer = Answer()

    async def receive():
        if kind == "websocket":
            return {"type": "websocket.connect"}
        if not waiting:
            return {"type": "http.disconnect"}
        body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    async def send(message):
        if message["type"].endswith("response.start"):
            assert answer.status == 0, "one answer"
            answer.status = message["status"]
            answer.headers = [(key.decode(), value.decode()) for key, value in message["headers"]]
        elif message["type"] == "websocket.accept":
            answer.status = 101
        else:
            answer.body += message.get("body", b"")

    asyncio.run(guard(scope, receive, send))
    return answer


@pytest.fixture
def seen():
    return []


@pytest.fixture
def guard(seen):
    return Guard(make_app(seen), Hosts(PORT))


@pytest.fixture
def locked(seen):
    return Guard(make_app(seen), Hosts(PORT), TOKEN)


@pytest.mark.parametrize("host", [HERE, f"localhost:{PORT}", f"[::1]:{PORT}", f"LocalHost:{PORT}"])
def test_requests_for_this_computer_are_answered(guard, host):
    assert ask(guard, host=host).body == b"in"


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", f"127.0.0.1.evil.example:{PORT}", "",
        f"localhost.evil.example:{PORT}", f"192.168.1.5:{PORT}", f"127.0.0.1:{PORT}0", f"user@127.0.0.1:{PORT}",
        f"127.0.0.1:{PORT}@evil.example", "[::1]", f"::1:{PORT}", "null", f"{HERE}, evil.example", [HERE, HERE],
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_requests_for_another_name_are_refused(guard, seen, host, kind):
    answer = ask(guard, host=host, kind=kind)
    assert answer.status == 403 and "motionloom studio" in answer.error
    assert not seen


def test_a_server_that_listens_everywhere_takes_addresses_but_no_strange_names(seen):
    guard = Guard(make_app(seen), Hosts(PORT, ("localhost", "desk"), takes_addresses=True))
    for host in (f"192.168.1.5:{PORT}", f"[fe80::1]:{PORT}", f"desk:{PORT}"):
        assert ask(guard, host=host).status == 200
    for host in (f"evil.example:{PORT}", "192.168.1.5", f"1.2.3.4.evil.example:{PORT}", f"2130706433:{PORT}"):
        assert ask(guard, host=host).status == 403


def test_the_port_is_left_out_where_it_is_the_usual_one(seen):
    guard = Guard(make_app(seen), Hosts(80))
    assert ask(guard, host="localhost").status == 200
    assert ask(guard, host="[::1]").status == 200
    assert ask(guard, host="localhost:80").status == 200
    assert ask(guard, host="localhost:81").status == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://{HERE}", "http://127.0.0.1:1", f"http://{HERE}/", ""]
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"])
def test_what_another_site_sends_is_refused(guard, seen, method, origin):
    answer = ask(guard, method=method, origin=origin)
    assert answer.status == 403 and "another web site" in answer.error
    assert not seen


def test_a_websocket_of_another_site_is_refused(guard):
    assert ask(guard, "/api/socket", kind="websocket", origin="http://evil.example").status == 403
    assert ask(guard, "/api/socket", kind="websocket", origin=f"http://localhost:{PORT}").status == 403  # not its host
    assert ask(guard, "/api/socket", kind="websocket", origin=f"http://{HERE}").status == 101
    assert ask(guard, "/api/socket", kind="websocket").status == 101  # a program, not a page


def test_our_own_pages_and_programs_may_send(guard):
    assert ask(guard, method="POST", origin=f"http://{HERE}", sec_fetch_site="same-origin").status == 200
    assert ask(guard, method="POST").status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "something-new"])
def test_what_a_browser_calls_foreign_is_refused_even_for_reading(guard, site):
    assert ask(guard, sec_fetch_site=site).status == 403
    assert ask(guard, "/", sec_fetch_site=site, sec_fetch_mode="no-cors", sec_fetch_dest="script").status == 403
    assert ask(guard, "/", sec_fetch_site=site, sec_fetch_mode="navigate", sec_fetch_dest="iframe").status == 403
    assert ask(guard, method="POST", sec_fetch_site=site).status == 403


def test_another_page_may_link_to_the_studio_but_not_to_what_it_says(guard):
    link = dict(sec_fetch_site="cross-site", sec_fetch_mode="navigate", sec_fetch_dest="document")
    assert ask(guard, "/", **link).status == 200
    assert ask(guard, "/api/session", **link).status == 403
    assert ask(guard, "/", method="POST", **link).status == 403


def test_without_the_token_nothing_is_answered(locked, seen):
    for path in ("/", "/api/session", "/assets/index.js"):
        answer = ask(locked, path)
        assert answer.status == 401 and "a token is needed" in answer.error
    assert ask(locked, "/api/socket", kind="websocket").status == 401
    assert not seen


@pytest.mark.parametrize("wrong", ["", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "\xff"])
def test_a_wrong_token_is_refused_wherever_it_is_given(locked, seen, wrong):
    ways = [dict(authorization=f"Bearer {wrong}"), dict(cookie=f"{COOKIE}={wrong}"), dict(query=f"token={wrong}")]
    for way in ways:
        for kind in ("http", "websocket"):
            assert ask(locked, kind=kind, **way).status == 401
    assert not seen


def test_the_token_in_the_address_becomes_a_cookie_that_scripts_cannot_read(locked):
    answer = ask(locked, "/", query=f"a=1&token={TOKEN}&b=%2F")
    assert (answer.status, answer.header("location")) == (303, "/?a=1&b=%2F")
    cookie = answer.header("set-cookie")
    assert cookie.startswith(f"{COOKIE}={TOKEN};")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert ask(locked, "/", cookie=f'other=a"b; {COOKIE}={TOKEN}').status == 200


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example", "/a\r\nSet-Cookie: b"])
def test_the_way_back_leads_to_this_server_and_is_one_line(locked, path):
    where = ask(locked, path, query=f"token={TOKEN}").header("location")
    assert where.startswith("/") and where[1:2] not in ("/", "\\") and "\r" not in where and "\n" not in where


def test_a_person_at_a_browser_reads_why_and_programs_get_json(locked):
    answer = ask(locked, "/", accept="text/html,application/xhtml+xml")
    assert answer.status == 401 and answer.header("content-type").startswith("text/html")
    assert b"a token is needed" in answer.body and b"<script" not in answer.body
    assert "a token is needed" in ask(locked, "/", accept="*/*").error


LINK = dict(sec_fetch_site="cross-site", sec_fetch_mode="navigate", sec_fetch_dest="document", accept="text/html")


def test_a_link_of_another_site_arrives_although_browsers_keep_the_cookie_back(locked, seen):
    answer = ask(locked, "/", query=f"token={TOKEN}&a=%22%3E", **LINK)
    assert answer.status == 200 and answer.header("set-cookie").startswith(f"{COOKIE}={TOKEN};")
    assert b'content="0; url=/?a=%22%3E"' in answer.body and TOKEN.encode() not in answer.body
    answer = ask(locked, "/", **LINK)
    assert answer.status == 200 and b"url=/" in answer.body and answer.header("set-cookie") is None
    assert not seen  # the page itself comes with the cookie alone
    follows = LINK | dict(sec_fetch_site="same-origin")
    assert ask(locked, "/", **follows).status == 401
    assert ask(locked, "/", cookie=f"{COOKIE}={TOKEN}", **follows).status == 200
    assert ask(locked, "/api/session", query=f"token={TOKEN}", **LINK).status == 403


def test_a_ticket_lets_in_once_and_only_by_an_address(seen):
    guard = Guard(make_app(seen), Hosts(PORT), TOKEN, ticket := Ticket())
    for way in (dict(authorization=f"Bearer {ticket.text}"), dict(cookie=f"{COOKIE}={ticket.text}")):
        assert ask(guard, **way).status == 401
    assert ask(guard, query=f"ticket={ticket.text}", method="POST").status == 401
    assert ask(guard, query=f"ticket={ticket.text}", kind="websocket").status == 401
    assert ask(guard, query=f"ticket={ticket.text}x").status == 401
    answer = ask(guard, "/", query=f"ticket={ticket.text}&b=1")
    assert answer.status == 303 and answer.header("location") == "/?b=1"
    assert answer.header("set-cookie").startswith(f"{COOKIE}={TOKEN};")
    assert "used already" in ask(guard, "/", query=f"ticket={ticket.text}").error
    assert not seen


def test_programs_send_the_token_as_bearer_and_sockets_as_they_can(locked):
    assert ask(locked, authorization=f"bearer {TOKEN}").status == 200
    assert ask(locked, method="POST", authorization=f"Bearer {TOKEN}").status == 200
    assert ask(locked, kind="websocket", cookie=f"{COOKIE}={TOKEN}").status == 101
    assert ask(locked, kind="websocket", authorization=f"Bearer {TOKEN}").status == 101
    assert ask(locked, kind="websocket", query=f"token={TOKEN}").status == 101


def test_the_token_does_not_open_the_door_to_other_sites_and_names(locked):
    known = dict(cookie=f"{COOKIE}={TOKEN}")
    assert ask(locked, method="POST", origin="http://evil.example", **known).status == 403
    assert ask(locked, host=f"evil.example:{PORT}", **known).status == 403


def test_an_announced_body_that_is_too_large_is_refused_unread(guard, seen):
    answer = ask(guard, method="POST", content_length=str(BODY_LIMIT + 1))
    assert answer.status == 413 and "4 MB" in answer.error
    upload = dict(path="/api/upload", method="PUT", query="file=a.bvh")
    answer = ask(guard, content_length=str(2 * 1024**3), **upload)
    assert answer.status == 413 and "512 MB" in answer.error
    assert ask(guard, content_length=str(UPLOAD_LIMIT), **upload).status == 200
    assert seen == [0]


@pytest.mark.parametrize("length", ["-1", "1e3", "9" * 5000, "", "0x10"])
def test_a_length_that_is_no_number_is_refused(guard, length):
    assert ask(guard, method="POST", content_length=length).status == 413


def test_an_unannounced_body_is_counted_and_cut_off(guard, seen):
    piece = bytes(1024 * 1024)
    answer = ask(guard, method="POST", chunks=[piece] * 6)
    assert answer.status == 413 and "4 MB" in answer.error
    assert seen == ["gone"]
    assert ask(guard, method="POST", chunks=[piece] * 4).status == 200
    assert seen == ["gone", 4 * len(piece)]


def test_a_framework_that_answers_a_cut_off_body_itself_does_not_answer_twice():
    app = FastAPI()

    @app.post("/api/echo")
    async def echo(body: dict) -> dict:
        return body

    @app.post("/api/stream")
    async def stream(request: Request) -> int:
        return sum([len(chunk) async for chunk in request.stream()])

    guard = Guard(app, Hosts(PORT))
    for path in ("/api/echo", "/api/stream"):
        answer = ask(guard, path, method="POST", content_type="application/json", chunks=[bytes(BODY_LIMIT), b"{}"])
        assert answer.status == 413 and "4 MB" in answer.error


def test_only_recordings_can_be_brought_in(guard):
    for name in ("walk.exe", "walk", ".bvh", "walk.bvh.html", "..%2F..%2Fetc%2Fpasswd", ""):
        answer = ask(guard, "/api/upload", method="PUT", query=f"file={name}")
        assert answer.status == 415 and ".bvh" in answer.error
    assert ask(guard, "/api/upload", method="PUT").status == 415
    for extension in EXTENSIONS:
        assert (
            ask(guard, "/api/upload", method="PUT", query=f"batch=1&file=deep%2Fwalk{extension.upper()}").status == 200
        )
        assert check_extension(f"walk{extension}") == extension
    assert set(EXTENSIONS) == {".bvh", ".amc", ".asf", ".npz", ".c3d", ".trc", ".csv"}


def test_every_answer_tells_the_browser_what_is_allowed(guard):
    for answer in (ask(guard, "/"), ask(guard), ask(guard, host="evil.example")):
        policy = answer.header("content-security-policy")
        assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy and "http" not in policy
        assert "unsafe-eval" not in policy and "script-src 'unsafe" not in policy
        assert answer.header("x-content-type-options") == "nosniff"
        assert answer.header("referrer-policy") == "no-referrer"
        assert answer.header("cross-origin-resource-policy") == "same-origin"
        assert answer.header("cross-origin-opener-policy") == "same-origin"
        assert answer.header("access-control-allow-origin") is None


def test_answers_are_kept_only_where_names_change_with_content(guard):
    assert ask(guard, "/api/session").header("cache-control") == "no-store"
    assert ask(guard, "/").header("cache-control") == "no-cache"
    assert "immutable" in ask(guard, "/assets/index-abc.js").header("cache-control")
    assert ask(guard).headers.count(("cache-control", "no-store")) == 1


def test_a_failing_application_fails_as_before():
    async def broken(scope, receive, send):
        raise RuntimeError("ours")

    with pytest.raises(RuntimeError, match="ours"):
        ask(Guard(broken, Hosts(PORT)))


BAD_NAMES = (
    "", ".", "..", "/", "/etc/passwd", "../secret", "a/../../secret", "a/..", "./a", "a//b", "a/", "a\0b", "a\nb",
    "C:\\x", "C:x", "..\\secret", "a\\b", "\\\\server\\share", "con", "CON", "nul.bvh", "com1", "LPT9.txt",
    "aux.tar.gz", "a.", "a ", " a", "COM¹", "a:stream", "x" * 256, "\ud800", "~/../..", "a/con", "nul .bvh", "a*", "a?",
)  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES, ids=[ascii(name)[:20] for name in BAD_NAMES])
def test_names_that_lead_elsewhere_or_mean_something_else_somewhere_are_refused(tmp_path, name):
    with pytest.raises(BadInput) as caught:
        safe_child(tmp_path, name)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200
    str(caught.value).encode()  # it can be sent


@pytest.mark.parametrize(
    "name", ["walk.bvh", "walk/143_04", "..a", "a..b", "コーパス", "console", "com", "-", ".hidden", "a b"]
)
def test_plain_names_are_paths_below_the_folder(tmp_path, name):
    assert safe_child(tmp_path, name) == tmp_path / name


def test_links_that_lead_out_are_refused_and_links_inside_are_not(tmp_path):
    folder = tmp_path / "corpus"
    (folder / "takes").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (folder / "out").symlink_to(tmp_path)
    (folder / "file").symlink_to(tmp_path / "secret")
    (folder / "in").symlink_to(folder / "takes")
    (folder / "circle").symlink_to(folder / "circle")
    for name in ("out", "out/secret", "file", "out/corpus/../secret"):
        with pytest.raises(BadInput):
            safe_child(folder, name)
    assert safe_child(folder, "in/walk") == folder / "in" / "walk"
    assert safe_child(folder, "out/corpus/takes") == folder / "out" / "corpus" / "takes"  # and back in
    if sys.version_info < (3, 13):  # newer ones give the path as it stands
        with pytest.raises(BadInput):
            safe_child(folder, "circle/x")


def test_a_folder_that_is_itself_a_link_is_fine(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert safe_child(tmp_path / "link", "a") == tmp_path / "link" / "a"


PARTS = st.sampled_from(
    ["..", ".", "", "/", "\\", "a", "C:", "con", "~", "\0", "%2e%2e", "..;", " ", "．．", "walk.bvh"]
)


@given(st.one_of(st.text(), st.lists(PARTS, max_size=8).map("/".join), st.lists(PARTS, max_size=8).map("".join)))
def test_whatever_the_name_the_path_stays_below_the_folder_or_is_refused(tmp_path_factory, name):
    folder = tmp_path_factory.getbasetemp()
    try:
        path = safe_child(folder, name)
    except BadInput as error:
        assert "\n" not in str(error)
        str(error).encode()
        return
    assert path.resolve().is_relative_to(folder.resolve()) and path.resolve() != folder.resolve()
    assert path.relative_to(folder).as_posix() == name


def test_the_token_of_a_user_stays_and_nobody_else_can_read_it(tmp_path):
    token = own_token(tmp_path / "state" / "motionloom")
    assert len(token) >= 32 and own_token(tmp_path / "state" / "motionloom") == token
    (file,) = (tmp_path / "state" / "motionloom").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700


def test_a_token_that_others_could_know_is_not_used(tmp_path):
    token = own_token(tmp_path)
    (file,) = tmp_path.iterdir()

    def spoil(how):
        how()
        fresh = own_token(tmp_path)
        assert fresh != token and own_token(tmp_path) == fresh and file.stat().st_mode & 0o777 == 0o600
        file.write_text(token)

    spoil(lambda: file.chmod(0o644))
    spoil(lambda: file.write_text("short"))
    spoil(lambda: file.write_bytes(b"\xff" * 40))
    spoil(lambda: file.write_text(""))
    spoil(lambda: os.chown(file, 65534, 65534))
    theirs = tmp_path / "theirs"
    theirs.write_text(token)
    theirs.chmod(0o600)
    spoil(lambda: (file.unlink(), file.symlink_to(theirs)))


def test_where_no_token_can_be_kept_every_studio_has_its_own(tmp_path):
    (tmp_path / "file").write_text("")
    assert own_token(tmp_path / "file" / "state") != own_token(tmp_path / "file" / "state")
