/** `/admin` in a browser without scripts: who may log in, what its buttons ask of the Ledger, and what is refused. */
import { beforeEach, expect, test, vi } from "vitest";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import type { AdminRequest } from "../../src/domain/tick.ts";
import type * as app from "../../src/http/app.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { yesTo } from "./admin-desk.ts";
import { NOW_MS, gatewayDocument, incidentDocument, publishedIncident, statusDocument } from "./documents.ts";
import { BROWSER, headersOf } from "./every-route.ts";
import { readHtml } from "./html.ts";
import { faultsOf } from "./markup.ts";
import { depsOf, useWorld } from "./published-status.ts";

const TOKEN = "correct-horse-battery-staple";
const INCIDENT = incidentDocument();
const PAGE = `/admin/incidents/${INCIDENT.id}`;
const GATEWAY = "/admin/gateways/acme";
const SITE = "https://status.example";

const world = useWorld();
// The pages are no part of the API's description, which holds other answers (described-answers.ts).
const { handleRequest } = await vi.importActual<typeof app>("../../src/http/app.ts");

beforeEach(async () => {
  const tail = { incidents: [publishedIncident()] };
  await world.publish(statusDocument({ gateways: [gatewayDocument()], incidents: [INCIDENT] }), tail);
});

/** A browser that keeps cookies as it should, and sends what the forms of a page hold. */
class Phone {
  nowMs = NOW_MS;
  adminToken: string | null = TOKEN;
  readonly orders: AdminRequest[] = [];
  readonly cookies = new Map<string, string>();
  mayTry: AppDeps["mayTry"] = async () => true;
  incident = INCIDENT;

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { ...BROWSER, ...(path.startsWith("/admin") && cookie !== "" && { cookie }) };
    const deps = depsOf(world.kv, {
      adminToken: this.adminToken,
      mayTry: this.mayTry,
      now: () => this.nowMs,
      administer: async (order) => {
        if (!order.type.startsWith("read_")) this.orders.push(order);
        return { ok: true, value: order.type === "read_incident" ? this.incident : yesTo(order) };
      },
    });
    const response = await handleRequest(
      new Request(SITE + path, { redirect: "manual", headers, ...init }),
      deps,
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/u.exec(line) ?? [];
      if (value === "" || /max-age=0/iu.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    return this.send(path, { method: "POST", body: new URLSearchParams(fields) });
  }

  /** The button of that name on the page. */
  async press(page: string, button: string, typed: Readonly<Record<string, string>> = {}): Promise<Response> {
    const html = await (await this.send(page)).text();
    const form =
      html.split("<form").find((part) => part.split("</form>")[0]?.includes(`>${button}</button>`)) ?? "";
    const tag = new RegExp(`<button([^>]*)>${button}</button>`, "u").exec(form)?.[1] ?? "";
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/gu)];
    const action = attributeIn(tag, "formaction") ?? attributeIn(form, "action") ?? "";
    const name = attributeIn(tag, "name");
    return this.post(action, {
      ...Object.fromEntries(hidden.map(([, key = "", value = ""]) => [key, readHtml(value).texts.join("")])),
      ...(name !== null && { [name]: attributeIn(tag, "value") ?? "" }),
      ...typed,
    });
  }

  async logIn(name = "Anna", at = PAGE): Promise<Response> {
    const { headers } = await this.send(at);
    return this.press(headers.get("location") ?? at, "Log in", { token: TOKEN, name });
  }
}

function attributeIn(tag: string, name: string): string | null {
  return new RegExp(` ${name}="([^"]*)"`, "u").exec(tag)?.[1] ?? null;
}

async function loggedIn(): Promise<Phone> {
  const phone = new Phone();
  await phone.logIn();
  return phone;
}

test("who is not logged in gets the form to log in, and then the page that was asked for", async () => {
  const phone = new Phone();
  const asked = await phone.send(PAGE);
  expect([asked.status, asked.headers.get("location")]).toEqual([
    303,
    `/admin?to=${encodeURIComponent(PAGE)}`,
  ]);
  const done = await phone.logIn();
  expect([done.status, done.headers.get("location")]).toEqual([303, PAGE]);
  expect(await (await phone.send(PAGE)).text()).toContain(">Acknowledge</button>");
  expect(await (await phone.send("/admin")).text()).toContain(`href="${PAGE}"`);
});

