// What the course adds to JupyterLab in the browser: the section of an address, the stage, what is
// loaded while one reads, and where work goes.
// JupyterLite keeps what a reader saves in the browser, under a notebook's path. Such a copy hides
// the teacher's notebook, also a newer one; so this says when there is a newer one, and goes back.

const later = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const words = text => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
const path = new URLSearchParams(location.search).get("path");
const section = words(decodeURIComponent(location.hash)); // JupyterLite takes it off the address
const SLOW_MS = 120_000;
const root = new URL("..", location);
const store = `JupyterLite Storage - ${root.pathname}`; // as JupyterLite names it

async function application() {
  while (!window.jupyterapp?.shell) await later(10);
  return window.jupyterapp;
}

/** Start Python while JupyterLab still lays out its page; the notebook of the address takes it. */
async function begin({ kernelspecs, sessions }) {
  if (!path?.endsWith(".ipynb")) return;
  while (!kernelspecs.specs?.kernelspecs.python) await later(10);
  const name = path.split("/").at(-1);
  const started = sessions.startNew(
    { path, name, type: "notebook", kernel: { name: "python" } },
    { kernelConnectionOptions: { handleComms: false } }, // widgets are the notebook's to hear of
  );
  const { startNew } = sessions;
  sessions.startNew = async (...asked) => {
    await started.catch(() => {}); // the notebook's own start will say what is wrong
    return startNew.apply(sessions, asked);
  };
}

const notebook = app => [...app.shell.widgets("main")].find(w => w.isVisible && w.sessionContext);
const version = model => model?.content?.metadata?.kernellab;

/** What has been saved in this browser: a promise of models by path. */
function copies() {
  return new Promise((done, failed) => {
    const opening = indexedDB.open(store);
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const found = {};
      if (!database.objectStoreNames.contains("files")) return database.close(), done(found);
      const cursor = database.transaction("files").objectStore("files").openCursor();
      cursor.onerror = () => failed(cursor.error);
      cursor.onsuccess = () => {
        if (!cursor.result) return database.close(), done(found);
        const model = cursor.result.value;
        if (model?.type === "notebook") found[cursor.result.key] = model;
        cursor.result.continue();
      };
    };
  });
}

function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function ask() {
  return new Promise(done => {
    const input = Object.assign(document.createElement("input"), { type: "file", accept: ".json" });
    input.onchange = () => done(input.files[0]?.text());
    input.click();
  });
}

/** Wait until a notebook is open, and return it. */
async function opened(app) {
  while (!notebook(app)?.content?.widgets?.length) await later(100);
  await notebook(app).context.ready;
  await notebook(app).revealed;
  return notebook(app);
}

/** Show the heading that the address names after #. */
async function go(app) {
  const { content } = await opened(app);
  const at = content.widgets.findIndex(it => it.model.type === "markdown" &&
    it.model.sharedModel.getSource().split("\n").some(line =>
      line.startsWith("#") && words(line) === section));
  if (at < 0) return;
  content.activeCellIndex = at;
  await content.scrollToCell(content.widgets[at], "start");
}

/** Wait until the notebook has its kernel: cells that are run before make JupyterLab ask for one. */
async function kernel(app) {
  const { sessionContext } = await opened(app);
  while (!sessionContext.session?.kernel) await later(100);
  return sessionContext.session.kernel;
}

/** Run the demos, and put the first on the stage as soon as it is there. */
async function stage(app) {
  await kernel(app);
  const { content } = await opened(app);
  const first = setInterval(() => {
    const enter = document.querySelector(".kl-enter");
    if (!enter) return;
    clearInterval(first);
    enter.click();
  }, 100);
  // One by one: what is moved on the stage would wait until all that was asked for before is done.
  for (let at = 0; at < content.widgets.length; at++) {
    while (document.querySelector(".kl-on-stage .kl-live")?.underWay()) await later(50);
    content.activeCellIndex = at;
    if (content.activeCell.model.type === "code") await app.commands.execute("notebook:run-cell");
  }
}

/** Load what the first figure needs while the reader reads; say so if Python does not come. */
async function prepare(app) {
  await opened(app);
  const waiting = document.body.appendChild(document.createElement("p"));
  waiting.id = "no-python";
  waiting.hidden = true;
  waiting.textContent = "Python has not come. It is loaded from another server, or from this one, " +
    "and a part of it is missing or blocked. Load the page again; if that does not help, tell " +
    "whoever keeps it: a folder made with PYODIDE=… asks no other server.";
  const late = setTimeout(() => { waiting.hidden = false; }, SLOW_MS);
  const code = "import kernellab.live.declared";
  const asked = (await kernel(app)).requestExecute({ code, silent: true, store_history: false });
  const came = (await asked.done).content.status === "ok";
  clearTimeout(late);
  if (came) waiting.remove();
  else waiting.hidden = false;
}

