"""What axe-core, the checker of accessibility, finds on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

AXE = Path(__file__).with_name("vendor") / "axe-core" / "axe.min.js"

# Nine tenths of the elements of a lesson are coloured words of code, and parts of formulas: all
# alike, and slow to check. Looked at on one page, they need not be on the others.
SIMPLIFY = """() => {
  const all = selector => document.querySelectorAll(selector);
  for (const code of all("pre.code code")) code.textContent = code.textContent;
  for (const math of all("math")) math.innerHTML = "<mi>x</mi>";
}"""

RUN = """async within => {
  const { violations } = await axe.run(within, { resultTypes: ["violations"] });
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.target.join(" ")} ${node.html}`));
}"""


def problems(page: Any, within: Any = "body") -> list[str]:
    """Return what is serious or critical within a part of the page: the rule, and the element."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return [found[:300] for found in page.evaluate(RUN, within)]
