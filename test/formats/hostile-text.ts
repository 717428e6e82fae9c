/** What a gateway, or whoever wrote the configuration, may say. */
import * as fc from "fast-check";

export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "<script>alert(1)</script>",
        '"><image href="https://evil.example/x.png"/>',
        "' onload='alert(1)",
        "</title><script>",
        "</text></svg>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;",
        "<?xml version='1.0'?>",
        "&lt;b&gt;",
        "&#0;",
        "&nbsp;",
        "url(https://evil.example)",
        "\u0000",
        "\u001b[31m",
        "\u0085",
        "\u202e",
        "\ufffe\uffff",
        "\ud800",
        "😀",
        "模型网关",
        "\r\n",
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text !== "");
