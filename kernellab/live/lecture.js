// In the lecture hall: puts a live figure on the whole screen, and listens to the keyboard there.
//
// What travels, as synced traits:
//   to Python:   request {count, preset}   load a preset (none: reset); the count makes requests differ
//   from Python: question, presets (their names), at_once (go on stage when the page opens),
//                answered (the count of the last request)

const SOON_MS = 30;
const KEYS = [
  ["← →", "move the slider that has the frame, or the point"],
  ["Tab", "the next slider, button or point"],
  ["Space", "play, pause"],
  ["1 … 9", "load a preset"],
  ["r", "reset"],
  ["n, Page down", "next demo"],
  ["p, Page up", "previous demo"],
  ["?", "this card"],
  ["Esc", "leave the stage"],
];
const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
const SLIDER = ".noUi-handle";
const ARRIVED = "kl-demo"; // said in the page by each demo: there is one more
const PLAY_MS = 350;
const MOST_STEPS = 50; // of an arrow key, from one end of a slider to the other
const JUMPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]; // of the slider's own steps
const LEAST_WIDTH = 200; // of a picture, in CSS pixels

function element(parent, tag, className, text = "") {
  const node = parent.appendChild(document.createElement(tag));
  node.className = className;
  node.textContent = text;
  return node;
}

// A row of words for what is one key away, and the card with the rest of them.
function makeCard(parent) {
  const card = element(parent, "table", "kl-keys");
  card.hidden = true;
  element(card, "caption", "", "Keys");
  for (const [key, what] of KEYS) {
    const row = card.insertRow();
    element(row, "th", "", key).scope = "row";
    element(row, "td", "", what);
  }
  return card;
}

// One press of an arrow: a step that can be seen from the last row, on a grid that meets the ends.
// A slider that a Play button drives counts steps of an algorithm: those are taken one by one.
function step(handle, direction, oneByOne) {
  const slider = handle.closest(".noUi-target").noUiSlider;
  const { range, step: least } = slider.options;
  const places = Math.round((range.max - range.min) / least);
  const jump = oneByOne && least === 1 ? 1 : JUMPS.find((k) => places <= k * MOST_STEPS) ?? JUMPS.at(-1);
  const now = (Number(slider.get(true)) - range.min) / (least * jump);
  const next = direction > 0 ? Math.floor(now + 1 + 1e-6) : Math.ceil(now - 1 - 1e-6);
  slider.set(Math.min(range.max, Math.max(range.min, range.min + next * least * jump)));
}

