/**
 * The pages' only stylesheet: one scale of type and one of space, one colour for links and lines, colours of states for light
 * and dark, and what a phone, a printer, forced colours and people who see no colours need.
 */

export const STYLESHEET = `:root {
  color-scheme: light dark;
  --text: #17191e; --soft: #595e67; --ground: #fbfbf9; --card: #fff; --line: #dfdfd9; --link: #1f5fd0;
  --up: #1a7b4b; --day: #4c9f7b; --degraded: #985200; --down: #c4122f; --blocked: #6a3fc0; --unknown: #646972;
  --xs: .75rem; --sm: .875rem; --md: .9375rem; --lg: 1.0625rem; --xl: 1.25rem; --xxl: 1.75rem;
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s6: 1.5rem; --s8: 2rem;
  --round: .625rem;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --text: #eceef0; --soft: #a0a6ae; --ground: #101214; --card: #171a1d; --line: #30353b; --link: #82aef8;
    --up: #4fc389; --day: #38885f; --degraded: #eca44c; --down: #ff6b7a; --blocked: #b498ff; --unknown: #949aa3;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: var(--s4); text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 0 var(--s4); max-width: 69rem; color: var(--text); background: var(--ground);
  font: var(--sm)/1.45 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
a { color: var(--link); text-underline-offset: .2em; } a:has(> code) { text-underline-offset: .35em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
h1, h2, h3, p, ul, ol, dl, figure, blockquote, pre, table { margin: 0; }
h1 { font-size: var(--xxl); line-height: 1.2; letter-spacing: -.015em; }
h2 { font-size: var(--lg); line-height: 1.4; }
h3 { font-size: var(--sm); }
small { font-size: var(--xs); }
time { white-space: nowrap; }
small, footer, .soft { color: var(--soft); font-weight: 400; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; }
pre code { font-size: inherit; }
pre { white-space: pre-wrap; padding: var(--s3) var(--s4); }
main > * + * { margin-top: var(--s6); }
main > h2 + *, main > p + p, section > * + *, .answer > * + *, .verdict > * + * { margin-top: var(--s2); }

body > header { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s6); align-items: baseline; padding: var(--s4) 0; }
.site { font-weight: 600; font-size: var(--md); margin-right: auto; }
.site a, nav a, .rows a, .what a { color: inherit; text-decoration: none; }
:is(.site, nav, .rows, .what) a:hover { text-decoration: underline; }
nav ul { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); padding: 0; list-style: none; }
nav a { display: inline-block; padding-block: var(--s1); color: var(--soft); }
main nav a { color: var(--link); text-decoration: underline; }
.skip, .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: static; width: auto; height: auto; clip-path: none; display: inline-block; padding: var(--s2); }
footer { margin: var(--s8) 0 var(--s6); padding-top: var(--s4); font-size: var(--xs); border-top: 1px solid var(--line); }
footer p + p { margin-top: var(--s1); }

pre, .notice, .box, .do, .banner, .turns, .plot > svg { background: var(--card); border: 1px solid var(--line); border-radius: var(--round); }
.notice, .box, .do, .banner { padding: var(--s3) var(--s4); }
.notice { border-left: 3px solid var(--link); }
.box > ul { padding-left: var(--s6); }
blockquote { padding: var(--s1) var(--s3); border-left: 3px solid var(--line); color: var(--soft); }

.up { --tone: var(--up); } .degraded { --tone: var(--degraded); } .down { --tone: var(--down); }
.blocked { --tone: var(--blocked); } :is(.unknown, .none, .stale, .paused, .maintenance) { --tone: var(--unknown); }
.mark { color: var(--tone); font-weight: 600; white-space: nowrap; }
.mark svg { fill: currentColor; fill-rule: evenodd; width: 1em; height: 1em; vertical-align: -.125em; }
.mark:not(:has(> .unseen)) svg { margin-right: var(--s2); }
.mark.ended { --tone: var(--text); white-space: normal; }
.answer { font-size: var(--md); color: var(--soft); } .answer h1, .answer strong { color: var(--text); }
.answer.stale { padding: var(--s4); border: 3px dashed var(--unknown); border-radius: var(--round); background: var(--card); }
.headline { font-size: var(--xl); line-height: 1.3; font-weight: 600; color: var(--text); }
.fresh { margin-top: var(--s1); font-size: var(--md); color: var(--soft); }
#lost { padding: var(--s3) var(--s4); border: 3px dashed var(--unknown); border-radius: var(--round); font-weight: 600; }
.lost :is(.answer, .turns, .rows, .incidents, h2) .mark:not(.ended), .lost .verdict { --tone: var(--unknown); }
.banner { border-left: 3px solid var(--tone); }
.banner > * + * { margin-top: var(--s2); }

.turns > * + * { margin: 0; border-top: 1px solid var(--line); }
.turns > p { padding: var(--s2) var(--s4); }
.turn { display: grid; grid-template-columns: 10rem 1fr; gap: var(--s4); padding: var(--s3) var(--s4); border-left: 3px solid var(--tone); }
.turn { --tone: var(--down); } .turn.caller { --tone: var(--blocked); background: color-mix(in srgb, var(--tone) 7%, var(--card)); }
.turn.nobody { --tone: var(--degraded); } .turn:is(.planned, .stopped, .hidden) { --tone: var(--unknown); }
.turn h3 small { display: block; }
.turn ul, .incidents ul, .timeline { padding: 0; list-style: none; }
.turn li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.4fr) 5.5rem; gap: var(--s4); }
.turn li + li { margin-top: var(--s2); }
.turn b { margin-right: var(--s1); } .turn a > span { color: var(--soft); }
.age { text-align: right; color: var(--soft); }

.rows { width: 100%; }
.rows :is(th, td) { height: 2.75rem; padding: 0 var(--s3) 0 0; vertical-align: middle; border: 0; white-space: nowrap; overflow-wrap: normal; }
.rows thead th { height: auto; padding-bottom: var(--s1); font-size: var(--xs); font-weight: 400; color: var(--soft); }
.rows tbody { border-top: 1px solid var(--line); }
.rows tbody th { white-space: normal; overflow-wrap: anywhere; } .rows .more th { padding-left: var(--s6); }
.rows tr:hover > * { background: color-mix(in srgb, var(--soft) 7%, var(--ground)); }
.rows svg { display: block; width: 100%; height: 1.5rem; } .rows .mark svg { display: inline-block; width: 1em; height: 1em; }
.rows thead .days { width: 18rem; } .rows thead .hours { width: 9.5rem; } .rows thead :is(.uptime, .median, .checked) { width: 5.5rem; }
.rows :is(.uptime, .median, .checked) { text-align: right; }
.rows td.uptime, .rows th.uptime { padding-right: var(--s6); } .rows .checked { color: var(--soft); padding-right: 0; }
.paging { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); align-items: baseline; color: var(--soft); }

.incidents li { padding: var(--s2) 0; border-top: 1px solid var(--line); }
.do { border-left: 3px solid var(--tone); }
.button { display: inline-block; padding: var(--s2) var(--s4); margin: 0 var(--s2) var(--s2) 0; border-radius: .4375rem; background: var(--text); color: var(--ground); text-decoration: none; font-weight: 600; }
.timeline li { position: relative; padding: 0 0 var(--s3) var(--s6); border-left: 2px solid var(--line); margin-left: var(--s2); }
.timeline li::before {
  content: ""; position: absolute; left: calc(-.375rem - 1px); top: .35em; width: .75rem; height: .75rem;
  border-radius: 50%; border: 2px solid var(--soft); background: var(--card);
}
.timeline li:last-child { border-left-color: transparent; }
.note { white-space: pre-line; padding-left: var(--s4); border-left: 3px solid var(--line); }

.monitor { padding-top: var(--s4); border-top: 1px solid var(--line); }
.monitor > * + * { margin-top: var(--s3); }
.monitor > h2 { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); justify-content: space-between; align-items: baseline; }
.monitor > h3 { margin-top: var(--s6); }
.verdict { padding-left: var(--s4); border-left: 3px solid var(--tone); }
.links a { display: inline-block; margin-right: var(--s4); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(12rem, 100%), 1fr)); gap: var(--s3) var(--s6); }
dt { color: var(--soft); font-size: var(--xs); }
dd { margin: 0; }
.monitor > ul { padding-left: var(--s6); }

figure.days svg { display: block; width: 100%; height: 2.25rem; }
figcaption { display: flex; flex-wrap: wrap; gap: 0 var(--s4); justify-content: space-between; font-size: var(--xs); color: var(--soft); margin-top: var(--s1); }
.day { stroke: var(--tone); stroke-width: 28; } .day.up { stroke: var(--day); }
.day.degraded { stroke-width: 20; } .day.blocked { stroke-width: 14; } .day.down { stroke-width: 11; } .day.unknown { stroke-width: 8; }
.day:is(.maintenance, .none) { stroke: var(--unknown); stroke-width: 3; }
.run { fill: color-mix(in srgb, var(--tone) 25%, var(--card)); stroke: var(--tone); vector-effect: non-scaling-stroke; }
.mid, .high { fill: none; stroke: var(--link); stroke-width: 1.5; stroke-linejoin: round; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.high { stroke: var(--soft); stroke-dasharray: 2 4; }
.plot { display: grid; grid-template-columns: auto 1fr; gap: var(--s1) var(--s2); margin-top: var(--s2); font-size: var(--xs); color: var(--soft); }
.plot > svg { display: block; width: 100%; height: 9.5rem; }
.plot .ticks { display: flex; flex-direction: column; justify-content: space-between; text-align: right; }
.plot .hours { grid-column: 2; display: flex; justify-content: space-between; }
.grid { stroke: var(--line); vector-effect: non-scaling-stroke; }
.key { display: inline-block; width: 1.5rem; border-top: 2px solid var(--link); vertical-align: .25em; margin-right: var(--s1); }
.key.dashed { margin-left: var(--s3); border-top: 2px dotted var(--soft); }
summary { color: var(--soft); cursor: pointer; padding: var(--s1) 0; width: fit-content; }
.scroll {
  overflow-x: auto; background-color: var(--ground); background-repeat: no-repeat;
  background-image: linear-gradient(90deg, var(--ground) 50%, transparent), linear-gradient(-90deg, var(--ground) 50%, transparent),
    linear-gradient(90deg, color-mix(in srgb, var(--soft) 50%, transparent), transparent), linear-gradient(-90deg, color-mix(in srgb, var(--soft) 50%, transparent), transparent);
  background-position: 0, 100%, 0, 100%; background-size: 2rem 100%, 2rem 100%, .75rem 100%, .75rem 100%;
  background-attachment: local, local, scroll, scroll;
}
.scroll table { width: 100%; } .scroll :is(th, td) { white-space: nowrap; overflow-wrap: normal; }
.scroll td.cause { white-space: normal; min-width: 8rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: var(--s1) var(--s4) var(--s1) 0; font-weight: 400; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { font-size: var(--xs); color: var(--soft); white-space: nowrap; }
td .mark { font-weight: 400; }

.api > * + *, .api article { margin-top: var(--s4); }
.api > section { margin-top: var(--s8); }
.api article > * + * { margin-top: var(--s2); }
:is(.api h3, main li, .todo) > a:only-child { display: inline-block; padding-block: var(--s1); }
.api dl { display: block; }
.api dl > div {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: 0 var(--s4);
  padding: var(--s1) 0; border-top: 1px solid var(--line);
}
.api dt { color: inherit; font-size: inherit; }
.api > ul { padding-left: var(--s6); }
.api pre { background: var(--ground); }

form > * + * { margin-top: var(--s2); }
label { font-weight: 600; }
textarea, select, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: .4375rem; max-width: 100%; }
textarea { display: block; width: 100%; padding: var(--s2) var(--s3); font: var(--sm)/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; resize: vertical; }
select, button { padding: var(--s1) var(--s3); min-height: 2.25rem; }
button { color: var(--ground); background: var(--text); border-color: var(--text); font-weight: 600; cursor: pointer; }
.asked { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: center; }
main > .notes { margin-top: var(--s2); padding-left: var(--s6); }

@media (max-width: 46rem) {
  h1 { font-size: 1.375rem; }
  .turn { grid-template-columns: 1fr; gap: var(--s2); } .turn li { grid-template-columns: 1fr auto; gap: 0 var(--s2); }
  .turn h3 small { display: inline; } .turn .todo { grid-row: 2; grid-column: 1 / -1; color: var(--soft); } .turn a > span { display: block; color: var(--text); }
  .rows, .rows tbody { display: block; } .rows thead, .rows :is(.hours, .checked) { display: none; }
  .rows tr { display: grid; grid-template-columns: 1fr auto auto; gap: var(--s1) var(--s3); padding: var(--s2) 0; }
  .rows tbody :is(th, td, .uptime) { height: auto; padding: 0; } .rows tbody .more th { padding-left: var(--s6); }
  .rows .days { grid-row: 2; grid-column: 1 / -1; } .rows .median { color: var(--soft); }
}
@media (max-width: 30rem) {
  .plot .hours > :nth-child(even) { display: none; }
  .scroll :is(th, td) { padding-right: var(--s3); } .scroll tbody th:has(small) { white-space: normal; } .scroll th small { display: block; }
}
@media (forced-colors: active) {
  .mark svg { fill: CanvasText; } .day, .day.up, .day:is(.maintenance, .none) { stroke: CanvasText; }
  .run { fill: Canvas; stroke: CanvasText; } .timeline li:last-child { border-left-color: Canvas; } .grid { stroke: CanvasText; }
  .mid { stroke: LinkText; } .key { border-color: LinkText; } .high { stroke: CanvasText; } .key.dashed { border-color: CanvasText; }
}
@media print {
  :root { font-size: 10pt; color-scheme: light; --text: #000; --soft: #444; --ground: #fff; --card: #fff; --line: #999; }
  body { max-width: none; padding: 0; }
  nav, .skip, #lost, button { display: none; }
  .button { padding: 0; background: none; color: var(--text); text-decoration: underline; }
  textarea { field-sizing: content; }
  .turn li, .incidents li, figure > svg, .plot, tr { break-inside: avoid; }
  h2, h3, summary { break-after: avoid; }
  ::details-content { content-visibility: visible; block-size: auto; columns: 2; font-size: 8pt; }
  details table { width: 100%; font-size: inherit; } details :is(th, td) { padding-right: var(--s2); }
  .scroll { overflow: visible; background: none; } .scroll :is(th, td) { white-space: normal; }
  svg, .answer, .turn { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

/** With a hash of the contents, so that browsers may keep them for ever. */
export const STYLESHEET_PATH = "/assets/643b27b21ec901da.css";
