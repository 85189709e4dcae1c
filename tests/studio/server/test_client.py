"""The page's side of the protocol is generated from the server's."""

import json

from motionloom.studio.server import client


def test_the_files_that_are_checked_in_are_those_that_would_be_generated_now():
    for path, text in client.generate().items():
        assert path.read_text(encoding="utf-8") == text, (
            f"{path.name} is not what the messages say; run `python -m motionloom.studio.server.client`"
        )


def test_every_route_has_one_function_of_its_own():
    described = client.describe_api()
    names = [route["operationId"] for methods in described["paths"].values() for route in methods.values()]
    assert len(set(names)) == len(names)
    text = client.write_client(described["paths"])
    assert text.count("export const ") == len(names)


def test_every_message_that_is_referred_to_is_described():
    described = json.dumps(client.describe_api())
    schemas = client.describe_api()["components"]["schemas"]
    for part in described.split('"#/components/schemas/')[1:]:
        assert part.split('"')[0] in schemas


def test_types_of_all_sorts_are_written_as_typescript_says_them():
    write = client._type
    assert write({"type": "array", "items": {"type": "integer"}}) == "number[]"
    assert write({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}) == "(string | null)[]"
    assert write({"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]}) == "[number, string]"
    assert write({"type": "object", "additionalProperties": {"type": "number"}}) == "Record<string, number>"
    assert write({"enum": ["a", "b"]}) == '"a" | "b"'
    assert write({"$ref": "#/components/schemas/Job"}, "T.") == "T.Job"
