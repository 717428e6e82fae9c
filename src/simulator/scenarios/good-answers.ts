/** Answers that are good, however odd they look. Pure data. */
import { gzipSync } from "node:zlib";
import { MODEL_COUNT, MODEL_IDS, modelEntry, modelList } from "../models.ts";
import { type Scenario, expects, scenario } from "../scenario.ts";
import { json, reply, stream, text, wait, write } from "../wire.ts";

const LIST = JSON.stringify(modelList());
const ACCENTED = JSON.stringify(modelList(["sim-café", "sim-模型"]));
const GOOD = expects("ok", 200, { modelCount: MODEL_COUNT });
const JSON_TYPE = "application/json";

function tenThousand(): string {
  const ids = Array.from({ length: 10_000 }, (_, index) => `sim-model-${String(index + 1).padStart(5, "0")}`);
  return JSON.stringify(modelList(ids));
}

export const GOOD_ANSWERS: readonly Scenario[] = [
  scenario(
    "healthy",
    "The whole service works; a key must be one of the simulator's.",
    (call, world) => world.serve(call),
    GOOD,
  ),
  scenario(
    "any_key",
    "The whole service works, and every key is good.",
    (call, world) => world.serve(call),
    GOOD,
  ),
  scenario("models_text_plain", "A good model list as text/plain.", text(200, LIST), GOOD),
  scenario("models_no_type", "A good model list without a Content-Type.", reply(200, LIST), GOOD),
  scenario(
    "models_empty",
    "A model list with nothing in it.",
    json(200, modelList([])),
    expects("ok", 200, { modelCount: 0 }),
  ),
  scenario(
    "models_odd_entries",
    "A model list whose entries are a string, null, a number and an object without an id.",
    json(200, { data: ["sim-chat-small", null, 7, {}] }),
    expects("ok", 200, { modelCount: 4 }),
  ),
  scenario(
    "ten_thousand_models",
    "A model list with 10,000 entries, about 900 kB.",
    () => reply(200, tenThousand(), { "content-type": JSON_TYPE }),
    expects("ok", 200, { modelCount: 10_000 }),
  ),
  scenario(
    "code_zero",
    "A good list with the envelope's code 0.",
    json(200, { code: 0, ...modelList() }),
    GOOD,
  ),
  scenario(
    "code_zero_string",
    'A good list with code "0", a string.',
    json(200, { code: "0", ...modelList() }),
    GOOD,
  ),
  scenario(
    "error_null",
    "A good list beside an error that is null.",
    json(200, { error: null, ...modelList() }),
    GOOD,
  ),
  scenario(
    "error_empty_object",
    "A good list beside an error that is an empty object.",
    json(200, { error: {}, ...modelList() }),
    GOOD,
  ),
  scenario(
    "success_true",
    "A good list that also says success.",
    json(200, { success: true, ...modelList() }),
    GOOD,
  ),
  scenario(
    "bom",
    "A good list after a byte order mark.",
    reply(200, `\uFEFF${LIST}`, { "content-type": JSON_TYPE }),
    GOOD,
  ),
  scenario(
    "charset_latin1_declared",
    "UTF-8 bytes under a Content-Type that says iso-8859-1.",
    reply(200, ACCENTED, { "content-type": `${JSON_TYPE}; charset=iso-8859-1` }),
    expects("ok", 200, { modelCount: 2 }),
  ),
  scenario(
    "utf16_with_mark",
    "UTF-16 with its byte order mark, as the Content-Type says.",
    reply(200, Buffer.from(`\uFEFF${ACCENTED}`, "utf16le"), {
      "content-type": `${JSON_TYPE}; charset=utf-16`,
    }),
    expects("ok", 200, { modelCount: 2 }),
  ),
  scenario(
    "charset_utf16_declared",
    "UTF-8 bytes under a Content-Type that says utf-16.",
    reply(200, ACCENTED, { "content-type": `${JSON_TYPE}; charset=utf-16` }),
    expects("ok", 200, { modelCount: 2 }),
  ),
  scenario(
    "charset_unknown",
    "UTF-8 bytes under a charset that does not exist.",
    reply(200, ACCENTED, { "content-type": `${JSON_TYPE}; charset=x-no-such-charset` }),
    expects("ok", 200, { modelCount: 2 }),
  ),
  scenario(
    "latin1_bytes",
    "Latin-1 bytes, no valid UTF-8, under a Content-Type that says utf-8.",
    reply(200, Buffer.from(JSON.stringify({ data: [modelEntry("sim-café")] }), "latin1"), {
      "content-type": `${JSON_TYPE}; charset=utf-8`,
    }),
    expects("ok", 200, { modelCount: 1 }),
  ),
  scenario(
    "gzip",
    "A good list, compressed with gzip.",
    reply(200, gzipSync(LIST), { "content-type": JSON_TYPE, "content-encoding": "gzip" }),
    GOOD,
  ),
  scenario(
    "chunked",
    "A good list in many small chunks, without a length.",
    () =>
      stream(
        200,
        MODEL_IDS.flatMap((_, index) => inParts(index)),
        { "content-type": JSON_TYPE },
      ),
    GOOD,
  ),
  scenario(
    "space_around",
    "A good list after and before blank lines.",
    reply(200, `\r\n \t${LIST}\n\n`, { "content-type": JSON_TYPE }),
    GOOD,
  ),
];

/** One of as many parts of the list as there are models. */
function inParts(index: number) {
  const size = Math.ceil(LIST.length / MODEL_COUNT);
  return [write(LIST.slice(index * size, (index + 1) * size)), wait(5)];
}
