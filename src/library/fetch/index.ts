/** `gatepulse/fetch`: a `fetch` for clients of model gateways, its error, and tasks that are asked about. */
export { createFetch, type GatewayFetch } from "./create-fetch.ts";
export { diagnosisOf, type FailedAttempt, GatewayError } from "./gateway-error.ts";
export type {
  AttemptEvent,
  FetchClock,
  FetchOptions,
  RequestFacts,
  RequestRules,
  RetryEvent,
  RoutedGateway,
  RouteOptions,
} from "./options.ts";
export { runTask, type RunTaskOptions, type TaskRequest, type TaskResult } from "./run-task.ts";
