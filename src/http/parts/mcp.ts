/** `/mcp`: the API as tools for agents, over streamable HTTP. Read-only without the administrator's token. */
import type { AppContext, OwnFetch, Part } from "../deps.ts";
import { judgeBearer, notAdministrator } from "../auth.ts";
import { keepPrivate, secured } from "../respond.ts";

export const mcp: Part = { routes: (own) => [{ path: "/mcp", post: (context) => mcpRoute(context, own) }] };

async function mcpRoute({ req, env }: AppContext, own: OwnFetch): Promise<Response> {
  const { raw } = req;
  const authorization = req.header("authorization");
  const bearer = await judgeBearer(authorization, env.adminToken);
  if (bearer === "wrong") throw notAdministrator();
  const { answerMcp, serverOf } = await import("../../formats/mcp.ts");
  const api = (path: string, body?: object) => {
    const json = body !== undefined && { method: "POST", body: JSON.stringify(body) };
    const headers = { "content-type": "application/json", ...(authorization && { authorization }) };
    return own(new Request(new URL(path, raw.url), { ...json, headers }), env);
  };
  const { parts } = env.config;
  const without = (["explain", "route"] as const).filter((name) => !parts.includes(name));
  const isAdministrator = bearer === "right" && parts.includes("admin");
  const setting = { api, isAdministrator, without, version: env.version };
  const answer = await answerMcp(raw, () => serverOf(setting));
  return keepPrivate(secured(answer));
}
