/** The calendar: planned maintenance and incidents. */
import { CALENDAR_TYPE, writeCalendar } from "../../formats/calendar.ts";
import type { AppContext, Part } from "../deps.ts";
import { kept } from "../published.ts";
import { respond } from "../respond.ts";
import { toldIn } from "./feeds.ts";

export const calendar: Part = { routes: () => [{ path: "/calendar.ics", get: kept(calendarRoute) }] };

async function calendarRoute(context: AppContext): Promise<Response> {
  const { caching, ...told } = await toldIn(context, context.req.query("gateway"));
  return respond(context.req.raw, { type: CALENDAR_TYPE, caching }, writeCalendar(told));
}
