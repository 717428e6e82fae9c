/** What a gateway, or the author of the configuration, may say. */
import * as fc from "fast-check";

/** Some of these, and of anything else, one after the other. */
export function hostileTextOf(parts: readonly string[], maxLength = 4): fc.Arbitrary<string> {
  const part = fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "binary", maxLength: 8 }));
  return fc
    .array(part, { minLength: 1, maxLength })
    .map((chosen) => chosen.join(""))
    .filter((text) => text !== "");
}

const MARKUP = String.raw`
<script>alert(1)</script>
"><image href="https://evil.example/x.png"/>
' onload='alert(1)
</title><script>
</text></svg>
<!--
-->
<![CDATA[
]]>
<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;
<?xml version='1.0'?>
&lt;b&gt;
&#0;
&nbsp;
url(https://evil.example)`;
const SIGNS = ["\u0000", "\u001b[31m", "\u0085", "\u202e", "\ufffe\uffff", "\ud800", "😀", "模型", "\r\n"];

export const hostileText = hostileTextOf([...MARKUP.trim().split("\n"), ...SIGNS]);
