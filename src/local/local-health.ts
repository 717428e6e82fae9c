/**
 * `/healthz` of this machine: what the Worker answers, and what is wrong with the disk under it, of which the Worker knows
 * nothing.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import type { StorageTrouble } from "./storage-trouble.ts";

/** What is changed of the Worker's answer; the rest goes through. Without `checks`: a private view. */
const healthSchema = z.looseObject({ checks: z.optional(z.record(z.string(), z.unknown())) });

/** Answers in place of the Worker, with what it said. */
export async function answerWith(
  trouble: StorageTrouble,
  answer: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body = healthWith(trouble, await text(answer));
  outgoing.writeHead(503, { "content-type": "application/health+json", "cache-control": "no-store" });
  outgoing.end(outgoing.req.method === "HEAD" ? undefined : body);
}

/** Who is told of no checks is not told of this one: the log has it. */
function healthWith({ check, problem }: StorageTrouble, answered: string): string {
  const health = readHealth(answered);
  return JSON.stringify({
    ...health,
    status: "fail",
    ...(health.checks !== undefined && {
      checks: {
        ...health.checks,
        [check]: [
          { componentType: "datastore", status: "fail", time: new Date().toISOString(), output: problem },
        ],
      },
    }),
  });
}

function readHealth(answered: string): z.infer<typeof healthSchema> {
  try {
    return healthSchema.parse(JSON.parse(answered));
  } catch {
    return {};
  }
}
