/** A process of its own that answers every request at once with a list of 50 models; it ends with its parent. */
import { createServer } from "node:http";
import { modelList } from "../../src/simulator/models.ts";

const MODELS = 50;

const ids = Array.from({ length: MODELS }, (_, index) => `sim-model-of-some-vendor-${index}`);
const body = Buffer.from(JSON.stringify(modelList(ids)));

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": body.length,
    "x-request-id": "req_01hf7qk3m2v9",
  });
  response.end(body);
});
server.keepAliveTimeout = 60_000;

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});
process.on("disconnect", () => process.exit());
