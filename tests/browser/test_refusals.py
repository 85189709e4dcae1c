"""What the server says to requests that are not its own page's, over a real socket."""

import http.client
import json
import socket
from urllib.parse import quote

import pytest

MB = 1024 * 1024


def refusal(answer) -> str:
    """The sentence of a refusal; it never has more than that."""
    status, body = answer
    value = json.loads(body)
    assert list(value) == ["error"] and "\n" not in value["error"] and "Traceback" not in body
    return f"{status} {value['error']}"


def test_a_wrong_host_is_refused(server):
    for host in ("evil.example", f"evil.example:{server.port}", f"127.0.0.1:{server.port + 1}"):
        assert refusal(server.ask("GET", "/api/session", Host=host)).startswith(
            "403 this address is not the studio's own"
        )


def test_a_wrong_origin_is_refused(server):
    for origin in ("http://evil.example", "null", f"http://localhost:{server.port}"):
        for method, place in (("POST", "/api/corpora/demo"), ("GET", "/api/session")):
            answer = refusal(server.ask(method, place, Origin=origin))
            assert answer.startswith("403 another web site asked for this")


def test_a_websocket_from_another_site_is_refused(server):
    handshake = dict(Upgrade="websocket", Connection="Upgrade", Sec_WebSocket_Version="13")
    handshake["Sec_WebSocket_Key"] = "dGhlIHNhbXBsZSBub25jZQ=="
    assert refusal(server.ask("GET", "/api/socket", Origin="http://evil.example", **handshake)).startswith(
        "403 another"
    )
    assert refusal(server.ask("GET", "/api/socket", Host="evil.example", **handshake)).startswith("403 this address")


PATHS = ("../../etc/passwd", "/etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "..\\..\\x", "%00")


@pytest.mark.parametrize("path", PATHS)
def test_a_path_outside_is_not_found(server, path):
    for place in ("/", "/assets/", "/api/", "/api/skeletons/", "/api/bodies/"):
        status, body = server.ask("GET", place + quote(path, safe="%/."))
        assert status in (400, 404) and "root:" not in body
    for question in ("/api/motion?id=take:", "/api/motion?id=answer:", "/api/steps?id=take:"):
        answer = refusal(server.ask("GET", question + quote(path, safe="")))
        assert answer.startswith(("400", "404"))


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "a/../../outside", "..", "", "C:\\outside"])
def test_a_document_outside_cannot_be_made(server, name):
    for place in ("/api/document/new", "/api/document/rename", "/api/document/open", "/api/corpora/new"):
        answer = refusal(server.send(place, {"name": name}))
        assert answer.startswith("400")
    assert not list(server.folder.rglob("*outside*"))


def test_an_upload_of_two_gigabytes_is_refused_before_it_is_sent(server):
    upload = dict(Content_Type="application/octet-stream", Content_Length=str(2048 * MB))
    answer = refusal(server.ask("PUT", "/api/upload?batch=one&file=walk.bvh", b"HIERARCHY", **upload))
    assert answer.startswith("413 a file may have 512 MB")


def test_what_is_no_recording_is_refused_by_its_name(server):
    for name in ("walk.exe", "walk", "..%2F..%2Fpasswd"):
        answer = refusal(server.ask("PUT", f"/api/upload?batch=one&file={name}", b"MZ"))
        assert answer.startswith("415") and ".bvh" in answer


@pytest.mark.parametrize("name", ["../outside.bvh", "/tmp/outside.bvh", "a/../../outside.bvh", "..\\outside.bvh"])
def test_an_upload_stays_below_the_corpus(server, name):
    for where in (f"batch=one&file={quote(name, safe='')}", f"batch={quote(name, safe='')}&file=outside.bvh"):
        assert refusal(server.ask("PUT", f"/api/upload?{where}", b"HIERARCHY")).startswith("400")
    assert not list(server.folder.parent.rglob("*outside*"))


def test_a_stream_without_an_announced_end_is_cut_off(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        head = f"PUT /api/document HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {server.token}\r\n"
        line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        for size in (MB, MB, MB, MB, 1):  # one byte too many, and no word of an end
            line.sendall(b"%x\r\n%s\r\n" % (size, b" " * size))
        answer = http.client.HTTPResponse(line)
        answer.begin()
        assert refusal((answer.status, answer.read().decode())).startswith("413 a message to the studio may have 4 MB")


@pytest.mark.parametrize("arguments", [[], ["--host", "127.0.0.1"]])
def test_a_wrong_token_is_refused(server, static, tmp_path, arguments):
    other = type(server)(tmp_path, None, static)
    other.arguments = arguments
    token = other.start().partition("?token=")[2]
    try:
        assert refusal(other.ask("GET", "/api/session", Authorization="")).startswith("401 a token is needed")
        assert refusal(other.ask("GET", "/", Authorization="")).startswith("401 a token is needed")
        for wrong in (token[:-1], token + "x", "x" * len(token)):
            assert refusal(other.ask("GET", "/api/session", Authorization=f"Bearer {wrong}")).startswith(
                "401 the token is wrong"
            )
            assert refusal(other.ask("GET", f"/?token={wrong}", Authorization="")).startswith("401 the token is wrong")
        assert other.ask("GET", "/api/session", Authorization=f"Bearer {token}")[0] == 200
    finally:
        other.kill()
