// The one front end of every live figure. Python draws the picture; the browser shows it and
// owns the grips, so that a dragged point follows the hand at once and the picture catches up.
//
// What travels, as synced traits (when Python is busy only the newest value is sent):
//   to Python:   points {move, at}   where the grips are, and how many moves there have been
//                view {width, ratio, calm}   size of the picture, pixel ratio, reduced motion; on the
//                stage also {height, type}: the room there is, and how large type is, in CSS pixels
//                rest n              no move since answer n: send the sharp picture
//   from Python: frame (JPEG while moving, PNG at rest), answer {move, frame}, size (in CSS
//                pixels, as it was meant), affine, limits, handles, readout, error, alt, parts

const SVG = "http://www.w3.org/2000/svg";
const PNG_FIRST_BYTE = 0x89;
const REST_MS = 150; // stillness before the sharp picture is asked for
const PATIENCE_MS = 1500; // silence before we say that Python is busy
const RESIZE_MS = 200;
const MOST_SCALE = 1.25; // on a wide page a picture grows so much, and no more
const LEAST_SCALE = 0.5; // on a small one it shrinks so much, and no more: its words are to be read
const EDGES = 10; // of the figure: its lines, and a gap over the picture
const BESIDE = 1080; // CSS pixels of a figure that has its controls beside the picture, …
const PHONE = 600; // CSS pixels of a window
const NARROW = 40; // … and ems of one that has them one under the other
// Chromium tells of a pointer at once, if asked so, and else with its next frame: 8 ms later.
const POINTER_MOVED = "onpointerrawupdate" in window ? "pointerrawupdate" : "pointermove";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function element(parent, tag, className) {
  const node = parent.appendChild(document.createElement(tag));
  node.className = className;
  return node;
}

// Between two limits, in either order: an axis may run downwards.
function clamp(value, one, other) {
  return Math.min(Math.max(one, other), Math.max(Math.min(one, other), value));
}

// --- the picture: sharp in an image; while it moves, on a canvas over it, which is there sooner ---

function makePicture(parent) {
  const img = element(parent, "img", "kl-img");
  img.draggable = false;
  img.decoding = "sync"; // it is there when the canvas goes
  const moving = element(parent, "canvas", "kl-moving");
  moving.setAttribute("aria-hidden", "true"); // the image has the words
  moving.hidden = true;
  const canvas = moving.getContext("bitmaprenderer");
  let newest = 0;
  let url = "";

  async function showMoving(blob, number) {
    const bitmap = await createImageBitmap(blob).catch(() => null); // the sharp one will come
    if (!bitmap || number !== newest) return;
    const { width, height } = bitmap;
    if (moving.width !== width || moving.height !== height) Object.assign(moving, { width, height });
    canvas.transferFromImageBitmap(bitmap);
    moving.hidden = false;
  }

  async function showSharp(blob, number) {
    URL.revokeObjectURL(url);
    url = URL.createObjectURL(blob);
    await new Promise((done) => {
      img.onload = img.onerror = done;
      img.src = url;
    });
    if (number === newest) moving.hidden = true;
  }

  return {
    shown: Promise.resolve(), // when the newest picture is to be seen
    show(view, answer) {
      const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
      const sharp = bytes[0] === PNG_FIRST_BYTE;
      const blob = new Blob([bytes], { type: sharp ? "image/png" : "image/jpeg" });
      Object.assign(img.dataset, { move: answer.move, frame: answer.frame, sharp });
      this.shown = (sharp ? showSharp : showMoving)(blob, ++newest);
    },
    describe(text) {
      img.alt = text;
    },
    dispose() {
      URL.revokeObjectURL(url);
    },
  };
}

// --- the words under the picture: numbers for the eye, and the same for a screen reader at rest --

// A line of the readout is phrases, three spaces apart, and a phrase is words and numbers.
const APART = "   ";
const NUMBER = /(?<![\w^*])[+−-]?\d+(?:[.,]\d+)*(?:e[+−-]?\d+)?%?(?![\d.,]*(?:-[a-z]|\/[α-ω]))/g; // no power, no 10-fold, no 2/δ²

