import { once } from "node:events";
import { connect as connectTls } from "node:tls";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { askRaw, bodyOf, headLines, openRaw, readToEnd } from "./raw-client.ts";

const simulator = await simulatorOfFile();

const NOT_ALLOWED = "The key may not use this model.";
const LIMITED = "HTTP/1.1 429 Too Many Requests";
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 526\r\n\r\n";

const ask = (scenario: string, headers = {}) => askRaw(simulator.baseUrl(scenario), { headers });

describe("statuses and headers", () => {
  test.each([
    ["models_text_plain", "HTTP/1.1 200 OK", "content-type: text/plain; charset=utf-8"],
    ["charset_latin1_declared", "HTTP/1.1 200 OK", "content-type: application/json; charset=iso-8859-1"],
    ["method_405", "HTTP/1.1 405 Method Not Allowed", "allow: POST"],
    ["challenge_403", "HTTP/1.1 403 Forbidden", "cf-mitigated: challenge"],
    ["html_429", LIMITED, "content-type: text/html; charset=utf-8"],
    ["rate_limited_0", LIMITED, "retry-after: 0"],
    ["rate_limited_1", LIMITED, "retry-after: 1"],
    ["rate_limited_30", LIMITED, "retry-after: 30"],
    ["rate_limited_31", LIMITED, "retry-after: 31"],
    ["rate_limited_3600", LIMITED, "retry-after: 3600"],
    ["rate_limited_huge", LIMITED, "retry-after: 99999999999999999999"],
    ["rate_limited_negative", LIMITED, "retry-after: -1"],
    ["rate_limited_fraction", LIMITED, "retry-after: 1.5"],
    ["rate_limited_empty", LIMITED, "retry-after: "],
    ["status_501", "HTTP/1.1 501 Not Implemented", "content-length: 15"],
    ["529", "HTTP/1.1 529 unknown", "content-type: application/json"],
    ["edge_521_html", "HTTP/1.1 521 unknown", "server: cloudflare"],
    ["edge_521_json", "HTTP/1.1 521 unknown", "content-type: application/problem+json"],
  ])("%s answers %s with %s", async (scenario, status, header) => {
    const lines = headLines(await ask(scenario));
    expect(lines[0]).toBe(status);
    expect(lines).toContain(header);
  });

  test("429 without Retry-After has none", async () => {
    expect((await ask("rate_limited")).bytes.toLowerCase()).not.toContain("retry-after");
  });

  test("the date of Retry-After is 60 s after the answer's own Date", async () => {
    const lines = headLines(await ask("rate_limited_date"));
    const valueOf = (name: string) =>
      Date.parse(lines.find((line) => line.startsWith(name))!.slice(name.length));
    expect(valueOf("retry-after: ") - valueOf("date: ")).toBe(60_000);
  });

  test("a request id is in the header, on top, or inside the error, and nowhere else", async () => {
    const inHeader = await ask("video_config_500");
    expect(headLines(inHeader).join()).toMatch(/x-request-id: req_sim_\d{6}/);
    expect(bodyOf(inHeader)).not.toContain("req_sim_");
    const onTop = await ask("request_id_on_top");
    expect(JSON.parse(bodyOf(onTop)).request_id).toMatch(/^req_sim_\d{6}$/);
    expect(headLines(onTop).join()).not.toContain("req_sim_");
    const inError = await ask("request_id_in_error");
    expect(JSON.parse(bodyOf(inError)).error.request_id).toMatch(/^req_sim_\d{6}$/);
    expect(JSON.parse(bodyOf(inError)).request_id).toBeUndefined();
    expect((await ask("messages_error")).bytes).not.toContain("req_sim_");
  });

  test("the request id of an answer is that of the recorded request", async () => {
    simulator.clear();
    const lines = headLines(await ask("html_502"));
    expect(lines).toContain(`x-request-id: ${simulator.requests[0]!.requestId}`);
  });
});

