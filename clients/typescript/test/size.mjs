/** Prints the size of the package's own code, minified and compressed, in bytes. Usage: node size.mjs <entry> <external>... */
import { build } from "esbuild";
import { gzipSync } from "node:zlib";

const [entry, ...external] = process.argv.slice(2);
const { outputFiles: [file] } = await build({ entryPoints: [entry], bundle: true, minify: true, format: "esm", write: false, external });
console.log(gzipSync(file.contents, { level: 9 }).length);
