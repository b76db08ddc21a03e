// In the lecture hall: puts a live figure on the whole screen, and listens to the keyboard there.
//
// What travels, as synced traits:
//   to Python:   request {count, preset, state}   load a preset (none: reset) and then a state
//                state_asked n   tell what a hand has changed since, for the address
//   both ways:   hidden   whether what answers the question is hidden
//   from Python: question, presets (their names), name, title, lesson, notes, solution (the preset
//                that answers, from 1; 0: none), at_once (go on stage when the page opens),
//                answered (the count of the last request), state {count, changed}
//
// Each figure has its own copy of this file. What concerns all of them lies in the page: `head.demo`
// is what a demo says of itself, and `window.kernellabNotes` the window of the speaker.

const SOON_MS = 30;
const KEYS = [
  ["a", "show the answer, hide it"],
  ["← →", "move the slider that has the frame, or the point"],
  ["Tab", "the next slider, button or point"],
  ["Space", "play, pause"],
  ["1 … 9", "load a preset"],
  ["r", "reset"],
  ["n", "next demo"],
  ["Page down", "the answer, then the next demo"],
  ["p, Page up", "previous demo"],
  ["Home, End", "first demo, last demo; with Shift: end of the slider"],
  ["g", "contents: type to find a demo"],
  ["d", "draw on the picture; the next key wipes it"],
  ["b or .", "blank screen"],
  ["f", "full screen"],
  ["q", "the address of this picture, for the phones of the hall"],
  ["s", "notes for the speaker, in another window"],
  ["?", "this card"],
  ["Esc", "leave the stage"],
];
const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const ENDS = ["Home", "End"];
const SLIDER = ".noUi-handle";
const ARRIVED = "kl-demo"; // said in the page by each demo: there is one more
const PLAY_MS = 350;
const MOST_STEPS = 50; // of an arrow key, from one end of a slider to the other
const JUMPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]; // of the slider's own steps
const LEAST_HEIGHT = 100; // of a picture, in CSS pixels
const STILL_MS = 1000; // after the last key or move, the address follows
const IDLE_MS = 4000; // a pointer that rests so long is hidden
const POINTER = 14; // the part of the window's height that the pointer has

function element(parent, tag, className, text = "") {
  const node = parent.appendChild(document.createElement(tag));
  node.className = className;
  node.textContent = text;
  return node;
}

function button(parent, className, text, label, press) {
  const node = element(parent, "button", className, text);
  if (label) node.setAttribute("aria-label", node.title = label);
  node.onclick = press;
  return node;
}

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

// --- all demos of the page -----------------------------------------------------------------------

const headOf = (figure) => figure.querySelector(".kl-head");

// In the order of the page, or in that which the server says: it may send another one first.
const theOrder = () => document.querySelector("meta[name=kl-order]")?.content.split(" ");

function allDemos() {
  const order = theOrder();
  const there = [...document.querySelectorAll(".kl-figure")].filter((one) => headOf(one)?.demo);
  if (!order) return there;
  const place = (one) => (order.indexOf(headOf(one).demo.name) + 1) || Infinity;
  return there.sort((one, other) => place(one) - place(other));
}

function howMany() {
  return theOrder()?.length ?? allDemos().length;
}

// --- the address: demo, preset, state -------------------------------------------------------------

function readAddress(address = location.href) {
  const asked = new URL(address).searchParams;
  let state;
  try {
    state = JSON.parse(asked.get("state") ?? "null") ?? undefined;
  } catch {
    state = undefined; // cut off on its way
  }
  return { demo: asked.get("demo"), preset: Number(asked.get("preset") ?? 0), answer: asked.has("answer"), state };
}

function writeAddress(parts) {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(parts)) {
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
  }
  const said = address.href.replaceAll("%2C", ","); // as it was typed
  const before = readAddress().demo;
  const turned = before && before !== readAddress(said).demo; // the browser's Back leads there
  if (said !== location.href) history[turned ? "pushState" : "replaceState"](history.state, "", said);
}

