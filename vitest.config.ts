import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { COMPATIBILITY_DATE } from "./src/local/compatibility.ts";

/** Nothing here is timed: a busy machine must not fail a test. This ends one that hangs. */
const LONGEST_TEST_MS = 300_000;

const PROPERTIES = "./test/fixtures/properties.ts";
/** The answers of the application are as the API's description says, in whatever test. */
const DESCRIBED = "./test/openapi/described-answers.ts";

/** How pages are built. */
const AS_DEPLOYED = { jsx: { development: false } };

/** Pure code runs in plain Node, what needs the platform inside workerd, and whole systems from outside it. */
export default defineConfig({
  test: {
    projects: [
      {
        oxc: AS_DEPLOYED,
        test: {
          name: "unit",
          include: [
            "test/{protocol,domain,explain,library,config,plan,probe,history,formats,alert,ledger,http,openapi,cli,docs}/**/*.test.ts",
          ],
          setupFiles: [PROPERTIES, DESCRIBED],
          testTimeout: LONGEST_TEST_MS,
        },
      },
      {
        oxc: AS_DEPLOYED,
        plugins: [
          cloudflareTest({
            main: "./test/worker/index.ts",
            miniflare: {
              compatibilityDate: COMPATIBILITY_DATE,
              kvNamespaces: ["KV"],
              bindings: { CRASH_SEED: process.env["CRASH_SEED"] ?? "" },
              durableObjects: {
                LEDGER: { className: "Ledger", useSQLite: true },
                MOVING: { className: "MovingLedger", useSQLite: true },
              },
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
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["./test/browser/global-setup.ts"],
          testTimeout: LONGEST_TEST_MS,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
