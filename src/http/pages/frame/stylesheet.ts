/**
 * The pages' only stylesheet: one scale of type and one of space, colours for light and dark, and what a phone, a printer,
 * forced colours and people who see no colours need.
 */

export const STYLESHEET = `:root {
  color-scheme: light dark;
  --text: #1f2328; --soft: #59636e; --ground: #f6f8fa; --card: #fff; --line: #d1d9e0; --link: #0967d7;
  --up: #1a7b35; --degraded: #926100; --down: #cf222e; --blocked: #b34900; --unknown: #59636e;
  --xs: .8125rem; --sm: .875rem; --md: 1rem; --lg: 1.1875rem; --xl: 1.5rem; --xxl: 1.875rem;
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s6: 1.5rem; --s8: 2rem; --s12: 3rem;
  --round: .625rem;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --text: #f0f6fc; --soft: #9198a1; --ground: #0d1117; --card: #151b23; --line: #3d444d; --link: #58a6ff;
    --up: #3fb950; --degraded: #d29922; --down: #f85a52; --blocked: #de7331; --unknown: #8b949e;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: var(--s4); text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 0 var(--s4); max-width: 66rem; color: var(--text); background: var(--ground);
  font: var(--md)/1.55 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; overflow-wrap: anywhere;
}
a { color: var(--link); text-underline-offset: .15em; } a:has(> code) { text-underline-offset: .35em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
h1, h2, h3, h4, p, ul, ol, dl, figure, blockquote, pre, table { margin: 0; }
h1 { font-size: var(--xxl); line-height: 1.2; letter-spacing: -.01em; margin: var(--s6) 0 var(--s4); }
h2 { font-size: var(--lg); line-height: 1.3; margin-bottom: var(--s3); }
h3 { font-size: var(--md); line-height: 1.4; }
h4 { font-size: var(--sm); margin: var(--s4) 0 var(--s2); }
h2, h3 { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); justify-content: space-between; align-items: baseline; }
h2 a, h3 a { color: inherit; text-decoration-color: var(--soft); }
small { font-size: var(--xs); }
time { white-space: nowrap; }
small, footer, .soft { color: var(--soft); font-weight: 400; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; }
pre code { font-size: inherit; }
pre { white-space: pre-wrap; padding: var(--s3) var(--s4); }
main > * + * { margin-top: var(--s6); }
main > h1:not(.unseen) + * { margin-top: 0; }
main > h2 + *, main > p + p { margin-top: var(--s2); }
section > * + *, .verdict > * + *, .banner > * + * { margin-top: var(--s2); }

body > header { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s6); align-items: baseline; padding: var(--s6) 0 var(--s4); }
.site { font-weight: 700; font-size: var(--lg); margin-right: auto; }
.site a { color: inherit; text-decoration: none; }
.site a:hover { text-decoration: underline; }
nav ul, .paging ul { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); padding: 0; list-style: none; font-size: var(--sm); }
nav a, .paging a { display: inline-block; padding-block: var(--s1); }
.paging [aria-current] { color: inherit; font-weight: 700; text-decoration: none; }
.skip, .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: static; width: auto; height: auto; clip-path: none; display: inline-block; padding: var(--s2); }
footer { margin: var(--s12) 0 var(--s8); padding-top: var(--s4); font-size: var(--sm); border-top: 1px solid var(--line); }
footer p + p { margin-top: var(--s2); }

pre, .notice, .gateway, .incidents, .box, main > dl {
  background: var(--card); border: 1px solid var(--line); border-radius: var(--round);
}
.notice { padding: var(--s3) var(--s4); border-left: .375rem solid var(--link); }
.gateway, .incidents, .box, main > dl { padding: var(--s4) clamp(var(--s4), 3vw, var(--s6)); }
blockquote { padding: var(--s1) var(--s3); border-left: .25rem solid var(--line); color: var(--soft); }

.banner {
  --tone: var(--unknown);
  padding: var(--s4) clamp(var(--s4), 3vw, var(--s6)); border-radius: var(--round);
  border: 1px solid var(--tone); border-left-width: .625rem;
  background: color-mix(in srgb, var(--tone) 9%, var(--card));
}
.banner.ended { --tone: var(--soft); background: var(--card); }
.lost .banner:not(.ended), .banner.stale {
  --tone: var(--unknown); border: 3px dashed var(--tone);
  background: repeating-linear-gradient(135deg, var(--card) 0 1rem, color-mix(in srgb, var(--tone) 12%, var(--card)) 1rem 2rem);
}
.headline { font-size: var(--xl); line-height: 1.25; font-weight: 700; letter-spacing: -.01em; }
.fresh { font-size: var(--sm); color: var(--soft); }
#lost { padding: var(--s3) var(--s4); border: 3px dashed var(--unknown); border-radius: var(--round); font-weight: 600; }
.up { --tone: var(--up); } .degraded { --tone: var(--degraded); } .down { --tone: var(--down); }
.blocked { --tone: var(--blocked); } .unknown, .none, .stale, .paused { --tone: var(--unknown); }
.maintenance { --tone: var(--link); }
.banner.up { --tone: var(--up); } .banner.degraded { --tone: var(--degraded); } .banner.down { --tone: var(--down); }
.banner.blocked { --tone: var(--blocked); } .banner.maintenance { --tone: var(--link); }
.mark { color: var(--tone); font-size: var(--md); font-weight: 600; white-space: nowrap; }
.mark svg { fill: currentColor; fill-rule: evenodd; vertical-align: -.125em; margin-right: var(--s2); }
.mark.ended { --tone: var(--text); white-space: normal; }
.lost .verdict, .lost :is(.banner, .incidents, h2, h3) .mark:not(.ended) { --tone: var(--unknown); }
.failing, .incidents ul, .timeline { padding: 0; list-style: none; }
.failing li + li { margin-top: var(--s1); }

.incidents li { padding: var(--s3) 0; border-top: 1px solid var(--line); } .incidents li:last-child { padding-bottom: 0; }
.timeline li { position: relative; padding: 0 0 var(--s3) var(--s6); border-left: 2px solid var(--line); margin-left: var(--s2); }
.timeline li::before {
  content: ""; position: absolute; left: calc(-.375rem - 1px); top: .4em; width: .75rem; height: .75rem;
  border-radius: 50%; border: 2px solid var(--soft); background: var(--card);
}
.timeline li:last-child { border-left-color: transparent; }
.note { white-space: pre-line; padding-left: var(--s4); border-left: .25rem solid var(--line); }

.monitor { padding-top: var(--s4); border-top: 1px solid var(--line); }
.monitor > * + *, .verdict, .charts, .more { margin-top: var(--s3); }
.gateway > .monitor { margin-top: var(--s4); }
.verdict { padding-left: var(--s4); border-left: .25rem solid var(--tone); }
.links a { display: inline-block; margin-right: var(--s4); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: var(--s2) var(--s6); }
dt { color: var(--soft); font-size: var(--xs); }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.monitor dl { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s8); }
.monitor dd, .monitor p.soft { font-size: var(--sm); }
.monitor > h4 { margin-top: var(--s6); }
.monitor > h4 + * { margin-top: var(--s2); }
.monitor > ul { padding-left: var(--s6); }

.charts { display: grid; gap: var(--s3) var(--s8); align-items: start; }
@media (min-width: 44rem) { .charts:has(> :nth-child(2)) { grid-template-columns: 1fr 1fr; } }
.charts svg { display: block; width: 100%; height: 2.25rem; }
figcaption { display: flex; flex-wrap: wrap; gap: 0 var(--s4); justify-content: space-between; font-size: var(--xs); color: var(--soft); margin-top: var(--s1); }
.day { stroke-width: 28; stroke-dasharray: 6 2; } .day:not([stroke]) { stroke: var(--tone); }
.day.degraded { stroke-width: 20; } .day:is(.blocked, .maintenance) { stroke-width: 14; } .day.down { stroke-width: 11; } .day.unknown { stroke-width: 6; }
.run { fill: color-mix(in srgb, var(--tone) 25%, var(--card)); stroke: var(--tone); vector-effect: non-scaling-stroke; }
.hatch { position: absolute; } .hatch path { fill: var(--unknown); } .hatch rect { fill: color-mix(in srgb, var(--unknown) 12%, var(--card)); }
.mid, .high { fill: none; stroke: var(--link); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.high { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 2 4; }
.chart > p.soft { margin-top: var(--s2); }
.plot { display: grid; grid-template-columns: auto 1fr; gap: var(--s1) var(--s2); font-size: var(--xs); color: var(--soft); }
.plot svg { display: block; width: 100%; height: 9rem; border-bottom: 1px solid var(--line); border-left: 1px solid var(--line); }
.plot .ticks { display: flex; flex-direction: column; justify-content: space-between; text-align: right; font-variant-numeric: tabular-nums; }
.plot .hours { grid-column: 2; display: flex; justify-content: space-between; font-variant-numeric: tabular-nums; }
.grid { stroke: var(--line); vector-effect: non-scaling-stroke; }
.key { display: inline-block; width: 1.5rem; border-top: 2px solid var(--link); vertical-align: .25em; margin-right: var(--s1); }
.key.dashed { margin-left: var(--s3); }
.key.dashed { border-top: 2px dotted var(--soft); }
summary { font-size: var(--sm); color: var(--soft); cursor: pointer; padding: var(--s1) 0; width: fit-content; }
.scroll {
  overflow-x: auto; background-color: var(--card); background-repeat: no-repeat;
  background-image: linear-gradient(90deg, var(--card) 50%, transparent), linear-gradient(-90deg, var(--card) 50%, transparent),
    linear-gradient(90deg, color-mix(in srgb, var(--soft) 50%, transparent), transparent), linear-gradient(-90deg, color-mix(in srgb, var(--soft) 50%, transparent), transparent);
  background-position: 0, 100%, 0, 100%; background-size: 2rem 100%, 2rem 100%, .75rem 100%, .75rem 100%;
  background-attachment: local, local, scroll, scroll;
}
.scroll table { width: 100%; } .scroll :is(th, td) { white-space: nowrap; overflow-wrap: normal; }
.scroll td.cause { white-space: normal; min-width: 8rem; }
@media (max-width: 30rem) {
  .hours > :nth-child(even) { display: none; }
  .scroll :is(th, td) { padding-right: var(--s3); } .scroll tbody th:has(small) { white-space: normal; } .scroll th small { display: block; }
}
table { border-collapse: collapse; font-size: var(--sm); font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: var(--s1) var(--s4) var(--s1) 0; font-weight: 400; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { font-weight: 600; white-space: nowrap; }
td .mark { font-size: var(--sm); font-weight: 400; }

.api > * + *, .api article { margin-top: var(--s4); }
.api > section { margin-top: var(--s8); }
.api article > * + * { margin-top: var(--s2); }
.api h3 a { display: inline-block; padding-block: .125rem; }
.api dl { display: block; font-size: var(--sm); }
.api dl > div {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: 0 var(--s4);
  padding: var(--s1) 0; border-top: 1px solid var(--line);
}
.api .box > dl:first-child > div:first-child { border-top: 0; }
.api dt { color: inherit; font-size: inherit; }
.api > ul { padding-left: var(--s6); }
.api pre { background: var(--ground); }

form > * + * { margin-top: var(--s2); }
label { font-weight: 600; }
textarea, select, button {
  font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: .375rem; max-width: 100%;
}
textarea { display: block; width: 100%; padding: var(--s2) var(--s3); font: var(--sm)/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; resize: vertical; }
select, button { padding: var(--s1) var(--s3); min-height: 2.25rem; }
button { color: var(--card); background: var(--link); border-color: var(--link); font-weight: 600; cursor: pointer; }
.asked { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: center; }
main > .notes { margin-top: var(--s2); padding-left: var(--s6); }

@media (forced-colors: active) {
  .hatch path, .mark svg { fill: CanvasText; } .hatch rect { fill: Canvas; } .day:not([stroke]) { stroke: CanvasText; }
  .run { fill: Canvas; stroke: CanvasText; } .timeline li:last-child { border-left-color: Canvas; } .grid { stroke: CanvasText; } .plot svg { border-color: CanvasText; }
  .mid { stroke: LinkText; } .key { border-color: LinkText; } .high { stroke: CanvasText; } .key.dashed { border-color: CanvasText; }
}
@media print {
  :root { font-size: 10pt; color-scheme: light; --text: #000; --soft: #444; --ground: #fff; --card: #fff; --line: #999; }
  body { max-width: none; padding: 0; }
  nav, .skip, #lost, button { display: none; }
  textarea { field-sizing: content; }
  .banner, .incidents li, figure > svg, .plot, tr { break-inside: avoid; }
  h2, h3, h4, summary { break-after: avoid; }
  ::details-content { content-visibility: visible; block-size: auto; columns: 2; font-size: 8pt; }
  details table { width: 100%; font-size: inherit; } details :is(th, td) { padding-right: var(--s2); }
  .scroll { overflow: visible; background: none; } .scroll :is(th, td) { white-space: normal; }
  svg, .banner { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

/** It bears a hash of the contents, so that browsers may keep them for ever. */
export const STYLESHEET_PATH = "/assets/d8006026e495ee07.css";
