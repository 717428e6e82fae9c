import * as fc from "fast-check";
import { plainView, viewsWithoutEscapes } from "../../../src/protocol/redaction/views.ts";
import { describe, expect, test } from "vitest";
import { REDACTED, createRedactor } from "../../../src/protocol/redaction/redact.ts";
import { NAMED, NEUTRAL } from "./surroundings.ts";
import { rounds } from "../../extent.ts";

const SECRET = 'sup3r-Secret/Value+With"quote\n<%41>\u{1f600}end';

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hexadecimal = (text: string): string => Buffer.from(text).toString("hex");
const eachByte = (spell: (hex: string, code: number) => string) => (text: string) =>
  [...Buffer.from(text)].map((code) => spell(code.toString(16).padStart(2, "0"), code)).join("");
const percent = eachByte((hex) => `%${hex}`);
const unicodeEscapes = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
const numericEntities = (text: string): string => Array.from(text, (c) => `&#${c.codePointAt(0)};`).join("");
const namedEntities = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Encodings that leave nothing of the secret beside the marker. */
const EXACT: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  encodeURIComponent: encodeURIComponent,
  "percent-encoding in lower case": (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (p) => p.toLowerCase()),
  "percent-encoding of every byte": percent,
  "percent-encoding twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "a form": (text) => new URLSearchParams({ a: text }).toString().slice(2),
  JSON: inJson,
  "JSON in JSON": (text) => inJson(inJson(text)),
  "JSON in JSON in JSON": (text) => inJson(inJson(inJson(text))),
  "JSON with escaped slashes": (text) => inJson(text).replaceAll("/", "\\/"),
  "JSON as Go writes it": (text) =>
    inJson(text).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026"),
  "unicode escapes": unicodeEscapes,
  "HTML entities": namedEntities,
  "HTML numeric entities": numericEntities,
  "HTML in JSON": (text) => inJson(namedEntities(text)),
  hexadecimal,
  "hexadecimal in upper case": (text) => hexadecimal(text).toUpperCase(),
  "upper case": (text) => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
};

/** Secrets of all characters, with those that encodings treat in their own way, or that look like escapes, more often. */
const anySecret = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 4 }),
      fc.constantFrom(
        ..."%41|\\n|\\|\"|'|&lt;|&|<|\n|\t|+| |-|_|/|=|%|u0041|é|密|\u{1f600}|:|,|}".split("|"),
      ),
      fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/),
    ),
    { minLength: 3, maxLength: 12 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text.length >= 12);
const anyPlainSecret = anySecret
  .filter((text) => !/[«»\0]/.test(text) && text.trim() === text)
  // What is nothing but escapes of a few characters is as short as these: too short to differ from ordinary text.
  .filter((text) => viewsWithoutEscapes(plainView(text)).every((view) => view.text.length >= 12));

