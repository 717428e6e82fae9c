import { describe, expect, test } from "vitest";
import { simulatorOfFile } from "../probe/simulated.ts";
import { askRaw, bodyOf } from "./raw-client.ts";
import { askService, CHAT as chat } from "./service-client.ts";

const simulator = await simulatorOfFile();

const ask = (scenario: string, path: string, body?: object) =>
  askService(`${simulator.baseUrl(scenario)}${path}`, { body });

describe("streams that are well", () => {
  const deltasOf = async (scenario: string) => {
    const answer = await ask(scenario, "/v1/chat/completions", { ...chat, stream: true });
    const chunks = answer.text.split("\n\n").filter((frame) => frame.startsWith("data: {"));
    return chunks.map((frame) => {
      const { choices, usage } = JSON.parse(frame.replace("data: ", ""));
      return choices[0]?.finish_reason ?? choices[0]?.delta ?? usage.completion_tokens;
    });
  };

  test("a stream may think before it speaks, think only, or keep its tokens to itself", async () => {
    const role = { role: "assistant", content: "" };
    const thoughts = [{ reasoning_content: "The user " }, { reasoning_content: "sends a ping" }];
    const words = [{ content: "po" }, { content: "ng" }];
    expect(await deltasOf("stream_thoughts_first")).toEqual([role, ...thoughts, ...words, "stop", 9]);
    expect(await deltasOf("stream_thoughts_only")).toEqual([role, ...thoughts, "length", 16]);
    expect(await deltasOf("stream_without_usage")).toEqual([role, ...words, "stop"]);
  });

  test("a message may think: its blocks are told apart", async () => {
    const { text } = await ask("messages_stream_thoughts_first", "/v1/messages", { ...chat, stream: true });
    const blocks = [...text.matchAll(/"content_block":{"type":"(\w+)"/g)].map((match) => match[1]);
    expect(blocks).toEqual(["thinking", "text"]);
    expect(text).toContain('"index":1,"delta":{"type":"text_delta","text":"po"}');
  });

  test("a slow chat keeps nobody else waiting", async () => {
    const order: string[] = [];
    const slow = ask("slow_chat_200", "/v1/chat/completions", { ...chat, stream: true });
    const ended = slow.then(() => order.push("chat"));
    await ask("slow_chat_200", "/v1/models").then(() => order.push("list"));
    await ended;
    expect((await slow).text.endsWith("data: [DONE]\n\n")).toBe(true);
    const { json } = await ask("slow_chat_200", "/v1/chat/completions", chat);
    expect(json.choices[0].message.content).toBe("pong");
    expect(order).toEqual(["list", "chat"]);
  });
});

describe("streams that fail", () => {
  const streamOf = async (scenario: string, path = "/v1/chat/completions") => {
    const body = JSON.stringify({ ...chat, stream: true });
    const headers = { authorization: "Bearer any" };
    const answer = await askRaw(simulator.baseUrl(scenario), { method: "POST", path, headers, body });
    return { ...answer, body: bodyOf(answer) };
  };

  test("an error event comes after the first words", async () => {
    const { body } = await streamOf("stream_error_event");
    expect(body).toMatch(/"content":"po"[^]*data: {"error":{"message":"The upstream broke off\."/);
    expect(body).not.toContain("[DONE]");
  });

  test("a reset cuts the stream after its words", async () => {
    const answer = await streamOf("stream_reset");
    expect(answer.ended).toBe("by a reset");
    expect(answer.body).toContain('"content":"ng"');
  });

  test.each(["stream_without_done", "stream_cut_in_frame"])(
    "%s ends in good order, unfinished",
    async (scenario) => {
      const answer = await streamOf(scenario);
      expect(answer.ended).toBe("by the server");
      expect(answer.body).not.toContain("[DONE]");
      expect(answer.body.endsWith("0\r\n\r\n")).toBe(true);
    },
  );

  test("a stream may end behind the letters of [DONE], or stay open behind the event", async () => {
    const unfinished = await streamOf("stream_done_without_empty_line");
    expect(unfinished.ended).toBe("by the server");
    expect(unfinished.body).toMatch(/data: \[DONE\]\r\n0\r\n\r\n$/);
    const answer = await fetch(`${simulator.baseUrl("stream_open_after_done")}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer any" },
      body: JSON.stringify(chat),
    });
    let text = "";
    for await (const part of answer.body ?? []) {
      text += Buffer.from(part).toString();
      if (text.includes("[DONE]\n\n")) break;
    }
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  test("an error may come before any content", async () => {
    const { body } = await streamOf("stream_refused_key");
    expect(body).toContain('"code":"invalid_api_key"');
    expect(body).not.toContain("assistant");
  });

  test("a messages stream errs, or lacks its stop", async () => {
    const erring = await streamOf("messages_stream_error", "/v1/messages");
    expect(erring.body).toContain('event: error\ndata: {"type":"error","error":{"type":"overloaded_error"');
    const unstopped = await streamOf("messages_stream_without_stop", "/v1/messages");
    expect(unstopped.body).not.toContain("message_stop");
  });

  test("a split stream is whole: CRLF, a comment, and a chunk a byte", async () => {
    const { body } = await streamOf("stream_split");
    expect(body.startsWith("1\r\n:\r\n1\r\n \r\n1\r\nh\r\n")).toBe(true);
    const answer = await ask("stream_split", "/v1/chat/completions", chat);
    expect(answer.text).toMatch(/^: hello\r\n\r\ndata: [^]*data: \[DONE\]\r\n\r\n$/);
  });
});