// The address of this picture alone, as it can be sent; drawn, where the application has what draws.
async function showAddress(parent) {
  const address = new URL(location.href);
  const { demo } = readAddress();
  for (const name of ["token", "answer"]) address.searchParams.delete(name);
  if (demo) address.searchParams.set("demos", demo);
  const box = element(parent, "div", "kl-code");
  try {
    const base = JSON.parse(document.querySelector("#jupyter-config-data").textContent).baseUrl;
    const { qrcode } = await import(new URL(`${base}voila/templates/demos/static/qrcode.mjs`, location.href));
    const code = qrcode(0, "L");
    code.addData(address.href);
    code.make();
    box.innerHTML = code.createSvgTag({ scalable: true, margin: 2 });
  } catch { /* a notebook, or too long for a code: the words remain */ }
  element(box, "p", "", address.href.length < 200 ? address.href : `${address.href.slice(0, 200)} …`);
  if (["localhost", "127.0.0.1", "[::1]"].includes(address.hostname)) element(box, "p", "", "Only this computer can open it. For phones: make demos DEMO_FLAGS=--Voila.ip=0.0.0.0, opened by this computer's address in the network.");
}

// --- a pointer that can be seen from the last row -------------------------------------------------

function largePointer() {
  const size = Math.min(128, Math.round(innerHeight / POINTER)); // browsers take no larger one
  const arrow = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32">
    <path d="M2 2v24l6.5-6 4.5 10 4.5-2-4.5-10h9z" fill="#c2185b" stroke="#fff" stroke-width="2"/></svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(arrow)}") ${size / 16} ${size / 16}, auto`;
}

// --- drawing on the picture -----------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";

function makePaper(parent) {
  const paper = parent.appendChild(document.createElementNS(SVG, "svg"));
  paper.setAttribute("class", "kl-paper");
  let stroke = null;
  const place = (event) => `${event.clientX},${event.clientY}`;
  paper.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    paper.setPointerCapture(event.pointerId);
    stroke = paper.appendChild(document.createElementNS(SVG, "polyline"));
    stroke.setAttribute("points", place(event));
  });
  paper.addEventListener("pointermove", (event) => {
    stroke?.setAttribute("points", `${stroke.getAttribute("points")} ${place(event)}`);
  });
  for (const end of ["pointerup", "pointercancel"]) paper.addEventListener(end, () => { stroke = null; });
  return paper;
}

// --- contents --------------------------------------------------------------------------------------

function makeContents(parent, here, go, close) {
  const box = element(parent, "div", "kl-contents");
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", "Contents");
  const head = element(box, "div", "kl-find");
  const field = element(head, "input", "");
  field.type = "text";
  field.placeholder = "type a word or a number";
  field.setAttribute("aria-label", "find a demo");
  button(head, "kl-tool", "✕", "close the contents", close);
  const list = element(box, "div", "kl-list");
  let chosen = null;

  const shown = () => [...list.querySelectorAll(".kl-entry")].filter((one) => !one.hidden);

  function choose(entry) {
    chosen?.removeAttribute("aria-current");
    chosen = entry;
    chosen?.setAttribute("aria-current", "true");
    chosen?.scrollIntoView({ block: "nearest" });
  }

  function filter() {
    const typed = field.value.toLowerCase().trim();
    const words = typed.split(/\s+/).filter(Boolean);
    for (const entry of list.querySelectorAll(".kl-entry")) {
      entry.hidden = !words.every((word) => entry.said.includes(word));
    }
    for (const part of list.children) part.hidden = !part.querySelector(".kl-entry:not([hidden])");
    const [first] = ["number", "called"].flatMap((name) => shown().filter((one) => one[name].startsWith(typed)));
    choose(words.length ? first ?? shown()[0] : list.querySelector(".kl-here"));
  }

  let lesson = null;
  let part = null;
  allDemos().forEach((figure, i) => {
    const { demo } = headOf(figure);
    if (!part || demo.lesson !== lesson) {
      part = element(list, "section", "");
      element(part, "h3", "", lesson = demo.lesson);
    }
    const number = String(i + 1);
    const entry = button(part, "kl-entry", "", "", () => go(figure));
    const said = [number, demo.title, demo.name, demo.lesson, demo.question, ...demo.presets].join(" ").toLowerCase();
    Object.assign(entry, { said, number, called: demo.title.toLowerCase() });
    entry.classList.toggle("kl-here", figure === here);
    const picture = element(entry, "img", "");
    picture.src = figure.querySelector(".kl-img")?.src ?? "";
    picture.alt = "";
    element(entry, "strong", "", `${number} · ${demo.title}`);
    element(entry, "span", "", demo.question);
  });
  field.oninput = filter;
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Enter" && event.target === field) chosen?.click();
    else if (event.key === "Escape") close();
    else if (step) {
      const all = shown();
      choose(all[Math.max(0, Math.min(all.length - 1, all.indexOf(chosen) + step))]);
    } else if (event.key === "Tab") {
      const stops = [field, ...box.querySelectorAll("button")].filter((one) => one.checkVisibility());
      const next = stops.indexOf(document.activeElement) + (event.shiftKey ? -1 : 1);
      stops.at(next % stops.length).focus();
    } else return event.stopPropagation(); // it is typed
    event.preventDefault();
    event.stopPropagation();
  });
  filter();
  field.focus();
  return box;
}