test("the language of the address stays: where a token is refused, at the login, and after what is done", async () => {
  const phone = new Phone();
  const refused = await phone.press("/admin?lang=zh", "登录", { token: "wrong" });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("令牌不正确。")]);
  expect((await phone.send("/admin/login?lang=zh")).headers.get("location")).toBe("/admin?lang=zh");
  await phone.press("/admin?lang=zh", "登录", { token: TOKEN });
  const done = await phone.press(`${GATEWAY}?lang=zh`, "立即检查");
  expect(done.headers.get("location")).toBe(`${GATEWAY}?lang=zh`);
});

const LATER = new Date(NOW_MS + HOUR_MS).toISOString();
const BY = { by: "Anna" };
const silence = (untilMs: number | null) => ({ type: "silence", incidentId: INCIDENT.id, untilMs, ...BY });

test.each<[page: string, button: string, typed: Record<string, string>, order: object]>([
  [PAGE, "Acknowledge", {}, { type: "acknowledge", incidentId: INCIDENT.id, ...BY }],
  [PAGE, "Check now", {}, { type: "probe_incident", incidentId: INCIDENT.id, ...BY }],
  [PAGE, "Silence for 1 h", {}, silence(NOW_MS + HOUR_MS)],
  [PAGE, "Silence for 4 h", {}, silence(NOW_MS + 4 * HOUR_MS)],
  [PAGE, "Silence until resolved", {}, silence(null)],
  [GATEWAY, "Pause for 1 h", {}, { type: "pause", subject: "acme", untilMs: NOW_MS + HOUR_MS, ...BY }],
  [GATEWAY, "Pause until resumed", {}, { type: "pause", subject: "acme", untilMs: null, ...BY }],
  [GATEWAY, "Check now", {}, { type: "probe_now", subject: "acme" }],
  [
    GATEWAY,
    "Plan maintenance",
    { from: LATER, for: "2h", title: "" },
    {
      type: "plan_maintenance",
      gateways: ["acme"],
      fromMs: NOW_MS + HOUR_MS,
      toMs: NOW_MS + 3 * HOUR_MS,
      title: "Planned maintenance",
    },
  ],
])("on %s, %s asks the Ledger and leads back", async (page, button, typed, order) => {
  const phone = await loggedIn();
  const done = await phone.press(page, button, typed);
  expect([done.status, done.headers.get("location")]).toEqual([303, page]);
  expect(phone.orders).toEqual([order]);
});

test("the page shows what the Ledger knows, before it is published, and a name is text", async () => {
  const phone = await loggedIn();
  const actions = [
    { at: INCIDENT.openedAt, type: "acknowledged", by: "<b>Anna</b>", until: null },
    { at: INCIDENT.openedAt, type: "silenced", by: null, until: LATER },
  ];
  phone.incident = { ...INCIDENT, acknowledgedAt: INCIDENT.openedAt, actions };
  const html = await (await phone.send(PAGE)).text();
  expect(html).toContain("Acknowledged by <bdi>&lt;b&gt;Anna&lt;/b&gt;</bdi>");
  expect(html).not.toContain(">Acknowledge</button>");
});

/** What a form sends that was filled after the log-in. */
async function filled(phone: Phone): Promise<Record<string, string>> {
  const html = await (await phone.send(PAGE)).text();
  return { form: /name="form" value="([^"]*)"/u.exec(html)?.[1] ?? "", to: PAGE };
}

const ACKNOWLEDGE = `${PAGE}/acknowledge`;

type Fields = Record<string, string>;

test.each<[what: string, forge: (phone: Phone, fields: Fields) => unknown]>([
  ["without its token", (_, fields) => Reflect.deleteProperty(fields, "form")],
  [
    "with the token of another session",
    async (_, fields) => Object.assign(fields, await filled(await loggedIn())),
  ],
  ["without the cookie", (phone) => phone.cookies.clear()],
  [
    "with a cookie that was changed",
    ({ cookies }) => {
      for (const [name, value] of cookies) cookies.set(name, value.replace(/^\d/u, "9"));
    },
  ],
  ["once more after the log-out", (phone) => phone.press(PAGE, "Log out")],
  ["after 12 hours", (phone) => (phone.nowMs += 12 * HOUR_MS)],
  ["with the cookie of an old ADMIN_TOKEN", (phone) => (phone.adminToken = `${TOKEN}-renewed`)],
])("a form %s does nothing", async (_, forge) => {
  const phone = await loggedIn();
  const fields = await filled(phone);
  await forge(phone, fields);
  const answer = await phone.post(ACKNOWLEDGE, fields);
  expect(answer.status).toBe(403);
  expect(await answer.text()).toContain("This form is too old.");
  expect(phone.orders).toEqual([]);
});