describe("a known secret", () => {
  for (const [name, encode] of Object.entries(EXACT)) {
    test(`goes whole: ${name}`, () => {
      const redact = createRedactor([SECRET]);
      expect(redact(`before «${encode(SECRET)}» after`)).toBe(`before «${REDACTED}» after`);
    });
  }

  test.each("plain|JSON|JSON in JSON|percent-encoding of every byte|unicode escapes|hexadecimal".split("|"))(
    "of any characters goes whole: %s",
    (name) => {
      const encode = EXACT[name]!;
      fc.assert(
        fc.property(anyPlainSecret, (secret) => {
          // No words around it: with a letter of theirs its decoded letters may be twelve of the secret in a row.
          expect(createRedactor([secret])(`«${encode(secret)}»`)).toBe(`«${REDACTED}»`);
        }),
        { numRuns: rounds(30, 300) },
      );
    },
  );

  test("goes with the characters of base64 that share bits with it", () => {
    const redact = createRedactor(["abcdefghijklmnopq"]);
    expect(base64("u:abcdefghijklmnopq:x")).toBe("dTphYmNkZWZnaGlqa2xtbm9wcTp4");
    expect(redact("dTphYmNkZWZnaGlqa2xtbm9wcTp4")).toBe(`dT${REDACTED}p4`);
  });

  test("of 6 to 11 characters goes only as a whole, in any encoding", () => {
    const redact = createRedactor(['p"ss-w0rd']);
    expect(redact('wrong p"ss-w0rd given')).toBe(`wrong ${REDACTED} given`);
    expect(redact('{"m":"wrong p\\"ss-w0rd given"}')).toBe(`{"m":"wrong ${REDACTED} given"}`);
    expect(redact("p%22ss-w0rd")).toBe(REDACTED);
    expect(redact("ss-w0r")).toBe("ss-w0r");
    for (const before of ["", "a", "ab"]) {
      expect(redact(`<${base64(`${before}p"ss-w0rdx`)}>`)).toMatch(/^<[\w+/]{0,4}\[redacted\][\w+/=]{0,4}>$/);
    }
  });

  test("of fewer than 6 characters would take ordinary words along and stays", () => {
    expect(createRedactor(["", "a", "gpt-4"])("model gpt-4 is a model")).toBe("model gpt-4 is a model");
  });

  test("that stands twice, or beside another, leaves one marker a place", () => {
    const redact = createRedactor(["first-secret-1", "other-secret-2"]);
    expect(redact("first-secret-1other-secret-2 and first-secret-1")).toBe(`${REDACTED} and ${REDACTED}`);
  });

  test("goes where ids stay by shape alone", () => {
    const id = "05997465cd2ee4bd50b24b216c911b75";
    expect(createRedactor([])(`{"request_id":"${id}"}`)).toBe(`{"request_id":"${id}"}`);
    expect(createRedactor([id])(`{"request_id":"${id}"}`)).toBe(`{"request_id":"${REDACTED}"}`);
  });
});

test.each(["PHPSESSID", "JSESSIONID", "cf_clearance", "_cfuvid", "connect.sid", "ASP.NET_SessionId"])(
  "the value of the cookie %s goes, also alone",
  (name) => {
    const redact = createRedactor([]);
    expect(redact(`${name}=0a1b2c3d4e5f`)).toBe(`${name}=${REDACTED}`);
    expect(redact(`{"${name}":"0a1b2c3d4e5f"}`)).toBe(`{"${name}":"${REDACTED}"}`);
    expect(redact(`${name}ecar=0a1b2c3d4e5f`)).toContain("=0a1b2c3d4e5f");
  },
);

test.each(["admin_key", "X-Admin-Key", "AWS_ACCESS_KEY_ID", "access-key-id"])(
  "the value of %s goes, whatever it looks like",
  (name) => {
    expect(createRedactor([])(`{"${name}":"winter in the north"}`)).toBe(`{"${name}":"${REDACTED}"}`);
  },
);

test("a number called min_key stays", () => {
  expect(createRedactor([])('{"min_key":"0a1b2c3d4e5f"}')).toBe('{"min_key":"0a1b2c3d4e5f"}');
});

/** Encodings, and how many characters of each hold 12 of the secret at least. */
const ENCODINGS: readonly (readonly [string, twelve: number, encode: (text: string) => string])[] = [
  ["plain", 12, (text) => text],
  ["base64", 17, base64],
  ["base64 one byte on", 18, (text) => base64(`.${text}`)],
  ["base64 two bytes on", 20, (text) => base64(`.,${text}`)],
  ["base64 for URLs", 17, (text) => Buffer.from(text).toString("base64url")],
  ["hexadecimal", 24, hexadecimal],
  ["hexadecimal in capitals", 24, (text) => hexadecimal(text).toUpperCase()],
  ["percent", 36, percent],
  ["percent twice", 60, eachByte((hex) => `%25${hex}`)],
  ["JSON escapes", 72, eachByte((hex) => `\\u00${hex}`)],
  ["HTML entities", 72, eachByte((hex) => `&#x${hex};`)],
  ["escapes of bytes", 48, eachByte((hex) => `\\x${hex}`)],
];

/** A secret as people choose them and as programs make them, and a part of it of 12 characters at least. */
const anyPart = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9_+/.!~-]{12,64}$/), fc.nat(), fc.nat())
  .map(([secret, from, size]) => {
    const start = from % (secret.length - 11);
    return { secret, echoed: secret.slice(start, start + 12 + (size % (secret.length - start - 11))) };
  });