async function panel(app, newest) {
  const contents = app.serviceManager.contents;
  const box = document.createElement("dialog");
  box.id = "your-work";
  box.innerHTML = `<h2>Your work</h2>
    <p>What you save (Ctrl+S) is kept in this browser, and nowhere else.</p>
    <p><button name="hand-in">Download this notebook</button> to hand it in</p>
    <p><button name="save">Save all to a file</button>, for another browser, or to be sure</p>
    <p><button name="load">Load such a file</button></p>
    <p><button name="back">Back to the teacher's version</button> of this notebook;
      yours is downloaded first</p>
    <p role="status"></p>
    <form method="dialog"><button>Close</button></form>`;
  const said = box.querySelector("[role=status]");
  const open = path => app.commands.execute("docmanager:open", { path });
  const actions = {
    "hand-in": async () => {
      const { context } = notebook(app);
      await context.save();
      download(context.path.split("/").at(-1), JSON.stringify(context.model.toJSON(), null, 1));
    },
    save: async () => {
      await notebook(app)?.context.save();
      const found = await copies();
      const work = Object.fromEntries(Object.entries(found).map(([at, it]) => [at, it.content]));
      download("kernellab-work.json", JSON.stringify(work));
      said.textContent = `${Object.keys(work).length} notebooks are in kernellab-work.json.`;
    },
    load: async () => {
      const work = JSON.parse(await ask());
      for (const [path, content] of Object.entries(work)) {
        if (!/^notebooks\/[\w/]+\.ipynb$/.test(path) || !Array.isArray(content?.cells))
          throw new Error("this is not a file that was saved here");
        await contents.save(path, { type: "notebook", format: "json", content });
      }
      for (const widget of [...app.shell.widgets("main")])
        if (widget.context?.path in work) await widget.context.revert();
      said.textContent = `${Object.keys(work).length} notebooks are back.`;
    },
    back: async () => {
      const { context } = notebook(app);
      const name = context.path.split("/").at(-1).replace(".ipynb", "-mine.ipynb");
      download(name, JSON.stringify(context.model.toJSON(), null, 1));
      if (context.path in (await copies())) await contents.delete(context.path);
      await context.revert();
      await check();
      said.textContent = "This is the teacher's version.";
    },
  };
  for (const [name, act] of Object.entries(actions))
    box.querySelector(`[name=${name}]`).onclick = () =>
      act().catch(problem => (said.textContent = `That did not work: ${problem.message}.`));

  const button = Object.assign(document.createElement("button"), { id: "your-work-button" });
  button.onclick = () => ((said.textContent = ""), box.showModal());
  /** Say on the button whether the teacher's version of what is open is newer than this copy. */
  async function check() {
    const path = notebook(app)?.context?.path;
    const copy = path && (await copies())[path];
    const newer = Boolean(copy && newest[path] && version(copy) !== newest[path]);
    button.textContent = newer ? "Your work: the teacher's version is newer" : "Your work";
    button.classList.toggle("newer", newer);
  }
  document.head.insertAdjacentHTML("beforeend", `<style>
    #your-work-button { position: fixed; top: 3px; right: 8px; z-index: 100; font: inherit;
      padding: 0 10px; height: 22px; border: 1px solid #888; border-radius: 11px; background: #fff }
    #your-work-button.newer { background: #fff0c2 }
    #your-work { font: 15px/1.5 sans-serif; max-width: 32rem; border-radius: 8px; border: 0;
      padding: 8px 24px 20px; box-shadow: 0 4px 32px #0006 }
    #no-python { position: fixed; bottom: 24px; left: 50%; translate: -50%; z-index: 100; margin: 0;
      font: 15px/1.5 sans-serif; width: min(36rem, 90vw); padding: 12px 20px; background: #fff0c2;
      border: 1px solid #888; border-radius: 8px }
    #your-work::backdrop { background: #0004 }
    .jp-KernelStatus-spinner { animation: none !important } /* to turn it takes from Python's start */
    #your-work button { font: inherit }
  </style>`);
  document.body.append(button, box);
  app.shell.currentChanged?.connect(() => void check());
  await opened(app);
  await check();
}

const app = await application();
void begin(app.serviceManager);
await app.restored;
if (section === "stage") void stage(app);
else if (section) void go(app);
void prepare(app);
await panel(app, await (await fetch(new URL("versions.json", root))).json());