describe("bodies", () => {
  test.each([
    ["models_empty", '{"object":"list","data":[]}'],
    ["envelope_5000", '{"code":5000,"message":"Internal failure.","data":null}'],
    ["envelope_5000_string", '{"code":"5000","message":"Internal failure."}'],
    ["success_false", '{"success":false,"message":"The listing failed."}'],
    ["error_string", '{"error":"The listing failed."}'],
    ["null_200", "null"],
    ["no_data", '{"object":"list"}'],
    ["data_not_array", '{"data":{"models":[]}}'],
    ["empty_body", ""],
    ["status_204", ""],
    ["text_200", "It works!"],
    ["rate_limited_envelope", '{"code":429,"message":"Too many requests."}'],
    ["messages_403", `{"type":"error","error":{"type":"permission_error","message":"${NOT_ALLOWED}"}}`],
    ["edge_522_text", "error code: 522"],
    ["edge_530_1016_text", "error code: 1016"],
    ["edge_1003", "error code: 1003"],
  ])("%s is %s", async (scenario, body) => {
    expect(bodyOf(await ask(scenario))).toBe(body);
  });

  test("a cut list is the beginning of a good one", async () => {
    const whole = bodyOf(await ask("models_text_plain"));
    const cut = bodyOf(await ask("cut_json"));
    expect(cut.length).toBe(Math.floor(whole.length / 2));
    expect(whole.startsWith(cut)).toBe(true);
  });

  test("the byte order mark is there, as UTF-8", async () => {
    expect(bodyOf(await ask("bom")).slice(0, 4)).toBe("\u00ef\u00bb\u00bf{");
  });

  test("what is declared as Latin-1 is UTF-8, and the other way round", async () => {
    expect(bodyOf(await ask("charset_latin1_declared"))).toContain("sim-caf\u00c3\u00a9");
    expect(bodyOf(await ask("latin1_bytes"))).toContain("sim-caf\u00e9");
  });

  test("a problem of the edge names its own number", async () => {
    const problem = JSON.parse(bodyOf(await ask("edge_530_1016_json")));
    expect(problem).toMatchObject({ status: 530, error_code: 1016, cloudflare_error: true });
  });

  test("ten thousand models are ten thousand", async () => {
    expect(JSON.parse(bodyOf(await ask("ten_thousand_models"))).data).toHaveLength(10_000);
  });

  test("50 MB are 50 MiB of one JSON object", async () => {
    const answer = await ask("body_50mb");
    const head = ["HTTP/1.1 200 OK", "content-length: 52428800"];
    expect(headLines(answer)).toEqual(expect.arrayContaining(head));
    const body = bodyOf(answer);
    expect(body.length).toBe(52_428_800);
    expect(Object.keys(JSON.parse(body))).toEqual(["data"]);
  });

  test("the gzip bomb is under 200 kB on the wire and over 100 MB in memory", async () => {
    const answer = await ask("gzip_bomb");
    expect(headLines(answer)).toEqual(expect.arrayContaining(["HTTP/1.1 200 OK", "content-encoding: gzip"]));
    const body = Buffer.from(bodyOf(answer), "latin1");
    expect(body.length).toBeLessThan(200_000);
    expect(gunzipSync(body).length).toBe(160 * 1024 * 1024 + 11);
  });

  test.each([
    ["whole", "k/y+1=%"],
    ["url_encoded", "k%2Fy%2B1%3D%25"],
    ["base64", "ay95KzE9JQ=="],
    ["base64url", "ay95KzE9JQ"],
    ["percent_every_byte", "%6b%2f%79%2b%31%3d%25"],
    ["basic", "Basic dXNlcjprL3krMT0l"],
    ["first_half", "k/y+..."],
    ["last_half", "...+1=%"],
    ["hex", "6b2f792b313d25"],
  ])("the key comes back %s as %s", async (disguise, echoed) => {
    const answer = await ask(`echo_key_${disguise}`, { authorization: "Bearer k/y+1=%" });
    const message = `The key ${echoed} is not valid; got "authorization: ${echoed}".`;
    expect(JSON.parse(bodyOf(answer)).error.message).toBe(message);
  });

  test("the key comes back in headers, codes and ids too", async () => {
    const answer = await ask("echo_key_whole", { authorization: "Bearer planted-key" });
    expect(headLines(answer)).toContain("server: planted-key");
    expect(headLines(answer).join()).toMatch(/x-request-id: req_sim_\d{6}-planted-key/);
    expect(JSON.parse(bodyOf(answer))).toMatchObject({
      request_id: "planted-key",
      error: { code: "bad_planted-key", type: "planted-key", request_id: "planted-key" },
    });
    const status = await ask("echo_key_in_status_line", { authorization: "Bearer planted-key" });
    expect(headLines(status)[0]).toBe("HTTP/1.1 500 planted-key");
    const location = await ask("echo_key_in_location", { authorization: "Bearer planted-key" });
    expect(headLines(location)).toContain(`location: ${simulator.elsewhere}/?key=planted-key`);
  });
});