const place = fc.constantFrom(...Object.values(NEUTRAL), ...Object.values(NAMED));

test.each(ENCODINGS)("no 12 characters of what is known are left in any place: %s", (_, twelve, encode) => {
  fc.assert(
    fc.property(anyPart, place, ({ secret, echoed }, put) => {
      const encoded = encode(echoed);
      const left = createRedactor([secret])(put(encoded));
      for (let at = 0; at + twelve <= encoded.length; at += 1)
        expect(left).not.toContain(encoded.slice(at, at + twelve));
    }),
    { numRuns: rounds(30, 400) },
  );
});

const KEY = "xq7Ab3dEf6_hIj9LmN0pQr2TuV5xYz8AbC1dEf4G";
const redactKey = createRedactor([KEY]);

const between = (mark: string) => (key: string) => Array.from(key).join(mark);
const every = (size: number, mark: string, text: string): string =>
  (text.match(new RegExp(`.{1,${size}}`, "gs")) ?? []).join(mark);
const SPELLINGS: Readonly<Record<string, (key: string) => string>> = {
  "UTF-16 read as bytes": between("\0"),
  "with line ends every ten": (key) => every(10, "\n", key),
  "with a break every eleven": (key) => every(11, "<wbr>", key),
  "with zero-width spaces": between("\u200b"),
  "with soft hyphens": between("\u00ad"),
  "with bells": between("\u0007"),
  "in full width": eachByte((_, code) => String.fromCodePoint(code + 0xfee0)),
  "in entities without a semicolon": eachByte((_, code) => `&#${code}`),
  "in padded entities": eachByte((_, code) => `&#00000000${code};`),
  "in entities escaped twice": eachByte((_, code) => `&amp;amp;#${code};`),
  "in base64 cut every fourteen": (key) => every(14, "\n", base64(key)),
  "in base64 of base64 of a header": (key) => base64(base64(`Authorization: Bearer ${key}`)),
  "in base64 of UTF-16": (key) => Buffer.from(key, "utf16le").toString("base64"),
  "in base64 of JSON with escapes": (key) =>
    base64(JSON.stringify({ a: eachByte((hex) => `\\u00${hex}`)(key) })),
};

describe("a known key goes", () => {
  const anyKey = fc.stringMatching(/^(?:sk-)?[A-Za-z0-9]{20,30}[_-][A-Za-z0-9]{8,20}$/);
  const around = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `Incorrect key (${text}).`,
    (text) => JSON.stringify({ error: { message: `bad ${text} key` } }),
    (text) => `<p>错误：${text}</p>`,
  );

  test.each(Object.entries(SPELLINGS))("%s, for any key and any text around it", (_, spell) => {
    fc.assert(
      fc.property(anyKey, around, (key, put) => {
        const left = createRedactor([key])(put(spell(key)));
        expect(left).toContain(REDACTED);
        expect(left.length).toBeLessThan(put(spell("")).length + REDACTED.length + 25);
      }),
      { numRuns: rounds(5, 45) },
    );
  });

  test("in parts of 8 characters that are no words", () => {
    for (let start = 0; start + 8 <= KEY.length; start += 1) {
      const expected = `key starting with ${REDACTED} is bad`;
      expect(redactKey(`key starting with ${KEY.slice(start, start + 8)} is bad`)).toBe(expected);
    }
    expect(redactKey(`key ending in ${KEY.slice(-11)}`)).toBe(`key ending in ${REDACTED}`);
  });

  test("in any part of base64 that holds 8 of its characters", () => {
    for (const before of ["", "x", "xy"]) {
      const part = base64(before + KEY.slice(4, 12));
      expect(redactKey(`<${part}>`)).toContain(REDACTED);
    }
  });
});