// What is said right before a number stays in its line: a word, and perhaps "=".
const SAID_OF_IT = /[^\s,]+ (?:[=≤≥<>±] )?\(?$/;

// Each phrase keeps the width of the longest it has been, so that it does not push the next to and
// fro; while its words stay, only its numbers are set anew.
function makePhrase(parent) {
  const node = element(parent, "span", "kl-phrase");
  let words = null;
  let numbers = [];
  let longest = 0;

  function keepWidth() {
    const em = parseFloat(getComputedStyle(node).fontSize);
    if (node.offsetWidth) node.style.setProperty("--kl-widest", `${Math.ceil((100 * node.offsetWidth) / em) / 100}em`);
  }

  return {
    say(text) {
      if (text.length > longest) {
        longest = text.length;
        requestAnimationFrame(keepWidth);
      }
      const found = text.match(NUMBER) ?? [];
      const between = text.split(NUMBER);
      if (words === null || between.join("\0") !== words.join("\0")) {
        words = between;
        numbers = [];
        node.replaceChildren();
        between.forEach((word, i) => {
          const said = (i < found.length && word.match(SAID_OF_IT)?.[0]) || "";
          node.append(word.slice(0, word.length - said.length));
          if (i === found.length) return;
          const kept = element(node, "span", "kl-kept");
          kept.append(said);
          numbers.push(element(kept, "b", "kl-number"));
        });
      }
      numbers.forEach((number, i) => {
        if (number.textContent !== found[i]) number.textContent = found[i];
      });
    },
  };
}

function makeReadout(parent) {
  const box = element(parent, "div", "kl-readout");
  const spoken = element(parent, "div", "kl-spoken");
  spoken.setAttribute("role", "status");
  spoken.setAttribute("aria-live", "polite");
  let phrases = []; // of each line
  let said = null;

  function say(text) {
    const lines = text.split("\n").map((line) => line.split(APART));
    const asBefore = lines.length === phrases.length && lines.every((line, i) => line.length === phrases[i].length);
    if (!asBefore) {
      box.replaceChildren();
      phrases = lines.map((line, i) => {
        if (i > 0) box.append("\n");
        const row = element(box, "div", "kl-line");
        return line.map((_, k) => {
          if (k > 0) row.append(APART);
          return makePhrase(row);
        });
      });
    }
    lines.forEach((line, i) => line.forEach((phrase, k) => phrases[i][k].say(phrase)));
  }

  return {
    node: box,
    say(text, { kind = "", aloud = false } = {}) {
      if (said !== text || box.dataset.kind !== kind) {
        said = text;
        box.dataset.kind = kind;
        box.className = `kl-readout ${kind}`;
        if (kind) { // a sentence
          phrases = [];
          box.textContent = text;
        } else {
          say(text);
        }
      }
      if (aloud && spoken.textContent !== text) spoken.textContent = text;
    },
  };
}

// --- the grips: one for each point that may be moved, by mouse, touch or keyboard ----------------

function makeGrips(parent, model, moved) {
  const svg = parent.appendChild(document.createElementNS(SVG, "svg"));
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", "Points you can move: Tab to one, then the arrow keys; Shift for larger steps");
  let at = [];
  let grips = [];
  let dragged = -1;
  let offset = [0, 0]; // from the pointer to the point, so that grabbing does not make it jump
  let frozen = false; // there is no Python to answer

  // Data to fractions of the picture: column = a x + b, row (downwards) = c y + d.
  function place(i) {
    const [a, b, c, d] = model.get("affine");
    const [x, y] = at[i];
    grips[i].setAttribute("cx", `${100 * (a * x + b)}%`);
    grips[i].setAttribute("cy", `${100 * (c * y + d)}%`);
    grips[i].setAttribute("aria-valuenow", x.toFixed(2));
    grips[i].setAttribute("aria-valuetext", `x ${x.toFixed(2)}, y ${y.toFixed(2)}`);
  }

  function toData(event) {
    const box = svg.getBoundingClientRect();
    const [a, b, c, d] = model.get("affine");
    return [((event.clientX - box.left) / box.width - b) / a, ((event.clientY - box.top) / box.height - d) / c];
  }

  function move(i, x, y) {
    if (frozen) return;
    const [left, right, bottom, top] = model.get("limits");
    at[i] = [clamp(x, left, right), clamp(y, bottom, top)];
    place(i);
    moved(at.map((point) => point.slice()));
  }

  // Where grips overlap, the nearest is meant, and not the one that lies on top.
  function nearest(event) {
    const away = grips.map((grip) => {
      const { left, top, width, height } = grip.getBoundingClientRect();
      return Math.hypot(event.clientX - left - width / 2, event.clientY - top - height / 2);
    });
    return away.indexOf(Math.min(...away));
  }

  function listen(grip, i) {
    grip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      dragged = nearest(event);
      grips[dragged].focus();
      grips[dragged].setPointerCapture(event.pointerId);
      const [x, y] = toData(event);
      offset = [at[dragged][0] - x, at[dragged][1] - y];
    });
    grip.addEventListener(POINTER_MOVED, (event) => {
      if (dragged !== i) return;
      const [x, y] = toData(event);
      move(i, x + offset[0], y + offset[1]);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      grip.addEventListener(end, () => {
        dragged = -1;
      });
    }
    grip.addEventListener("keydown", (event) => {
      if (!(event.key in ARROWS)) return;
      event.preventDefault();
      event.stopPropagation(); // else the notebook would move to another cell
      const [dx, dy] = ARROWS[event.key];
      const [left, right, bottom, top] = model.get("limits");
      const share = event.shiftKey ? 0.05 : grip.closest(".kl-on-stage") ? 0.02 : 0.01;
      const step = Number(model.get("handles")[i].step); // in data units, where places are counted
      const far = (length) => (step ? step * Math.sign(length) : share * length);
      move(i, at[i][0] + dx * far(right - left), at[i][1] + dy * far(top - bottom));
    });
  }

  function build() {
    const focused = grips.indexOf(document.activeElement);
    const [left, right] = model.get("limits");
    at = model.get("points").at.map((point) => point.slice());
    svg.replaceChildren();
    grips = model.get("handles").slice(0, at.length).map((handle, i) => {
      const grip = svg.appendChild(document.createElementNS(SVG, "circle"));
      const attributes = {
        r: 11, fill: handle.color, tabindex: 0, role: "slider", class: "kl-grip",
        "aria-label": handle.label, "aria-roledescription": "movable point",
        "aria-valuemin": left, "aria-valuemax": right,
      };
      for (const [name, value] of Object.entries(attributes)) grip.setAttribute(name, value);
      listen(grip, i);
      return grip;
    });
    placeAll();
    if (focused >= 0) grips[focused]?.focus();
  }

  function placeAll() {
    grips.forEach((_, i) => place(i));
  }

  return {
    build,
    placeAll,
    freeze() {
      frozen = true;
    },
    follow() {
      if (dragged >= 0) return; // the hand is right, Python is late
      at = model.get("points").at.map((point) => point.slice());
      if (at.length !== grips.length) build();
      else placeAll();
    },
  };
}

