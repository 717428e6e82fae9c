/** What html-validate finds on a page. */
import { HtmlValidate, StaticConfigLoader } from "html-validate/node";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ["html-validate:recommended"],
    rules: {
      "doctype-style": ["error", { style: "lowercase" }],
      // It is as long as a name of people's own choice.
      "long-title": "off",
      // Safari takes a list without markers for none.
      "no-redundant-role": ["error", { exclude: ["list"] }],
      // The only buttons send forms, as buttons do by default.
      "no-implicit-button-type": "off",
      // HTML allows all but white space.
      "valid-id": ["error", { relaxed: true }],
    },
  }),
);

/** Each as `rule at its place: message`. */
export async function faultsOf(html: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, selector, message }) => `${ruleId} at ${selector}: ${message}`),
  );
}
