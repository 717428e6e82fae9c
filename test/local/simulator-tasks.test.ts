import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startSimulator } from "../../src/local/simulator/simulator.ts";
import type { Simulator } from "../../src/local/simulator/simulator.ts";
import { askRaw, bodyOf } from "./raw-client.ts";
import { askService } from "./service-client.ts";
import type { ServiceRequest } from "./service-client.ts";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

const ask = (path: string, { base = simulator.url, ...request }: ServiceRequest & { base?: string } = {}) =>
  askService(`${base}${path}`, request);

const chat = { model: "sim-chat-small", messages: [{ role: "user", content: "ping" }] };
const video = { model: "sim-video", prompt: "a cat" };

describe("tasks", () => {
  const states = async (base: string, create: string, body: unknown, questions: number) => {
    const created = await ask(create, { base, body });
    const seen: unknown[] = [created.json.status];
    for (let index = 0; index < questions; index += 1) {
      const asked = await ask(`${create}/${created.json.id}`, { base });
      seen.push(asked.status === 200 ? asked.json.status : asked.status);
    }
    return seen;
  };
  const image = { model: "sim-image-async", prompt: "a cat" };

  test.each([
    ["healthy", "/v1/videos", video, ["queued", "queued", "running", "succeeded", "succeeded"]],
    ["healthy", "/v1/images/generations", image, ["PENDING", "PENDING", "RUNNING", "SUCCEEDED", "SUCCEEDED"]],
    ["video_failed", "/v1/videos", video, ["queued", "queued", "running", "failed", "failed"]],
    ["video_failed_upper", "/v1/videos", video, ["PENDING", "PENDING", "RUNNING", "FAILED", "FAILED"]],
    ["image_failed", "/v1/images/generations", image, ["PENDING", "PENDING", "RUNNING", "FAILED", "FAILED"]],
    ["video_stuck", "/v1/videos", video, ["queued", "queued", "running", "running", "running"]],
    ["video_stuck_queued", "/v1/videos", video, ["queued", "queued", "queued", "queued", "queued"]],
    [
      "video_unknown_state",
      "/v1/videos",
      video,
      ["queued", "queued", "warming_up", "succeeded", "succeeded"],
    ],
    ["video_expired", "/v1/videos", video, ["queued", "queued", "running", 404, 404]],
  ])("%s %s with %j goes through %j", async (scenario, create, body, seen) => {
    expect(await states(simulator.baseUrl(scenario), create, body, 4)).toEqual(seen);
  });

  test("a finished video has a URL, a failed one an error", async () => {
    const lastRecord = async (scenario: string) => {
      const base = simulator.baseUrl(scenario);
      const { json } = await ask("/v1/videos", { base, body: video });
      await ask(`/v1/videos/${json.id}`, { base });
      await ask(`/v1/videos/${json.id}`, { base });
      return (await ask(`/v1/videos/${json.id}`, { base })).json;
    };
    expect((await lastRecord("any_key")).url).toMatch(/^https:\/\/.*\.mp4$/);
    expect((await lastRecord("video_failed")).error.code).toBe("generation_failed");
  });

  test("a task that never was is 404", async () => {
    const answer = await ask("/v1/videos/video_sim_000009");
    expect([answer.status, answer.json.error.code]).toEqual([404, "task_not_found"]);
  });

  test("a lost creation was a creation: its task can be asked for", async () => {
    const base = simulator.baseUrl("video_creation_lost");
    await expect(ask("/v1/videos", { base, body: video })).rejects.toThrow("fetch failed");
    expect((await ask("/v1/videos/video_sim_000001", { base })).json.status).toBe("queued");
  });

  test("a creation and a question can fail inside a 200", async () => {
    const creation = await ask("/v1/videos", { base: simulator.baseUrl("video_envelope_5000"), body: video });
    expect([creation.status, creation.json.code]).toEqual([200, 5000]);
    const base = simulator.baseUrl("video_task_envelope_4004");
    const { json } = await ask("/v1/videos", { base, body: video });
    const question = await ask(`/v1/videos/${json.id}`, { base });
    expect([question.status, question.json.code]).toEqual([200, 4004]);
  });
});

describe("streams that fail", () => {
  const streamOf = async (scenario: string, path = "/v1/chat/completions") => {
    const body = JSON.stringify({ ...chat, stream: true });
    const headers = { authorization: "Bearer any" };
    const answer = await askRaw(simulator.baseUrl(scenario), { method: "POST", path, headers, body });
    return { ...answer, body: bodyOf(answer) };
  };

  test("an error event comes after the first words", async () => {
    const { body } = await streamOf("stream_error_event");
    expect(body).toMatch(/"content":"po"[^]*data: {"error":{"message":"The upstream broke off\."/);
    expect(body).not.toContain("[DONE]");
  });

  test("a reset cuts the stream after its words", async () => {
    const answer = await streamOf("stream_reset");
    expect(answer.ended).toBe("by a reset");
    expect(answer.body).toContain('"content":"ng"');
  });

  test.each(["stream_without_done", "stream_cut_in_frame"])(
    "%s ends in good order, unfinished",
    async (scenario) => {
      const answer = await streamOf(scenario);
      expect(answer.ended).toBe("by the server");
      expect(answer.body).not.toContain("[DONE]");
      expect(answer.body.endsWith("0\r\n\r\n")).toBe(true);
    },
  );

  test("a messages stream errs, or lacks its stop", async () => {
    const erring = await streamOf("messages_stream_error", "/v1/messages");
    expect(erring.body).toContain('event: error\ndata: {"type":"error","error":{"type":"overloaded_error"');
    const unstopped = await streamOf("messages_stream_without_stop", "/v1/messages");
    expect(unstopped.body).not.toContain("message_stop");
  });

  test("a split stream is whole: CRLF, a comment, and a chunk a byte", async () => {
    const { body } = await streamOf("stream_split");
    expect(body.startsWith("1\r\n:\r\n1\r\n \r\n1\r\nh\r\n")).toBe(true);
    const answer = await ask("/v1/chat/completions", { base: simulator.baseUrl("stream_split"), body: chat });
    expect(answer.text).toMatch(/^: hello\r\n\r\ndata: [^]*data: \[DONE\]\r\n\r\n$/);
  });
});
