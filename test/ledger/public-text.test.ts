import { expect, test } from "vitest";
import { openIncident } from "../../src/domain/incident.ts";
import { archivedIncident, briefDiagnosis, publicDiagnosis } from "../../src/ledger/publish/public-text.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

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
  const subject = { gatewayId: "a", monitorIds: ["a/models"], name: "a/models" };
  const incident = openIncident(subject, said, outcome({ diagnosis: said }), 0);
  const kept = (...gateways: Parameters<typeof config>[0]) =>
    archivedIncident(incident, config(gateways)).latestFailure?.diagnosis;
  expect(kept(gateway("a"))).toMatchObject({ message: "lookup $GATEWAY_HOST", requestId: "r-7" });
  expect(kept(gateway("b"))).toEqual({ ...said, message: null, requestId: null });
});

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

test("the status has short texts as they are, and says where it cuts long ones, between characters", () => {
  const short = diagnosis("business_error", "down", { message: "余额不足", errorCode: "code_1" });
  expect(briefDiagnosis(short)).toEqual(short);
  const message = `${"m".repeat(118)}😀 and more`;
  const brief = briefDiagnosis({ ...short, message, requestId: "r".repeat(41), errorType: "t".repeat(40) });
  expect(brief.message).toBe(`${"m".repeat(118)}…`);
  expect(brief.requestId).toBe(`${"r".repeat(39)}…`);
  expect(brief.errorType).toBe("t".repeat(40));
});
