/** What anybody may hand over to be explained. Pure data. */
import { KINDS } from "../protocol/observation.ts";
import { type JsonObject, schemaRef } from "./json.ts";
import { EVERYWHERE, headerRef, responseRef } from "./parts.ts";

const text = { type: "string" };
const kind = { type: "string", enum: [...KINDS] };

const EXPLAIN: JsonObject = {
  operationId: "explain",
  tags: ["Explain"],
  summary: "What a gateway’s answer means",
  description:
    "The verdict that the monitor would come to, by the answer alone. Nothing is stored. What looks like a secret is taken out. A text may be whatever `gatepulse explain` reads, such as the output of `curl -i`.",
  parameters: [
    {
      name: "kind",
      in: "query",
      description: "What was asked of the gateway, where the body does not say it; left out: it is guessed.",
      schema: kind,
    },
  ],
  requestBody: {
    required: true,
    description: "At most 262,144 bytes.",
    content: {
      "application/json": { schema: { anyOf: [schemaRef("SavedAnswer"), schemaRef("PastedText")] } },
      "text/plain": { schema: text },
    },
  },
  responses: {
    "200": {
      description: "As asked.",
      headers: { "Access-Control-Allow-Origin": headerRef("Origin") },
      content: { "application/json": { schema: schemaRef("Explanation") } },
    },
    ...EVERYWHERE,
    "400": responseRef("NotExplained"),
    "413": responseRef("LargeText"),
    "415": responseRef("OtherType"),
  },
};

const FORM_FIELDS = {
  type: "object",
  properties: { text, kind: { ...text, enum: ["", ...KINDS] } },
  required: ["text"],
};

export const EXPLAIN_FORM: JsonObject = {
  operationId: "showExplanation",
  tags: ["Pages"],
  summary: "What a pasted answer means",
  requestBody: {
    required: true,
    content: {
      "application/x-www-form-urlencoded": { schema: FORM_FIELDS },
      "multipart/form-data": { schema: FORM_FIELDS },
    },
  },
  responses: {
    "200": {
      description: "As asked.",
      headers: {
        "Access-Control-Allow-Origin": headerRef("Origin"),
        Vary: headerRef("VaryLanguage"),
      },
      content: { "text/html": { schema: text } },
    },
    ...EVERYWHERE,
    "400": responseRef("NotExplained"),
    "413": responseRef("LargeText"),
    "415": responseRef("OtherType"),
  },
};

export const EXPLAIN_PATHS: Readonly<Record<string, JsonObject>> = { "/api/v1/explain": { post: EXPLAIN } };
