import { describe, expect, it } from "vitest";
import { diagnosed } from "./answers.ts";

const CLOUDFLARE = { server: "cloudflare", "cf-ray": "9fa4e0001234beef-FRA" };
const REJECTED = "Request Rejected. The requested URL was rejected. Please consult with your administrator.";
const page = (title: string, inner = ""): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>${inner}</body></html>`;

describe("an outage is nobody's block and no wrong address, whatever its page says", () => {
  it.each([
    [500, "SQLSTATE[HY000]: General error: 1005 Can't create table"],
    [500, "<p>error 1003: cannot resolve table name</p>"],
    [500, page("Error", "project not found")],
    [502, "error 1016 can't open file"],
    [502, "upstream websocket error code 1011"],
    [502, page("Human check", "captcha service unavailable")],
    [503, "error code: 1006"],
    [503, page("Maintenance", "Our security policy team is working")],
    [503, page("503", "access denied to backend, reference #7")],
    [503, page("Application not found")],
    [503, page("Just a moment...", "The service restarts.")],
  ])("%d %s", (status, body) => {
    const cause = status === 500 ? "service_misconfigured" : "upstream_unavailable";
    expect(diagnosed(status, body)).toMatchObject({ cause, health: "down" });
    expect(diagnosed(status, body, { headers: { server: "nginx" } }).cause).toBe(cause);
  });

  it("not even where the origin stands behind an edge that adds its script to the origin's page", () => {
    const script = "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>";
    const body = page("Down", `Our captcha service is down. ${script}`);
    expect(diagnosed(503, body, { headers: CLOUDFLARE }).cause).toBe("upstream_unavailable");
  });

  it("and a database's error behind an edge is not the edge's", () => {
    const body = "ERROR 1020 (HY000): Record has changed";
    expect(diagnosed(500, body, { headers: CLOUDFLARE }).cause).toBe("service_misconfigured");
    expect(diagnosed(400, "Error 1004: bad", { headers: CLOUDFLARE }).cause).toBe("malformed_request");
  });
});

describe("an edge's own marks hold under a status that decides alone", () => {
  it.each([
    [503, page("Just a moment..."), CLOUDFLARE, "edge_blocked"],
    [503, "<script src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1'>", {}, "edge_blocked"],
    [503, '<div id="cf-error-details"><span>Error</span><span>1020</span></div>', {}, "edge_blocked"],
    [503, "error code: 1020", CLOUDFLARE, "edge_blocked"],
    [503, REJECTED, {}, "edge_blocked"],
    [401, page("x"), { "cf-mitigated": "challenge" }, "edge_blocked"],
    [500, "error code: 1003", {}, "wrong_url"],
    [500, "The plain HTTP request was sent to HTTPS port", {}, "wrong_url"],
    [530, page("Origin DNS error | x | Cloudflare", "Error 1016"), {}, "dns_failure"],
    [403, page("x | 1020: Access denied | Error code 1020 | Ray ID: 9f00"), {}, "edge_blocked"],
  ] as const)("%d %s", (status, body, headers, cause) => {
    expect(diagnosed(status, body, { headers }).cause).toBe(cause);
  });
});

describe("a page under a status that decides alone", () => {
  it.each([
    [401, "Your daily quota is exceeded", "authentication"],
    [402, "Rate limit", "insufficient_balance"],
    [429, "Daily limit exceeded", "rate_limited"],
    [500, "Please recharge your account", "service_misconfigured"],
    [502, "Insufficient balance", "upstream_unavailable"],
  ] as const)("%d, titled %s, is what the status says", (status, title, cause) => {
    expect(diagnosed(status, page(title)).cause).toBe(cause);
  });

  it("is no plain text, in which a gateway may name the caller's balance", () => {
    expect(diagnosed(502, "Insufficient balance").cause).toBe("insufficient_balance");
  });
});

describe("words under 5xx", () => {
  it.each(["health check overdue", "lease renewal is overdue, node drained", "no load balance available"])(
    "%s are not about money",
    (message) => {
      expect(diagnosed(503, { message }).cause).toBe("upstream_unavailable");
    },
  );

  it("a database that refuses the service does not refuse the caller", () => {
    const error = { code: "ER_ACCESS_DENIED_ERROR", message: "Access denied for user 'x'@'y'" };
    expect(diagnosed(500, { error }).cause).toBe("service_misconfigured");
    expect(diagnosed(500, { error: { code: "access_denied" } }).cause).toBe("permission_denied");
  });
});
