/** Where a redirect leads, in words: nobody follows it, and the reader has to see what to mend. Pure. */

/** @returns null where the answer names no other address. */
export function redirectWords(headers: Readonly<Record<string, string>>): string | null {
  const place = placeOf(headers["location"]?.trim() ?? "");
  return place === "" ? null : `It redirects to ${place}, and redirects are not followed.`;
}

/** Longer ones are mostly what carries a session. */
const LONGEST = 150;

/** Without what may carry a secret or changes each time: user info, query and fragment. */
function placeOf(location: string): string {
  const bare = location.slice(0, 4 * LONGEST).replace(/[?#].*$/su, "");
  const whole = bare.replace(/^((?:https?:)?\/\/)[^/]*@/iu, "$1");
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
}
