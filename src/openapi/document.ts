/**
 * The whole description of the HTTP API. `npm run generate` runs this file, which writes it as it is served; with `--check` it
 * only says whether the written one is up to date.
 */
import { readFile, writeFile } from "node:fs/promises";
import {
  HEADERS,
  PARAMETERS,
  PUBLIC_SECURITY,
  ref,
  RESPONSES,
  SECURITY_SCHEMES,
  type JsonObject,
} from "./components.ts";
import examples from "./examples.json" with { type: "json" };
import { withExample, type Example } from "./operations.ts";
import { pathsOf } from "./routes.ts";
import { namedSchemas } from "./schemas.ts";

const DESCRIPTION = `Gatepulse monitors LLM gateways. It says what failed (\`cause\`), whose turn it is (\`owner\`), what that means (\`health\`), and when to try again.

- HEAD works like GET. OPTIONS returns 204, and scripts of any site may read what is public. Other methods return 405.
- Public answers to GET have a strong ETag for If-None-Match, and may be cached for 15 seconds. Polling more often than every 30 seconds rarely shows anything new.
- Errors are \`application/problem+json\`. Outside \`/api/\`, browsers get a page. Retry-After is in seconds.
- Times are RFC 3339 in UTC with milliseconds. Durations are in milliseconds, and their names end in \`Ms\`. Null means unknown or none, never zero. If a gateway publishes only its health, members that show the cause are null.
- Pages and the feed are in several languages. Everything else is in English.
- New members may appear at any time: ignore those that you do not know. Under \`/api/v1/\`, no member is renamed or removed, and none changes its type.
- If the secret VIEW_TOKEN is set, every address except \`/healthz\` needs it. Answers are then \`private, no-store\`, without ETag and CORS.`;

const TAGS: Readonly<Record<string, string>> = {
  Status: "The current state.",
  History: "Past checks, incidents and reports.",
  Explain: "What an answer of a gateway means.",
  Documents: "Descriptions for programs.",
  Formats: "Metrics, feeds and badges.",
  Statuspage: "The API v2 of Atlassian Statuspage. A component is `operational` only with fresh results.",
  Administration:
    "These need ADMIN_TOKEN. Answers are not cached, and scripts of other sites cannot read them.",
  Pages: "HTML for people.",
};

export function apiDocument(): JsonObject {
  return {
    openapi: "3.1.1",
    // The schemas first: the nearer what repeats is, the better it is compressed.
    components: {
      schemas: namedSchemas(),
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: RESPONSES,
      securitySchemes: SECURITY_SCHEMES,
    },
    info: {
      title: "Gatepulse",
      version: "1.0.0",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: PUBLIC_SECURITY,
    webhooks: { alert: { post: alertHook(examples.receiveAlert) } },
    paths: pathsOf(examples),
  };
}

function alertHook({ request }: Example): JsonObject {
  const body = { required: true, content: { "application/json": { schema: ref("schemas", "Alert") } } };
  return {
    operationId: "receiveAlert",
    tags: ["Documents"],
    summary: "Receive an alert by webhook",
    security: [],
    requestBody: withExample(body, request),
    responses: {
      "2XX": { description: "Received." },
      "410": { description: "Stop: nothing is sent to this address any more." },
    },
  };
}

const PATH = "src/http/assets/openapi.json";

async function generate(): Promise<void> {
  const file = new URL(`../../${PATH}`, import.meta.url);
  const made = `${JSON.stringify(apiDocument(), null, 2)}\n`;
  if (!process.argv.includes("--check")) await writeFile(file, made);
  else if (made !== (await readFile(file, "utf8"))) {
    process.stderr.write(`${PATH} is not what the code says: run \`npm run generate\`.\n`);
    process.exitCode = 1;
  }
}

if (import.meta.main) await generate();
