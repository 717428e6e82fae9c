/**
 * The pages' only script. Pages are whole without it; it shows times as the reader's clock does, ages in seconds, and loads
 * what is new every half minute, unless the reader is at work in the page. When nothing new comes any more it says so.
 */
import { assetPath } from "./asset-path.ts";

export const SCRIPT = `"use strict";
(() => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { zone } = document.body.dataset;
  const instant = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "long" });
  const hour = new Intl.DateTimeFormat("sv-SE", { timeStyle: "short" });
  const age = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
  const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const ago = (at) => {
    const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
    const [unit, size] = units.find(([, size]) => seconds >= size) ?? units[3];
    return age.format(-Math.floor(seconds / size), unit);
  };
  const localize = (within) => {
    if (zone === own) return;
    for (const time of all("time", within)) {
      const at = Date.parse(time.dateTime);
      if (Number.isNaN(at)) continue;
      const isHour = "hour" in time.dataset;
      time.title = isHour ? time.textContent + " " + zone : time.textContent;
      time.textContent = (isHour ? hour : instant).format(at).replace("−", "-");
    }
    for (const drawn of all(".line title, .chart :is(title, caption)", within)) drawn.textContent += " (" + zone + ")";
    for (const words of all("[data-local]", within)) words.textContent = words.dataset.local;
  };
  const grow = () => {
    for (const words of all("[data-ago]")) {
      const at = Date.parse(words.dataset.ago);
      words.textContent = ago(at);
      const lost = document.getElementById("lost");
      if (lost) lost.hidden = Date.now() - at < Number(words.dataset.limit);
    }
  };
  const busy = () => {
    const active = document.activeElement;
    return document.hidden || String(getSelection()) !== "" || (active !== null && active.closest("main") !== null);
  };
  const statusOf = (of) => of.querySelector("main > [role=status]");
  const loadsOf = (of) => all("script, link[rel=stylesheet]", of).map((one) => one.outerHTML);
  // What the reader has opened, and how far tables are scrolled.
  const kept = () => all("main details, main .scroll").map((one) => {
    const whose = one.closest("article")?.getAttribute("aria-labelledby");
    return [whose + (one.querySelector("summary")?.textContent ?? ""), one];
  });
  let said = statusOf(document)?.textContent;
  let seen = "";
  const put = (now, then) => {
    const [old, news] = [statusOf(document), statusOf(then.ownerDocument)];
    const nodes = [...then.childNodes];
    if (!old || !news || !now.contains(old)) return now.replaceChildren(...nodes);
    // What has not changed must not be read out again, and what has is where its place stays.
    for (const node of [...now.childNodes]) if (node !== old) node.remove();
    old.before(...nodes.slice(0, nodes.indexOf(news)));
    old.after(...nodes.slice(nodes.indexOf(news) + 1));
    if (news.dataset.said !== said) old.replaceChildren(...news.childNodes);
    old.className = news.className;
  };
  const show = (next) => {
    const status = statusOf(next);
    if (status) status.dataset.said = status.textContent;
    const news = status?.textContent;
    localize(next);
    const before = new Map(kept().map(([name, one]) => [name, [one.open, one.scrollLeft]]));
    for (const name of ["main", "footer"]) put(document.querySelector(name), next.querySelector(name));
    said = news;
    for (const [name, one] of kept()) [one.open, one.scrollLeft] = before.get(name) ?? [one.open, 0];
    document.title = next.title;
    document.querySelector("link[rel=icon]").href = next.querySelector("link[rel=icon]").href;
    grow();
  };
  const renew = async () => {
    if (busy()) return;
    const answer = await fetch(location.href, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(20000) });
    const text = await answer.text();
    if (!answer.ok || text === seen || busy()) return;
    const next = new DOMParser().parseFromString(text, "text/html");
    if (!next.querySelector("#main")) return;
    // It is made for another stylesheet, or another script.
    const loaded = loadsOf(document);
    if (!loadsOf(next).every((one) => loaded.includes(one))) return location.reload();
    seen = text;
    show(next);
  };
  const tryToRenew = () => renew().catch(() => undefined);
  localize(document);
  grow();
  setInterval(grow, 1000);
  setInterval(tryToRenew, 30000);
  document.addEventListener("visibilitychange", tryToRenew);
})();
`;

let path: string | null = null;

export function scriptPath(): string {
  path ??= assetPath(SCRIPT, "js");
  return path;
}
