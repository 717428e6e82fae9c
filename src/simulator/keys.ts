/** The keys of the simulated service, and what is wrong with some. Pure; spec 5. */
import type { ErrorCode } from "./wire.ts";

/** Every name says what happens to its key. None opens anything but a simulator. */
export const SIMULATOR_KEYS = {
  good: "sim-key-good",
  revoked: "sim-key-revoked",
  emptyBalance: "sim-key-empty-balance",
  spentQuota: "sim-key-spent-quota",
  wrongGroup: "sim-key-wrong-group",
} as const;

const ADMISSIONS: Readonly<Record<string, ErrorCode | null>> = {
  [SIMULATOR_KEYS.good]: null,
  [SIMULATOR_KEYS.revoked]: "api_key_revoked",
  [SIMULATOR_KEYS.emptyBalance]: "insufficient_balance",
  [SIMULATOR_KEYS.spentQuota]: "quota_exceeded",
  [SIMULATOR_KEYS.wrongGroup]: "model_group_restricted",
};

/**
 * Null: admitted.
 *
 * @param anyKey whether a key that is not listed above is good.
 */
export function refusalOf(key: string, anyKey: boolean): ErrorCode | null {
  if (key === "") return "missing_api_key";
  const known = ADMISSIONS[key];
  return known === undefined && !anyKey ? "invalid_api_key" : (known ?? null);
}
