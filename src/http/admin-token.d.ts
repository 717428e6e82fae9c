/**
 * Is a request the administrator's? Tokens are compared as digests, in a time that tells nothing.
 */
export type Bearer = "none" | "right" | "wrong";
/** Where no fit token is set, and for schemes other than Bearer, nobody is asked: `none`. */
export declare function judgeBearer(authorization: string | undefined, adminToken: string | null): Promise<Bearer>;
