/** Whatever a test asks the application, its answer is held against the API's own description. */
import { vi } from "vitest";
import { EVERY_PART } from "../fixtures/config.ts";

vi.mock(import("../../src/http/app.ts"), async (original) => {
  const app = await original();
  const { mustBeDescribed } = await import("./description.ts");
  const checked = async (request: Request, answer: Response): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const { status, headers } = answer;
    const text = await answer.clone().text();
    mustBeDescribed({ method: request.method, path: pathname + search }, { status, headers, text });
    return answer;
  };
  return {
    ...app,
    handleRequest: async (request, deps) => {
      const answer = await app.handleRequest(request, deps);
      // What a deployment leaves out is described all the same.
      return deps.config.parts.length < EVERY_PART.length ? answer : checked(request, answer);
    },
    createApp: (parts) => {
      const made = app.createApp(parts);
      const { fetch } = made;
      made.fetch = async (request, ...rest) => checked(request, await fetch(request, ...rest));
      return made;
    },
  };
});
