import { expect, test } from "vitest";

import { Questions } from "./questions";

test("an answer that comes after a newer question was asked is shown all the same", () => {
  const questions = new Questions();
  questions.ask("a", "first");
  questions.ask("b", "second");
  expect(questions.answer("a")).toBe("first");
  expect(questions.answer("b")).toBe("second");
});

test("no answer is shown after one to a newer question, nor twice", () => {
  const questions = new Questions();
  questions.ask("a", "first");
  questions.ask("b", "second");
  expect(questions.answer("b")).toBe("second");
  expect(questions.answer("a")).toBeNull();
  expect(questions.answer("b")).toBeNull();
});

test("answers to what nobody asks any more, or to other pages, are not shown", () => {
  const questions = new Questions();
  questions.ask("a", "first");
  questions.forget();
  expect(questions.answer("a")).toBeNull();
  expect(questions.answer("other-1")).toBeNull();
});
