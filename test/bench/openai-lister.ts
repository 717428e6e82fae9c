/** A process of its own that lists models by the official client, as often as it is told; it ends with its parent. */
import OpenAI from "openai";

const LANES = 6;

interface Order {
  /** Of each gateway, without `/v1`. */
  readonly baseUrls: readonly string[];
  readonly apiKey: string;
  readonly rounds: number;
}

async function listAll({ baseUrls, apiKey, rounds }: Order): Promise<void> {
  const clients = baseUrls.map((baseUrl) => new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 3 }));
  for (let round = 0; round < rounds; round += 1) {
    const waiting = [...clients];
    const lane = async (): Promise<void> => {
      for (let client = waiting.pop(); client; client = waiting.pop()) await client.models.list();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
}

process.on("message", (order: Order) => {
  void listAll(order).then(() => process.send?.("listed"));
});
process.on("disconnect", () => process.exit());
