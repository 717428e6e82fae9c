import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Simulator, startSimulator } from "../../src/simulator/simulator.ts";
import { askService } from "./service-client.ts";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator();
  onTestFinished(() => simulator.close());
});

const ask = (scenario: string, path: string, body?: object) =>
  askService(`${simulator.baseUrl(scenario)}${path}`, { body });

const VIDEOS = "/v1/videos";
const IMAGES = "/v1/images/generations";
const JOBS = "/v1/video/generations";
const prompt = "a cat";
const video = { model: "sim-video", prompt };

describe("tasks", () => {
  /** The states, or the statuses of HTTP, of a creation and four questions. */
  async function statesOf(scenario: string, create: string): Promise<readonly unknown[]> {
    const body = create === IMAGES ? { model: "sim-image-async", prompt } : video;
    const { json: created } = await ask(scenario, create, body);
    const seen: unknown[] = [created.status ?? created.data.status];
    for (let index = 0; index < 4; index += 1) {
      const { status, json } = await ask(scenario, `${create}/${created.id ?? created.data.task_id}`);
      if (create === JOBS) {
        expect(json).toMatchObject({ code: 0, data: { task_id: "video_job_sim_000001" } });
      }
      seen.push(status === 200 ? (json.status ?? json.data.status) : status);
    }
    return seen;
  }

  test.each([
    ["healthy", VIDEOS, "queued queued running succeeded succeeded"],
    ["healthy", IMAGES, "PENDING PENDING RUNNING SUCCEEDED SUCCEEDED"],
    ["video_upper", VIDEOS, "PENDING PENDING RUNNING SUCCEEDED SUCCEEDED"],
    ["image_made", IMAGES, "PENDING PENDING SUCCEEDED SUCCEEDED SUCCEEDED"],
    ["video_made_at_once", VIDEOS, "succeeded succeeded succeeded succeeded succeeded"],
    ["video_question_401", VIDEOS, "queued 401 401 401 401"],
    ["video_question_402", VIDEOS, "queued 402 402 402 402"],
    ["video_question_503", VIDEOS, "queued 503 503 503 503"],
    ["video_question_410", VIDEOS, "queued 410 410 410 410"],
    ["video_failed", VIDEOS, "queued queued running failed failed"],
    ["video_failed_upper", VIDEOS, "PENDING PENDING RUNNING FAILED FAILED"],
    ["image_failed", IMAGES, "PENDING PENDING RUNNING FAILED FAILED"],
    ["video_stuck", VIDEOS, "queued queued running running running"],
    ["video_stuck_queued", VIDEOS, "queued queued queued queued queued"],
    ["video_unknown_state", VIDEOS, "queued queued warming_up succeeded succeeded"],
    ["video_expired", VIDEOS, "queued queued running 404 404"],
    ["healthy", JOBS, "NOT_START NOT_START IN_PROGRESS SUCCESS SUCCESS"],
    ["video_job_made", JOBS, "NOT_START NOT_START SUBMITTED IN_PROGRESS SUCCESS"],
    ["video_job_failed", JOBS, "NOT_START NOT_START IN_PROGRESS FAILURE FAILURE"],
  ])("%s %s goes through %s", async (scenario, create, states) => {
    expect((await statesOf(scenario, create)).join(" ")).toBe(states);
  });

  test("the tasks of one style are none of another's, and one that never was is 404", async () => {
    const { json } = await ask("healthy", JOBS, video);
    expect((await ask("healthy", `${VIDEOS}/${json.data.task_id}`)).status).toBe(404);
    const never = await ask("healthy", `${VIDEOS}/video_sim_000009`);
    expect([never.status, never.json.error.code]).toEqual([404, "task_not_found"]);
  });

  test("a creation may hide its task: no id, the key for an id, a reset", async () => {
    const nameless = await ask("video_without_id", VIDEOS, video);
    expect(nameless.json).toEqual({ object: "video", status: "queued" });
    expect((await ask("video_id_is_key", VIDEOS, video)).json.id).toBe("sim-key-good");
    const lost = ask("video_question_lost", `${VIDEOS}/video_sim_000001`);
    await expect(lost).rejects.toThrow("fetch failed");
  });

  test("a state may be the key", async () => {
    const { id } = (await ask("video_state_is_key", VIDEOS, video)).json;
    const { json } = await ask("video_state_is_key", `${VIDEOS}/${id}`);
    expect(json).toMatchObject({ id, status: "sim-key-good" });
  });

  test("a finished video has a URL, a failed one an error", async () => {
    const lastRecord = async (scenario: string) => {
      const { id } = (await ask(scenario, VIDEOS, video)).json;
      for (let index = 0; index < 2; index += 1) await ask(scenario, `${VIDEOS}/${id}`);
      return (await ask(scenario, `${VIDEOS}/${id}`)).json;
    };
    expect((await lastRecord("any_key")).url).toMatch(/^https:\/\/.*\.mp4$/);
    expect((await lastRecord("video_failed")).error.code).toBe("generation_failed");
  });

  test("a lost creation was a creation: its task can be asked for", async () => {
    await expect(ask("video_creation_lost", VIDEOS, video)).rejects.toThrow("fetch failed");
    const { json } = await ask("video_creation_lost", `${VIDEOS}/video_sim_000001`);
    expect(json.status).toBe("queued");
  });

  test("a creation and a question can fail inside a 200", async () => {
    const creation = await ask("video_envelope_5000", VIDEOS, video);
    expect([creation.status, creation.json.code]).toEqual([200, 5000]);
    const { json } = await ask("video_task_envelope_4004", VIDEOS, video);
    const question = await ask("video_task_envelope_4004", `${VIDEOS}/${json.id}`);
    expect([question.status, question.json.code]).toEqual([200, 4004]);
  });
});
