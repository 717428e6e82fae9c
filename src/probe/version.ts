/** This program's version, as gateways and reports see it; a test keeps it in step with package.json. */
export const VERSION = "0.3.0";

/** Names the monitor in a gateway's access log. */
export const USER_AGENT = `gatepulse/${VERSION} (model gateway monitor)`;
