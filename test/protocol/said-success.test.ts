import { describe, expect, it } from "vitest";
import { diagnosed } from "./answers.ts";

const data = [{ id: "gpt-4o" }];

describe("a list with a code that is there and is not 0 (spec 7.4) is not up", () => {
  it.each([
    ['"code":[5000]', null, null],
    ['"code":{"v":5000}', null, null],
    ['"code":-1', -1, null],
    ['"code":"5000 "', 5000, null],
    ['"code":"-5000"', -5000, null],
    ['"code":1e3', 1000, null],
    ['"code":0,"code":5000', 5000, null],
    ['"code":0.5', null, "0.5"],
    ['"code":"0x1388"', null, "0x1388"],
    ['"code":"５０００"', null, "５０００"],
    ['"code":"0 of 3"', null, "0 of 3"],
  ])("%s", (member, businessCode, errorCode) => {
    expect(diagnosed(200, `{${member},"data":[{"id":"gpt-4o"}]}`)).toMatchObject({
      cause: "business_error",
      layer: "business",
      owner: "operator",
      health: "down",
      businessCode,
      errorCode,
    });
  });

  it("not even one of zeros before a long gap", () => {
    expect(diagnosed(200, { code: `0${" ".repeat(500)}x`, data }).ok).toBe(false);
  });
});

const of = (member: string) => diagnosed(200, `{${member},"data":[{"id":"gpt-4o"}]}`);

describe("a list that denies its success is not up", () => {
  const DENIALS =
    '"success":false|"success":"False"|"success":" FALSE "|"success":0|"success":"0"|"success":"no"|' +
    '"success":"failed"|"ok":false';
  const DENIED = { cause: "business_error", health: "down" };

  it.each(DENIALS.split("|"))("%s", (member) => expect(of(member)).toMatchObject(DENIED));

  it.each([{ status: "error" }, { status: "FAILED" }, { status: 500 }])("%j, where it is empty", (member) => {
    expect(diagnosed(200, { ...member, data: [] })).toMatchObject(DENIED);
  });
});

describe("a good list stays up", () => {
  const MEMBERS =
    '"x":1|"code":null|"code":""|"code":" "|"code":0|"code":"0"|"code":" 0 "|"code":"0.0"|"code":true|' +
    '"code":false|"code":[]|"code":{}|"code":"success"|"code":"OK"|"code":"ok!"|"success":true|"success":"true"|' +
    '"success":1|"success":null|"success":""|"ok":true|"ok":0|"status":"ok"|"status":"error"|"status":200|' +
    '"message":"insufficient balance"|"errors":[]|"error":false|"unknown":{"code":5000,"success":false}';

  it.each(MEMBERS.split("|"))("beside %s", (member) => {
    expect(of(member)).toMatchObject({ cause: "ok", health: "up" });
  });

  it("whose code is -0, which is 0, and behind two byte order marks", () => {
    expect(diagnosed(200, '{"code":-0,"data":[]}')).toMatchObject({ ok: true, businessCode: 0 });
    expect(diagnosed(200, '\uFEFF\uFEFF {"data":[]}').ok).toBe(true);
  });
});
