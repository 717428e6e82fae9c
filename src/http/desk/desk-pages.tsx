/** The pages of administrators: the login form, what is open, and buttons. They need no scripts. */
import { HOUR_MS, instant } from "../../domain/calendar.ts";
import type { IncidentDocument } from "../../history/documents.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { say } from "../../domain/language/words.ts";
import { titleOf } from "../pages/incident.tsx";
import { type PlainSite, renderPlainPage, renderStatusPage } from "../pages/layout.tsx";
import { Age, Said, Time } from "../pages/marks.tsx";
import type { View } from "../pages/view.ts";

export const DESK_PATH = "/admin";

/** What the Ledger answers about a gateway. */
export interface Paused {
  readonly monitors: readonly {
    readonly monitor: string;
    readonly pausedAt: string | null;
    readonly pausedUntil: string | null;
    readonly pausedBy: string | null;
  }[];
}

/** Of `assets/desk.json`, in the reader's language. */
export type DeskWords = Readonly<Record<string, string>>;

interface Tools {
  readonly view: View;
  readonly desk: DeskWords;
  readonly formToken: string;
  readonly name: string | null;
}

interface Login {
  readonly desk: DeskWords;
  readonly refusal: "wrong" | "slow" | "outdated" | null;
  /** Where the login leads. */
  readonly to: string;
}

export function renderLogin({ reader }: PlainSite, { desk, refusal, to }: Login): string {
  const { login: title = "", about: description = "" } = desk;
  return renderPlainPage(
    { reader },
    {
      title,
      description,
      children: (
        <>
          <h1>{title}</h1>
          {refusal !== null && (
            <p class="notice" role="alert">
              {desk[refusal]}
            </p>
          )}
          <form class="box" method="post" action={`${DESK_PATH}/login`}>
            <Hidden fields={{ to }} />
            <p>
              <label for="token">{desk.token}</label>
            </p>
            <input id="token" name="token" type="password" required autocomplete="current-password" />
            <p>
              <label for="name">{desk.name}</label>
            </p>
            <input id="name" type="text" name="name" maxlength="60" autocomplete="name" />
            <p>
              <button type="submit">{title}</button>
            </p>
          </form>
        </>
      ),
    },
  );
}

