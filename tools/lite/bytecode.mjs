// Compile what lies in the folders of a folder with Pyodide's own Python: bytecode.mjs PYODIDE FOLDER
// Importing is half of what a reader waits for, and compiling is half of that.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: join(pyodide, "/") });
python.FS.mkdirTree("/unpacked");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/unpacked");
python.runPython(`
from compileall import compile_dir
from pathlib import Path
from py_compile import PycInvalidationMode
import warnings

warnings.simplefilter("ignore")  # of others' code
for archive in Path("/unpacked").iterdir():
    zipped = archive.suffix == ".zip"  # is imported as it lies there, without __pycache__
    never_stale = PycInvalidationMode.UNCHECKED_HASH
    compile_dir(archive, quiet=2, legacy=zipped, stripdir=archive, invalidation_mode=never_stale)
`);
