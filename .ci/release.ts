/**
 * `node .ci/release.ts vX.Y.Z`: the tag, package.json and the newest entry of CHANGELOG.md must name the same version. Prints the
 * text of that entry.
 */
import { readFile } from "node:fs/promises";
import { changelogEntries } from "../src/package/versions.ts";

const [, , tag = ""] = process.argv;
const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
const [newest] = changelogEntries(await readFile("CHANGELOG.md", "utf8"));
if (tag !== `v${version}` || newest?.version !== version) {
  console.error(
    `The tag is ${tag}, package.json says ${version}, the newest entry of CHANGELOG.md is ${newest?.version}.`,
  );
  process.exit(1);
}
console.log(newest.text);
