"use strict";
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const read = (id) => JSON.parse(document.getElementById(id).textContent);

function element(name, text, ...inside) {
  const made = document.createElement(name);
  made.textContent = text;
  made.append(...inside);
  return made;
}

// Light and dark: as the system says, until the button is used.
function theme() {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  function name() {
    button.textContent = dark() ? "light" : "dark";
    button.setAttribute("aria-label", `Use ${button.textContent} colours`);
  }
  try {
    if (localStorage.theme) root.dataset.theme = localStorage.theme;
  } catch { /* without storage the choice is not kept */ }
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.theme = root.dataset.theme; } catch { /* as above */ }
    name();
  });
  system.addEventListener("change", name);
  name();
  button.hidden = false;
}

// Sorting: up, down, and back to the order of the page. Empty cells stay last.
function sorting(table) {
  const body = table.tBodies[0];
  const original = [...body.rows];
  const headings = [table.tHead.rows[0].cells[0], ...table.tHead.rows[1].cells];
  const next = { none: "ascending", ascending: "descending", descending: "none" };
  headings.forEach((heading, column) => {
    heading.querySelector("button").addEventListener("click", () => {
      const order = next[heading.getAttribute("aria-sort")];
      headings.forEach((other) => other.setAttribute("aria-sort", other === heading ? order : "none"));
      const sign = order === "descending" ? -1 : 1;
      const key = (row) => (column ? row.cells[column].dataset.value : row.cells[0].textContent);
      const compare = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
        return sign * (column ? x - y : x.localeCompare(y, "en", { numeric: true }));
      };
      body.append(...(order === "none" ? original : [...original].sort(compare)));
    });
  });
}

// Filters: a method selects rows, a task or a form selects columns.
function filtering(tables) {
  const form = document.getElementById("filters");
  const passes = (name, value) => !form.elements[name].value || form.elements[name].value === value;
  function apply() {
    let shown = 0;
    for (const table of tables) {
      const [groups, headings] = table.tHead.rows;
      const columns = [...headings.cells].map((h) => passes("task", h.dataset.task) && passes("form", h.dataset.form));
      [...headings.cells].forEach((heading, at) => { heading.hidden = !columns[at]; });
      let at = 0;
      for (const group of [...groups.cells].slice(1)) {
        const own = columns.slice(at, (at += Number((group.dataset.span ??= group.colSpan))));
        group.hidden = !own.some(Boolean);
        group.colSpan = own.filter(Boolean).length || 1;
      }
      for (const row of table.tBodies[0].rows) {
        columns.forEach((passing, column) => { row.cells[column + 1].hidden = !passing; });
        row.hidden = !passes("method", row.dataset.method);
      }
      const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
      const there = rows.length && columns.some(Boolean);
      table.parentElement.hidden = !there;
      if (there) shown += rows.reduce((sum, row) => sum + all("td[data-detail]:not([hidden])", row).length, 0);
      reachable(table);
    }
    for (const section of all(".suite")) {
      section.querySelector(".nothing").hidden = all(".scroll:not([hidden])", section).length > 0;
    }
    form.querySelector("output").textContent = `${shown} of ${all("td[data-detail]").length} results`;
    layout();
  }
  form.addEventListener("change", apply);
  form.addEventListener("reset", (event) => {
    event.preventDefault(); // the browser would reset the form only after this
    all("select", form).forEach((select) => { select.value = ""; });
    apply();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}

// One cell of each table can be reached with Tab, the others from there with the arrow keys.
const visible = (table) => all("tbody tr:not([hidden])", table).map((row) => all("td:not([hidden])", row));
function reachable(table) {
  all("td[tabindex]", table).forEach((cell) => { cell.tabIndex = -1; });
  const first = visible(table).flat().find((cell) => cell.dataset.detail);
  if (first) first.tabIndex = 0;
}
function moving(table) {
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  table.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step || event.target.tagName !== "TD") return;
    event.preventDefault();
    const cells = visible(table);
    let row = cells.findIndex((line) => line.includes(event.target));
    let column = cells[row].indexOf(event.target);
    do {
      row += step[0];
      column += step[1];
    } while (cells[row]?.[column] && !cells[row][column].dataset.detail);
    const cell = cells[row]?.[column];
    if (!cell) return;
    event.target.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
  });
}

