/** The Worker under test: nothing but an object whose storage the tests use. */
import { DurableObject } from "cloudflare:workers";

export class Ledger extends DurableObject {}

export default {
  fetch: () => new Response("nothing here", { status: 404 }),
};