function render({ model, el }) {
  const head = element(el, "div", "kl-head");
  const enter = element(head, "button", "kl-enter", "Show on the whole screen");
  const question = element(head, "h2", "kl-asked");
  const presets = element(head, "div", "kl-presets");
  const card = makeCard(el);
  let timer = 0; // plays a slider
  let held = []; // keys that wait for a request
  let requesting = 0; // waits until what played has stopped, and what was moved has arrived

  const root = () => el.closest(".kl-figure");
  const all = () => [...document.querySelectorAll(".kl-figure")].filter((one) => one.querySelector(".kl-enter"));
  const readouts = () => root().querySelectorAll(".widget-readout");
  const onStage = () => root()?.classList.contains("kl-on-stage");
  const move = (handle, direction) => step(handle, direction, root().querySelector(".widget-play") !== null);

  function ask(what) {
    held = []; // what they would have moved is set anew
    requestSoon(what);
  }

  function requestSoon(what) {
    stop();
    clearTimeout(requesting);
    root()?.querySelector(".widget-play button:has(.fa-pause)")?.click(); // else it would play on
    if (root()?.querySelector(".kl-live")?.underWay()) { // what was moved before comes first
      requesting = setTimeout(() => requestSoon(what), SOON_MS);
      return;
    }
    requesting = 0;
    model.set("request", { count: model.get("request").count + 1, ...what });
    model.save_changes();
  }

  function answered() {
    const done = !requesting && model.get("answered") === model.get("request").count;
    return done || root().querySelector(".kl-gone") !== null; // without Python nobody need wait
  }
  head.answered = answered; // for a test, which presses keys faster than a hand

  function name() {
    question.textContent = model.get("question");
    presets.replaceChildren();
    model.get("presets").slice(0, 9).forEach((preset, i) => {
      const button = element(presets, "button", "kl-preset", `${i + 1} ${preset}`);
      button.onclick = () => ask({ preset: i });
    });
    element(presets, "button", "kl-preset", "? keys").onclick = () => { card.hidden = !card.hidden; };
  }

  // --- on and off the stage -----------------------------------------------------------------

  // The picture takes what the words and controls leave it. A readout keeps the height it once had,
  // so that the picture does not change its size with each number.
  function fit() {
    const box = root();
    const stage = box?.querySelector(".kl-stage");
    if (!stage || !onStage()) return;
    const words = box.querySelector(".kl-readout");
    words.style.minHeight = `${Math.max(parseFloat(words.style.minHeight) || 0, words.offsetHeight)}px`;
    const all = [...box.children].reduce((sum, child) => sum + child.offsetHeight, 0);
    const { paddingTop, paddingBottom, paddingLeft, paddingRight } = getComputedStyle(box);
    const others = all - stage.clientHeight + parseFloat(paddingTop) + parseFloat(paddingBottom) + 1;
    const [width, height] = stage.style.aspectRatio.split("/").map(Number);
    const room = box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const most = Math.min(room, ((innerHeight - others) * width) / height);
    box.style.setProperty("--kl-stage", `${Math.max(LEAST_WIDTH, Math.floor(most))}px`);
  }

  function fitAnew() { // another window: what was kept for the old one is no longer true
    root()?.querySelector(".kl-readout")?.style.removeProperty("min-height");
    fit();
  }
  const words = new ResizeObserver(fit);

  function count() {
    const demos = all();
    head.dataset.place = `${demos.indexOf(root()) + 1} of ${demos.length}`;
  }

  function show() {
    const box = root();
    if (!box || onStage()) return;
    box.classList.add("kl-on-stage");
    box.addEventListener("keydown", keep);
    box.tabIndex = -1; // a click beside everything leaves the keyboard here
    // Tab does not stop where the next key would be taken for a digit; a click does.
    for (const readout of readouts()) readout.tabIndex = -1;
    box.style.setProperty("--kl-stage", `${LEAST_WIDTH}px`); // small, while the others are measured
    box.popover = "manual"; // the browser's top layer: nothing of the page can cover it
    box.showPopover();
    count();
    (box.querySelector(SLIDER) ?? box.querySelector(".kl-grip") ?? enter).focus();
    requestAnimationFrame(fitAnew);
    for (const part of box.querySelectorAll(".kl-head, .kl-controls, .kl-readout")) words.observe(part);
  }

  function leave() {
    const box = root();
    stop();
    card.hidden = true;
    box.hidePopover();
    box.removeAttribute("popover");
    box.removeEventListener("keydown", keep);
    for (const part of [box, ...readouts()]) part.removeAttribute("tabindex");
    box.classList.remove("kl-on-stage");
    words.disconnect();
    box.querySelector(".kl-readout")?.style.removeProperty("min-height");
    enter.focus({ preventScroll: false });
  }

  function turn(step) {
    const demos = all();
    const next = demos[demos.indexOf(root()) + step];
    if (!next) return;
    leave();
    next.scrollIntoView();
    next.querySelector(".kl-enter").click();
  }

  // --- playing ------------------------------------------------------------------------------

  function stop() {
    clearInterval(timer);
    timer = 0;
  }

  // A figure that has a play button of its own plays by that; else the chosen slider moves on. Where
  // motion is not wanted, a press is one step.
  function play() {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const own = root().querySelector(".widget-play button");
    if (own && !calm) return own.click();
    const slider = root().querySelector(`${SLIDER}:focus`) ?? root().querySelector(SLIDER);
    if (timer || !slider) return stop();
    const tick = () => {
      if (!answered()) return;
      const before = slider.getAttribute("aria-valuenow");
      move(slider, 1);
      if (slider.getAttribute("aria-valuenow") === before) stop();
    };
    if (!calm) timer = setInterval(tick, PLAY_MS);
    tick();
  }

  // --- keys -----------------------------------------------------------------------------------

  // Nothing behind the stage can have the frame: after the last stop comes the first.
  function wrap(target, back) {
    const stops = [...root().querySelectorAll("*")].filter((one) =>
      one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
    const end = stops.at(back ? 0 : -1);
    if (root().contains(target) && target !== end) return false; // the browser knows the way
    stops.at(back ? -1 : 0).focus();
    return true;
  }

  function answer(key, target, shift) {
    const presses = target.matches("button, select, input");
    const preset = Number(key) - 1;
    const arrow = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[key];
    if (key === "Escape" && !card.hidden) card.hidden = true;
    else if (key === "Escape") leave();
    else if (key === "?") card.hidden = !card.hidden;
    else if (key === "Tab") return wrap(target, shift);
    else if (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea")) return false;
    else if (key === "n" || key === "PageDown") turn(1);
    else if (key === "p" || key === "PageUp") turn(-1);
    else if (key === "r") ask({});
    else if (preset >= 0 && preset < model.get("presets").length) ask({ preset });
    else if (key === " " && !presses) play();
    else if (arrow && target.matches(SLIDER)) move(target, arrow);
    else if (arrow && !root().contains(target)) root().querySelector(SLIDER)?.focus();
    else return false;
    return true;
  }

  // What is moved while a preset is loaded is moved after it, not from where the page still has it.
  function hold(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    held.push([event.target, event]);
    if (held.length === 1) setTimeout(release, SOON_MS);
  }

  function release() {
    if (!held.length) return; // a newer request, or the figure is gone
    if (!answered()) {
      setTimeout(release, SOON_MS);
      return;
    }
    for (const [target, event] of held.splice(0)) {
      // The point may have been replaced by another.
      if (target.isConnected) target.dispatchEvent(new KeyboardEvent("keydown", event));
    }
  }

  function listen(event) {
    if (!onStage()) return;
    if (MOVES.includes(event.key) && !answered()) return hold(event);
    const target = event.target instanceof Element ? event.target : document.body;
    const key = event.code === "Tab" ? "Tab" : event.key; // WebKitGTK: with Shift "Unidentified"
    const ours = !(event.ctrlKey || event.metaKey || event.altKey) && answer(key, target, event.shiftKey);
    if (ours) event.preventDefault();
    // Nothing that is typed here is for the page behind: it might delete a cell.
    if (ours || !root().contains(target)) event.stopImmediatePropagation();
  }

  // What is left to the controls of the stage ends there too: JupyterLab listens further out.
  function keep(event) {
    event.stopPropagation();
  }

  enter.onclick = show;
  name();
  model.on("change:question change:presets", name);
  addEventListener("keydown", listen, { capture: true });
  addEventListener("resize", fitAnew);
  addEventListener(ARRIVED, count);
  const first = requestAnimationFrame(() => {
    dispatchEvent(new Event(ARRIVED));
    if (model.get("at_once") && !document.querySelector(".kl-on-stage")) show();
  });

  return () => {
    cancelAnimationFrame(first);
    clearTimeout(requesting);
    held = [];
    stop();
    removeEventListener("keydown", listen, { capture: true });
    words.disconnect();
    removeEventListener("resize", fitAnew);
    removeEventListener(ARRIVED, count);
    model.off("change:question change:presets", name);
  };
}

export default { render };
