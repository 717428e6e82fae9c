/**
 * The first thing a reader sees of a page: how it stands, how old that is, and what is not known. Never green without evidence.
 */
import type { GatewayDocument } from "../../../history/documents.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import { gatewayPath } from "./addresses.ts";
import { sentences } from "./format.ts";
import type { Headline } from "./headline.ts";
import { Said, Shape, Time } from "./marks.tsx";
import { SHAPES } from "./shapes.ts";
import type { View } from "./view.ts";

interface AnswerInput {
  readonly tone: Headline["tone"] | "paused" | "ended";
  /** The heading, after its shape. */
  readonly heading: Child;
  readonly children?: Child;
}

/** Where it changes while the page is open, it is read out. */
export function Answer({ tone, heading, children }: AnswerInput) {
  const shape = SHAPES[tone === "stale" ? "unknown" : tone === "ended" ? "up" : tone];
  return (
    <div class={`answer ${tone}`} role="status">
      <h1>
        {tone !== "ended" && (
          <span class="mark">
            <Shape path={shape} />
          </span>
        )}
        {heading}
      </h1>
      {children}
    </div>
  );
}

/** On pages with a heading of their own. */
export function StaleBanner({ view }: { view: View }) {
  return (
    <div class="answer stale" role="status">
      <p class="headline">{view.words.headline.stale}</p>
      <StaleWords view={view} />
    </div>
  );
}

/** Whether the checks stopped or their results no longer arrive cannot be seen from here. Of the feed too. */
export function StaleWords({ view }: { view: View }) {
  const { now, turn } = view.words.stopped;
  return <p>{sentences([lastRound(view), now, <strong>{turn}</strong>], view.words)}</p>;
}

function lastRound({ status: { lastTickAt }, clock, words }: View): Child {
  const { never, lastRound: round } = words.stopped;
  return lastTickAt === null ? never : round(<Time at={lastTickAt} clock={clock} />);
}

const NAMED = 5;

export function Missing({ view: { missing, words } }: { view: View }) {
  const { comma, stopped } = words;
  const names = missing
    .slice(0, NAMED)
    .map(({ name }, index) => [index > 0 && comma, <Said text={name} words={words} />]);
  return <p>{stopped.gaps(missing.length, [names, missing.length > NAMED && " …"])}</p>;
}

/** Those whose checks have stopped while others go on. */
export function Stopped({ gateways, view }: { gateways: readonly GatewayDocument[]; view: View }) {
  if (gateways.length === 0) return null;
  const { stopped, comma } = view.words;
  const names = gateways.slice(0, NAMED).map(({ id, name }, index) => [
    index > 0 && comma,
    <a href={gatewayPath(id, view)}>
      <Said text={name} words={view.words} />
    </a>,
  ]);
  return <p>{stopped.gateways(gateways.length, [names, gateways.length > NAMED && " …"])}</p>;
}
