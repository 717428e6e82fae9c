/** HTTP 200 that is no success: envelopes, errors, wrong shapes (spec 1, 4.1, 7.2). Pure data. */
import { envelope, anonymous, html, json, reply, text } from "../wire.ts";
import { modelList } from "../models.ts";
import { type Scenario, expects, scenario } from "../scenario.ts";

const LIST = JSON.stringify(modelList());
const JSON_TYPE = { "content-type": "application/json" };
const BUSINESS = expects("business_error", 200);
const API = expects("api_error", 200);
const SHAPE = expects("unexpected_response", 200);
const WRONG_URL = expects("wrong_url", 200);

const ENVELOPES: readonly Scenario[] = [
  scenario("envelope_5000", "200 with code 5000.", envelope(5000, "Internal failure.", null), BUSINESS),
  scenario(
    "envelope_5000_string",
    'The code as the string "5000".',
    envelope("5000", "Internal failure."),
    BUSINESS,
  ),
  scenario(
    "envelope_5000_with_data",
    "Code 5000 beside a list that looks good.",
    json(200, { code: 5000, message: "Internal failure.", ...modelList() }),
    BUSINESS,
  ),
  scenario(
    "envelope_5001",
    "Code 5001: the full key could not be fetched.",
    envelope(5001, "No key."),
    BUSINESS,
  ),
  scenario(
    "envelope_5002",
    "Code 5002: the key was not kept and must be created again.",
    envelope(5002, "The key was not kept."),
    expects("business_error", 200, { owner: "caller", health: "blocked" }),
  ),
  scenario(
    "envelope_2001",
    "Code 2001: a parameter is wrong.",
    envelope(2001, "A parameter is wrong."),
    expects("malformed_request", 200),
  ),
  scenario(
    "envelope_2002",
    "Code 2002: the resource does not exist.",
    envelope(2002, "It does not exist."),
    expects("not_found", 200),
  ),
  scenario(
    "envelope_4004",
    "Code 4004: missing, not operable or inaccessible.",
    envelope(4004, "It cannot be used."),
    expects("not_found", 200),
  ),
  scenario(
    "envelope_unknown",
    "A code that the service's list does not name.",
    envelope(7777, "It failed."),
    BUSINESS,
  ),
  scenario(
    "envelope_request_id",
    "Code 5000 with the request id at the top level, none in the header.",
    (call) => anonymous(json(200, { code: 5000, message: "Internal failure.", request_id: call.requestId })),
    BUSINESS,
  ),
  scenario(
    "success_false",
    '200 with {"success": false}.',
    json(200, { success: false, message: "The listing failed." }),
    BUSINESS,
  ),
];

const ERRORS: readonly Scenario[] = [
  scenario(
    "error_object",
    "200 with an error object.",
    json(200, { error: { message: "The listing failed.", type: "api_error" } }),
    API,
  ),
  scenario(
    "error_object_with_data",
    "An error object beside a list that looks good.",
    json(200, { error: { message: "The listing failed.", type: "api_error" }, ...modelList() }),
    API,
  ),
  scenario(
    "error_string",
    "200 with an error that is a string.",
    json(200, { error: "The listing failed." }),
    API,
  ),
  scenario("error_true", "200 with an error that is true.", json(200, { error: true }), API),
  scenario(
    "error_balance",
    "200 with an error whose code is insufficient_balance.",
    json(200, {
      error: { message: "The balance is used up.", type: "insufficient_quota", code: "insufficient_balance" },
    }),
    expects("insufficient_balance", 200),
  ),
  scenario(
    "error_request_id",
    "200 with an error that holds the request id, none in the header.",
    (call) =>
      anonymous(
        json(200, {
          error: { message: "The listing failed.", type: "api_error", request_id: call.requestId },
        }),
      ),
    API,
  ),
];

const SHAPES: readonly Scenario[] = [
  scenario("html_200", "200 with a page.", html(200, "Welcome"), WRONG_URL),
  scenario(
    "html_200_as_json",
    "A page that claims to be JSON.",
    reply(200, "<!doctype html><p>Hi", JSON_TYPE),
    WRONG_URL,
  ),
  scenario("text_200", "200 with plain words.", text(200, "It works!"), WRONG_URL),
  scenario("array_200", "200 with an array.", json(200, modelList().data), SHAPE),
  scenario("null_200", "200 with null.", json(200, null), SHAPE),
  scenario("string_200", "200 with a JSON string.", json(200, "ready"), SHAPE),
  scenario("number_200", "200 with a number.", json(200, 1), SHAPE),
  scenario("no_data", "200 with an object that has no data.", json(200, { object: "list" }), SHAPE),
  scenario("data_not_array", "200 with data that is an object.", json(200, { data: { models: [] } }), SHAPE),
  scenario("data_null", "200 with data that is null.", json(200, { object: "list", data: null }), SHAPE),
  scenario(
    "cut_json",
    "A list that stops in the middle.",
    reply(200, LIST.slice(0, LIST.length / 2), JSON_TYPE),
    SHAPE,
  ),
  scenario("empty_body", "200 with nothing.", reply(200, "", JSON_TYPE), SHAPE),
  scenario("blank_body", "200 with blanks and line ends only.", reply(200, " \r\n\t\n", JSON_TYPE), SHAPE),
  scenario("status_204", "204, no content.", reply(204, ""), expects("unexpected_response", 204)),
  scenario(
    "body_utf16",
    "A good list in UTF-16, declared as such.",
    reply(200, Buffer.from(LIST, "utf16le"), { "content-type": "application/json; charset=utf-16le" }),
    SHAPE,
    {
      note: "The design is silent; RFC 8259 8.1 demands UTF-8, and read as that the body begins like JSON and does not parse.",
    },
  ),
];

export const BAD_BODIES: readonly Scenario[] = [...ENVELOPES, ...ERRORS, ...SHAPES];
