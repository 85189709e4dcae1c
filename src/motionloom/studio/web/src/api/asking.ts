/** Requests to the server: JSON both ways; errors are sentences. */

import { takeEarly } from "./early";

/** The error message that came instead of an answer, from the server or from the connection to it. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number, // 0: the server could not be reached
  ) {
    super(message);
    this.name = "Refusal";
  }
}

type Query = Record<string, string | number | boolean | null | undefined>;

const UNREACHABLE = "the studio's server does not answer; is it still running?";

export function addressOf(path: string, query: Query = {}): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) asked.set(name, String(value));
  }
  const text = asked.toString();
  return text ? `${path}?${text}` : path;
}

async function fetched(method: string, address: string, body?: BodyInit, kind?: string): Promise<Response> {
  let response: Response;
  try {
    const early = method === "GET" ? takeEarly(address) : undefined;
    response = await (early ?? fetch(address, {
      method,
      body,
      headers: kind ? { "Content-Type": kind } : undefined,
      // a page that is being closed still sends its last request
      keepalive: typeof body === "string" && body.length < 60_000 && method !== "GET",
    }));
  } catch {
    throw new Refusal(UNREACHABLE, 0);
  }
  if (response.ok) return response;
  let sentence = `the server refused this (${response.status})`;
  try {
    sentence = ((await response.json()) as { error?: string }).error ?? sentence;
  } catch {
    // no JSON body: the status is all that is known
  }
  throw new Refusal(sentence, response.status);
}

/** Ask with JSON and get JSON. */
export async function ask<Answer>(method: string, path: string, query: Query = {}, body?: unknown): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetched(method, addressOf(path, query), text, text === undefined ? undefined : "application/json");
  return (await response.json()) as Answer;
}

/** Ask and get a binary message; see packing.ts. */
export async function askBinary(method: string, path: string, query: Query = {}, body?: unknown): Promise<ArrayBuffer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetched(method, addressOf(path, query), text, text === undefined ? undefined : "application/json");
  return response.arrayBuffer();
}

/** Send a file and get JSON. */
export async function send<Answer>(method: string, path: string, query: Query, body: Blob): Promise<Answer> {
  const response = await fetched(method, addressOf(path, query), body, "application/octet-stream");
  return (await response.json()) as Answer;
}