// --- notes for the speaker, in another window ------------------------------------------------------

const NOTES_STYLE = `body { font: 20px/1.45 sans-serif; margin: 1.5em; color: #111; background: #fff; }
  time { float: right; font-size: 2em; font-variant-numeric: tabular-nums; }
  h1 { font-size: 1.5em; margin: 0 0 .3em; } h2 { font-size: 1em; color: #555; margin: 1.5em 0 .2em; } p { margin: .2em 0; }`;

function openNotes() {
  const other = window.open("", "kernellab-notes", "width=760,height=640");
  if (!other) return; // the browser did not let it
  const began = window.kernellabNotes?.began ?? Date.now();
  const page = other.document;
  page.title = "Notes";
  page.body.replaceChildren();
  element(page.body, "style", "", NOTES_STYLE);
  const parts = {};
  for (const [name, tag] of Object.entries({
    clock: "time", title: "h1", question: "p", heading: "h2", notes: "p", keys: "p", after: "h2", next: "p",
  })) parts[name] = element(page.body, tag, `kl-${name}`);
  parts.heading.textContent = "Notes";
  parts.after.textContent = "Next";
  // Keys that are pressed there are meant for the stage.
  page.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const target = document.querySelector(".kl-on-stage :focus") ?? document.querySelector(".kl-on-stage");
    target?.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, code: event.code, shiftKey: event.shiftKey, bubbles: true, cancelable: true }));
  };
  window.kernellabNotes = { window: other, parts, began };
}

