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
import { pathsOf, withExample, type Example } from "./routes.ts";
import { namedSchemas } from "./schemas.ts";

const DESCRIPTION = `Gatepulse watches gateways to AI models: what failed (\`cause\`), who must act (\`owner\`), what it means (\`health\`), when to try again.

- HEAD is answered as GET; OPTIONS with 204, and any site’s script may use what is public. Other methods are 405.
- A public answer to GET has a strong ETag for If-None-Match, and may be kept for 15 seconds. Asking more often than every 30 seconds rarely shows anything new.
- Failures are \`application/problem+json\`; outside of \`/api/\` a browser gets a page. Retry-After is in seconds.
- Instants are RFC 3339, UTC, with milliseconds; durations are milliseconds and end in \`Ms\`. Null is not known or none, never zero. For a gateway that publishes only its health, members that show the cause are null too.
- Pages and the feed are in several languages; everything else is in English.
- New members may be added at any time: ignore those that you do not know. Under \`/api/v1/\` none is renamed, removed or retyped.
- With the secret VIEW_TOKEN set, every address but \`/healthz\` asks for it. Answers are then \`private, no-store\`, without ETag and CORS.`;

const TAGS: Readonly<Record<string, string>> = {
  Status: "The current state.",
  History: "Past checks, incidents and reports.",
  Explain: "What any answer of a gateway means.",
  Documents: "About this API.",
  Formats: "For other programs.",
  Statuspage: "Atlassian’s API v2. Nothing is `operational` without fresh evidence.",
  Administration: "With ADMIN_TOKEN. No cache keeps the answers, and no other site’s script reads them.",
  Pages: "For people.",
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
    summary: "What a webhook is sent",
    security: [],
    requestBody: withExample(body, request),
    responses: {
      "2XX": { description: "Received." },
      "410": { description: "Nothing is sent there any more." },
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
