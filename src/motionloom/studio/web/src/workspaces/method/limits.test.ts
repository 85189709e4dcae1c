import { expect, it } from "vitest";
import { studio } from "../../state.svelte";
import { limitsOf, requestField } from "./limits";
import methods from "./methods.fixture.json";

it("limits and defaults are those of the schema, wherever in a request they are", () => {
  expect(requestField("timeline", "alpha")).toBe(null);
  expect(limitsOf("timeline", "alpha")).toEqual({ min: undefined, max: undefined });
  studio.methods = Object.entries(methods).map(([name, { schema, example }]) => ({ name, title: name, summary: "", request_schema: schema, example }));
  const { properties, $defs } = methods.timeline.schema;
  expect(limitsOf("timeline", "alpha")).toEqual({ min: properties.alpha.minimum, max: properties.alpha.maximum });
  expect(limitsOf("timeline", "places", 0, "weight").max).toBe($defs.Place.properties.weight.maximum);
  expect(requestField("timeline", "places", 0)?.initial()).toMatchObject({ weight: $defs.Place.properties.weight.default });
  expect(limitsOf("snap", "graph", "w_min").max).toBe(methods.snap.schema.$defs.GraphRequest.properties.w_min.maximum);
  expect(requestField("snap", "nothing")).toBe(null);
  studio.methods = [];
});
