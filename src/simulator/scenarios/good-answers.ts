/** Answers that are good, however odd they look. Pure data. */
import { gzipSync } from "node:zlib";
import { MODEL_COUNT, MODEL_IDS, modelEntry, modelList } from "../models.ts";
import { type Scenario, expects, scenario, scenarios } from "../scenario.ts";
import { json, reply, stream, text, wait, write } from "../wire.ts";

const LIST = JSON.stringify(modelList());
const ACCENTED = JSON.stringify(modelList(["sim-café", "sim-模型"]));
const JSON_TYPE = "application/json";

const goodOf = (modelCount: number) => expects("ok", 200, { modelCount });
const listBeside = (other: object) => json(200, { ...other, ...modelList() });
const inCharset = (body: string | Uint8Array, charset: string) =>
  reply(200, body, { "content-type": `${JSON_TYPE}; charset=${charset}` });

function tenThousand(): string {
  const ids = Array.from({ length: 10_000 }, (_, index) => `sim-model-${String(index + 1).padStart(5, "0")}`);
  return JSON.stringify(modelList(ids));
}

export const GOOD_ANSWERS: readonly Scenario[] = [
  ...scenarios(goodOf(MODEL_COUNT), [
    [
      "healthy",
      "The whole service works; a key must be one of the simulator's.",
      (call, world) => world.serve(call),
    ],
    ["any_key", "The whole service works, and every key is good.", (call, world) => world.serve(call)],
    ["models_text_plain", "A good model list as text/plain.", text(200, LIST)],
    ["models_no_type", "A good model list without a Content-Type.", reply(200, LIST)],
    ["code_zero", "A good list with the envelope's code 0.", listBeside({ code: 0 })],
    ["code_zero_string", 'A good list with code "0", a string.', listBeside({ code: "0" })],
    ["error_null", "A good list beside an error that is null.", listBeside({ error: null })],
    ["error_empty_object", "A good list beside an error that is an empty object.", listBeside({ error: {} })],
    ["success_true", "A good list that also says success.", listBeside({ success: true })],
    [
      "bom",
      "A good list after a byte order mark.",
      reply(200, `\uFEFF${LIST}`, { "content-type": JSON_TYPE }),
    ],
    [
      "gzip",
      "A good list, compressed with gzip.",
      reply(200, gzipSync(LIST), { "content-type": JSON_TYPE, "content-encoding": "gzip" }),
    ],
    [
      "chunked",
      "A good list in many small chunks, without a length.",
      () =>
        stream(
          200,
          MODEL_IDS.flatMap((_, index) => inParts(index)),
          { "content-type": JSON_TYPE },
        ),
    ],
    [
      "space_around",
      "A good list after and before blank lines.",
      reply(200, `\r\n \t${LIST}\n\n`, { "content-type": JSON_TYPE }),
    ],
  ]),
  scenario(goodOf(0), ["models_empty", "A model list with nothing in it.", json(200, modelList([]))]),
  scenario(goodOf(4), [
    "models_odd_entries",
    "A model list whose entries are a string, null, a number and an object without an id.",
    json(200, { data: ["sim-chat-small", null, 7, {}] }),
  ]),
  scenario(goodOf(10_000), [
    "ten_thousand_models",
    "A model list with 10,000 entries, about 900 kB.",
    () => reply(200, tenThousand(), { "content-type": JSON_TYPE }),
  ]),
  ...scenarios(goodOf(2), [
    [
      "charset_latin1_declared",
      "UTF-8 bytes under a Content-Type that says iso-8859-1.",
      inCharset(ACCENTED, "iso-8859-1"),
    ],
    [
      "utf16_with_mark",
      "UTF-16 with its byte order mark, as the Content-Type says.",
      inCharset(Buffer.from(`\uFEFF${ACCENTED}`, "utf16le"), "utf-16"),
    ],
    [
      "charset_utf16_declared",
      "UTF-8 bytes under a Content-Type that says utf-16.",
      inCharset(ACCENTED, "utf-16"),
    ],
    [
      "charset_unknown",
      "UTF-8 bytes under a charset that does not exist.",
      inCharset(ACCENTED, "x-no-such-charset"),
    ],
  ]),
  scenario(goodOf(1), [
    "latin1_bytes",
    "Latin-1 bytes, no valid UTF-8, under a Content-Type that says utf-8.",
    inCharset(Buffer.from(JSON.stringify({ data: [modelEntry("sim-café")] }), "latin1"), "utf-8"),
  ]),
];

/** One of as many parts of the list as there are models. */
function inParts(index: number) {
  const size = Math.ceil(LIST.length / MODEL_COUNT);
  return [write(LIST.slice(index * size, (index + 1) * size)), wait(5)];
}
