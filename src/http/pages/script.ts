/**
 * The pages' only script. Pages are whole without it; it shows times as the reader's clock does, ages in seconds, and loads
 * what is new every half minute, unless the reader is at work in the page. When nothing new comes any more it says so.
 */
import { assetPath } from "./asset-path.ts";

export const SCRIPT = `"use strict";
(() => {
  const { zone } = document.body.dataset;
  const isOwnZone = zone === Intl.DateTimeFormat().resolvedOptions().timeZone;
  const instant = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "long" });
  const hour = new Intl.DateTimeFormat("sv-SE", { timeStyle: "short" });
  const age = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
  const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const localize = (within) => {
    if (isOwnZone) return;
    for (const time of all("time", within)) {
      const isHour = "hour" in time.dataset;
      time.title = isHour ? time.textContent + " " + zone : time.textContent;
      time.textContent = (isHour ? hour : instant).format(new Date(time.dateTime)).replace("−", "-");
    }
    for (const drawn of all(".line title, .chart :is(title, caption)", within)) drawn.textContent += " (" + zone + ")";
    for (const words of all("[data-local]", within)) words.textContent = words.dataset.local;
  };
  const grow = (within) => {
    for (const words of all("[data-ago]", within)) {
      const ageMs = Math.max(0, Date.now() - Date.parse(words.dataset.ago));
      const [unit, size] = units.find(([, size]) => Math.round(ageMs / 1000) >= size) ?? units[3];
      words.textContent = age.format(-Math.floor(Math.round(ageMs / 1000) / size), unit);
      for (const lost of all("#lost", within)) lost.hidden = ageMs < Number(words.dataset.limit);
    }
  };
  const isBusy = () =>
    document.hidden || String(getSelection()) !== "" || document.activeElement?.closest("main") != null;
  // What has not changed stays as it is: not read out again, opened and scrolled as the reader left it.
  const change = (now, next) => {
    if (now.isEqualNode(next)) return;
    if (now.nodeName !== next.nodeName || now.nodeType !== 1 || whose(now) !== whose(next)) return now.replaceWith(next);
    for (const name of now.getAttributeNames()) if (name !== "open" && !next.hasAttribute(name)) now.removeAttribute(name);
    for (const { name, value } of next.attributes) if (now.getAttribute(name) !== value) now.setAttribute(name, value);
    const old = [...now.childNodes];
    const news = [...next.childNodes];
    for (const node of old.splice(news.length)) node.remove();
    news.forEach((node, index) => old[index] ? change(old[index], node) : now.append(node));
  };
  const whose = (element) => element.getAttribute("aria-labelledby");
  const loads = (of) => all("[src^='/assets/'], [href^='/assets/']", of).map((one) => one.outerHTML).join();
  const renew = async () => {
    if (isBusy()) return;
    const answer = await fetch(location.href, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(20000) });
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok || isBusy() || !next.querySelector("#main")) return;
    if (loads(next) !== loads(document)) return location.reload();
    localize(next);
    grow(next);
    for (const part of ["title", "link[rel=icon]", "main", "footer"]) change(document.querySelector(part), next.querySelector(part));
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
