/**
 * Entity tags (RFC 9110, 8.8.3 and 13.1.2).
 */
import type { Body } from "./respond.ts";
/** A strong tag of the bytes. */
export declare function tagOf(body: Body): Promise<string>;
/** Whether an If-None-Match names the tag: a list, weak ones too, or any by `*`. */
export declare function matchesTag(ifNoneMatch: string, tag: string): boolean;
