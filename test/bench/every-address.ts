/** Every route of the application, each by an address at which these servers have something. */
import { fileURLToPath } from "node:url";
import { bundleWorker } from "../../src/local/bundle.ts";
import type { Servers } from "./servers.ts";

const MONITOR = "/api/v1/gateways/:gateway/monitors/:monitor";

/** Of routes that have several faces, and of files; the others answer at their own path. */
const FACES: Readonly<Record<string, readonly string[]>> = {
  [`${MONITOR}/history`]: ["probe", "1h", "1d"].map((step) => `${MONITOR}/history?step=${step}`),
  "/badge/:file": ["/badge/:gateway.svg", "/badge/:gateway.json"],
  "/badge/:gateway/:file": ["/badge/:gateway/:monitor.svg"],
  "/assets/:card{[a-z]+-[a-z]+\\.png}": ["/assets/up-en.png"],
};

/** In the order of the application's own table. @throws where a route has a part that is not known here. */
export async function everyAddress(servers: Servers): Promise<readonly string[]> {
  const parts = { gateway: "g9", monitor: "models", ...(await anIncident(servers.product("/"))) };
  return (await everyPath()).flatMap((path) => FACES[path] ?? [path]).map((face) => fillFace(face, parts));
}

/** @throws where `face` has a part that is not among them. */
function fillFace(face: string, parts: object): string {
  return face.replaceAll(/:(\w+)/gu, (_, name: string) => {
    const part = Reflect.get(parts, name) as unknown;
    if (typeof part !== "string") throw new Error(`${face}: no ${name} is known to ask for`);
    return part;
  });
}

/** Node does not read the pages as they are written. */
async function everyPath(): Promise<readonly string[]> {
  const app = await bundleWorker(fileURLToPath(new URL("../../src/http/app.ts", import.meta.url)));
  const url = `data:text/javascript,${encodeURIComponent(app)}`;
  const { routes } = (await import(url)) as {
    readonly routes: () => readonly (readonly [path: string, route: unknown])[];
  };
  return routes().map(([path]) => path);
}

/** One that has a report. @throws where there is none. */
async function anIncident(site: string | URL): Promise<{ incident: string; report: string }> {
  const answer = await fetch(new URL("/api/v1/incidents", site));
  const { incidents } = (await answer.json()) as { incidents: { id: string; report: string | null }[] };
  for (const { id, report } of incidents) if (report !== null) return { incident: id, report };
  throw new Error("there is no incident with a report");
}
