// Behind `npm start`: on a Node that does not run TypeScript, it says which one does.
import { fileURLToPath } from "node:url";

try {
  const { main } = await import("../src/local/start.ts");
  await main();
} catch (error) {
  if (error?.code !== "ERR_UNKNOWN_FILE_EXTENSION") throw error;
  const node = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  process.stderr.write(
    `Gatepulse cannot start: Node ${process.versions.node} does not run TypeScript. Run it with the Node that npm ci installed:\n\n  ${node} ${fileURLToPath(import.meta.url)}\n`,
  );
  process.exitCode = 2;
}
