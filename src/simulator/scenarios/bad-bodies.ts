/** HTTP 200 that is no success: envelopes, errors, wrong shapes (spec 1, 4.1, 7.2). Pure data. */
import { envelope, chatError, html, json, reply } from "../wire.ts";
import { modelList } from "../api.ts";
import { type Scenario, expects, scenario, scenarios } from "../scenario.ts";

const LIST = JSON.stringify(modelList());
const JSON_TYPE = { "content-type": "application/json" };
const FAILED = { message: "The listing failed.", type: "api_error" };

const ok = (value: unknown) => json(200, value);

const ENVELOPES: readonly Scenario[] = [
  ...scenarios(expects("business_error", 200), [
    ["envelope_5000", envelope(5000, "Internal failure.", null)],
    ["envelope_5000_string", envelope("5000", "Internal failure.")],
    ["envelope_5001", envelope(5001, "No key.")],
    ["success_false", ok({ success: false, message: FAILED.message })],
  ]),
  scenario(expects("business_error", 200, { owner: "caller", health: "blocked" }), [
    "envelope_5002",
    envelope(5002, "The key was not kept."),
  ]),
  scenario(expects("malformed_request", 200), ["envelope_2001", envelope(2001, "A parameter is wrong.")]),
  ...scenarios(expects("not_found", 200), [
    ["envelope_2002", envelope(2002, "It does not exist.")],
    ["envelope_4004", envelope(4004, "It cannot be used.")],
  ]),
];

const ERRORS: readonly Scenario[] = [
  ...scenarios(expects("api_error", 200), [
    ["error_object", ok({ error: FAILED })],
    ["error_string", ok({ error: FAILED.message })],
  ]),
  scenario(expects("insufficient_balance", 200), [
    "error_balance",
    chatError("insufficient_balance", { status: 200 }),
  ]),
];

const SHAPES: readonly Scenario[] = [
  ...scenarios(expects("wrong_url", 200), [["html_200", html(200, "Welcome")]]),
  ...scenarios(expects("unexpected_response", 200), [
    ["array_200", ok(modelList().data)],
    ["null_200", ok(null)],
    ["no_data", ok({ object: "list" })],
    ["data_not_array", ok({ data: { models: [] } })],
    ["cut_json", reply(200, LIST.slice(0, LIST.length / 2), JSON_TYPE)],
    ["empty_body", reply(200, "", JSON_TYPE)],
  ]),
  scenario(expects("unexpected_response", 204), ["status_204", reply(204, "")]),
];

export const BAD_BODIES: readonly Scenario[] = [...ENVELOPES, ...ERRORS, ...SHAPES];
