/**
 * Content negotiation by Accept (RFC 9110, 12.5.1). Pure.
 */
/**
 * The offer that the client likes best, the first among equals; null when it accepts none of them.
 * @param offers media types without parameters, the server's favourite first
 */
export declare function preferred<Offer extends string>(accept: string | undefined, offers: readonly Offer[]): Offer | null;
