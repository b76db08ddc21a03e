// A search over the headings of the course and what stands under them; SECTIONS is made with the
// site: [where, page, heading, words] of each; SYNONYMS is synonyms.json. All words asked for, or
// what else they are called, must begin a word of the section.
"use strict";

const MOST = 12;
const place = document.getElementById("search");
place.innerHTML = `
  <form role="search">
    <label class="unseen" for="asked">Search the course</label>
    <input id="asked" type="search" placeholder="Search ( / )" autocomplete="off">
  </form>
  <div class="hits" hidden><p class="count" role="status"></p><ul></ul></div>`;
const [asked, hits] = [place.querySelector("input"), place.querySelector(".hits")];
const [count, list] = [hits.querySelector(".count"), hits.querySelector("ul")];

const plain = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
let texts; // made at the first search
const prepare = () => SECTIONS.map(([where, page, heading, words]) =>
  ({ where, page, heading, words,
    title: ` ${plain(page)}`, head: ` ${plain(heading)}`, body: ` ${plain(words)}` }));

// Of each word asked for, or phrase: what else it is called, from the table of synonyms.
const GROUPS = SYNONYMS.map(group => group.map(plain));
const LONGEST = 4, BEGUN = 4; // words of a phrase; letters after which a word may be unfinished

function terms(question) {
  const words = plain(question).split(/\s+/).filter(Boolean), found = [];
  while (words.length) {
    let taken = 1, names = [words[0]];
    for (let count = Math.min(LONGEST, words.length); count > 0; count--) {
      const said = words.slice(0, count).join(" ");
      const same = GROUPS.filter(group => group.some(name => name === said
        || (said.length >= BEGUN && name.startsWith(said))));
      if (same.length === 0) continue;
      taken = count;
      names = [...new Set([said, ...same.flat()])];
      break;
    }
    words.splice(0, taken);
    found.push(names);
  }
  return found;
}

const begins = name => new RegExp(`[^\\p{L}\\p{N}]${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "gu");

function search(question) {
  const asked = terms(question).map(names => names.map(name => [name, begins(name)]));
  if (asked.length === 0) return [];
  texts ??= prepare();
  const scored = [];
  for (const text of texts) {
    let score = 0, first = "";
    for (const names of asked) {
      let best = 0;
      names.forEach(([name, pattern], k) => {
        const [titles, heads, bodies] = [text.title, text.head, text.body]
          .map(words => (words.match(pattern) ?? []).length);
        const said = 2 * titles + 10 * heads + Math.min(bodies, 5);
        const worth = said * (k === 0 ? 1 : 0.5); // its own name first
        if (worth > best) {
          best = worth;
          if (names === asked[0]) first = name;
        }
      });
      if (best === 0) { score = 0; break; }
      score += best;
    }
    score /= { files: 10, demos: 4 }[text.where.match(/^\w*/)[0]] ?? 1; // the lessons first
    if (score > 0) scored.push([score, { ...text, around: around(text, first) }]);
  }
  return scored.sort((a, b) => b[0] - a[0]).map(([, text]) => text);
}

function around(text, term) {
  const at = Math.max(0, plain(text.words).indexOf(term) - 40);
  const start = at === 0 ? 0 : text.words.indexOf(" ", at) + 1;
  const end = text.words.indexOf(" ", start + 100);
  return (start > 0 ? "… " : "") + (end < 0 ? text.words.slice(start) : `${text.words.slice(start, end)} …`);
}

function show() {
  const found = search(asked.value);
  hits.hidden = asked.value.trim() === "";
  const places = found.length === 1 ? "1 place" : `${found.length} places`;
  count.textContent = found.length > MOST ? `${places}, the first ${MOST}:` : places;
  list.replaceChildren(...found.slice(0, MOST).map(hit => {
    const [item, link, head, words] = ["li", "a", "b", "span"].map(tag => document.createElement(tag));
    link.href = place.dataset.root + hit.where.split("#").map(encodeURI).join("#");
    head.textContent = hit.page.endsWith(hit.heading) ? hit.page : `${hit.page.match(/^\d\d|.*/)[0]} · ${hit.heading}`;
    words.textContent = hit.around;
    link.append(head, words);
    item.append(link);
    return item;
  }));
}

asked.addEventListener("input", show);
asked.addEventListener("focus", show);
asked.form.addEventListener("submit", event => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
place.addEventListener("keydown", event => {
  const stops = [asked, ...list.querySelectorAll("a")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && !hits.hidden) {
    event.preventDefault();
    const next = stops.indexOf(document.activeElement) + step;
    stops[Math.max(0, Math.min(next, stops.length - 1))].focus();
  } else if (event.key === "Escape") {
    asked.value = "";
    show();
    asked.focus();
  }
});
list.addEventListener("click", () => { hits.hidden = true; });
document.addEventListener("click", event => { if (!place.contains(event.target)) hits.hidden = true; });
place.addEventListener("focusout", event => {
  if (event.relatedTarget && !place.contains(event.relatedTarget)) hits.hidden = true;
});
document.addEventListener("keydown", event => {
  if (event.key === "/" && !event.target.closest("input, textarea")) {
    event.preventDefault();
    asked.focus();
  }
});