function writeNotes() {
  const notes = window.kernellabNotes;
  const here = document.querySelector(".kl-on-stage");
  if (!notes || notes.window.closed || !here) return;
  const demos = allDemos();
  const at = demos.indexOf(here);
  const { demo } = headOf(here);
  const next = demos[at + 1] && headOf(demos[at + 1]).demo;
  const spent = Math.floor((Date.now() - notes.began) / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const said = {
    clock: `${new Date().toTimeString().slice(0, 5)}   ${two(Math.floor(spent / 60))}:${two(spent % 60)}`,
    title: `${at + 1} · ${demo.title}`,
    question: demo.question,
    notes: demo.notes || "–",
    keys: demo.presets.slice(0, 9).map((preset, i) => `${i + 1} ${preset}`).join("  ·  "),
    next: next ? `${next.title}: ${next.question}` : "this is the last",
  };
  for (const [name, words] of Object.entries(said)) notes.parts[name].textContent = words;
}

// --- a figure on the stage -------------------------------------------------------------------------

function render({ model, el }) {
  const head = element(el, "div", "kl-head");
  const enter = button(head, "kl-enter", "Show on the whole screen");
  const question = element(head, "h2", "kl-asked");
  const tools = element(head, "div", "kl-tools");
  const presets = element(head, "div", "kl-presets");
  const reveal = button(el, "kl-reveal", "Show the answer", "", () => toggle(false));
  element(reveal, "kbd", "", "a");
  const card = makeCard(el);
  const blank = element(el, "div", "kl-blank");
  blank.hidden = true;
  blank.onclick = () => { blank.hidden = true; };
  let contents = null;
  let paper = null;
  let timer = 0; // plays a slider
  let clock = 0; // of the speaker's notes
  let still = 0; // until the address follows
  let sent = false; // the address is to be shown when it has
  let idle = 0; // until the pointer is hidden
  let loaded = 0; // the preset that was loaded last, from 1
  let open = false; // the answer was asked for
  let held = []; // keys that wait for a request
  let requesting = 0; // waits until what played has stopped, and what was moved has arrived

  const root = () => el.closest(".kl-figure");
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
    mark(loaded = (what.preset ?? -1) + 1);
    model.set("request", { count: model.get("request").count + 1, ...what });
    model.save_changes();
  }

  function answered() {
    const done = !requesting && model.get("answered") === model.get("request").count;
    return done || root().querySelector(".kl-gone") !== null; // without Python nobody need wait
  }
  head.reveal = () => hide(false);
  head.answered = answered; // for a test, which presses keys faster than a hand

  // Where the picture that the demo opens with cannot answer, a preset does.
  function toggle(hidden) {
    const solution = model.get("solution");
    const moved = Object.keys(model.get("state").changed ?? {}).length > 0;
    if (hidden) hide(true); // before the question's picture is there again
    if (solution && !moved && loaded === (hidden ? solution : 0)) ask(hidden ? {} : { preset: solution - 1 });
    open = !hidden;
    hide(hidden);
    followSoon();
  }

  function hide(hidden) {
    if (hidden === model.get("hidden")) return;
    model.set("hidden", hidden);
    model.save_changes();
  }

  // The button stands where the numbers will be.
  function revealed() {
    const hidden = model.get("hidden") && onStage();
    reveal.hidden = !hidden;
    root()?.classList.toggle("kl-hides", hidden);
    if (hidden) open = false; // a preset may have hidden it
    if (hidden) root().querySelector(".kl-live")?.append(reveal);
  }

  function name() {
    head.demo = Object.fromEntries(
      ["question", "presets", "name", "title", "lesson", "notes"].map((key) => [key, model.get(key)]));
    question.textContent = model.get("question");
    presets.replaceChildren();
    element(presets, "span", "kl-title", model.get("title"));
    model.get("presets").slice(0, 9).forEach((preset, i) => {
      const load = button(presets, "kl-preset", "", "", () => ask({ preset: i }));
      element(load, "kbd", "", String(i + 1));
      load.append(` ${preset}`);
    });
  }

  const place = (() => {
    button(tools, "kl-tool", "☰", "contents (g)", () => openContents());
    button(tools, "kl-tool", "‹", "previous demo (p)", () => turn(-1));
    const words = element(tools, "span", "kl-place");
    button(tools, "kl-tool", "›", "next demo (n)", () => turn(1));
    button(tools, "kl-tool", "✎", "draw (d)", () => draw());
    button(tools, "kl-tool", "?", "keys", () => { card.hidden = !card.hidden; });
    button(tools, "kl-tool", "✕", "leave the stage (Esc)", () => leaveForGood());
    return words;
  })();

  function mark(preset) { // the one whose picture this is, from 1; 0 when a hand has moved it
    presets.querySelectorAll(".kl-preset").forEach((load, i) => load.setAttribute("aria-current", i + 1 === preset));
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
    const { paddingTop, paddingBottom } = getComputedStyle(box);
    const others = all - stage.clientHeight + parseFloat(paddingTop) + parseFloat(paddingBottom) + 1;
    box.style.setProperty("--kl-high", `${Math.max(LEAST_HEIGHT, Math.floor(innerHeight - others))}px`);
  }

  function fitAnew() { // another window: what was kept for the old one is no longer true
    root()?.querySelector(".kl-readout")?.style.removeProperty("min-height");
    if (onStage()) root().style.setProperty("--kl-pointer", largePointer());
    fit();
  }
  const words = new ResizeObserver(fit);

  function count() {
    const at = theOrder()?.indexOf(model.get("name")) ?? allDemos().indexOf(root());
    head.dataset.place = `${at + 1} of ${howMany()}`;
    place.textContent = head.dataset.place.replace(" of ", "/");
    if (allDemos().length < howMany()) place.append(" starting …"); // until then Python may be late
  }

  function onTop(box) { // the browser's top layer: nothing of the page can cover it
    if (box.matches(":popover-open")) box.hidePopover();
    box.popover = "manual";
    box.showPopover();
  }

  function show() {
    const box = root();
    if (!box || onStage()) return;
    box.classList.add("kl-on-stage");
    box.addEventListener("keydown", keep);
    box.addEventListener("pointermove", pointed);
    box.tabIndex = -1; // a click beside everything leaves the keyboard here
    // Tab does not stop where the next key would be taken for a digit; a click does.
    for (const readout of readouts()) readout.tabIndex = -1;
    box.style.setProperty("--kl-high", `${LEAST_HEIGHT}px`); // small, while the others are measured
    onTop(box);
    count();
    hide(!open);
    revealed();
    (box.querySelector(SLIDER) ?? box.querySelector(".kl-grip") ?? enter).focus();
    requestAnimationFrame(fitAnew);
    for (const part of box.querySelectorAll(".kl-head, .kl-controls, .kl-readout")) words.observe(part);
    writeNotes();
    clock = setInterval(writeNotes, 1000);
    followSoon();
  }

  function leave() {
    const box = root();
    stop();
    open = sent = false; // who comes back is asked anew
    clearInterval(clock);
    clearTimeout(still);
    wipe();
    closeContents();
    el.querySelector(".kl-code")?.remove();
    card.hidden = blank.hidden = true;
    box.hidePopover();
    box.removeAttribute("popover");
    box.removeEventListener("keydown", keep);
    box.removeEventListener("pointermove", pointed);
    for (const part of [box, ...readouts()]) part.removeAttribute("tabindex");
    box.classList.remove("kl-on-stage");
    revealed();
    words.disconnect();
    box.querySelector(".kl-readout")?.style.removeProperty("min-height");
    enter.focus({ preventScroll: false });
  }

  function leaveForGood() {
    leave();
    for (const figure of allDemos()) headOf(figure).reveal(); // on the page nothing is hidden
    dispatchEvent(new Event("resize")); // and each picture has the size that it has there
  }

  function go(figure) {
    if (!figure || figure === root()) return closeContents();
    leave();
    figure.scrollIntoView();
    figure.querySelector(".kl-enter").click();
  }

  function back() { // to the demo that the address names again
    if (!onStage() || !model.get("at_once")) return;
    go(allDemos().find((one) => headOf(one).demo.name === readAddress().demo));
  }

  function turn(step) {
    const demos = allDemos();
    const next = demos[demos.indexOf(root()) + step];
    if (next) go(next);
  }

  function openContents() {
    card.hidden = true;
    contents = makeContents(el, root(), go, closeContents);
  }

  function closeContents() {
    if (!contents) return;
    contents.remove();
    contents = null;
    (root().querySelector(SLIDER) ?? root()).focus();
  }

  // --- what a speaker does beside the figure --------------------------------------------------

  function draw() {
    if (paper) return wipe();
    paper = makePaper(el);
  }

  function wipe() {
    paper?.remove();
    paper = null;
  }

  function fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.().then(() => onStage() && onTop(root()), () => {});
  }

  function pointed(event) {
    clearTimeout(idle);
    const box = root();
    box.classList.remove("kl-idle");
    if (event.pointerType === "mouse") idle = setTimeout(() => box.classList.add("kl-idle"), IDLE_MS);
  }

  // --- the address follows --------------------------------------------------------------------

  function followSoon(ms = STILL_MS) {
    if (!onStage()) return;
    clearTimeout(still);
    still = setTimeout(() => {
      if (!answered() || (timer && !sent)) return followSoon(sent ? SOON_MS : STILL_MS);
      model.set("state_asked", model.get("state_asked") + 1);
      model.save_changes();
    }, ms);
  }

  function follow() {
    if (!onStage()) return;
    const { changed } = model.get("state");
    const state = changed && Object.keys(changed).length ? JSON.stringify(changed) : "";
    mark(state ? 0 : loaded);
    if (model.get("at_once")) { // else the address is the notebook's
      writeAddress({ demo: model.get("name"), preset: loaded || "", state, answer: model.get("hidden") ? "" : "1" });
    }
    if (sent) showAddress(el);
    sent = false;
  }

  function send() { // the address of what is shown now: first it has to follow
    if (root().querySelector(".kl-gone")) return showAddress(el); // without Python it does not
    sent = true;
    followSoon(0);
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
    const typed = target.isContentEditable || target.matches("input:not([type=checkbox]), textarea");
    if (contents) return !contents.contains(target); // it has its own
    if (!blank.hidden) blank.hidden = true; // any key shows the stage again
    else if (key === "Escape" && paper) wipe();
    else if (key === "Escape" && !card.hidden) card.hidden = true;
    else if (key === "Escape") leaveForGood();
    else if (key === "?") card.hidden = !card.hidden;
    else if (key === "Tab") return wrap(target, shift);
    else if (typed) return false;
    else if (key === "d") draw();
    else if (key === "PageDown" && model.get("hidden")) toggle(false); // a remote has no "a"
    else if (key === "n" || key === "PageDown") turn(1);
    else if (key === "p" || key === "PageUp") turn(-1);
    else if (ENDS.includes(key) && !shift) go(allDemos().at(key === "Home" ? 0 : -1));
    else if (key === "g") openContents();
    else if (key === "a") toggle(!model.get("hidden"));
    else if (key === "b" || key === ".") blank.hidden = false;
    else if (key === "f") fullScreen();
    else if (key === "q") send();
    else if (key === "s") { openNotes(); writeNotes(); }
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
    const moves = MOVES.includes(event.key) || (ENDS.includes(event.key) && event.shiftKey);
    if (moves && !contents && !answered()) return hold(event);
    const target = event.target instanceof Element ? event.target : document.body;
    const key = event.code === "Tab" ? "Tab" : event.key; // WebKitGTK: with Shift "Unidentified"
    const code = el.querySelector(".kl-code");
    code?.remove(); // by any key
    if (code && (key === "q" || key === "Escape")) return event.preventDefault(), event.stopImmediatePropagation();
    if (paper && key !== "d" && key !== "Escape" && key !== "Shift") wipe();
    const ours = !(event.ctrlKey || event.metaKey || event.altKey) && answer(key, target, event.shiftKey);
    if (ours) event.preventDefault();
    // Nothing that is typed here is for the page behind: it might delete a cell.
    if (ours || !root().contains(target)) event.stopImmediatePropagation();
    if (!sent) followSoon();
  }

  // What is left to the controls of the stage ends there too: JupyterLab listens further out.
  const keep = (event) => event.stopPropagation();

  // The demo that the address names, in the state it names; without an address the first.
  function begin() {
    dispatchEvent(new Event(ARRIVED));
    if (!model.get("at_once") || document.querySelector(".kl-on-stage")) return;
    const { demo, preset, state, answer } = readAddress();
    const order = theOrder() ?? [demo ?? model.get("name")];
    if (model.get("name") !== (order.includes(demo) ? demo : order[0])) return;
    open = answer;
    show();
    if (preset || state) ask({ ...(preset && { preset: preset - 1 }), ...(state && { state }) });
  }

  enter.onclick = () => show();
  name();
  revealed();
  model.on("change:question change:presets change:title change:notes", name);
  model.on("change:hidden", revealed);
  model.on("change:state", follow);
  addEventListener("keydown", listen, { capture: true });
  addEventListener("pointerup", followSoon);
  addEventListener("resize", fitAnew);
  addEventListener("popstate", back);
  addEventListener(ARRIVED, count);
  const first = requestAnimationFrame(begin);

  return () => {
    cancelAnimationFrame(first);
    for (const waiting of [requesting, still, idle]) clearTimeout(waiting);
    clearInterval(clock);
    held = [];
    stop();
    removeEventListener("keydown", listen, { capture: true });
    removeEventListener("pointerup", followSoon);
    words.disconnect();
    removeEventListener("resize", fitAnew);
    removeEventListener("popstate", back);
    removeEventListener(ARRIVED, count);
    model.off("change:question change:presets change:title change:notes", name);
    model.off("change:hidden", revealed);
    model.off("change:state", follow);
  };
}

export default { render };
