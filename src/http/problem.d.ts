/**
 * Failures as RFC 9457 tells them.
 */
import type { ReadFailure } from "../history/reader.ts";
export interface Fault {
    readonly detail: string;
    /** A JSON pointer as a fragment: `#/from` is the parameter `from`. */
    readonly pointer: string;
}
export interface Problem {
    readonly status: number;
    readonly title: string;
    readonly detail: string;
    readonly errors?: readonly Fault[];
    readonly headers?: Readonly<Record<string, string>>;
}
export declare function respondWithProblem(request: Request, problem: Problem): Response;
export declare function notFound(detail: string): Problem;
export declare function badRequest(errors: readonly Fault[]): Problem;
/** Why there is nothing to show, in words for readers. */
export declare function unavailable(failure: ReadFailure): Problem;