describe("what a key shares with ordinary texts stays", () => {
  const named = createRedactor([
    "sk-proj-Ab3dEf6hIj9LmN0pQr2TuV5x",
    "demo-simulated-gateway-key",
    "acme-20261120-openai-Team01",
  ]);
  test.each([
    "Keys begin with sk-proj- and end with anything",
    "The simulated answer of the gateway, key missing",
    "the gateway is overloaded",
    "OpenAI: request 20261120 of 2026-11-20 failed, team01",
    "acme-2026 is no model",
  ])("%s", (text) => expect(named(text)).toBe(text));
});

const FRAGMENTS = [
  ...(
    "sk-|sk-...|sk-proj-abcDEF123456ghiJKL789|eyJhbGciOiJIUzI1NiJ9.e30.x|Bearer |Basic dXNlcjpwYXNz|api_key|key|" +
    'token|password|Authorization|cookie|secret|密钥|\\"|\\n|\\u0026|%3D|%22|&amp;|&quot;|***|...|…|@|a@b.example|' +
    "://u:p@h/|//|is|provided|-----BEGIN PRIVATE KEY-----|-----END PRIVATE KEY-----|" +
    "05997465cd2ee4bd50b24b216c911b75|abcdefgh12345678|hello|redacted|; Path=/|sid=abc|hooks.slack.com/services/|" +
    "T0/B0/x|correct-horse-battery"
  ).split("|"),
  ...":=\"'\\?&; \n()[]{},.[]".split(""),
  REDACTED,
];
const hostileText = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 30 }).map((parts) => parts.join(""));
const hostileJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostileText,
    fc.jsonValue(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom("api_key", "password", "message", "cookie", "token", "authorization", "n"),
      tie("value"),
    ),
  ),
})).value;

/** The structure without the texts: names and numbers may be secrets too. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === "object" && value !== null) return Object.values(value).length;
  return typeof value === "string" ? "text" : "other";
}

test.each([String.raw`%f4%90%80%80`, String.raw`\xf4\x90\x80\x80`, "%c3", "%e2%82"])(
  "a key behind bytes of no character is found: %s",
  (bytes) => {
    const key = "AKIAIOSFODNN7EXAMPLE";
    expect(createRedactor([])(bytes + key)).not.toContain(key);
  },
);

describe("JSON stays JSON", () => {
  test("under a secret that reaches across its syntax", () => {
    const redact = createRedactor(['abcdefghijkl","x":"mnopqrstuvw', "1234567890123456"]);
    const text = '{"k":"abcdefghijkl","x":"mnopqrstuvw","n":-1234567890123456,"s":"1234567890123456"}';
    expect(redact(text)).toBe(`{"k":"${REDACTED}","${REDACTED}":"${REDACTED}","n":null,"s":"${REDACTED}"}`);
  });

  test("where a secret follows an escape", () => {
    const text = '{"m":"line\\nnpm-abcdefghijkl \\u00e9abcdefghijklm"}';
    const redact = createRedactor(["npm-abcdefghijkl", "9abcdefghijklm"]);
    expect(JSON.parse(redact(text))).toEqual({ m: expect.stringContaining(REDACTED) });
  });

  test("where a single quote behind a key word has its like in another string", () => {
    const text = '{"a":["","key:\'"],"n":{"b":"0123456789abcdef\'"}}';
    expect(createRedactor([])(text)).toBe(text);
  });

  test("for any value, any secret and any name", () => {
    fc.assert(
      fc.property(hostileJson, anySecret, fc.boolean(), (value, secret, isPretty) => {
        const text = JSON.stringify(
          [value, { api_key: secret, note: `key ${secret}` }],
          null,
          isPretty ? 2 : 0,
        );
        expect(shapeOf(JSON.parse(createRedactor([secret])(text)))).toEqual(shapeOf(JSON.parse(text)));
      }),
      { numRuns: rounds(40, 500) },
    );
  });
});

describe("redacting twice changes nothing", () => {
  const redact = createRedactor(["correct-horse-battery-staple", "redacted"]);

  test("in text made of what it looks for", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = redact(text);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: rounds(300, 5000) },
    );
  });
});
