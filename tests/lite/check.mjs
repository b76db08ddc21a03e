// Load a built course in Node as a page loads it in a browser, and run a file: check.mjs LITE FILE …
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [lite, file, ...rest] = process.argv.slice(2);
const folder = join(resolve(lite), "static", "pyodide") + "/";
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const said = [];
const python = await loadPyodide({
  indexURL: folder,
  packages: Object.keys(JSON.parse(readFileSync(join(folder, "pyodide-lock.json"))).packages),
  stderr: line => said.push(line),
});
// In Node Pyodide would ask its own servers for what is not here: nobody is asked.
globalThis.fetch = () => { throw new Error("asked the network"); };
const wheels = join(resolve(lite), "wheels");
await python.loadPackage(
  readdirSync(wheels).filter(name => !/^(piplite|pyodide_kernel)/.test(name))
    .map(name => join(wheels, name)), { messageCallback() {} });
python.runPython(`import sys; sys.argv = ${JSON.stringify([file, ...rest])}`);
try {
  await python.runPythonAsync(readFileSync(file, "utf-8"));
} catch (problem) {
  said.push(problem.message); // and not the megabyte of source that Node would add
}
if (said.length) console.error(said.join("\n"));
process.exit(said.length ? 1 : 0);