// --- the controls above the picture: ipywidgets does not say aloud what they are ----------------

const PLAY_BUTTONS = ["play or pause", "stop", "repeat"];

function set(node, name, value) {
  if (node && node.getAttribute(name) !== value) node.setAttribute(name, value);
}

function nameControls(row) {
  for (const slider of row.querySelectorAll(".widget-slider")) {
    const name = slider.querySelector(".widget-label")?.textContent ?? "";
    const readout = slider.querySelector(".widget-readout");
    const handle = slider.querySelector(".noUi-handle");
    set(handle, "aria-label", name);
    set(handle, "aria-valuetext", readout?.textContent ?? "");
    if (slider.matches(".kl-ladder")) set(readout, "contenteditable", "false"); // nobody reads it
    if (readout?.isContentEditable) {
      set(readout, "role", "textbox");
      set(readout, "aria-label", `value of ${name}`);
    }
  }
  for (const play of row.querySelectorAll(".widget-play")) {
    play.querySelectorAll("button").forEach((button, i) => set(button, "aria-label", PLAY_BUTTONS[i]));
  }
}

// --- one panel of controls: what matters first, and the others under "more" ----------------------

function addMore(row) {
  const rest = row.querySelector(".kl-rest");
  if (!rest || row.querySelector(".kl-more")) return;
  const group = row.querySelector(".kl-group");
  const more = element(group.querySelector(".kl-pressed") ?? element(group, "div", "kl-pressed"), "button", "kl-more");
  const count = rest.querySelectorAll(".widget-slider, .widget-dropdown, .widget-checkbox, .widget-text").length;
  more.type = "button";
  const open = (isOpen) => {
    row.classList.toggle("kl-open", isOpen);
    more.setAttribute("aria-expanded", String(isOpen));
    more.textContent = isOpen ? "less" : `${count} more`;
  };
  more.onclick = () => open(!row.classList.contains("kl-open"));
  open(false);
}

