import { describe, expect, it } from "vitest";
import type * as T from "./api/types";
import { withJob } from "./session";

const job = (id: number, state: T.Job["state"]): T.Job => ({ id, kind: "search", title: "", state, done: 0, total: 0, note: "", error: "", can_cancel: true, quiet: true, for_method: "" });

describe("jobs", () => {
  it("that have ended long ago are forgotten, those that run are not", () => {
    let jobs: T.Job[] = [job(1, "running")];
    for (let id = 2; id < 200; id++) jobs = withJob(jobs, job(id, "done"));
    expect(jobs.length).toBe(31);
    expect(jobs[0].id).toBe(1);
    jobs = withJob(jobs, job(1, "done"));
    expect(jobs.map((job) => job.id)).toEqual(Array.from({ length: 30 }, (_, i) => 170 + i));
  });
});
