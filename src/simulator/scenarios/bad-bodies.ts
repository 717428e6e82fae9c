/** HTTP 200 that is no success: envelopes, errors, wrong shapes (spec 1, 4.1, 7.2). Pure data. */
import { envelope, anonymous, chatError, html, json, reply, text } from "../wire.ts";
import { modelList } from "../models.ts";
import { type Scenario, expects, scenario, scenarios } from "../scenario.ts";

const LIST = JSON.stringify(modelList());
const JSON_TYPE = { "content-type": "application/json" };
const FAILED = { message: "The listing failed.", type: "api_error" };

const ok = (value: unknown) => json(200, value);
const okWithList = (value: object) => json(200, { ...value, ...modelList() });

const ENVELOPES: readonly Scenario[] = [
  ...scenarios(expects("business_error", 200), [
    ["envelope_5000", "200 with code 5000.", envelope(5000, "Internal failure.", null)],
    ["envelope_5000_string", 'The code as the string "5000".', envelope("5000", "Internal failure.")],
    [
      "envelope_5000_with_data",
      "Code 5000 beside a list that looks good.",
      okWithList({ code: 5000, message: "Internal failure." }),
    ],
    ["envelope_5001", "Code 5001: the full key could not be fetched.", envelope(5001, "No key.")],
    ["envelope_unknown", "A code that the service's list does not name.", envelope(7777, "It failed.")],
    [
      "envelope_request_id",
      "Code 5000 with the request id at the top level, none in the header.",
      ({ requestId }) => anonymous(ok({ code: 5000, message: "Internal failure.", request_id: requestId })),
    ],
    ["success_false", '200 with {"success": false}.', ok({ success: false, message: FAILED.message })],
  ]),
  scenario(expects("business_error", 200, { owner: "caller", health: "blocked" }), [
    "envelope_5002",
    "Code 5002: the key was not kept and must be created again.",
    envelope(5002, "The key was not kept."),
  ]),
  scenario(expects("malformed_request", 200), [
    "envelope_2001",
    "Code 2001: a parameter is wrong.",
    envelope(2001, "A parameter is wrong."),
  ]),
  ...scenarios(expects("not_found", 200), [
    ["envelope_2002", "Code 2002: the resource does not exist.", envelope(2002, "It does not exist.")],
    [
      "envelope_4004",
      "Code 4004: missing, not operable or inaccessible.",
      envelope(4004, "It cannot be used."),
    ],
  ]),
];

const ERRORS: readonly Scenario[] = [
  ...scenarios(expects("api_error", 200), [
    ["error_object", "200 with an error object.", ok({ error: FAILED })],
    [
      "error_object_with_data",
      "An error object beside a list that looks good.",
      okWithList({ error: FAILED }),
    ],
    ["error_string", "200 with an error that is a string.", ok({ error: FAILED.message })],
    ["error_true", "200 with an error that is true.", ok({ error: true })],
    [
      "error_request_id",
      "200 with an error that holds the request id, none in the header.",
      ({ requestId }) => anonymous(ok({ error: { ...FAILED, request_id: requestId } })),
    ],
  ]),
  scenario(expects("insufficient_balance", 200), [
    "error_balance",
    "200 with an error whose code is insufficient_balance.",
    chatError("insufficient_balance", { status: 200 }),
  ]),
];

const SHAPES: readonly Scenario[] = [
  ...scenarios(expects("wrong_url", 200), [
    ["html_200", "200 with a page.", html(200, "Welcome")],
    ["html_200_as_json", "A page that claims to be JSON.", reply(200, "<!doctype html><p>Hi", JSON_TYPE)],
    ["text_200", "200 with plain words.", text(200, "It works!")],
  ]),
  ...scenarios(expects("unexpected_response", 200), [
    ["array_200", "200 with an array.", ok(modelList().data)],
    ["null_200", "200 with null.", ok(null)],
    ["string_200", "200 with a JSON string.", ok("ready")],
    ["number_200", "200 with a number.", ok(1)],
    ["no_data", "200 with an object that has no data.", ok({ object: "list" })],
    ["data_not_array", "200 with data that is an object.", ok({ data: { models: [] } })],
    ["data_null", "200 with data that is null.", ok({ object: "list", data: null })],
    ["cut_json", "A list that stops in the middle.", reply(200, LIST.slice(0, LIST.length / 2), JSON_TYPE)],
    ["empty_body", "200 with nothing.", reply(200, "", JSON_TYPE)],
    ["blank_body", "200 with blanks and line ends only.", reply(200, " \r\n\t\n", JSON_TYPE)],
    [
      "body_utf16",
      "A good list in UTF-16, declared as such.",
      reply(200, Buffer.from(LIST, "utf16le"), { "content-type": "application/json; charset=utf-16le" }),
    ],
  ]),
  scenario(expects("unexpected_response", 204), ["status_204", "204, no content.", reply(204, "")]),
];

export const BAD_BODIES: readonly Scenario[] = [...ENVELOPES, ...ERRORS, ...SHAPES];
