/**
 * `POST /api/v1/explain`: what an answer means, for programs. Any site may ask: nothing is stored, remembered or logged, and
 * nothing is told that the request did not bring.
 */
import type { ExplanationAnswer } from "./answers.ts";
import type { AppContext } from "./deps.ts";
import { explainBody } from "./explain-request.ts";
import { respondWithProblem } from "./problem.ts";
import { JSON_TYPE, respond } from "./respond.ts";

export async function explainRoute({ req, env }: AppContext): Promise<Response> {
  const handed = await explainBody(req.raw, env.now());
  if (!handed.ok) return respondWithProblem(req.raw, handed.problem);
  const { diagnosis, report, takenFor } = handed.value;
  return respond(req.raw, { type: JSON_TYPE, caching: "none", etag: null }, () =>
    JSON.stringify({ diagnosis, report, takenFor } satisfies ExplanationAnswer),
  );
}
