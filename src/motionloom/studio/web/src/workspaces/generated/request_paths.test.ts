import { describe, expect, it } from "vitest";
import { pathText, problemOf, withValue } from "./request_paths";

describe("paths in a request", () => {
  it("are written to without changing the original request", () => {
    const request = { marks: [{ name: "a" }, { name: "b" }], take: "x" };
    expect(withValue(request, ["marks", 1, "name"], "c")).toEqual({ marks: [{ name: "a" }, { name: "c" }], take: "x" });
    expect(withValue(request, ["beside", "position", 0], 2)).toEqual({ ...request, beside: { position: [2] } });
    expect(withValue(null, ["a"], 1)).toEqual({ a: 1 });
    expect(request.marks[1].name).toBe("b");
  });

  it("are found in error messages of the server", () => {
    expect(pathText(["labels", 0, "to"])).toBe("labels[0].to");
    expect(problemOf("labels[0].to: 'soon' is not a valid time; expected seconds like 2.5s")).toEqual({
      path: "labels[0].to",
      sentence: "'soon' is not a valid time; expected seconds like 2.5s",
    });
    expect(problemOf("'marks[1].name' is missing").path).toBe("marks[1].name");
    expect(problemOf("the request: a graph walk needs steps, a length, or both").path).toBe("");
    expect(problemOf("unknown 'speed'; there can be take, lead").path).toBe("");
  });
});
