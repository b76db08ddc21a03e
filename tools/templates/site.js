// The page is complete without this. With it: the contents are open where there is room, what
// scrolls can be reached by keyboard, and pictures can be enlarged on a small screen.
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
    const wanted = img.getAttribute("width") > img.closest(".picture").clientWidth + 1;
    const button = img.closest(".zoom");
    if (wanted && !button) enlargeable(img);
    if (!wanted && button) button.replaceWith(img);
  }
}

// A box round it scrolls; a formula that were itself such a box would fall to pieces.
function squeeze(math) {
  const box = document.createElement("span");
  box.className = "squeezed";
  math.replaceWith(box);
  box.append(math);
}

function enlargeable(img) {
  const button = document.createElement("button");
  button.className = "zoom";
  button.type = "button";
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const large = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(large));
  });
  img.replaceWith(button);
  button.append(img);
}

fit();
addEventListener("load", fit);
addEventListener("resize", fit);
document.fonts.ready.then(() => {
  tightenRoots();
  fit();
});
