/** What docs/channels.md and test/vectors/alerts/ show is sent, what it configures is taken, and what it gives receivers works. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { webhook } from "../../src/alert/channels/programs/webhook.ts";
import { parseConfig } from "../../src/config/load.ts";
import { CHANNELS, ENTRIES, KINDS, SECRETS } from "./channel-configs.ts";
import { EXAMPLES, rendered } from "./documented.ts";
import { letterOf, occasion, opened } from "./telling.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENT = readFileSync(`${ROOT}docs/channels.md`, "utf8");

const NODE_CALL = `
server.on("listening", async () => {
  const { HEADERS, BODY: body } = process.env;
  const url = "http://127.0.0.1:" + server.address().port;
  const { status } = await fetch(url, { method: "POST", headers: JSON.parse(HEADERS), body });
  if (status !== 204) console.log("refused");
  server.close();
});
`;

const PYTHON_CALL = `
import os
try: 
  event = verified(os.environ["ALERT_SECRET"], json.loads(os.environ["HEADERS"]), os.environ["BODY"].encode())
  print(event["type"], event["data"]["eventId"])
except ValueError: print("refused")
`;

interface Block {
  /** `body`, `headers`, `mail`, `config` or `snippet`. */
  readonly what: string;
  readonly of: readonly string[];
  readonly text: string;
}

const BLOCKS: readonly Block[] = [
  ...DOCUMENT.matchAll(/<!-- (\w+)(?:: ([\w ]+))? -->\n\n```\w+\n([\s\S]*?)\n```/g),
].map(([, what = "", of = "", text = ""]) => ({ what, of: of.split(" "), text }));

/** The bodies that the document does not show. */
const FILES: readonly Block[] = globSync("*.json", { cwd: `${ROOT}test/vectors/alerts` }).map((name) => ({
  what: "body",
  of: name.replace(/\.json$/, "").split("-"),
  text: readFileSync(`${ROOT}test/vectors/alerts/${name}`, "utf8"),
}));

const BODIES = [...BLOCKS.filter(({ what }) => what === "body"), ...FILES];
const blocks = (what: string) => BLOCKS.filter((block) => block.what === what);

describe("bodies", () => {
  test("each channel has one", () => {
    const shown = [...BODIES, ...blocks("mail")];
    const kinds = shown.map(({ what, of }) => (what === "mail" ? "email" : of[0]));
    expect(new Set(kinds)).toEqual(new Set(KINDS));
    expect(new Set(shown.map(({ of }) => of.at(-1)))).toEqual(new Set(Object.keys(EXAMPLES)));
  });

  test.each(BODIES)("$of", async ({ of: [kind, example = ""], text }) => {
    const { body } = letterOf(await rendered(kind as (typeof KINDS)[number], example));
    expect(JSON.stringify(JSON.parse(text))).toBe(body);
  });

  test.each(blocks("headers"))("headers of $of", async ({ of: [kind, example = ""], text }) => {
    const { headers } = letterOf(await rendered(kind as (typeof KINDS)[number], example));
    expect(text.split("\n")).toEqual(Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
  });

  test.each(blocks("mail"))("mail: $of", async ({ of: [example = ""], text }) => {
    const mail = await rendered("email", example);
    if (mail.type !== "mail") throw new Error("no mail");
    expect(text).toBe(`Subject: ${mail.subject}\n\n${mail.text.trimEnd()}`);
  });
});

describe("configurations", () => {
  test.each(blocks("config").map(({ text }) => [text]))("%s", (text) => {
    const { alerts } = runInNewContext(`({ ${text} })`) as { alerts: object[] };
    // Objects of another context are not plain ones here.
    const input: unknown = JSON.parse(JSON.stringify({ title: "t", gateways: GATEWAYS, alerts }));
    expect(parseConfig(input)).toMatchObject({ ok: true, config: { alerts: { length: alerts.length } } });
  });

  test("one has every kind", () => {
    const kinds = blocks("config").map(({ text }) => {
      const { alerts } = runInNewContext(`({ ${text} })`) as { alerts: { kind: string }[] };
      return alerts.map(({ kind }) => kind).toSorted();
    });
    expect(kinds).toContainEqual(KINDS.toSorted());
  });

  const GATEWAYS = ["acme", "bolt"].map((id) => ({ id, baseUrl: `https://${id}.example`, apiKey: "KEY" }));
});

describe("receivers", () => {
  const CALLS = {
    node: { command: "node", args: ["--input-type=module", "-"], call: NODE_CALL },
    python: { command: "python3", args: ["-"], call: PYTHON_CALL },
  } as const;

  for (const [language, { command, args, call }] of Object.entries(CALLS)) {
    const isMissing = spawnSync(command, ["--version"]).status !== 0;
    const skipped = isMissing ? ` (skipped: ${command} is not installed)` : "";
    const title = `the code for ${language} takes what is signed and nothing else${skipped}`;
    test.skipIf(isMissing)(title, async () => {
      const snippet = blocks("snippet").find(({ of }) => of[0] === language)?.text ?? "";
      const now = occasion(SECRETS, { nowMs: Date.now() });
      const { headers, body } = letterOf(await webhook.render([opened()], CHANNELS.webhook, now));
      const run = (secret: string, sentBody: string): string => {
        const sent = { HEADERS: JSON.stringify(headers), BODY: sentBody };
        const env = { ...process.env, ALERT_SECRET: secret, PORT: "0", ...sent };
        const input = `${snippet}\n${call}`;
        const { stdout, stderr } = spawnSync(command, args, { input, env, cwd: ROOT, encoding: "utf8" });
        return stdout.trim() || stderr;
      };
      expect(run(ENTRIES.webhook.secrets.HOOK_SECRET, body)).toBe(`incident.opened ${opened().id}`);
      expect(run("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", body)).toBe("refused");
      expect(run(ENTRIES.webhook.secrets.HOOK_SECRET, body.replace("down", "fine"))).toBe("refused");
    });
  }
});
