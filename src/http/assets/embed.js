/** A banner for other sites: what /embed.json of its own site says, as text in a shadow root. Until that answers, nothing is shown. */
"use strict";
(() => {
  const script = document.currentScript;
  const { gateway = "", target, lang = document.documentElement.lang, hideWhenUp } = script.dataset;
  const page = new URL("/embed.json", script.src);
  page.search = new URLSearchParams({ gateway, lang: lang.split("-")[0].toLowerCase() });
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  // The policy of the site around it may refuse the element <style>.
  const sheet = new CSSStyleSheet();
  root.adoptedStyleSheets = [sheet];
  const region = document.createElement("div");
  region.setAttribute("role", "status");
  root.append(region);
  const link = document.createElement("a");
  const svg = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);
  let last = null;
  let shown = null;
  const show = ({ tag, href, name, colon, tone, shape, text }) => {
    // What stays the same is not read out again.
    if (shown === name + tone + text) return;
    shown = name + tone + text;
    if (tone === "up" && hideWhenUp !== undefined) return region.replaceChildren();
    const [icon, path] = [svg("svg"), svg("path")];
    icon.setAttribute("viewBox", "0 0 16 16");
    icon.ariaHidden = true;
    icon.append(path);
    path.setAttribute("d", shape);
    const title = document.createElement("bdi");
    title.textContent = name;
    link.className = tone;
    link.href = page.origin + href;
    link.replaceChildren(icon, title, colon + text);
    region.lang = tag;
    if (!link.isConnected) region.replaceChildren(link);
  };
  const read = async () => {
    const answer = await fetch(page, { referrerPolicy: "no-referrer", signal: AbortSignal.timeout(20000) });
    if (!answer.ok) throw new Error(answer.status);
    const said = await answer.json();
    sheet.replaceSync(said.style);
    const place = target && document.querySelector(target);
    const hadFocus = last === null && place?.contains(document.activeElement);
    if (last === null && place) place.replaceChildren(host);
    else if (last === null) script.after(host);
    show((last = said));
    if (hadFocus) link.focus();
  };
  const load = () => {
    if (document.hidden || (last && !host.isConnected)) return;
    read().catch(() => last && show({ ...last, ...last.lost, tone: "unknown" }));
  };
  const start = () => {
    load();
    setInterval(load, 60000);
    document.addEventListener("visibilitychange", load);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
