/** What docs/admin.md and the README tell people to type is taken, and every address is in the document. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ADMIN_ROUTES } from "../../src/http/admin.ts";
import { openDesk } from "./admin-desk.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENT = readFileSync(`${ROOT}docs/admin.md`, "utf8");
const README = readFileSync(`${ROOT}README.md`, "utf8");

function commandsIn(document: string) {
  const scripts = [...document.matchAll(/```sh\n([\s\S]*?)\n```/gu)].map(([, script = ""]) => script);
  const lines = scripts.flatMap((script) => script.replaceAll("\\\n", " ").split("\n"));
  return lines
    .filter((line) => line.startsWith("curl ") && line.includes("$ADMIN_TOKEN"))
    .map((line) => {
      const body = / -d '([^']*)'/u.exec(line)?.[1];
      const method = / -X (\w+) /u.exec(line)?.[1] ?? (body === undefined ? "GET" : "POST");
      return { line, method, path: /"\$ADMIN\/([^"]*)"/u.exec(line)?.[1] ?? "", body };
    });
}

const COMMANDS = [...commandsIn(DOCUMENT), ...commandsIn(README)];

test.each(COMMANDS)("$line", async ({ line, method, path, body }) => {
  expect(line).toContain('-H "Authorization: Bearer $ADMIN_TOKEN"');
  expect((await openDesk().ask(method, path, body)).status).toBe(200);
});

test("every address that there is has a command in the document", () => {
  const shown = commandsIn(DOCUMENT);
  for (const route of ADMIN_ROUTES) {
    const fits = shown.filter(({ method, path }) => method === route.method && route.path.test(path));
    expect(fits, `${route.method} ${route.path.source}`).not.toEqual([]);
  }
  const verbs = shown.flatMap(({ path }) => /^gateways\/.*\/(\w+)$/u.exec(path)?.[1] ?? []);
  expect(verbs).toEqual(["probe", "pause", "resume"]);
});

test("the refusal that is shown is the one that comes", async () => {
  const shown = [...DOCUMENT.matchAll(/```json\n([\s\S]*?)\n```/gu)].map(
    ([, text = ""]) => JSON.parse(text) as Record<string, unknown>,
  );
  const body = { from: "2026-12-01T04:00:00Z", to: "2026-12-01T02:00:00Z", titel: "Database move" };
  const refusal = await openDesk().ask("POST", "maintenance", body);
  expect(shown.find(({ status }) => status === 422)).toEqual(await refusal.json());
});
