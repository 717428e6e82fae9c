/**
 * The pages' only script. Pages are whole without it. It shows times in the reader's clock, ages in seconds and the values
 * of charts, and loads what is new every half minute, unless the reader has marked words. When nothing new comes any more
 * it says so, and no status looks fresh. It copies reports.
 */
"use strict";
(() => {
  const { zone } = document.body.dataset;
  const isOwnZone = zone === Intl.DateTimeFormat().resolvedOptions().timeZone;
  const instant = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "long" });
  const hour = new Intl.DateTimeFormat("sv-SE", { timeStyle: "short" });
  const age = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
  const units = [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
    ["second", 1],
  ];
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const write = (to, name, value) => {
    if (to[name] !== value) to[name] = value;
  };
  const localize = (within) => {
    if (isOwnZone) return;
    for (const time of all("time", within)) {
      const isHour = "hour" in time.dataset;
      const isAge = "age" in time.dataset || "ago" in time.dataset;
      const own = (isHour ? hour : instant).format(new Date(time.dateTime)).replace("−", "-");
      if (isAge) {
        time.title = own;
        continue;
      }
      time.title ||= isHour ? time.textContent + " " + zone : time.textContent;
      time.textContent = own;
    }
    for (const words of all("[data-local]", within)) words.textContent = words.dataset.local;
  };
  const day = new Intl.DateTimeFormat(document.documentElement.lang, {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  // A day of the site, or a half hour.
  const stepAt = (from, step) =>
    from.length === 10
      ? day.format(Date.parse(from) + step * 86400000)
      : hour.format(Date.parse(from) + step * 1800000);
  const share = new Intl.NumberFormat(document.documentElement.lang, {
    style: "percent",
    maximumFractionDigits: 2,
    roundingMode: "floor",
  });
  const latency = new Intl.NumberFormat(document.documentElement.lang, {
    style: "unit",
    unit: "millisecond",
    useGrouping: false,
  });
  // The words of kinds and healths are those of the legend.
  const wordsOf = (kind) =>
    document
      .querySelector(".legend ." + kind)
      .closest("li")
      .textContent.trim();
  const healths = ["up", "degraded", "down", "blocked", "unknown"];
  const daysOf = ({ kinds, uptime }) => {
    const shares = uptime.split(",");
    const days = kinds.split(",").flatMap((run) => {
      const [kind, count] = run.split(" ");
      return Array(Number(count)).fill(kind);
    });
    return days.map((kind, step) =>
      [wordsOf(kind), kind !== "up" && shares[step] !== "" && share.format(shares[step])].filter(Boolean),
    );
  };
  const hoursOf = ({ health, middle, high }) =>
    [...health].map((digit, step) => {
      const [half, most] = [middle, high].map((values) => values?.split(",")[step]);
      const told = [healths[digit] !== "up" && wordsOf(healths[digit] ?? "none")];
      if (half) told.push((most ? "p50 " : "") + latency.format(half));
      if (most) told.push("p95 " + latency.format(most));
      return told.filter(Boolean);
    });
  const stepsOf = ({ dataset }) => (dataset.kinds ? daysOf(dataset) : hoursOf(dataset));
  const tip = document.createElement("p");
  tip.className = "tip";
  tip.setAttribute("role", "status");
  document.body.append(tip);
  const hideValue = () => write(tip, "textContent", "");
  const showValue = (chart, asked) => {
    const steps = stepsOf(chart);
    const step = Math.max(0, Math.min(asked, steps.length - 1));
    const { left, top, width } = chart.getBoundingClientRect();
    chart.step = step;
    write(tip, "textContent", stepAt(chart.dataset.from, step) + ": " + steps[step].join(", "));
    const half = tip.offsetWidth / 2 + 4;
    const middle = left + (width * (step + 0.5)) / steps.length;
    tip.style.left = Math.max(half, Math.min(middle, innerWidth - half)) + "px";
    tip.style.top = top + scrollY + "px";
  };
  const chartOf = (event) => (event.target instanceof Element ? event.target.closest("[data-from]") : null);
  const point = (event) => {
    const chart = chartOf(event);
    if (!chart) return hideValue();
    const { left, width } = chart.getBoundingClientRect();
    showValue(chart, Math.floor(((event.clientX - left) / width) * stepsOf(chart).length));
  };
  // All charts are one stop of the tab key: arrows lead from value to value, and up and down to the next chart.
  const press = (event) => {
    const chart = chartOf(event);
    if (event.key === "Escape") hideValue();
    if (!chart || event.altKey || event.ctrlKey || event.metaKey) return;
    const charts = all("[data-from]");
    const to = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const step = { ArrowLeft: chart.step - 1, ArrowRight: chart.step + 1, Home: 0, End: 999 }[event.key];
    if (to) charts[charts.indexOf(chart) + to]?.focus();
    else if (step !== undefined) showValue(chart, step);
    else return;
    event.preventDefault();
  };
  // The words of a drawing become its label, so that the browser does not show them beside its values.
  const prepare = (within) => {
    for (const [index, chart] of all("[data-from]", within).entries()) {
      const title = chart.querySelector("title");
      chart.setAttribute("aria-label", title.textContent);
      chart.setAttribute("tabindex", index === 0 ? 0 : -1);
      title.remove();
    }
    // Only a secure page may copy.
    for (const button of all("[data-report]", within)) button.hidden = !navigator.clipboard;
  };
  // Until a newer page comes: nothing looks well any more, in the tab neither.
  const lose = (lost, within) => {
    if (!lost.hidden) return;
    lost.hidden = false;
    within.body.className = "lost";
    within.title = lost.dataset.title + within.title;
    within.querySelector("link[rel=icon]").href = lost.dataset.icon;
  };
  const grow = (within = document) => {
    for (const words of all("[data-ago]", within)) {
      const seconds = Math.max(0, Math.round((Date.now() - Date.parse(words.dataset.ago)) / 1000));
      const [unit, size] = units.find(([, least]) => seconds >= least) ?? units[3];
      write(words, "textContent", age.format(-Math.floor(seconds / size), unit));
    }
    const lost = within.querySelector("#lost");
    if (lost && Date.now() - Date.parse(lost.dataset.since) >= lost.dataset.limit) lose(lost, within);
  };
  const keyOf = (node) =>
    node.nodeType !== 1
      ? node.nodeType
      : (node.getAttribute("aria-labelledby") ?? (node.id || node.localName + node.classList[0]));
  const hasFocus = (node) => node.contains(document.activeElement);
  // What stays is neither replaced nor read out again: it is open, scrolled and in focus as the reader left it.
  const change = (now, next) => {
    if (now.isEqualNode(next)) return;
    if (now.nodeType !== 1) return write(now, "nodeValue", next.nodeValue);
    for (const name of now.getAttributeNames())
      if (name !== "open" && !next.hasAttribute(name)) now.removeAttribute(name);
    for (const { name, value } of next.attributes)
      if (name !== "open" && now.getAttribute(name) !== value) now.setAttribute(name, value);
    const old = Map.groupBy(now.childNodes, keyOf);
    const pairs = [...next.childNodes].map((node) => [old.get(keyOf(node))?.shift() ?? node, node]);
    const gone = [...old.values()].flat();
    const held = gone.find(hasFocus);
    for (const node of gone) if (node !== held) node.remove();
    let place = now.firstChild;
    for (const [node, from] of pairs) {
      change(node, from);
      if (place === held) place = held?.nextSibling;
      // To be moved is to lose the focus: what stands before it is moved instead.
      while (hasFocus(node) && place !== node) {
        place = place.nextSibling;
        now.append(place.previousSibling);
      }
      if (place === node) place = node.nextSibling;
      else now.insertBefore(node, place);
    }
  };
  const isBusy = () => document.hidden || String(getSelection()) !== "";
  const loads = (of) =>
    all("[src^='/assets/'], [href^='/assets/']", of)
      .map((one) => one.outerHTML)
      .join();
  const renew = async () => {
    if (isBusy()) return;
    const { href } = location;
    const answer = await fetch(href, {
      headers: { accept: "text/html" },
      signal: AbortSignal.timeout(20000),
    });
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok || isBusy() || href !== location.href || !next.querySelector("#main")) return;
    if (loads(next) !== loads(document)) return location.reload();
    localize(next);
    prepare(next);
    grow(next);
    for (const part of ["title", "link[rel=icon]", "main", "footer"])
      change(document.querySelector(part), next.querySelector(part));
    write(document.body, "className", next.body.className);
  };
  const reportAt = async (address) => {
    if (address.startsWith("#")) return document.querySelector(address).textContent;
    const answer = await fetch(address, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("pre").textContent;
  };
  const copy = async ({ dataset, nextElementSibling: told }) => {
    // A promise, because a browser may forget the click while it waits.
    const text = reportAt(dataset.report).then((report) => new Blob([report], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
    told.textContent = dataset.copied;
  };
  const click = ({ target }) => {
    const button = target.closest("[data-report]");
    if (button) copy(button).catch(() => location.assign(button.dataset.report));
  };
  const tryToRenew = () => void renew().catch(() => undefined);
  // The filter answers while the reader types.
  let typing = 0;
  const filter = ({ target }) => {
    if (!target.form?.matches(".filter")) return;
    clearTimeout(typing);
    typing = setTimeout(() => {
      history.replaceState(null, "", "?" + new URLSearchParams(new FormData(target.form)));
      tryToRenew();
    }, 150);
  };
  localize(document);
  prepare(document);
  grow();
  setInterval(grow, 1000);
  setInterval(tryToRenew, 30000);
  document.addEventListener("visibilitychange", tryToRenew);
  document.addEventListener("click", click);
  for (const type of ["pointermove", "pointerdown"]) document.addEventListener(type, point);
  document.addEventListener("keydown", press);
  document.addEventListener("focusin", (event) => {
    const chart = chartOf(event);
    if (chart) showValue(chart, chart.step ?? Infinity);
  });
  document.addEventListener("focusout", hideValue);
  document.addEventListener("input", filter);
})();