// What stands beside a slider keeps the room of the longest that can stand there: else the track
// would change its length under the hand.
const ruler = document.createElement("canvas").getContext("2d");
function keepRoom(readout, texts) {
  const { font, fontSize } = getComputedStyle(readout);
  ruler.font = font;
  const widest = Math.max(0, ...texts.map((text) => ruler.measureText(text).width));
  if (widest) readout.style.minWidth = `${(1.05 * widest) / parseFloat(fontSize)}em`;
}

function textsOf(part) {
  const labels = part.get("_options_labels");
  if (labels) return labels;
  const [, digits = ""] = /^\.(\d+)f$/.exec(part.get("readout_format") ?? "") ?? [];
  return ["min", "max"].map((end) => part.get(end).toFixed(Number(digits)));
}

// Returns what looks whether controls have come into a panel, and has them keep their room.
function makeRooms(parts, row) {
  const known = new Set();
  async function know(part, promised) {
    const view = await promised;
    const readout = view.el.querySelector(".widget-readout");
    if (!readout || !row.contains(readout)) return;
    const keep = () => keepRoom(readout, textsOf(part));
    keep();
    view.listenTo(part, "change:_options_labels change:min change:max", keep);
  }
  return () => {
    for (const part of parts()) {
      for (const promised of Object.values(part.views ?? {})) {
        if (known.has(promised)) continue;
        known.add(promised);
        know(part, promised);
      }
    }
  };
}

// --- the keyboard in a figure: what is typed there is not for the notebook -----------------------

// JupyterLab listens to what bubbles up to the page: "b" makes a cell, "d d" deletes one, and an
// arrow leaves a list for another cell. Ctrl+S and its like are still its own.
function keepKeys(event) {
  const plain = !(event.ctrlKey || event.altKey || event.metaKey);
  const chooses = event.target.matches("select") && event.key in ARROWS;
  if (plain && (event.key.length === 1 || chooses)) event.stopPropagation();
}

// A slider by itself goes to the ends that it was made with, also when Python has moved them since.
function goToTheEnd(event) {
  const slider = event.target.closest(".noUi-handle")?.closest(".noUi-target").noUiSlider;
  if (!slider || !["Home", "End"].includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  const { min, max } = slider.options.range;
  slider.set(event.key === "End" ? max : min);
}

// A number typed beside a slider counts with Enter, and when it is left: of that ipywidgets waits to
// hear by a "blur" that bubbles, which none does. It writes a minus that it does not read.
function readNumber(event) {
  const readout = event.target;
  const leaves = event.type === "focusout";
  if (!readout.matches(".widget-readout[contenteditable=true]") || !(leaves || event.key === "Enter")) return;
  readout.textContent = readout.textContent.replace("−", "-");
  if (leaves) readout.dispatchEvent(new FocusEvent("blur", { bubbles: true }));
}

// On a phone JupyterLab opens with its side bar, which leaves a notebook 60 pixels. It is closed, as
// by a tap on its tab, the first time a figure is shown there.
function makeRoomOnAPhone() {
  if (innerWidth > PHONE || document.body.dataset.klRoom) return;
  document.body.dataset.klRoom = "made";
  const tab = document.querySelector(".jp-SideBar.jp-mod-left .lm-TabBar-tab.lm-mod-current");
  const { left, top } = tab?.getBoundingClientRect() ?? {};
  for (const type of ["pointerdown", "pointerup"]) {
    tab?.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, clientX: left + 1, clientY: top + 1 }));
  }
}

