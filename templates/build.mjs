// Builds the chart library into templates/dist: one file for browsers and for
// the program that draws the pictures, and the licences of what is in it.
// The output depends on the lock file and the entry alone.
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const modules = "../node_modules/";
const budget = 190_000; // bytes, brotli at its best quality

const version = async (name) =>
  JSON.parse(await readFile(here(`${modules}${name}/package.json`), "utf8"))
    .version;

const parts = [
  ["echarts", "Apache-2.0", ["LICENSE", "NOTICE"]],
  ["zrender", "BSD-3-Clause", ["LICENSE"]],
  ["tslib", "0BSD", ["LICENSE.txt"]],
];

const names = [];
const texts = [];
for (const [name, licence, files] of parts) {
  names.push(`${name} ${await version(name)} (${licence})`);
  for (const file of files) {
    const text = await readFile(here(`${modules}${name}/${file}`), "utf8");
    texts.push(`${name}: ${file}\n\n${text.trim()}\n`);
  }
}

const result = await build({
  entryPoints: [here("echarts.entry.js")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none", // the licences stand in a file of their own
  banner: { js: `/* ${names.join(", ")}; licences: echarts.LICENSE.txt */` },
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "warning",
  write: false,
});

const script = result.outputFiles[0].contents;
const packed = brotliCompressSync(script, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: script.length,
  },
}).length;
if (packed > budget) {
  await rm(here("dist/echarts.js"), { force: true });
  throw new Error(`the chart library is ${packed} bytes (brotli), above ${budget}`);
}

await writeFile(here("dist/echarts.js"), script);
await writeFile(here("dist/echarts.LICENSE.txt"), texts.join("\n\n"));
console.error(`templates/dist/echarts.js: ${script.length} bytes, ${packed} brotli`);
