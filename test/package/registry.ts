/** A registry that has one package itself, and sends for all others to the one that npm uses on this machine. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

export interface Registry {
  readonly address: string;
  close(): Promise<void>;
}

/** @param tarballs by version, the newest last. */
export async function startRegistry(
  name: string,
  tarballs: Readonly<Record<string, string>>,
): Promise<Registry> {
  const others = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const server = createServer(({ url = "" }, response) => {
    const version = /^\/tarballs\/(.+)\.tgz$/.exec(url)?.[1];
    const file = version === undefined ? undefined : tarballs[version];
    if (file !== undefined) {
      response.end(readFileSync(file));
      return;
    }
    if (url !== `/${name}`) {
      response.writeHead(302, { location: new URL(url.slice(1), others).href }).end();
      return;
    }
    const versions = Object.entries(tarballs).map(([of, path]) => [of, versionOf(name, of, path, address)]);
    const latest = Object.keys(tarballs).at(-1);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest }, versions: Object.fromEntries(versions) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function versionOf(name: string, version: string, path: string, address: string): object {
  const integrity = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
  const tarball = `${address}/tarballs/${version}.tgz`;
  return { name, version, bin: { [name]: `bin/${name}.js` }, dist: { tarball, integrity } };
}
