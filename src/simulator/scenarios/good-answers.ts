/** Answers that are good, however odd they look. Pure data. */
import { gzipSync } from "node:zlib";
import { MODEL_COUNT, MODEL_IDS, modelList } from "../api.ts";
import { type Scenario, expects, scenario, scenarios } from "../scenario.ts";
import { json, reply, stream, text, wait, write } from "../wire.ts";

const LIST = JSON.stringify(modelList());
const ACCENTED = JSON.stringify(modelList(["sim-café", "sim-模型"]));
const JSON_TYPE = "application/json";

const goodOf = (modelCount: number) => expects("ok", 200, { modelCount });
const listBeside = (other: object) => json(200, { ...other, ...modelList() });

function tenThousand(): string {
  const ids = Array.from({ length: 10_000 }, (_, index) => `sim-model-${String(index + 1).padStart(5, "0")}`);
  return JSON.stringify(modelList(ids));
}

export const GOOD_ANSWERS: readonly Scenario[] = [
  ...scenarios(goodOf(MODEL_COUNT), [
    ["healthy", (call, world) => world.serve(call)],
    ["any_key", (call, world) => world.serve(call)],
    ["models_text_plain", text(200, LIST)],
    ["models_no_type", reply(200, LIST)],
    ["code_zero", listBeside({ code: 0 })],
    ["error_empty_object", listBeside({ error: {} })],
    ["bom", reply(200, `\uFEFF${LIST}`, { "content-type": JSON_TYPE })],
    ["gzip", reply(200, gzipSync(LIST), { "content-type": JSON_TYPE, "content-encoding": "gzip" })],
    [
      "chunked",
      () =>
        stream(
          200,
          MODEL_IDS.flatMap((_, index) => inParts(index)),
          { "content-type": JSON_TYPE },
        ),
    ],
  ]),
  scenario(goodOf(0), ["models_empty", json(200, modelList([]))]),
  scenario(goodOf(10_000), [
    "ten_thousand_models",
    () => reply(200, tenThousand(), { "content-type": JSON_TYPE }),
  ]),
  ...scenarios(goodOf(2), [
    ["charset_latin1_declared", reply(200, ACCENTED, { "content-type": `${JSON_TYPE}; charset=iso-8859-1` })],
    ["utf16_with_mark", reply(200, Buffer.from(`\uFEFF${ACCENTED}`, "utf16le"))],
  ]),
];

/** One of as many parts of the list as there are models. */
function inParts(index: number) {
  const size = Math.ceil(LIST.length / MODEL_COUNT);
  return [write(LIST.slice(index * size, (index + 1) * size)), wait(5)];
}
