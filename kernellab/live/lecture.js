// In the lecture hall: puts a live figure on the whole screen, and listens to the keyboard there.
//
// What travels, as synced traits:
//   to Python:   wish {count, preset}   load a preset (none: reset); the count makes wishes differ
//   from Python: question, presets (their names), at_once (go on stage when the page opens)

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
const SLIDER = ".noUi-handle";
const ARRIVED = "kl-demo"; // said in the page by each demo: there is one more
const PLAY_MS = 350;
const MARGIN = 24; // CSS pixels round the picture

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

function render({ model, el }) {
  const head = element(el, "div", "kl-head");
  const enter = element(head, "button", "kl-enter", "Show on the whole screen");
  const question = element(head, "h2", "kl-asked");
  const presets = element(head, "div", "kl-presets");
  const card = makeCard(el);
  let timer = 0; // plays a slider

  const root = () => el.closest(".kl-explorer");
  const all = () => [...document.querySelectorAll(".kl-explorer")].filter((one) => one.querySelector(".kl-enter"));
  const onStage = () => root()?.classList.contains("kl-on-stage");

  function wish(what) {
    model.set("wish", { count: model.get("wish").count + 1, ...what });
    model.save_changes();
  }

  function name() {
    question.textContent = model.get("question");
    presets.replaceChildren();
    model.get("presets").slice(0, 9).forEach((preset, i) => {
      const button = element(presets, "button", "kl-preset", `${i + 1} ${preset}`);
      button.onclick = () => wish({ preset: i });
    });
    element(presets, "button", "kl-preset", "? keys").onclick = () => { card.hidden = !card.hidden; };
  }

  // --- on and off the stage -----------------------------------------------------------------

  // The picture takes what the words and controls leave it.
  function fit() {
    const stage = root()?.querySelector(".kl-stage");
    if (!stage || !onStage()) return;
    const all = [...root().children].reduce((sum, child) => sum + child.offsetHeight, 0);
    const others = all - stage.clientHeight;
    const [width, height] = stage.style.aspectRatio.split("/").map(Number);
    const most = Math.min(innerWidth - 2 * MARGIN, ((innerHeight - others - MARGIN) * width) / height);
    root().style.setProperty("--kl-stage", `${Math.max(320, Math.floor(most))}px`);
  }

  function count() {
    const demos = all();
    head.dataset.place = `${demos.indexOf(root()) + 1} of ${demos.length}`;
  }

  function show() {
    const box = root();
    if (!box || onStage()) return;
    box.classList.add("kl-on-stage");
    box.dataset.lmSuppressShortcuts = "true"; // JupyterLab: keys typed here are ours
    box.style.setProperty("--kl-stage", "320px"); // small, while the others are measured
    box.popover = "manual"; // the browser's top layer: nothing of the page can cover it
    box.showPopover();
    count();
    (box.querySelector(SLIDER) ?? box.querySelector(".kl-grip") ?? enter).focus();
    requestAnimationFrame(fit);
  }

  function leave() {
    const box = root();
    stop();
    card.hidden = true;
    box.hidePopover();
    box.removeAttribute("popover");
    delete box.dataset.lmSuppressShortcuts;
    box.classList.remove("kl-on-stage");
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

  // A figure that has a play button of its own plays by that; else the chosen slider moves on.
  function play() {
    const own = root().querySelector(".widget-play button");
    if (own) return own.click();
    const slider = root().querySelector(`${SLIDER}:focus`) ?? root().querySelector(SLIDER);
    if (timer || !slider) return stop();
    const tick = () => {
      const before = slider.getAttribute("aria-valuenow");
      slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      if (slider.getAttribute("aria-valuenow") === before) stop();
    };
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) timer = setInterval(tick, PLAY_MS);
    tick(); // without motion: one step a press
  }

  // --- keys -----------------------------------------------------------------------------------

  function answer(key, target) {
    const presses = target.matches("button, select, input, textarea");
    const preset = Number(key) - 1;
    if (key === "Escape" && !card.hidden) card.hidden = true;
    else if (key === "Escape") leave();
    else if (key === "?") card.hidden = !card.hidden;
    else if (target.matches("input:not([type=checkbox]), textarea")) return false; // being typed
    else if (key === "n" || key === "PageDown") turn(1);
    else if (key === "p" || key === "PageUp") turn(-1);
    else if (key === "r") wish({});
    else if (preset >= 0 && preset < model.get("presets").length) wish({ preset });
    else if (key === " " && !presses) play();
    else if (key.startsWith("Arrow") && !root().contains(target)) {
      root().querySelector(SLIDER)?.focus();
    } else return false;
    return true;
  }

  function listen(event) {
    if (!onStage() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (answer(event.key, event.target instanceof Element ? event.target : document.body)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }

  enter.onclick = show;
  name();
  model.on("change:question change:presets", name);
  addEventListener("keydown", listen, { capture: true });
  addEventListener("resize", fit);
  addEventListener(ARRIVED, count);
  const first = requestAnimationFrame(() => {
    dispatchEvent(new Event(ARRIVED));
    if (model.get("at_once") && !document.querySelector(".kl-on-stage")) show();
  });

  return () => {
    cancelAnimationFrame(first);
    stop();
    removeEventListener("keydown", listen, { capture: true });
    removeEventListener("resize", fit);
    removeEventListener(ARRIVED, count);
    model.off("change:question change:presets", name);
  };
}

export default { render };
