/** The keys of the simulated service, whom they belong to, and what is wrong with some. Pure; spec 5. */

/** Every name says what happens to its key. None opens anything but a simulator. */
export const SIMULATOR_KEYS = {
  good: "sim-key-good",
  /** Of the same user as `good`. */
  sibling: "sim-key-good-sibling",
  otherUser: "sim-key-other-user",
  revoked: "sim-key-revoked",
  emptyBalance: "sim-key-empty-balance",
  spentQuota: "sim-key-spent-quota",
  /** May generate 3 times; then its quota is spent. */
  smallQuota: "sim-key-small-quota",
  wrongGroup: "sim-key-wrong-group",
  /** May use no model but the small chat model. */
  oneModel: "sim-key-one-model",
} as const;

export const SMALL_QUOTA = 3;

const USERS: Readonly<Record<string, string>> = {
  [SIMULATOR_KEYS.good]: "alice",
  [SIMULATOR_KEYS.sibling]: "alice",
  [SIMULATOR_KEYS.otherUser]: "bob",
  [SIMULATOR_KEYS.revoked]: "carol",
  [SIMULATOR_KEYS.emptyBalance]: "dave",
  [SIMULATOR_KEYS.spentQuota]: "erin",
  [SIMULATOR_KEYS.smallQuota]: "erin",
  [SIMULATOR_KEYS.wrongGroup]: "frank",
  [SIMULATOR_KEYS.oneModel]: "grace",
};

/** A refusal, in the words of both error styles. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
}

export type Admission =
  | { readonly admitted: true; readonly key: string; readonly user: string }
  | { readonly admitted: false; readonly refusal: Refusal };

/** A login token: a JWT, signed by nobody, that the model API refuses (spec 5). */
export function loginToken(): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: "alice", iat: 1_700_000_000 })}.${part("unsigned")}`;
}

/** `anyKey`: every key but none at all is good. */
export function admit(key: string | null, anyKey: boolean): Admission {
  if (key === null || key === "") {
    return refuse(401, "authentication_error", "missing_api_key", "No API key was given.");
  }
  const user = USERS[key];
  if (user === undefined) {
    return anyKey
      ? { admitted: true, key, user: "anybody" }
      : refuse(401, "authentication_error", "invalid_api_key", "The API key is not valid.");
  }
  switch (key) {
    case SIMULATOR_KEYS.revoked:
      return refuse(401, "authentication_error", "api_key_revoked", "The API key was revoked.");
    case SIMULATOR_KEYS.emptyBalance:
      return refuse(402, "insufficient_quota", "insufficient_balance", "The balance is used up.");
    case SIMULATOR_KEYS.spentQuota:
      return refuse(429, "insufficient_quota", "quota_exceeded", "The quota of this key is used up.");
    case SIMULATOR_KEYS.wrongGroup:
      return refuse(403, "permission_error", "model_group_restricted", "The user's group may not do this.");
    default:
      return { admitted: true, key, user };
  }
}

function refuse(status: number, type: string, code: string, message: string): Admission {
  return { admitted: false, refusal: { status, type, code, message } };
}
