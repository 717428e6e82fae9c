import type { AppContext } from "./deps.ts";
import { type Problem } from "./problem.ts";
export declare function overviewPage(context: AppContext): Promise<Response>;
export declare function gatewayPage(context: AppContext): Promise<Response>;
export declare function incidentPage(context: AppContext): Promise<Response>;
export declare function reportPage(context: AppContext): Promise<Response>;
export declare function stylesheet(context: AppContext): Promise<Response>;
export declare function failurePage(request: Request, problem: Problem): Response;
