import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { COMPATIBILITY_DATE } from "./src/local/compatibility.ts";

/** Nothing here is timed: a busy machine must not fail a test. This ends one that hangs. */
const LONGEST_TEST_MS = 300_000;

const PROPERTIES = "./test/fixtures/properties.ts";

/** Pure code runs in plain Node, what needs the platform inside workerd, and whole systems from outside it. */
export default defineConfig({
  test: {
    projects: [
      {
        // Pages are built as they are deployed.
        oxc: { jsx: { development: false } },
        test: {
          name: "unit",
          include: ["test/{protocol,domain,config,probe,history,alert,ledger,http,cli}/**/*.test.ts"],
          setupFiles: [PROPERTIES],
          testTimeout: LONGEST_TEST_MS,
        },
      },
      {
        plugins: [
          cloudflareTest({
            main: "./test/worker/index.ts",
            miniflare: {
              compatibilityDate: COMPATIBILITY_DATE,
              kvNamespaces: ["KV"],
              bindings: { CRASH_SEED: process.env["CRASH_SEED"] ?? "" },
              durableObjects: { LEDGER: { className: "Ledger", useSQLite: true } },
            },
          }),
        ],
        test: { name: "worker", include: ["test/worker/**/*.test.ts"], testTimeout: LONGEST_TEST_MS },
      },
      {
        test: {
          name: "local",
          include: ["test/local/**/*.test.ts"],
          setupFiles: [PROPERTIES],
          testTimeout: LONGEST_TEST_MS,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
