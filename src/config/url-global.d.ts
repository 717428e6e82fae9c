/** The one web global that this layer uses: the URL parser, the same in workerd and in Node. */
declare class URL {
  constructor(url: string, base?: string);
  readonly protocol: string;
  readonly hostname: string;
  readonly host: string;
  readonly pathname: string;
  readonly href: string;
  readonly username: string;
  readonly password: string;
  readonly search: string;
  readonly hash: string;
}