// The details of a cell, while the mouse is over it; while it has the focus they stay, until Escape.
function detail() {
  const box = document.getElementById("detail");
  const details = read("details");
  let focused = null;
  let shown = null;
  let mouse = "";
  function show(cell) {
    shown = cell;
    const about = details[cell.dataset.detail];
    const scores = about.scores.map((score, at) => element("li", "", element("small", `${at} `), String(score)));
    const lines = about.lines.flatMap(([label, text]) => [element("dt", label), element("dd", text)]);
    const list = element("ol", "", ...scores);
    list.setAttribute("aria-label", "score of each shuffle");
    box.replaceChildren(element("h3", about.title), list, element("dl", "", ...lines));
    box.hidden = false;
    box.classList.toggle("stays", cell === focused);
    cell.setAttribute("aria-describedby", "detail");
    put();
  }
  function put() {
    const place = shown.getBoundingClientRect();
    const above = place.top - 6 - box.offsetHeight;
    const below = place.bottom + 6;
    const fits = below + box.offsetHeight < innerHeight;
    box.style.top = `${fits ? below : Math.max(8, above)}px`;
    const left = fits || above > 8 ? place.left : place.right + 6;
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - box.offsetWidth - 8))}px`;
  }
  function hide() {
    shown = null;
    box.hidden = true;
    all("[aria-describedby=detail]").forEach((cell) => cell.removeAttribute("aria-describedby"));
  }
  function settle() {
    const keyed = focused?.matches(":focus-visible"); // focused with the keyboard: ignore a resting mouse
    const cell = keyed ? focused : (document.querySelector("td[data-detail]:hover") ?? focused);
    if (cell) show(cell);
    else hide();
  }
  const cellOf = (event) => event.target.closest("td[data-detail]");
  const area = document.getElementById("tables");
  for (const kind of ["mouseover", "mousemove"]) {
    area.addEventListener(kind, (event) => {
      const place = `${event.screenX} ${event.screenY}`;
      if (kind === "mouseover" && place !== mouse) settle(); // otherwise the page moved, not the mouse
      mouse = place;
    });
  }
  area.addEventListener("mouseleave", settle);
  area.addEventListener("focusin", (event) => { focused = cellOf(event); settle(); });
  for (const part of [area, box]) {
    part.addEventListener("focusout", (event) => {
      if (box.contains(event.relatedTarget)) return;
      focused = null;
      hide();
    });
  }
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") { focused = null; hide(); } });
  addEventListener("scroll", (event) => {
    if (event.target === box) return;
    if (shown && (shown === focused || shown.matches(":hover"))) put();
    else hide();
  }, { capture: true, passive: true });
}

// The headings of a table that fits stick to the window; a table that does not fit scrolls in its own frame.
function layout() {
  const bar = document.getElementById("filters").offsetHeight;
  document.documentElement.style.setProperty("--bar", innerWidth > 700 ? `${bar}px` : "0px");
  for (const frame of all(".scroll")) {
    frame.classList.remove("fits");
    frame.classList.toggle("fits", frame.firstElementChild.offsetWidth <= frame.clientWidth);
  }
}

// Charts take their colours from the page's variables, so that they follow light, dark and print.
const config = {
  background: null,
  font: "system-ui, sans-serif",
  axis: {
    labelColor: "var(--soft)", titleColor: "var(--ink)", gridColor: "var(--line)", domainColor: "var(--strong-line)",
    tickColor: "var(--strong-line)", titleFontWeight: 500, labelFontSize: 11, titleFontSize: 12, labelSeparation: 6,
  },
  legend: {
    labelColor: "var(--ink)", titleColor: "var(--soft)", titleFontWeight: 500, labelFontSize: 12, labelLimit: 0,
    orient: "top", symbolOpacity: 1, symbolBaseFillColor: "var(--soft)", symbolBaseStrokeColor: "var(--soft)",
    layout: { top: { direction: "vertical", anchor: "start", margin: 8 } },
  },
  header: { labelColor: "var(--ink)", labelFontSize: 13, labelFontWeight: 500 },
  title: { color: "var(--ink)" },
  view: { stroke: "var(--line)" },
};
function fitted(specification, width) {
  const spec = structuredClone(specification);
  const panels = spec.concat ?? [spec.spec ?? spec];
  const [widest] = panels.map((panel) => panel.width);
  const margin = 72; // for an axis and its labels
  const columns = Math.max(1, Math.min(spec.columns ?? 1, Math.floor(width / (widest + margin))));
  if (spec.columns) spec.columns = columns;
  const wide = Math.min(1.4 * widest, width / columns - margin);
  for (const panel of panels) {
    panel.height *= wide / panel.width;
    panel.width = wide;
  }
  return spec;
}
function charts() {
  const specifications = read("charts-data");
  let before = 0;
  function draw() {
    const width = document.getElementById("made").clientWidth; // the charts may all be elsewhere
    if (width === before) return;
    before = width;
    config.legend.columns = Math.max(1, Math.floor(width / 210));
    for (const frame of all("[data-chart]")) {
      vegaEmbed(frame, fitted(specifications[frame.dataset.chart], width), { config, renderer: "svg", actions: false });
    }
  }
  draw();
  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(draw, 200); });
}

// Unfold everything for printing.
function printing() {
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((part) => { part.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((part) => { part.open = false; }));
}

const tables = all(".suite table");
theme();
printing();
tables.forEach((table) => { sorting(table); moving(table); });
filtering(tables);
detail();
addEventListener("resize", layout);
if (window.vegaEmbed) charts();
