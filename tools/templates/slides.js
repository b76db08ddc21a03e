// One size for every projector; what moves, moves only for those who do not mind.
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const [width, height] = [1920, 1080];
Reveal.initialize({
  width,
  height,
  margin: 0,
  center: false,
  display: "flex",
  hash: true,
  slideNumber: "c/t",
  transition: still ? "none" : "fade",
  transitionSpeed: "fast",
  autoPlayMedia: !still,
  pdfSeparateFragments: false,
  scrollActivationWidth: null,
  plugins: [RevealNotes],
}).then(() => MathJax.startup.promise).then(() => {
  Reveal.on("slidechanged", event => fit(event.currentSlide));
  if (Reveal.isPrintView()) Reveal.getSlides().forEach(fit);
  else fit(Reveal.getCurrentSlide());
});

// Text and code are as large as the slide has room for, between two sizes. Lines of code are broken
// if they must.
function fit(slide) {
  const said = slide.querySelector(".asks > .sentence");
  for (let size = 38; said && size >= 32 && lines(said) > 2; size -= 2) {
    said.style.fontSize = `${size}px`;  // so that much of the slide is left to the picture
  }
  const beside = slide.querySelector(".beside");
  for (let size = 48; beside && size >= 32; size -= 2) {
    beside.style.fontSize = `${size}px`;
    const room = beside.getBoundingClientRect();
    const fits = box => box.getBoundingClientRect().bottom <= room.bottom
      && box.scrollWidth <= box.clientWidth;
    if ([...beside.querySelectorAll(".question, .sentence")].every(fits)) break;
  }
  const words = slide.querySelector(".text, .answer:not(:has(img, video))");
  if (!words || words.style.fontSize) return;
  if (!shrink(slide, words)) {
    words.classList.add("breaks");
    shrink(slide, words);
  }
}

function lines(words) {
  return Math.round(words.offsetHeight / parseFloat(getComputedStyle(words).lineHeight));
}

function shrink(slide, words) {
  const wide = [...words.querySelectorAll(".scrolls")];
  for (let size = 56; size >= 24; size -= 2) {
    words.style.fontSize = `${size}px`;
    const fits = slide.scrollHeight <= height && words.scrollHeight <= words.clientHeight + 1
      && wide.every(box => box.scrollWidth <= box.clientWidth + 1);
    if (fits) return true;
  }
  return false;
}
