// Checks GLB files with the Khronos validator: node check.mjs FILE... prints one JSON line per file.
import { readFile } from "node:fs/promises";
import { validateBytes } from "gltf-validator";

for (const path of process.argv.slice(2)) {
  const report = await validateBytes(new Uint8Array(await readFile(path)), { maxIssues: 20 });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  console.log(JSON.stringify({ path, numErrors, numWarnings, numInfos, numHints, messages, info: report.info }));
}
