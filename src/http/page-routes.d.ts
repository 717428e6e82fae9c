/**
 * The pages: what each needs is read from the snapshot, and failures are told in words.
 */
import type { AppContext } from "./deps.ts";
import { type Problem } from "./problem.ts";
export declare function overviewPage(context: AppContext): Promise<Response>;
export declare function gatewayPage(context: AppContext): Promise<Response>;
export declare function stylesheet(context: AppContext): Promise<Response>;
export declare function page(request: Request, html: string): Promise<Response>;
export declare function failurePage(request: Request, problem: Problem): Response;
