import { describe, expect, it } from "vitest";
import methods from "./methods.fixture.json";
import { blank, type Field, readForm } from "./schema_fields";

type Schema = Record<string, unknown>;
const form = (schema: unknown): Field => readForm(schema as Schema);
const at = (field: Field, ...names: string[]): Field =>
  names.reduce((inner, name) => {
    if (name === "[]") return inner.item();
    const found = inner.fields().find(([key]) => key === name);
    if (found === undefined) throw new Error(`no field ${name}`);
    return found[1];
  }, field);

/** Every field of a form, down to a depth. */
function all(field: Field, depth = 5): Field[] {
  if (depth === 0) return [field];
  const inner = field.kind === "object" ? field.fields().map(([, value]) => value) : field.kind === "list" ? [field.item()] : field.kind === "tuple" ? field.parts() : [];
  return [field, ...inner.flatMap((part) => all(part, depth - 1))];
}

describe("a form", () => {
  it("has a field for every kind of value, with its limits and description", () => {
    const duet = form(methods.duet.schema);
    expect(duet.fields().map(([name, field]) => [name, field.kind, field.isOptional])).toEqual([
      ["take", "text", false],
      ["lead", "choice", false],
      ["loud", "flag", false],
      ["rounds", "number", false],
      ["marks", "list", false],
      ["beside", "object", false],
      ["note", "text", true],
    ]);
    expect(at(duet, "rounds")).toMatchObject({ title: "Rounds", about: "How often the take is played", isWhole: true, least: 1, most: 3 });
    expect(at(duet, "lead").choices).toEqual(["body", "points"]);
    expect(at(duet, "marks", "[]")).toMatchObject({ kind: "object", title: "Mark" });
    expect(at(duet, "marks", "[]", "weight")).toMatchObject({ least: 0, isAbove: true, most: 10 });
    expect(at(duet, "marks", "[]", "at")).toMatchObject({ kind: "text", example: "2.5s" });
    expect(at(duet, "beside", "position").parts().map((part) => part.kind)).toEqual(["number", "number"]);
    expect(at(duet, "beside", "heading")).toMatchObject({ kind: "number", isOptional: true });
  });

  it("starts with defaults, and with the smallest valid values if there are none", () => {
    const duet = form(methods.duet.schema);
    expect(at(duet, "marks", "[]").initial()).toEqual({ name: "", at: "start", weight: 1 });
    expect(at(duet, "beside").initial()).toEqual({ position: [1, 0], heading: null });
    expect([at(duet, "note").initial(), blank(at(duet, "note"))]).toEqual([null, ""]);
    expect(blank(at(duet, "rounds"))).toBe(1);
    expect(at(form(methods.timeline.schema), "places", "[]").initial()).toEqual({ at: "end", position: null, heading: null, weight: 1 });
    expect(blank(at(form(methods.timeline.schema), "length"))).toBe("2.5s");
  });

  it.each(Object.entries(methods))("of %s has no value that can only be typed as data, and knows all of the example", (name, { schema, example }) => {
    const root = form(schema);
    const placed = name === "dynamics" ? ["Cameras"] : []; // by hand, in the view
    expect(all(root).filter((each) => each.kind === "data").map((each) => each.title)).toEqual(placed);
    expect(root.fields().map(([name]) => name)).toEqual(Object.keys(example));
    expect(all(root).every((each) => each.title !== "" && !each.title.includes("_"))).toBe(true);
  });

  it("follows references into lists that may be left out, under the names that files use", () => {
    const snap = form(methods.snap.schema);
    expect(at(snap, "graph")).toMatchObject({ kind: "object", isOptional: true });
    expect(at(snap, "graph", "hubs", "[]", "like")).toMatchObject({ kind: "object", isOptional: true });
    expect(at(snap, "steps", "[]", "for")).toMatchObject({ kind: "text", isOptional: true });
    expect(at(snap, "graph", "w_min")).toMatchObject({ title: "W min", kind: "number", isAbove: true });
    expect(at(snap, "steps", "[]", "control").fields().map(([name]) => name)).toEqual(["speed", "curvature", "direction"]);
  });

  it("treats unknown kinds as data, and reads a recursive schema", () => {
    const odd = form({
      type: "object",
      properties: {
        either: { anyOf: [{ type: "number" }, { type: "string" }], description: "one of two" },
        table: { type: "object", additionalProperties: { type: "number" } },
        anything: {},
        tree: { $ref: "#/$defs/Tree" },
        fixed: { const: 3 },
      },
      required: ["tree"],
      $defs: { Tree: { type: "object", properties: { name: { type: "string" }, branches: { type: "array", items: { $ref: "#/$defs/Tree" }, default: [] } }, required: ["name"] } },
    });
    expect(odd.fields().map(([, field]) => field.kind)).toEqual(["data", "data", "data", "object", "choice"]);
    expect(at(odd, "either").about).toBe("one of two");
    expect(at(odd, "tree", "branches", "[]", "branches", "[]", "name").kind).toBe("text");
    expect(odd.initial()).toMatchObject({ tree: { name: "", branches: [] }, fixed: 3 });
  });

  it("starts numbers inside their limits", () => {
    const number = (limits: Schema): unknown => blank(form({ type: "number", ...limits }));
    expect(number({})).toBe(0);
    expect(number({ minimum: 2 })).toBe(2);
    expect(number({ exclusiveMinimum: 0, maximum: 0.5 })).toBe(0.5);
    expect(number({ maximum: -4 })).toBe(-4);
    expect(number({ exclusiveMaximum: 0 })).toBe(-1);
  });
});
