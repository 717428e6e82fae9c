import { expect, test } from "vitest";
import {
  archivedIncident,
  briefDiagnosis,
  publicDiagnosis,
  withoutHost,
} from "../../src/ledger/publish/public-text.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis, opened } from "../fixtures/outcome.ts";

test("a private endpoint's host, addresses and queries are gone from every text", () => {
  const said = diagnosis("upstream_unavailable", "down", {
    message: "dial tcp 10.1.2.3:443: lookup A.example failed for https://a.example/v1/models?key=1",
    requestId: "A.EXAMPLE:7",
  });
  const shown = publicDiagnosis(said, gateway("a"));
  expect(JSON.stringify(shown)).not.toMatch(/a\.example|10\.1\.2\.3|key=1/i);
  expect(publicDiagnosis(said, gateway("a", { showEndpoint: true }))).toEqual(said);
});

test("an archived incident hides a private host, and of a gateway that is gone has no words at all", () => {
  const said = diagnosis("upstream_unavailable", "down", { message: "lookup a.example", requestId: "r-7" });
  const kept = (...gateways: Parameters<typeof config>[0]) =>
    archivedIncident(opened(said, 0), config(gateways)).latestFailure?.diagnosis;
  expect(kept(gateway("a"))).toMatchObject({ message: "lookup $GATEWAY_HOST", requestId: "r-7" });
  expect(kept(gateway("b"))).toEqual({ ...said, message: null, requestId: null });
});

test.each([true, false])(
  "with showEndpoint %j the public reads no account and no address; own channels do",
  (showEndpoint) => {
    const message = "organization org-7a7a7a7a, user `joe`";
    const said = diagnosis("rate_limited", "degraded", {
      message: `${message} from 203.0.113.7`,
      errorType: "limit of org-7a7a7a7a",
      errorCode: "203.0.113.7",
      taskId: "projects/joe/operations/1",
      requestId: "org-7a7a7a7a",
    });
    const one = gateway("a", { showEndpoint });
    expect(publicDiagnosis(said, one)).toMatchObject({
      message: "organization [id], user [id] from [address]",
      errorType: "limit of [id]",
      errorCode: "[address]",
      taskId: "projects/[id]/operations/1",
      requestId: "org-7a7a7a7a",
    });
    expect(withoutHost(said, one).message).toContain(message);
    const archived = archivedIncident(opened(said, 0), config([one]));
    expect(archived.latestFailure?.diagnosis.message).toContain(message);
  },
);

test("a host that the limit of a text cut in its middle is gone too", () => {
  const long = "word ".repeat(60);
  const cut = (text: string, length: number): string => text.slice(0, length);
  const said = diagnosis("upstream_unavailable", "down", {
    message: cut(`${long.slice(0, 280)}https://secret-a.example/v1`, 300),
    errorCode: cut(`${"c".repeat(88)}_secret-a.example`, 100),
    requestId: cut(`${"r".repeat(90)}.192.168.101.102`, 100),
  });
  const shown = publicDiagnosis(said, gateway("a", { baseUrl: "https://secret-a.example" }));
  expect(shown.message).toBe(`${long.slice(0, 280)}https://$GATEWAY_HOST`);
  expect(shown.errorCode).toBe(`${"c".repeat(88)}_$GATEWAY_HOST`);
  expect(shown.requestId).toBe(`${"r".repeat(90)}.$GATEWAY_HOST`);
});

test("a host that was cut is gone also where the id of an account stands before it", () => {
  const message = `user \`joe\`, organization org-7a7a7a7a7a7a7a7a ${"word ".repeat(51)}at`.slice(0, 294);
  const said = diagnosis("upstream_unavailable", "down", { message: `${message} secre` });
  const shown = publicDiagnosis(said, gateway("a", { baseUrl: "https://secret-a.example" }));
  expect(shown.message).toMatch(/^user \[id\], organization \[id\] word .* \$GATEWAY_HOST$/u);
});

test("short texts stay as they are", () => {
  const short = diagnosis("business_error", "down", { message: "余额不足", errorCode: "code_1" });
  expect(briefDiagnosis(short)).toEqual(short);
});

test("long ones are cut between characters, and say so", () => {
  const long = diagnosis("business_error", "down", {
    message: "网关😀".repeat(60),
    errorType: "类".repeat(100),
    requestId: "r".repeat(100),
  });
  const brief = briefDiagnosis(long);
  expect(brief.message).toBe(`${"网关😀".repeat(29)}网关…`);
  expect(brief.errorType).toBe(`${"类".repeat(31)}…`);
  expect(brief.requestId).toBe(`${"r".repeat(39)}…`);
});
