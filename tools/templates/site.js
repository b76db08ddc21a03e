// The page is complete without this. With it: the contents are open where there is room, what
// scrolls can be reached by keyboard, presets change the picture in its place, pictures can be
// enlarged, and on a narrow page code is folded.
const narrow = matchMedia("(max-width: 45rem)"); // as in site.css and make_site.py
const contents = document.querySelector(".contents details");
if (contents) contents.open = matchMedia("(min-width: 72rem)").matches;

// Of the picture, a formula or a table, only what is wider than its place needs to be a stop.
function fit() {
  for (const math of document.querySelectorAll("math:not([display])")) {
    const place = math.closest("p, li, td, th, h1, h2, h3, a");
    const wide = math.getBoundingClientRect().width > place.clientWidth + 1;
    const box = math.parentElement.closest(".squeezed");
    if (wide && !box) squeeze(math);
    if (!wide && box) box.replaceWith(math);
  }
  for (const box of document.querySelectorAll(".scrolls, .squeezed")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
  for (const img of document.querySelectorAll(".picture img")) {
    const whole = img.closest("picture") ?? img;
    const wanted = narrow.matches || img.getAttribute("width") > whole.parentElement.clientWidth + 1;
    const button = img.closest(".zoom");
    if (wanted && !button) enlargeable(whole);
    if (!wanted && button) button.replaceWith(whole);
  }
}

// A box round it scrolls; a formula that were itself such a box would fall to pieces.
function squeeze(math) {
  const box = document.createElement("span");
  box.className = "squeezed";
  math.replaceWith(box);
  box.append(math);
}

// A press shows a picture large, over the page: as wide as it was drawn, to be moved about.
const enlarged = document.querySelector(".enlarged");

function enlargeable(whole) {
  const button = document.createElement("button");
  button.className = "zoom";
  button.type = "button";
  button.title = "Show the picture large";
  button.addEventListener("click", () => {
    const img = whole.matches("img") ? whole : whole.querySelector("img");
    const large = enlarged.querySelector("img");
    for (const name of ["src", "alt", "width", "height"]) large.setAttribute(name, img.getAttribute(name));
    enlarged.showModal();
    enlarged.querySelector(".pan").scrollTo(0, 0);
  });
  whole.replaceWith(button);
  button.append(whole);
}

enlarged.addEventListener("click", event => { // beside the picture
  if (event.target === enlarged) enlarged.close();
});

// --- the presets of a live figure --------------------------------------------------------------

// Links to pictures become a choice of one: the picture, its numbers and its words follow it.
for (const states of document.querySelectorAll(".states")) {
  const figure = states.closest(".output");
  const buttons = [...states.querySelectorAll("a")].map(link => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = link.textContent;
    button.setAttribute("role", "radio");
    Object.assign(button.dataset, link.dataset, { wide: link.getAttribute("href") });
    link.replaceWith(button);
    button.addEventListener("click", () => choose(button));
    return button;
  });
  states.setAttribute("role", "radiogroup");
  states.setAttribute("aria-label", "What the figure shows");

  function choose(chosen, show = true) {
    for (const button of buttons) {
      button.setAttribute("aria-checked", String(button === chosen));
      button.tabIndex = button === chosen ? 0 : -1;
    }
    if (!show) return;
    const img = figure.querySelector(".picture img"), source = figure.querySelector(".picture source");
    const { wide, narrow, size, narrowSize, numbers, alt } = chosen.dataset;
    if (source && narrow) sized(source, "srcset", narrow, narrowSize);
    reserve();
    sized(img, "src", wide, size);
    img.alt = alt;
    figure.querySelector(".numbers").innerHTML = numbers;
    const words = figure.querySelector(".words details");
    if (words) words.lastChild.textContent = alt;
  }

  function sized(node, name, file, size) {
    const [width, height] = size.split(" ");
    node.setAttribute("width", width);
    node.setAttribute("height", height);
    node.setAttribute(name, file);
  }

  states.addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement);
    const next = buttons[(at + step + buttons.length) % buttons.length];
    choose(next);
    next.focus();
  });
  const fetchAll = () => { // before they are asked for, so that one sees what changes
    for (const { dataset } of buttons) new Image().src = narrow.matches && dataset.narrow || dataset.wide;
  };
  states.addEventListener("pointerenter", fetchAll, { once: true });
  states.addEventListener("focusin", fetchAll, { once: true });
  choose(buttons[0], false);
}

// --- code on a narrow page, and the menu ---------------------------------------------------------

function fold() {
  for (const code of document.querySelectorAll(".fold")) code.open = !narrow.matches;
}
fold();
narrow.addEventListener("change", fold);

// No browser keeps room for a <source> whose picture has not come.
function reserve() {
  for (const source of document.querySelectorAll("picture source")) {
    const size = [source.getAttribute("width"), source.getAttribute("height")];
    source.parentElement.querySelector("img").style.aspectRatio = narrow.matches ? size.join(" / ") : "";
  }
}
reserve();
narrow.addEventListener("change", reserve);

const menu = document.querySelector(".menu");
document.addEventListener("click", event => {
  if (!menu.contains(event.target)) menu.open = false;
});
menu.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

fit();
addEventListener("load", fit);
// What folds and is fitted above it moves the place that the address names.
function arrive() {
  const place = decodeURIComponent(location.hash.slice(1));
  if (place) document.getElementById(place)?.scrollIntoView({ behavior: "instant" });
}
addEventListener("load", arrive);
addEventListener("resize", fit);
document.fonts.ready.then(() => {
  tightenRoots();
  fit();
  arrive();
});
