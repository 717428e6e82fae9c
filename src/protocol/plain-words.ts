/**
 * A service's words made comparable: lower case, simplified characters, without addresses and without hints in
 * brackets such as "(e.g. check quota)", which name things and state nothing. Pure.
 */

export function plainWords(words: string): string {
  return words
    .toLowerCase()
    .replace(/\(e\.g\.[^()]*\)/g, " ")
    .replace(/https?:\/\/[^\s#"'<>]+/g, " ")
    .replace(TRADITIONAL, (character) => SIMPLIFIED.get(character) ?? character);
}

/** Traditional and simplified, of the characters that errors are written with. */
const PAIRS =
  "餘余額额儲储帳帐戶户頻频並并發发無无過过請请權权錯错誤误鑰钥憑凭證证達达數数調调訪访問问務务處处進进運运驗验簽签還还沒没費费滿满" +
  "時时單单個个點点帶带參参載载試试後后應应該该號号碼码組组級级當当許许讀读";
const SIMPLIFIED: ReadonlyMap<string, string> = new Map(
  (PAIRS.match(/../gu) ?? []).map((pair) => [pair.charAt(0), pair.charAt(1)]),
);
const TRADITIONAL = new RegExp(`[${[...SIMPLIFIED.keys()].join("")}]`, "g");
