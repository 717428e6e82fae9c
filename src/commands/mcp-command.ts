/** `gatepulse mcp`: tools for agents over standard input and output, to read a status page, explain answers and act. */
import { siteAt, EXIT, command } from "../cli/command.ts";
import { t } from "../config/spoken.ts";
import { explain } from "../explain/explain.ts";
import type { Kind } from "../protocol/observation.ts";
import type { Operator } from "../protocol/diagnosis.ts";
import { redact } from "../protocol/redaction/redact.ts";
import { VERSION } from "../probe/version.ts";

/** What the tool `explain` sends; the SDK has judged it. */
interface Pasted {
  readonly text: string;
  readonly kind?: Kind | null;
  readonly operator?: Operator | null;
}

const LONGEST_MS = 30_000;

export const mcp = command("mcp", {}, async ({ argument, io }) => {
  const site = siteAt(argument || io.env["GATEPULSE_URL"], t`ADDRESS or GATEPULSE_URL`);
  const { ADMIN_TOKEN, VIEW_TOKEN } = io.env;
  const api = async (path: string, body?: object): Promise<Response> => {
    // A pasted answer stays on this machine.
    if (path === "/api/v1/explain") return explained(body as Pasted);
    const token = path.startsWith("/api/v1/admin/") ? ADMIN_TOKEN : VIEW_TOKEN;
    return fetch(site + path, {
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        ...(token && { authorization: `Bearer ${token.trim()}` }),
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(LONGEST_MS),
    });
  };
  const explained = ({ text, kind = null, operator = null }: Pasted): Response => {
    const found = explain(text, {
      kind,
      operator,
      nowMs: io.clock.now(),
      timeZone: io.timeZone,
      redact,
    });
    return found === null
      ? new Response("there is nothing to explain", { status: 400 })
      : Response.json(found);
  };
  const [{ serveStdio }, { serverOf }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("../formats/mcp.ts"),
  ]);
  const setting = { api, isAdministrator: Boolean(ADMIN_TOKEN), without: [], version: VERSION };
  await new Promise<void>((resolve) => {
    serveStdio(() => serverOf(setting));
    process.stdin.once("close", resolve);
  });
  return EXIT.ok;
});
