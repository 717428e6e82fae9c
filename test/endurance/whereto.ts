/** Where pieces are kept, and where what a part came to is written. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { placeAndTime } from "../bench/machine.ts";
import { writeMeasured } from "../bench/performance-document.ts";
import type { Report } from "./report.ts";

export interface Whereto {
  readonly directory: string;
  write(name: string, report: Report): Promise<void>;
}

/** @param scratch null: docs/performance.md, and pieces in `test-results/`; else all of it in that directory. */
export function whereto(scratch: string | null): Whereto {
  const directory = scratch ?? fileURLToPath(new URL("../../test-results/endurance/", import.meta.url));
  mkdirSync(directory, { recursive: true });
  return {
    directory,
    write: async (name, { title, lines }) => {
      const origin = `\`npm run endurance -- --only ${name}\`, ${await placeAndTime(Date.now())}`;
      const text = [`## ${title}`, "", origin, "", ...lines].join("\n");
      console.log(text);
      if (scratch === null) await writeMeasured(`endurance ${name}`, text);
      else writeFileSync(join(directory, `${name}.md`), text);
    },
  };
}
