import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** `TEST_FULL=1`: all rounds; `TEST_SEED=N` repeats what chance did. See test/extent.ts. */
const { TEST_FULL, TEST_SEED, TEST_PACKAGE } = process.env;
const provide = { full: TEST_FULL === "1", seed: TEST_SEED === undefined ? null : Number(TEST_SEED) };

const COMMON = {
  provide,
  // Programs that tests start load the sources twice as fast.
  env: { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") },
  testTimeout: LONGEST_TEST_MS,
  hookTimeout: LONGEST_TEST_MS,
  expect: { poll: { timeout: LONGEST_TEST_MS / 2 } },
  // A failure shows both sides whole.
  chaiConfig: { truncateThreshold: 0 },
};

/** `npm run test:package`: the packed package on machines of newcomers. It installs a lot. */
const PACKAGE = {
  test: { ...COMMON, name: "package", include: ["test/package/**/*.test.ts"], maxWorkers: 2 },
};

/**
 * Pure code runs in plain Node, what needs the platform inside workerd, and whole systems from outside it. The projects run
 * one after the other, each with as many files at once as keep two cores busy: what waits for sockets and processes
 * leaves room for others.
 */
export default defineConfig({
  test: {
    reporters: ["default", "./test/skipped.ts"],
    projects: [
      {
        oxc: AS_DEPLOYED,
        test: {
          ...COMMON,
          name: "unit",
          include: [
            "test/{protocol,domain,explain,library,config,plan,probe,history,formats,alert,ledger,http,openapi,cli,docs,mutants,project}/**/*.test.ts",
          ],
          setupFiles: [PROPERTIES, DESCRIBED],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
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
              durableObjects: {
                LEDGER: { className: "Ledger", useSQLite: true },
              },
            },
          }),
        ],
        test: {
          ...COMMON,
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...COMMON,
          name: "local",
          include: ["test/local/**/*.test.ts"],
          setupFiles: [PROPERTIES],
          isolate: false,
          maxWorkers: 6,
          sequence: { groupOrder: 3 },
        },
      },
      {
        oxc: AS_DEPLOYED,
        test: {
          ...COMMON,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["./test/browser/global-setup.ts"],
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      ...(TEST_PACKAGE === "1" ? [PACKAGE] : []),
    ],
  },
});
