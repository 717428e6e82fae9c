/** The documentation site: the README and `docs/` as they are, in the order of a reader's tasks. */
import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type MarkdownRenderer } from "vitepress";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#1a7f4b"/></svg>`;
const REPOSITORY = "https://github.com/gatepulse/gatepulse";

/** By task: what a page is called, and its file without `.md`. */
const SIDEBAR = {
  Start: {
    "Your first minute": "README",
    中文: "README.zh",
    中文指南: "docs/guide.zh",
    "Your project": "docs/project",
    "Recipes for gateways": "docs/recipes",
  },
  Configure: {
    "Every key": "docs/configuration",
    "A private page": "docs/private-view",
    "Many monitors": "docs/scale",
  },
  "Get alerts": { "When alerts are sent": "docs/alerts", Channels: "docs/channels" },
  "Read the data": { "JSON API": "docs/api", "Metrics, feeds, badges": "docs/integrations" },
  "Explain an answer": {
    "Explain an error": "docs/explain",
    Causes: "docs/causes",
    "In your program": "docs/library",
    "A fetch that retries": "docs/fetch",
    "Compared with other clients": "docs/clients",
  },
  Operate: {
    "Without a deploy": "docs/admin",
    "What a day costs": "docs/plan",
    "What is stored": "docs/storage",
    Changes: "CHANGELOG",
  },
  Understand: {
    "What is redacted": "docs/redaction",
    Rules: "docs/rules",
    Performance: "docs/performance",
    Contribute: "CONTRIBUTING",
  },
};

const LISTED = Object.values(SIDEBAR).flatMap((pages) => Object.values(pages));
const DOCUMENTS = globSync(["*.md", "docs/*.md"], { cwd: ROOT }).map((file) => file.replace(/\.md$/u, ""));
const astray = [...new Set(LISTED).symmetricDifference(new Set(DOCUMENTS))];
if (astray.length > 0)
  throw new Error(`only in the sidebar, or only in the repository: ${astray.join(", ")}`);

/** Links to files that are no pages lead to the repository. */
function linkToRepository(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === "link_open");
    for (const link of links) {
      const href = link.attrGet("href") ?? "";
      if (!/^\.{0,2}[\w/.-]+\.(?!md\b)\w+(#|$)/u.test(href)) continue;
      const { pathname } = new URL(href, `file:///${env.relativePath}`);
      link.attrSet("href", `${REPOSITORY}/blob/main${pathname}`);
    }
  });
}

/** On the server it is that of the site: from the folders of the documents there is none. */
function resolveVue(id: string, _importer: string | undefined, { ssr }: { readonly ssr?: boolean }) {
  return ssr === true && /^vue(\/|$)/u.test(id) ? { id, external: true } : null;
}

/** https://llmstxt.org: what a model reads first. */
function writeIndexForModels(folder: string): void {
  const chapters = Object.entries(SIDEBAR).map(([task, pages]) => {
    const lines = Object.entries(pages).map(
      ([name, file]) => `- [${name}](${REPOSITORY}/raw/main/${file}.md)\n`,
    );
    return `## ${task}\n\n${lines.join("")}`;
  });
  writeFileSync(join(folder, "llms.txt"), `# Gatepulse\n\n> ${DESCRIPTION}\n\n${chapters.join("\n")}`);
}

const DESCRIPTION = "Monitors LLM gateways, and says what failed, whose turn it is, and when to try again.";

export default defineConfig({
  title: "Gatepulse",
  description: DESCRIPTION,
  buildEnd: ({ outDir }) => writeIndexForModels(outDir),
  lang: "en",
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  srcDir: ROOT,
  srcExclude: ["node_modules/**", "site/node_modules/**", "test/**", "dist/**", ".*/**"],
  rewrites: { "site/index.md": "index.md" },
  outDir: "dist",
  cleanUrls: true,
  markdown: { config: linkToRepository },
  vite: { plugins: [{ name: "vue-of-the-site", enforce: "pre", resolveId: resolveVue }] },
  themeConfig: {
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path` },
    outline: [2, 3],
    sidebar: Object.entries(SIDEBAR).map(([text, pages]) => ({
      text,
      items: Object.entries(pages).map(([name, path]) => ({ text: name, link: `/${path}` })),
    })),
  },
});