// Looks after the figure that `node` is a part of: its controls have names, now and whenever they
// change, and its keys are its own. Returns how to stop.
function lookAfter(node, parts) {
  const box = node.closest(".kl-figure");
  if (!box) return null;
  const row = box.querySelector(".kl-controls");
  makeRoomOnAPhone();
  const keepRooms = makeRooms(parts, row);
  const lookAgain = () => {
    addMore(row);
    nameControls(row);
    keepRooms();
  };
  const watch = new MutationObserver(lookAgain);
  watch.observe(row, { childList: true, characterData: true, subtree: true });
  lookAgain();
  const until = new AbortController();
  const capture = { capture: true, signal: until.signal };
  box.addEventListener("keydown", keepKeys, { signal: until.signal });
  box.addEventListener("keydown", goToTheEnd, capture);
  box.addEventListener("keydown", readNumber, capture);
  box.addEventListener("focusout", readNumber, capture);
  return () => {
    watch.disconnect();
    until.abort();
  };
}

// What a page leaves of the window for a figure, beside its own bars and a line of text, in CSS pixels:
// 520 of 768, 600 of 900. A frame around an output is as high as the output, and tells nothing.
function roomForAFigure() {
  const high = window === window.parent ? innerHeight : 0.8 * screen.availHeight;
  return Math.min(high - 140, Math.max(500, 0.6 * high + 58));
}

// --- putting it together -------------------------------------------------------------------------

