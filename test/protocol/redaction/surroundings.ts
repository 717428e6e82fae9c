/** Where gateways, clients and logs put a value: ways to write a text around it. */

export type Surround = (value: string) => string;

const inJson = (value: string): string => JSON.stringify(value);
const inSingleQuotes = (value: string): string =>
  `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
const inMarkup = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Nothing around the value says what it is. */
export const NEUTRAL: Readonly<Record<string, Surround>> = {
  alone: (value) => value,
  "a sentence": (value) => `The value ${value} was not accepted.`,
  "a sentence in Chinese": (value) => `请求失败：${value}，请重试`,
  brackets: (value) => `refused (${value})`,
  "a header line": (value) => `HTTP/1.1 400 Bad Request\r\nX-Detail: ${value}\r\nServer: nginx\r\n`,
  JSON: (value) => `{"detail":${inJson(value)},"status":400}`,
  "pretty JSON": (value) => JSON.stringify({ error: { detail: value, list: [value] } }, null, 2),
  "JSON in JSON": (value) => inJson(inJson(`{"detail":${inJson(value)}}`)),
  "a query string": (value) => `GET /v1/models?detail=${encodeURIComponent(value)}&page=2 HTTP/1.1`,
  "a form": (value) => new URLSearchParams({ page: "2", detail: value }).toString(),
  "a Python repr": (value) => `{'detail': ${inSingleQuotes(value)}, 'ok': False, 'next': None}`,
  "inspect of Node": (value) => `{ status: 400, detail: ${inSingleQuotes(value)}, next: [Object] }`,
  "a shell command": (value) => `gateway-tool inspect "${value}" --verbose`,
  "a log line": (value) => `2026-11-20T12:00:00.000Z ERROR relay detail=${value} status=400`,
  "a log line in JSON": (value) => `{"level":"error","ts":1763640000.1,"msg":${inJson(`got ${value} back`)}}`,
  Markdown: (value) => `- detail: \`${value}\`, **failed**\n\n| detail | n |\n|---|---|\n| ${value} | 1 |`,
  "an HTML attribute": (value) => `<p class="error" data-detail="${inMarkup(value)}">failed</p>`,
  HTML: (value) => `<h1>502</h1><p>Detail: ${inMarkup(value)}</p>`,
  XML: (value) => `<?xml version="1.0"?><Error><Detail>${inMarkup(value)}</Detail></Error>`,
  "an event stream": (value) => `event: error\ndata: {"detail":${inJson(value)}}\n\n`,
};

/** Only for ids and similar words: what gateways put beside their words about a key. */
export const BESIDE_KEYS: Readonly<Record<string, Surround>> = {
  "an answer about a key": (value) =>
    `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"},"request_id":${inJson(value)}}`,
  "an answer about a token": (value) =>
    `{"error":{"message":${inJson(`Invalid token (request id: ${value})`)},"type":"new_api_error"}}`,
  "an answer about a token in Chinese": (value) => `无效的令牌 (request id: ${value})`,
  "a header beside an Authorization": (value) => `authorization: required\r\nx-request-id: ${value}`,
};

/** The value stands where a secret stands. */
export const NAMED: Readonly<Record<string, Surround>> = {
  "a bearer header": (value) =>
    `> GET /v1/models HTTP/1.1\r\n> Authorization: Bearer ${value}\r\n> Accept: */*`,
  "a bare Authorization": (value) => `authorization: ${value}`,
  "a header of its own": (value) => `x-api-key: ${value}\nhost: api.example.com`,
  "a header of Google": (value) => `x-goog-api-key: ${value}`,
  "a header of Azure": (value) => `api-key: ${value}`,
  "a header in JSON": (value) => `{"headers":{"authorization":${inJson(`Bearer ${value}`)},"accept":"*/*"}}`,
  "a header of HAR": (value) => JSON.stringify({ name: "x-api-key", value }, null, 2),
  "a bearer of HAR": (value) => JSON.stringify([{ name: "Authorization", value: `Bearer ${value}` }]),
  "a cookie of HAR": (value) => JSON.stringify([{ name: "cookie", value: `a=b; sid=${value}` }]),
  "a bearer in a sentence": (value) => `upstream refused Bearer ${value} today`,
  JSON: (value) => `{"api_key":${inJson(value)},"model":"gpt-4o"}`,
  "JSON, as programs of Node write it": (value) => `{"apiKey":${inJson(value)}}`,
  "a secret in JSON": (value) => `{"client_secret": ${inJson(value)}}`,
  "a key in JSON": (value) => `{"items":[{"name":"prod","key":${inJson(value)},"status":1}]}`,
  "JSON in JSON": (value) => inJson(inJson(`{"access_token":${inJson(value)}}`)),
  "a query string": (value) => `https://api.example.com/v1?key=${encodeURIComponent(value)}&alt=sse`,
  "a form": (value) =>
    new URLSearchParams({ grant_type: "x", client_secret: value, scope: "a b" }).toString(),
  "a Python repr": (value) => `{'model': 'azure/gpt-4o', 'api_key': ${inSingleQuotes(value)}, 'n': 1}`,
  "a Python call": (value) => `OpenAI(api_key=${inSingleQuotes(value)}, timeout=30)`,
  "inspect of Node": (value) => `{ apiKey: ${inSingleQuotes(value)}, maxRetries: 2 }`,
  "a shell command": (value) => `curl https://api.example.com/v1/models -H "Authorization: Bearer ${value}"`,
  "an environment": (value) => `export OPENAI_API_KEY=${value}`,
  "an environment in quotes": (value) => `GATEWAY_SECRET="${value}"`,
  YAML: (value) => `gateway:\n  api_key: ${value}\n  model: gpt-4o`,
  "a log line": (value) => `level=error msg="request failed" api_key=${value} status=401`,
  "user info": (value) => `https://${encodeURIComponent(value)}@api.example.com/v1`,
  "user info with a name": (value) => `redis://admin:${encodeURIComponent(value)}@db.example.com:6379/0`,
  "basic credentials": (value) => `Authorization: Basic ${Buffer.from(`user:${value}`).toString("base64")}`,
  "a cookie": (value) => `Cookie: theme=dark; session=${value}; lang=en\r\nHost: a.example`,
  "a cookie that is set": (value) => `Set-Cookie: sid=${value}; Path=/; HttpOnly; Secure`,
  "the value of Set-Cookie": (value) =>
    `sid=${value}; Path=/; Expires=Fri, 20 Nov 2026 12:00:00 GMT; HttpOnly`,
  Markdown: (value) => `Use the API key \`${value}\` here`,
  "an HTML field": (value) => `<input type="hidden" name="api_key" value="${inMarkup(value)}">`,
  XML: (value) => `<Config><ApiKey>${inMarkup(value)}</ApiKey></Config>`,
  "a sentence": (value) => `Incorrect API key provided: ${value}. You can find your API key in the console.`,
  "a sentence in Chinese": (value) => `无效的令牌：${value}，请检查`,
};
