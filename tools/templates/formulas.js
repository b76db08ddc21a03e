// Chromium keeps room for the widest root sign behind every root; give it back where it does.
"use strict";

function tightenRoots() {
  for (const root of document.querySelectorAll("msqrt:not([style])")) {
    const end = Math.max(...[...root.children].map(part => part.getBoundingClientRect().right));
    const gap = root.getBoundingClientRect().right - end;
    if (gap > 1) root.style.marginRight = `${-gap / parseFloat(getComputedStyle(root).fontSize)}em`;
  }
}
