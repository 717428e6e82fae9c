/**
 * A gateway that others wrote, `@copilotkit/aimock`, in this process: every kind of generation, videos in three styles that
 * are not ours.
 */
import { LLMock } from "@copilotkit/aimock";

export const AIMOCK_KEY = "aimock-key-0123456789abcdef";

/** Where each style of videos is created; a task is asked about at the same path with its id behind it. */
export const VIDEO_STYLES = {
  /** `processing`, then `completed`. */
  plain: "/v1/videos",
  /** `pending`, `in_progress`, `completed`. */
  brokered: "/api/v1/videos",
  /** Only an id at first; then `queued`, `running`, `succeeded`. */
  content: "/api/v3/contents/generations/tasks",
} as const;

/** What a canary says, whatever it says, is answered with these words. */
const WORDS = { content: "pong", usage: { prompt_tokens: 11, completion_tokens: 3 } } as const;

/** Its models, by what they do; all stand in its list. */
export const AIMOCK_MODELS = {
  chat: "aimock-chat",
  embedding: "aimock-embedding",
  image: "aimock-image",
  plainVideo: "aimock-plain",
  brokeredVideo: "aimock-brokered",
  contentVideo: "aimock-content",
} as const;

const FINISHED_URL = "https://files.aimock.invalid/video.mp4";

/** A video of the plain style, in the state that a test sets. */
interface PlainVideo {
  readonly id: string;
  status: "processing" | "completed";
  url?: string;
}

export async function startAimock() {
  const polls = { pollsBeforeInProgress: 1, pollsBeforeCompleted: 2 };
  const mock = new LLMock({
    host: "127.0.0.1",
    port: 0,
    auth: { apiKeys: [AIMOCK_KEY] },
    strict: true,
    openRouterVideo: polls,
    bytePlusVideo: polls,
  });
  const plainVideos: PlainVideo[] = [];
  const models = AIMOCK_MODELS;
  mock
    .on({ endpoint: "chat", model: models.chat }, WORDS)
    .on({ endpoint: "embedding", model: models.embedding }, { embedding: [0.6, -0.8, 0] })
    .on(
      { endpoint: "image", model: models.image },
      { image: { url: "https://files.aimock.invalid/image.png" } },
    )
    .on({ endpoint: "video", model: models.plainVideo }, () => {
      const video: PlainVideo = { id: `video_${plainVideos.length + 1}`, status: "processing" };
      plainVideos.push(video);
      return { video };
    })
    .on(
      { endpoint: "video", model: models.brokeredVideo },
      { video: { id: "brokered", status: "completed", url: FINISHED_URL } },
    )
    .on(
      { endpoint: "video", model: models.contentVideo },
      { json: { id: "content", status: "succeeded", content: { video_url: FINISHED_URL } } },
    );
  await mock.start();
  return {
    baseUrl: mock.baseUrl,
    /** Requests such as `POST /v1/videos`, in order, since the last `forget`. */
    requests: () => mock.getRequests().map(({ method, path }) => `${method} ${path}`),
    forget: () => mock.clearRequests(),
    /** The videos of the plain style that were created are done. */
    finishPlainVideos: () => {
      for (const video of plainVideos) Object.assign(video, { status: "completed", url: FINISHED_URL });
    },
    stop: () => mock.stop(),
  };
}
