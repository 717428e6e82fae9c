/**
 * Whatever a test asks the application, the answer is held against the API's own description. Nothing is replaced: the
 * application answers, and its answer is read once more.
 */
import { vi } from "vitest";

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
    handleRequest: async (request, deps) => checked(request, await app.handleRequest(request, deps)),
    createApp: () => {
      const made = app.createApp();
      const { fetch } = made;
      made.fetch = async (request, ...rest) => checked(request, await fetch(request, ...rest));
      return made;
    },
  };
});
