/** `gatepulse/fetch`: a `fetch` for clients of model gateways, its error, and tasks that are asked about. */
export { createFetch } from "./create-fetch.ts";
export type { GatewayFetch } from "./create-fetch.ts";
export type { FetchClock } from "./clock.ts";
export { GatewayError } from "./gateway-error.ts";
export type { AttemptEvent, FetchOptions, RequestFacts, RequestRules, RetryEvent } from "./options.ts";
export { runTask } from "./run-task.ts";
export type { RunTaskOptions, TaskRequest, TaskResult } from "./run-task.ts";