function Hidden({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

interface ActInput extends Tools {
  /** The page's own path below `/admin/`. */
  readonly at: string;
  readonly act: string;
  readonly children: Child;
  /** Whether it sends the name of the person. */
  readonly isSigned?: boolean;
}

function Act({ at, act, formToken, name, children, isSigned = true }: ActInput) {
  const fields = {
    form: formToken,
    to: at === "" ? DESK_PATH : `${DESK_PATH}/${at}`,
    ...(isSigned && name && { by: name }),
  };
  return (
    <form class="asked" method="post" action={`${DESK_PATH}/${act}`}>
      <Hidden fields={fields} />
      {children}
    </form>
  );
}

/** For how long: the last without an end. */
function Buttons({ verb, desk }: { readonly verb: "pause" | "silence"; readonly desk: DeskWords }) {
  return (
    <>
      {["1h", "4h", ""].map((length) => (
        <button type="submit" class="quiet" name="for" value={length}>
          {desk[`${verb}${length}`]}
        </button>
      ))}
    </>
  );
}

interface IncidentInput extends Tools {
  readonly incident: IncidentDocument;
  /** As the Ledger says now. */
  readonly isOpen: boolean;
}

export function IncidentDesk({ incident, isOpen, ...tools }: IncidentInput) {
  const { desk } = tools;
  const at = `incidents/${incident.id}`;
  return (
    <Desk {...tools}>
      {isOpen && (
        <>
          <Act at={at} act={`${at}/acknowledge`} {...tools}>
            {incident.acknowledgedAt === null && <button type="submit">{desk.acknowledge}</button>}
            <button type="submit" class="quiet" formaction={`${DESK_PATH}/${at}/probe`}>
              {desk.check}
            </button>
          </Act>
          <Act at={at} act={`${at}/silence`} {...tools}>
            <Buttons verb="silence" desk={desk} />
          </Act>
        </>
      )}
    </Desk>
  );
}

interface GatewayInput extends Tools {
  readonly gatewayId: string;
  readonly paused: Paused["monitors"];
}

export function GatewayDesk({ gatewayId, paused, ...tools }: GatewayInput) {
  const { desk, view } = tools;
  const { words, clock } = view;
  const at = `gateways/${gatewayId}`;
  const isPaused = paused.some(({ pausedAt }) => pausedAt !== null);
  return (
    <Desk {...tools}>
      {paused.map(({ monitor, pausedAt, pausedUntil, pausedBy }) =>
        pausedAt === null ? null : (
          <p>
            <code>{monitor}</code>
            {words.colon}
            {say(words.card.paused, <Age at={pausedAt} view={view} />)}
            {pausedUntil !== null && [
              words.comma,
              say(words.incident.until, <Time at={pausedUntil} clock={clock} />),
            ]}
            {pausedBy !== null && say(words.aside, <Said text={pausedBy} words={words} />)}
          </p>
        ),
      )}
      <Act at={at} act={`${at}/pause`} {...tools}>
        <Buttons verb="pause" desk={desk} />
      </Act>
      <Act at={at} act={`${at}/probe`} {...tools}>
        <button type="submit" class="quiet">
          {desk.check}
        </button>
        {isPaused && (
          <button type="submit" class="quiet" formaction={`${DESK_PATH}/${at}/resume`}>
            {desk.resume}
          </button>
        )}
      </Act>
      <Plan gatewayId={gatewayId} at={at} {...tools} />
    </Desk>
  );
}

interface ChoiceInput {
  readonly name: string;
  readonly label: string | undefined;
  readonly options: readonly (readonly [value: string, words?: string | undefined])[];
}

function Choice({ name, label, options }: ChoiceInput) {
  return (
    <label>
      {label}{" "}
      <select name={name}>
        {options.map(([value, words = value]) => (
          <option value={value}>{words}</option>
        ))}
      </select>
    </label>
  );
}

/** The start is in the time zone of the page. */
function Plan({ gatewayId, at, ...tools }: Tools & { readonly gatewayId: string; readonly at: string }) {
  const { desk, view } = tools;
  const { words, clock, nowMs } = view;
  const starts = [1, 4, 12, 24].map((hours) => {
    const from = instant(nowMs + hours * HOUR_MS);
    return [from, clock.show(from)] as const;
  });
  return (
    <Act at={at} act="maintenance" {...tools} isSigned={false}>
      <Hidden fields={{ gateways: gatewayId }} />
      <Choice name="from" label={desk.from} options={[["", words.incident.now], ...starts]} />
      <Choice name="for" label={desk.length} options={[["30m"], ["1h"], ["2h"], ["4h"], ["8h"], ["24h"]]} />
      <label>
        {desk.title} <input type="text" name="title" maxlength="120" />
      </label>
      <button type="submit" class="quiet">
        {desk.plan}
      </button>
    </Act>
  );
}

function Desk({ children, ...tools }: Tools & { readonly children?: Child }) {
  const { desk, name, view } = tools;
  return (
    <section class="box" aria-labelledby="desk">
      <h2 id="desk">{desk.heading}</h2>
      {children}
      <Act at="" act="logout" {...tools} isSigned={false}>
        {name !== null && <Said text={name} words={view.words} />}
        <a href={DESK_PATH}>{desk.all}</a>
        <button type="submit" class="quiet">
          {desk.logout}
        </button>
      </Act>
    </section>
  );
}

/** What is open, and every gateway. */
export function renderDesk(tools: Tools): string {
  const { view } = tools;
  const { status, words } = view;
  const { heading: title = "", about: description = "" } = tools.desk;
  return renderStatusPage(view, {
    title,
    description,
    children: (
      <>
        <h1>{title}</h1>
        <ul>
          {status.incidents.map((incident) => {
            const { subject, matter } = titleOf(incident, view);
            return (
              <li>
                <a href={`${DESK_PATH}/incidents/${incident.id}`}>
                  <Said text={subject} words={words} />
                  {`${words.colon}${matter}`}
                </a>
              </li>
            );
          })}
          {status.gateways.map(({ id, name }) => (
            <li>
              <a href={`${DESK_PATH}/gateways/${id}`}>
                <Said text={name} words={words} />
              </a>
            </li>
          ))}
        </ul>
        <Desk {...tools} />
      </>
    ),
  });
}
