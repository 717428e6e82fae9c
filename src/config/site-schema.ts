/** The site: how its pages look, and the parts that a deployment can leave out. Pure. */
import { t } from "./spoken.ts";
import * as z from "zod/mini";
import { judgeLink } from "./base-url.ts";
import { address, flag, judged, orNull, settings, text, type Report } from "./fields.ts";

/** It is part of every page, and of every snapshot. */
const LONGEST_LOGO = 8_000;

const LOGO_FIX = t`write data:image/svg+xml;base64,… or data:image/png;base64,… of at most ${LONGEST_LOGO} characters`;

/** Nothing in it can end an attribute, and a browser runs no script in an image. */
const LOGO =
  /^data:image\/(?:svg\+xml|png);base64,(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function judgeLogo(logo: string, report: Report): void {
  if (/^https?:/i.test(logo)) report(t`is an address, but pages load nothing from other sites`, LOGO_FIX);
  else if (!LOGO.test(logo)) report(t`is not an SVG or PNG image in base64`, LOGO_FIX);
  else if (logo.length > LONGEST_LOGO) report(t`is too long`, LOGO_FIX);
}

/** What links stand on, where they are hardest to read: the darkest ground of a light page and the lightest of a dark one. */
export const GROUNDS = { light: "#f4f1f9", dark: "#23242e" } as const;

/** WCAG 2.2, 1.4.3. */
const LEAST_CONTRAST = 4.5;

function color(scheme: keyof typeof GROUNDS, example: string) {
  const fix = t`write a color like "${example}"`;
  return judged(z.string(fix), (written, report) => {
    if (!/^#[0-9a-f]{6}$/i.test(written)) return report(t`is not a # and six hexadecimal digits`, fix);
    const contrast = contrastOf(written, GROUNDS[scheme]);
    if (contrast >= LEAST_CONTRAST) return;
    const [page, other] =
      scheme === "light"
        ? [t`a light page`, t`write a darker color`]
        : [t`a dark page`, t`write a lighter color`];
    const rounded = (Math.floor(contrast * 10) / 10).toFixed(1);
    const problem = t`is hard to read on ${page}: its contrast is ${rounded}:1, but text needs ${LEAST_CONTRAST}:1`;
    report(problem, other);
  });
}

/** WCAG 2.2, "contrast ratio". */
function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const link = settings(
  {
    /** 1 to 30 characters. */
    name: text(30),
    /** `https:`. Example: `"https://acme.example/contact"`. */
    url: address(judgeLink, t`write an address like https://acme.example/contact`),
  },
  t`write an object like { name: "Contact", url: "https://acme.example/contact" }`,
);

const accent = settings(
  {
    /** On light pages. Example: `"#1f5fd0"`. */
    light: color("light", "#1f5fd0"),
    /** On dark pages. Example: `"#82aef8"`. */
    dark: color("dark", "#82aef8"),
  },
  t`write two colors, like { light: "#1f5fd0", dark: "#82aef8" }`,
);

/** As they stand in addresses of stylesheets: `1f5fd0-82aef8`. */
function digitsOf({ light, dark }: z.output<typeof accent>): string {
  return `${light}-${dark}`.replaceAll("#", "").toLowerCase();
}

export const theme = settings(
  {
    /** What the top of each page calls the site, 1 to 60 characters. Default: the title. */
    name: orNull(text(60)),
    /** An SVG or PNG image as a `data:` URL in base64, at most 8,000 characters. Default: none. */
    logo: orNull(judged(z.string(LOGO_FIX), judgeLogo)),
    /** The color of links and lines. Default: blue. */
    accent: orNull(z.pipe(accent, z.transform(digitsOf))),
    /** Up to 5, at the top of each page. Default: none. */
    links: z._default(
      z
        .array(link, t`write a list like [{ name: "Contact", url: "https://acme.example/contact" }]`)
        .check(z.maxLength(5, t`use at most ${5}`)),
      [],
    ),
  },
  t`write an object with name, logo, accent or links`,
);

const has = (usual = true) => z._default(flag(), usual);

/** `gatepulse build` leaves out the code of a part. */
export const parts = settings(
  {
    /** The pages for people. Without them, what is linked from alerts and feeds is not there. Default true. */
    pages: has(),
    /** The page and the API that explain a pasted answer. Default true. */
    explain: has(),
    /** What `ADMIN_TOKEN` opens: the API for administrators, backups, and with `pages` a desk. Default true. */
    admin: has(),
    /** `/api/v1/route`. Default true. */
    route: has(),
    /** `/metrics`, for Prometheus. Default true. */
    metrics: has(),
    /** `/api/v2/…`, the API of Statuspage. Default true. */
    statuspage: has(),
    /** Feeds: Atom, RSS and JSON. Default true. */
    feeds: has(),
    /** `/badge/…`. Default true. */
    badges: has(),
    /** `/embed` and `/embed.js`, the banner for other sites. Not without `pages`. Default true. */
    embed: has(),
    /** Addresses of Uptime Kuma and Gatus, for programs that read those. Default false. */
    compatible: has(false),
    /** `/mcp`, tools for agents. Default false. */
    mcp: has(false),
    /** `/calendar.ics`. Default false. */
    calendar: has(false),
  },
  t`write an object like { explain: false }`,
);

type Written = z.output<typeof parts>;

/** A page or desk of something is there if that and `pages` are. */
export type PartName = keyof Written | "explainPage" | "desk" | "push";

export function partsOf(written: Written, hasPush: boolean): readonly PartName[] {
  const { pages, explain, admin, embed } = written;
  const whole = { ...written, embed: pages && embed };
  const named: PartName[] = (Object.keys(whole) as (keyof Written)[]).filter((name) => whole[name]);
  if (pages && explain) named.push("explainPage");
  if (pages && admin) named.push("desk");
  if (pages && hasPush) named.push("push");
  return named;
}
