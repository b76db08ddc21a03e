"""What axe-core, the checker of accessibility, finds on a page."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

RUN = """async ([within, without, colours]) => {
  const place = { include: [within], exclude: without };
  const rules = { "color-contrast": { enabled: colours } };
  const { violations } = await axe.run(place, { rules, resultTypes: ["violations"] });
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.target.join(" ")} ${node.html}`));
}"""


# Nine tenths of the elements of a lesson are words of code, and parts of formulas, which are all
# alike: looked at on one page they need not be on the others.
ALL_ALIKE = ("pre.code code", "math")


def problems(
    page: Any, within: str = "body", without: tuple[str, ...] = (), colours: bool = True
) -> list[str]:
    """Return what is serious or critical within a part of the page: the rule, and the element."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    return [found[:300] for found in page.evaluate(RUN, [within, list(without), colours])]
