import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startSimulator } from "../../src/local/simulator/simulator.ts";
import type { Simulator } from "../../src/local/simulator/simulator.ts";
import { askService } from "./service-client.ts";
import type { ServiceRequest } from "./service-client.ts";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

const ask = (path: string, { base = simulator.url, ...request }: ServiceRequest & { base?: string } = {}) =>
  askService(`${base}${path}`, request);

const video = { model: "sim-video", prompt: "a cat" };
const image = { model: "sim-image-async", prompt: "a cat" };

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

  test.each([
    ["healthy", "/v1/videos", video, ["queued", "queued", "running", "succeeded", "succeeded"]],
    ["healthy", "/v1/images/generations", image, ["PENDING", "PENDING", "RUNNING", "SUCCEEDED", "SUCCEEDED"]],
    ["video_upper", "/v1/videos", video, ["PENDING", "PENDING", "RUNNING", "SUCCEEDED", "SUCCEEDED"]],
    [
      "image_made",
      "/v1/images/generations",
      image,
      ["PENDING", "PENDING", "SUCCEEDED", "SUCCEEDED", "SUCCEEDED"],
    ],
    [
      "video_made_at_once",
      "/v1/videos",
      video,
      ["succeeded", "succeeded", "succeeded", "succeeded", "succeeded"],
    ],
    ["video_question_401", "/v1/videos", video, ["queued", 401, 401, 401, 401]],
    ["video_question_402", "/v1/videos", video, ["queued", 402, 402, 402, 402]],
    ["video_question_503", "/v1/videos", video, ["queued", 503, 503, 503, 503]],
    ["video_question_410", "/v1/videos", video, ["queued", 410, 410, 410, 410]],
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

  test.each([
    ["healthy", ["NOT_START", "NOT_START", "IN_PROGRESS", "SUCCESS", "SUCCESS"]],
    ["video_job_made", ["NOT_START", "NOT_START", "SUBMITTED", "IN_PROGRESS", "SUCCESS"]],
    ["video_job_failed", ["NOT_START", "NOT_START", "IN_PROGRESS", "FAILURE", "FAILURE"]],
  ])("the second style, %s, goes through %j inside its envelope", async (scenario, seen) => {
    const base = simulator.baseUrl(scenario);
    const path = "/v1/video/generations";
    const { json: created } = await ask(path, { base, body: video });
    const shown = [created.data.status];
    for (let index = 0; index < 4; index += 1) {
      const { json } = await ask(`${path}/${created.data.task_id}`, { base });
      shown.push(json.data.status);
      expect(json).toMatchObject({ code: 0, data: { task_id: "video_job_sim_000001" } });
    }
    expect(shown).toEqual(seen);
  });

  test("the tasks of one style are none of another's", async () => {
    const { json } = await ask("/v1/video/generations", { body: video });
    expect((await ask(`/v1/videos/${json.data.task_id}`)).status).toBe(404);
  });

  test("a creation may hide its task: no id, the key for an id, a reset", async () => {
    const nameless = await ask("/v1/videos", { base: simulator.baseUrl("video_without_id"), body: video });
    expect(nameless.json).toEqual({ object: "video", status: "queued" });
    const base = simulator.baseUrl("video_id_is_key");
    expect((await ask("/v1/videos", { base, body: video })).json.id).toBe("sim-key-good");
    const lost = ask("/v1/videos/video_sim_000001", { base: simulator.baseUrl("video_question_lost") });
    await expect(lost).rejects.toThrow("fetch failed");
  });

  test("a state may be the key", async () => {
    const base = simulator.baseUrl("video_state_is_key");
    const { json } = await ask("/v1/videos", { base, body: video });
    expect((await ask(`/v1/videos/${json.id}`, { base })).json).toMatchObject({
      id: json.id,
      status: "sim-key-good",
    });
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