test("of a hundred wrong tokens those are judged that the limit lets through; then the right one waits, too", async () => {
  const phone = new Phone();
  let left = 10;
  const clients = new Set<string>();
  phone.mayTry = async (client) => {
    clients.add(client);
    left -= 1;
    return left >= 0;
  };
  const statuses: number[] = [];
  for (let n = 0; n < 100; n += 1)
    statuses.push((await phone.press("/admin", "Log in", { token: `wrong-token-number-${n}` })).status);
  expect(statuses).toEqual([...Array<number>(10).fill(403), ...Array<number>(90).fill(429)]);
  const late = await phone.press("/admin", "Log in", { token: TOKEN });
  expect([late.status, late.headers.get("retry-after")]).toEqual([429, "60"]);
  expect((await phone.send(PAGE)).status).toBe(303);
});

test("cookies are sent to /admin alone, over TLS, by no other site's form, and no script reads them", async () => {
  const phone = new Phone();
  const cookies = (await phone.logIn()).headers.getSetCookie();
  const manners = "Path=/admin; HttpOnly; SameSite=Lax; Secure";
  expect(cookies.map((cookie) => cookie.replace(/=[^;]*/u, ""))).toEqual([
    `gatepulse-session; Max-Age=43200; ${manners}`,
  ]);
});

test("html-validate finds nothing on these pages, in either language", async () => {
  for (const lang of ["en", "zh"]) {
    const phone = new Phone();
    expect(await faultsOf(await (await phone.send(`/admin?lang=${lang}`)).text())).toEqual([]);
    await phone.logIn();
    for (const path of [PAGE, GATEWAY, "/admin"]) {
      const html = await (await phone.send(`${path}?lang=${lang}`)).text();
      expect(html).toContain(`<html lang="${lang === "en" ? "en" : "zh-Hans"}">`);
      expect(await faultsOf(html), path).toEqual([]);
    }
  }
});

test("nobody else may keep or read these pages, and public ones are the same for who is logged in", async () => {
  const phone = new Phone();
  const before = await world.ask(PAGE.replace("/admin", ""), { headers: BROWSER });
  await phone.logIn();
  for (const path of [PAGE, GATEWAY, "/admin"]) {
    const { "cache-control": caching, ...others } = headersOf(await phone.send(path));
    expect(caching).toBe("private, no-store");
    expect(others).not.toHaveProperty("etag");
    expect(others).not.toHaveProperty("access-control-allow-origin");
  }
  const cookie = [...phone.cookies].map((pair) => pair.join("=")).join("; ");
  const after = await phone.send(PAGE.replace("/admin", ""), { headers: { ...BROWSER, cookie } });
  expect(headersOf(after)).toEqual(headersOf(before));
  expect(await after.text()).toBe(await before.text());
});

test.each([
  "https://evil.example/",
  "//evil.example",
  "/admin//evil.example/..\\",
  "javascript:alert(1)",
  "/admin/\n/evil",
])("to log in leads to no other place: %j", async (to) => {
  const phone = new Phone();
  const done = await phone.press(`/admin?to=${encodeURIComponent(to)}`, "Log in", { token: TOKEN, to });
  expect([done.status, done.headers.get("location")]).toEqual([303, "/admin"]);
});

test("without a fit ADMIN_TOKEN, or with nobody who counts the tries, there is nothing", async () => {
  const changes: Partial<Phone>[] = [{ adminToken: null }, { adminToken: "short" }, { mayTry: null }];
  for (const change of changes) {
    const phone = new Phone();
    Object.assign(phone, change);
    for (const path of ["/admin", PAGE]) expect((await phone.send(path)).status).toBe(404);
    expect((await phone.post("/admin/login", { token: TOKEN })).status).toBe(404);
  }
});

test("what the Ledger would not take is refused with its reason", async () => {
  const phone = await loggedIn();
  const answer = await phone.press(GATEWAY, "Plan maintenance", { for: "a while" });
  expect(answer.status).toBe(422);
  expect(phone.orders).toEqual([]);
  expect((await phone.send("/admin", { method: "PUT" })).status).toBe(405);
  for (const path of ["/admin/nope", "/admin/incidents", `${PAGE}/more`])
    expect((await phone.send(path)).status).toBe(404);
});
