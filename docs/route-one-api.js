// Sets the priorities of one-api's channels in the order of GET /api/v1/route: one-api asks the highest first.
// node route-one-api.js https://status.example.com gpt-4o https://one-api.example.com
const CHANNELS = {
  // By its id on the status page: the id of its channel.
  acme: 1,
  beta: 2,
};

const [page, model, oneApi] = process.argv.slice(2);
const channels = process.env.CHANNELS ? JSON.parse(process.env.CHANNELS) : CHANNELS;
const headers = process.env.VIEW_TOKEN ? { authorization: `Bearer ${process.env.VIEW_TOKEN}` } : {};

const query = new URLSearchParams({ model, protocol: "chat" });
const answer = await fetch(`${page}/api/v1/route?${query}`, { headers });
if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
const route = await answer.json();
const ids = [...route.gateways, ...route.unavailable]
  .map(({ gateway }) => gateway)
  .filter((id) => Object.hasOwn(channels, id));

for (const [index, id] of ids.entries()) {
  const priority = ids.length - index;
  const changed = await fetch(`${oneApi}/api/channel/`, {
    method: "PUT",
    // An administrator's access token, without "Bearer".
    headers: { authorization: process.env.ONE_API_TOKEN, "content-type": "application/json" },
    body: JSON.stringify({ id: channels[id], priority }),
  });
  // one-api says 200 even if it refuses.
  const { success, message } = await changed.json();
  if (!success) throw new Error(`channel ${channels[id]}: ${message}`);
  process.stdout.write(`${id}: channel ${channels[id]} has priority ${priority}\n`);
}
