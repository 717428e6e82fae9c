export type Body = string | Uint8Array<ArrayBuffer>;
export declare const JSON_TYPE = "application/json; charset=utf-8";
export declare const HTML_TYPE = "text/html; charset=utf-8";
/** How long who may keep an answer. */
export type Caching = "shared" | "negotiated" | "health" | "immutable" | "none" | "private";
export interface Answer {
    readonly status?: number;
    readonly type: string;
    readonly caching: Caching;
    /** A strong validator, with its quotes; null: none. */
    readonly etag: string | null;
    readonly headers?: Readonly<Record<string, string>>;
}
/** The answer, or 304 where the client has it already. `body` is called only when it is needed. */
export declare function respond(request: Request, answer: Answer, body: () => Body): Response;
export declare function respondToPreflight(): Response;