describe("connections", () => {
  test.each([
    ["reset_before_headers", "by a reset", ""],
    ["close_before_headers", "by the server", ""],
    ["reset_after_headers", "by a reset", HEAD],
    ["not_http", "by the server", "220 mail.simulator.invalid ready\r\n"],
  ])("%s ends %s after %j", async (scenario, ended, bytes) => {
    expect(await ask(scenario)).toEqual({ ended, bytes });
  });

  test("lengths lie in both directions", async () => {
    const tooLong = await ask("length_too_long");
    expect(headLines(tooLong)).toContain("content-length: 626");
    expect(bodyOf(tooLong)).toHaveLength(526);
    const tooShort = await ask("length_too_short");
    expect(headLines(tooShort)).toContain("content-length: 100");
    expect(bodyOf(tooShort)).toHaveLength(526);
  });

  test("chunks are garbage, or the last one is missing", async () => {
    const garbage = await ask("chunked_garbage");
    expect(headLines(garbage)).toContain("transfer-encoding: chunked");
    expect(bodyOf(garbage)).toBe("zz-no-size\r\n{}\r\n");
    expect(bodyOf(await ask("chunked_cut"))).toBe('5\r\n{"dat\r\n');
  });

  test.each(["crumbs", "length_too_short"])("%s, whole by its length, says that it closes", async (name) => {
    expect(headLines(await ask(name))).toContain("connection: close");
  });

  test.each([
    ["no_answer", ""],
    ["headers_then_silence", HEAD],
  ])("%s keeps the connection open after %j", async (scenario, bytes) => {
    const own = await startSimulator();
    const socket = openRaw(own.baseUrl(scenario));
    const answer = readToEnd(socket);
    if (bytes === "") await expect.poll(() => own.requests.length).toBe(1);
    else await once(socket, "data");
    expect(socket.closed).toBe(false);
    await own.close();
    expect((await answer).bytes).toBe(bytes);
  });

  test("a trickle is one byte at a time", async () => {
    const socket = openRaw(simulator.baseUrl("byte_a_second"));
    const parts: string[] = [];
    for await (const part of socket) {
      parts.push(String(part));
      if (parts.length === 3) break;
    }
    expect(parts[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(parts.slice(1)).toEqual(["{", '"']);
  });

  test("an endless body flows on past any limit", async () => {
    const socket = openRaw(simulator.baseUrl("body_endless"));
    let read = 0;
    for await (const part of socket) {
      read += (part as Buffer).length;
      if (read > 60 * 1024 * 1024) break;
    }
    expect(read).toBeGreaterThan(60 * 1024 * 1024);
  });
});

describe("below HTTP", () => {
  const causeOf = async (scenario: string) => {
    const failure: unknown = await fetch(simulator.baseUrl(scenario)).catch((error: unknown) => error);
    return ((failure as Error).cause as NodeJS.ErrnoException).code;
  };

  test.each([
    ["refused", "ECONNREFUSED"],
    ["tls_garbage", "ERR_SSL_WRONG_VERSION_NUMBER"],
    ["tls_untrusted", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ])("%s fails with %s", async (scenario, code) => {
    expect(await causeOf(scenario)).toBe(code);
  });

  test("the name that does not resolve is one that never can", () => {
    expect(new URL(simulator.baseUrl("unresolvable")).hostname).toMatch(/\.invalid$/);
  });

  test("the untrusted certificate is whole but for its issuer", async () => {
    const { hostname, port } = new URL(simulator.baseUrl("tls_untrusted"));
    const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const certificate = socket.getPeerX509Certificate()!;
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.subject).toBe("CN=other.gateway.invalid");
    const host = "other.gateway.invalid";
    expect(certificate.checkHost(host, { subject: "always" })).toBe(host);
    socket.destroy();
  });
});
