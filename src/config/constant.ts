/** With nothing in it that could be changed. */
export type Constant<Of> = unknown extends Of
  ? Of
  : Of extends readonly (infer Item)[]
    ? readonly Constant<Item>[]
    : Of extends object
      ? { readonly [Key in keyof Of]: Constant<Of[Key]> }
      : Of;
