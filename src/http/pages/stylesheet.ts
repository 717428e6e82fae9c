/**
 * The pages' only stylesheet. Its address bears a hash of its contents, so that browsers may keep it for ever.
 */

export const STYLESHEET = `:root {
  color-scheme: light dark;
  --text: #1f2328; --soft: #59636e; --ground: #ffffff; --card: #f6f8fa; --line: #d1d9e0; --link: #0969da;
  --up: #1a7f37; --degraded: #9a6700; --down: #cf222e; --blocked: #bc4c00; --unknown: #59636e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #f0f6fc; --soft: #9198a1; --ground: #0d1117; --card: #151b23; --line: #3d444d; --link: #58a6ff;
    --up: #3fb950; --degraded: #d29922; --down: #f85149; --blocked: #db6d28; --unknown: #8b949e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 0 1rem; max-width: 60rem; color: var(--text); background: var(--ground);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
a { color: var(--link); }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
h2, h3 { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline; }
small, footer { color: var(--soft); font-weight: normal; }
footer { margin: 3rem 0 2rem; font-size: .875rem; border-top: 1px solid var(--line); }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { white-space: pre-wrap; }
pre, .monitor, .notice, blockquote { background: var(--card); border: 1px solid var(--line); border-radius: .375rem; }
pre, .notice { padding: .75rem 1rem; }
blockquote { margin: .5rem 0; padding: .25rem .75rem; border-left-width: .25rem; }
.site { font-weight: 600; font-size: 1.25rem; margin: 1rem 0; }
.site a { color: inherit; text-decoration: none; }
.skip, .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: static; width: auto; height: auto; clip-path: none; }
.banner {
  --tone: var(--unknown);
  border: 1px solid var(--tone); border-left-width: .75rem; border-radius: .375rem; padding: .25rem 1rem; margin: 1rem 0;
}
.banner.stale { border: 3px dashed var(--tone); }
.headline { font-size: 1.375rem; font-weight: 600; }
.up { --tone: var(--up); } .degraded { --tone: var(--degraded); } .down { --tone: var(--down); }
.blocked { --tone: var(--blocked); } .unknown, .none, .stale, .paused { --tone: var(--unknown); }
.maintenance { --tone: var(--link); }
.banner.up { --tone: var(--up); } .banner.degraded { --tone: var(--degraded); } .banner.down { --tone: var(--down); }
.banner.blocked { --tone: var(--blocked); } .banner.maintenance { --tone: var(--link); }
.failing { padding-left: 0; list-style: none; }
.mark { color: var(--tone); font-size: 1rem; font-weight: 600; white-space: nowrap; }
.mark svg { fill: currentColor; fill-rule: evenodd; vertical-align: -.125em; margin-right: .375rem; }
.mark.ended { --tone: var(--text); white-space: normal; }
.monitor { padding: .75rem 1rem; margin: .75rem 0; }
.verdict p, .monitor dl { margin: .5rem 0; }
.links a { margin-right: 1rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: .5rem 1.5rem; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.days svg { display: block; width: 100%; height: 1.75rem; }
.day:not([fill]) { fill: var(--tone); }
.hatch { position: absolute; } .hatch path { fill: var(--unknown); }
summary { font-size: .875rem; color: var(--soft); cursor: pointer; margin-top: .5rem; }
table { border-collapse: collapse; font-size: .875rem; }
th, td { text-align: left; padding: .125rem 1rem .125rem 0; font-weight: normal; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; }
.incidents ul, .timeline { padding-left: 0; list-style: none; }
.incidents li, .timeline li { margin: .5rem 0; }
.note { white-space: pre-line; }
@media (forced-colors: active) { .day:not([fill]), .hatch path { fill: CanvasText; } .mark svg { fill: CanvasText; } }
`;

let path: string | null = null;

export function stylesheetPath(): string {
  path ??= `/assets/${hashOf(STYLESHEET)}.css`;
  return path;
}

/** FNV-1a, twice 32 bits: it tells versions apart, and keeps nobody out. */
function hashOf(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x050c5d1f;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x01000193);
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