function render({ model, el }) {
  const box = element(el, "div", "kl-live");
  const stage = element(element(box, "div", "kl-scroll"), "div", "kl-stage");
  const [width, height] = model.get("size");
  stage.style.maxWidth = `${width}px`;
  stage.style.minWidth = `${LEAST_SCALE * width}px`; // on a phone: the rest is a stroke of the finger away
  stage.style.aspectRatio = `${width} / ${height}`; // so that nothing jumps when the picture comes
  const picture = makePicture(stage);
  const readout = makeReadout(box);

  // The picture takes what controls and words leave it of the window; on the stage, as lecture.js
  // says. What is under "more" does not shrink it.
  let fitted = "";
  function fit() {
    const figure = el.closest(".kl-figure");
    if (!figure?.clientWidth) return;
    const row = figure.querySelector(".kl-controls");
    resized.observe(row);
    const beside = figure.clientWidth >= BESIDE && !figure.matches(".kl-on-stage");
    const ems = figure.clientWidth / parseFloat(getComputedStyle(row).fontSize);
    figure.classList.toggle("kl-beside", beside);
    figure.classList.toggle("kl-wider", figure.clientWidth < LEAST_SCALE * width); // the picture
    row.classList.toggle("kl-narrow", beside || ems < NARROW);
    const controls = row.offsetHeight - (row.querySelector(".kl-rest")?.offsetHeight ?? 0);
    const now = [figure.clientWidth, innerHeight, controls].join(); // a readout may grow
    if (now === fitted) return;
    fitted = now;
    const others = readout.node.offsetHeight + (beside ? 0 : controls) + EDGES;
    const most = ((roomForAFigure() - others) * width) / height;
    stage.style.maxWidth = `${Math.round(clamp(most, LEAST_SCALE * width, MOST_SCALE * width))}px`;
  }
  let moves = model.get("points").move;
  let mine = false; // the change of `points` being announced is our own
  let gone = false; // the kernel went away
  let restTimer = 0;
  let patienceTimer = 0;
  let sizeTimer = 0;

  function status(aloud = false) {
    const error = model.get("error");
    if (gone) {
      readout.say("Not connected to Python: the kernel was restarted or shut down. Run this cell again.", { kind: "kl-bad", aloud: true });
    } else if (error) {
      readout.say(`⚠ ${error}`, { kind: "kl-bad", aloud });
    } else {
      readout.say(model.get("readout"), { aloud });
    }
  }

  // While Python is busy the page keeps the last value of a slider, and the last place of a point.
  // For those who must not overtake them. (ipywidgets has no public name for messages under way.)
  let parts = [];
  Promise.all(model.get("parts").map((id) => model.widget_manager.get_model(id))).then((them) => { parts = them; });
  box.underWay = () => parts.some((part) => part._pending_msgs > 0);

  function send(name, value) {
    model.set(name, value);
    model.save_changes();
  }

  const grips = makeGrips(stage, model, (at) => {
    mine = true;
    send("points", { move: ++moves, at });
    mine = false;
    patienceTimer ||= setTimeout(() => {
      if (!gone) readout.say("Waiting for Python … If the kernel was shut down, start it and run this cell again.", { kind: "kl-wait" });
    }, PATIENCE_MS);
  });

  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  function tellView() {
    const width = Math.round(stage.clientWidth);
    const onStage = el.closest(".kl-on-stage");
    const behind = !onStage && document.querySelector(".kl-on-stage");
    if (!width || behind) return; // hidden, for example in another tab of the notebook
    const room = onStage && { height: stage.clientHeight, type: parseFloat(getComputedStyle(onStage).fontSize) };
    const view = { width, ratio: devicePixelRatio || 1, calm: calm.matches, ...room };
    if (JSON.stringify(view) !== JSON.stringify(model.get("view"))) send("view", view);
  }
  let measured = false;
  function tellViewSoon() {
    clearTimeout(sizeTimer);
    sizeTimer = setTimeout(tellView, measured ? RESIZE_MS : 0);
    measured = true;
  }
  let leave = null; // once the figure is in the page, it is looked after
  const resized = new ResizeObserver(() => {
    leave ??= lookAfter(el, () => parts);
    fit();
    tellViewSoon();
  });

  function atRest() { // whether the picture is sharp
    const frame = model.get("frame");
    return frame?.byteLength > 0 && new Uint8Array(frame.buffer, frame.byteOffset, 1)[0] === PNG_FIRST_BYTE;
  }

  function showFrame() {
    const frame = model.get("frame");
    if (!frame?.byteLength) return;
    picture.show(frame, model.get("answer"));
    if (atRest()) status(true);
  }

  // Every answer counts, also one whose picture has the same bytes as the last (those do not travel).
  async function answered() {
    clearTimeout(patienceTimer);
    patienceTimer = 0;
    status(atRest());
    const { frame } = model.get("answer");
    box.dataset.frame = frame;
    if (devicePixelRatio !== model.get("view").ratio) tellView();
    askSoon();
    await null; // the picture came with the answer, and may be told of after it
    await picture.shown;
    box.dataset.shown = frame; // for those who measure how long that takes
  }

  function askSoon() {
    clearTimeout(restTimer);
    restTimer = setTimeout(() => {
      restTimer = 0;
      send("rest", model.get("answer").frame);
    }, REST_MS);
  }

  // A hand that presses keys one after the other should not meet a Python that draws the sharp picture.
  function stillBusy() {
    if (restTimer) askSoon();
  }

  const listeners = [
    ["change:frame", showFrame],
    ["change:answer", answered],
    ["change:handles change:limits", () => grips.build()],
    ["change:affine", () => grips.placeAll()],
    ["change:points", () => {
      if (mine) return;
      moves = Math.max(moves, model.get("points").move);
      grips.follow();
    }],
    ["change:readout", () => status()],
    ["change:error", () => status(true)],
    ["change:alt", () => picture.describe(model.get("alt"))],
    // Fires when the kernel dies or restarts (ipywidgets does not document it).
    ["comm_live_update comm:close", () => {
      gone = true;
      grips.freeze();
      box.classList.add("kl-gone");
      status(true);
    }],
  ];
  for (const [event, listener] of listeners) model.on(event, listener);
  resized.observe(el.closest(".kl-figure") ?? stage);
  resized.observe(stage);
  calm.addEventListener("change", tellView);
  addEventListener("resize", fit);
  addEventListener("resize", tellViewSoon); // the zoom of the page may have changed
  addEventListener("keydown", stillBusy, { capture: true });

  picture.describe(model.get("alt"));
  grips.build();
  showFrame();
  status();

  return () => {
    for (const [event, listener] of listeners) model.off(event, listener);
    resized.disconnect();
    leave?.();
    calm.removeEventListener("change", tellView);
    removeEventListener("resize", fit);
    removeEventListener("resize", tellViewSoon);
    removeEventListener("keydown", stillBusy, { capture: true });
    for (const timer of [restTimer, patienceTimer, sizeTimer]) clearTimeout(timer);
    picture.dispose();
  };
}

export default { render };
