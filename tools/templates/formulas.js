// Chromium keeps room for the widest root sign behind every root; give it back where it does.
"use strict";

function tightenRoots(within = document) {
  for (const root of within.querySelectorAll("msqrt:not([style])")) {
    const scale = root.getBoundingClientRect().width / root.clientWidth || 1; // of a slide
    const end = Math.max(...[...root.children].map(part => part.getBoundingClientRect().right));
    const gap = (root.getBoundingClientRect().right - end) / scale;
    if (gap > 1) root.style.marginRight = `${-gap / parseFloat(getComputedStyle(root).fontSize)}em`;
  }
}
