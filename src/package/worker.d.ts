/** The Worker with the configuration that `gatepulse build` gives it: a project exports it again. */
declare const handler: object;
export default handler;

type DurableObjectClass = new (...parts: never[]) => object;
/** wrangler.toml names both. */
export declare const Ledger: DurableObjectClass;
export declare const Vantage: DurableObjectClass;
