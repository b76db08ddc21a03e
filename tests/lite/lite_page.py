"""The course on a page without a server, as a reader has it."""

from __future__ import annotations

from typing import Any

import lab

SAVE = """async ([path, cells]) => {
  const code = source =>
    ({ cell_type: "code", source, metadata: {}, outputs: [], execution_count: null });
  const metadata = { kernelspec: { name: "python", display_name: "Python" } };
  await window.jupyterapp.serviceManager.contents.save(path, {
    type: "notebook", format: "json",
    content: { nbformat: 4, nbformat_minor: 4, metadata, cells: cells.map(code) } });
}"""
HAS_COME = f"""path => {{
  const notebook = {lab.WIDGET};
  return notebook?.context.isReady && notebook.context.path === path;
}}"""
DONE = f"""() => {{
  const cells = {lab.WIDGET}.content.model.sharedModel.cells;
  const code = cells.filter(cell => cell.cell_type === "code" && cell.getSource().trim());
  return code.every(cell => cell.execution_count !== null);
}}"""
FORGET = f"""() => {lab.WIDGET}.content.model.sharedModel.cells.forEach(cell => {{
  if (cell.cell_type === "code") {{ cell.execution_count = null; cell.setOutputs([]); }}
}})"""
STDERR = f"""() => [...{lab.WIDGET}.content.model.cells]
  .flatMap(cell => cell.toJSON().outputs ?? [])
  .filter(output => output.name === "stderr").map(output => [output.text].flat().join(""))"""

PRINTED = f"""() => {lab.WIDGET}.content.model.sharedModel.toJSON().cells
  .filter(cell => cell.cell_type === "code")
  .map(cell => cell.outputs.flatMap(({{ text, data }}) =>
    text ?? (String(Object.keys(data)) === "text/plain" ? data["text/plain"] : []))
    .join(""))
  .filter(text => text)"""


class Page(lab.Notebook):
    """A page on which lessons are opened by their address."""

    def __init__(self, page: Any, address: str) -> None:
        super().__init__(page, address, "")
        self.asked: list[str] = []
        page.context.on("request", self._note)

    def _note(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:", "attachment:")):
            self.asked.append(request.url)

    def visit(self, path: str, section: str = "") -> None:
        """Open a notebook by its address."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}/lab/index.html?path={path}{section}")
        self.page.wait_for_selector("#your-work-button:not(:empty)", timeout=90_000)
        self._has_come(path)

    def write(self, path: str, *cells: str) -> None:
        """Keep a notebook of some cells in the browser, and open it."""
        self.page.evaluate(SAVE, [path, list(cells)])
        self.command("docmanager:open", path=path)
        self._has_come(path)

    def _has_come(self, path: str) -> None:
        """Wait for a notebook: until it has come there is an empty cell in its place."""
        self.page.wait_for_function(HAS_COME, arg=path, timeout=60_000)

    def run_to_the_end(self, seconds: float) -> None:
        """Run all cells, saved outputs forgotten, and wait until every one has been run."""
        self.page.wait_for_function(f"() => {lab.KERNEL}", timeout=60_000)
        self.page.evaluate(FORGET)
        self.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }")
        self.page.wait_for_function(
            f"() => ({DONE})() || (({lab.ERROR_OUTPUTS})()).length", timeout=1000 * seconds
        )

    def said_by_python(self) -> list[str]:
        """Return what cells have written to standard error."""
        return list(self.page.evaluate(STDERR))

    def printed(self) -> list[str]:
        """Return for each cell of code what it printed, and the value of its last line."""
        return list(self.page.evaluate(PRINTED))
