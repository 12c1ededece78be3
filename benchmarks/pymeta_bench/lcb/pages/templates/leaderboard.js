"use strict";
// DATA: months ["2023-05", …], levels, problems [[month, level, day], …], models [{name, cutoff, scores: [hundredths or null, …]}, …]
const byId = id => document.getElementById(id);
const COLOURS = ["var(--s1)", "var(--s2)", "var(--s3)", "var(--s4)"];
const state = { start: 0, end: DATA.months.length - 1, levels: new Set(DATA.levels.keys()), sort: "score", up: false, shown: [] };

function lastDay(month) {
  const [year, number] = month.split("-").map(Number);
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`;
}

// The address has the window, so that it can be sent to somebody; else the page opens as it was asked to.
function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const edge of ["start", "end"]) if (!given.has(edge) && DATA[edge]) given.set(edge, DATA[edge]);
  for (const edge of ["start", "end"]) {
    const place = DATA.months.indexOf(given.get(edge));
    if (place >= 0) state[edge] = place;
  }
  if (state.end < state.start) state.end = state.start;
}

function rows() {
  const first = `${DATA.months[state.start]}-01`;
  const inside = [...DATA.problems.keys()].filter(i => {
    const [month, level] = DATA.problems[i];
    return month >= state.start && month <= state.end && (level === null || state.levels.has(level));
  });
  const mean = (model, chosen) => {
    let sum = 0, n = 0;
    for (const i of chosen) if (model.scores[i] !== null) { sum += model.scores[i]; n += 1; }
    return n ? { n, score: sum / n } : { n, score: null };
  };
  const table = DATA.models.map(model => {
    const all = mean(model, inside);
    const levels = DATA.levels.map((_, level) => mean(model, inside.filter(i => DATA.problems[i][1] === level)).score);
    return { model, name: model.name, n: all.n, score: all.score, levels, clean: model.cutoff !== null && model.cutoff < first };
  }).filter(row => row.n);
  const ranked = table.filter(row => row.clean).map(row => row.score).sort((a, b) => b - a);
  for (const row of table) row.rank = row.clean ? ranked.indexOf(row.score) + 1 : null;
  const key = row => state.sort === "name" ? row.name.toLowerCase() : state.sort === "score" ? row.score : row.levels[Number(state.sort)];
  table.sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (left === null || right === null) return (left === null) - (right === null);
    const order = left < right ? -1 : left > right ? 1 : 0;
    return (state.up ? order : -order) || (a.name < b.name ? -1 : 1);
  });
  return { table, problems: inside.length };
}

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== null) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function head() {
  const line = element("tr", null);
  line.append(element("th", "Rank", { scope: "col" }));
  const columns = [["name", "Model"], ["score", "All"], ...DATA.levels.map((name, level) => [String(level), name])];
  for (const [key, title] of columns) {
    const cell = element("th", null, { scope: "col", ...(key === "name" ? { class: "text" } : {}) });
    if (state.sort === key) cell.setAttribute("aria-sort", state.up ? "ascending" : "descending");
    const button = element("button", title, { type: "button" });
    button.addEventListener("click", () => {
      state.up = state.sort === key ? !state.up : key === "name";
      state.sort = key;
      draw();
    });
    cell.append(button);
    line.append(cell);
  }
  line.append(element("th", "Problems", { scope: "col" }));
  byId("board").tHead.replaceChildren(line);
}

function board(table) {
  const number = value => value === null ? "–" : value.toFixed(1);
  byId("board").tBodies[0].replaceChildren(...table.map(row => {
    const place = state.shown.indexOf(row.name);
    const line = element("tr", null, { class: `${row.clean ? "" : "contaminated"} ${place < 0 ? "" : "shown"}`.trim(), tabindex: "0", "aria-selected": String(place >= 0) });
    const name = element("th", row.name, { scope: "row", class: "text" });
    if (place >= 0) name.prepend(element("i", "", { class: "swatch", style: `background:${COLOURS[place]}` }));
    line.append(element("td", row.rank ?? "–"), name, element("td", number(row.score)), ...row.levels.map(each => element("td", number(each))), element("td", row.n));
    const choose = () => {
      state.shown = place < 0 ? [...state.shown, row.name].slice(-COLOURS.length) : state.shown.filter(each => each !== row.name);
      draw();
    };
    line.addEventListener("click", choose);
    line.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } });
    return line;
  }));
}

function curve() {
  const [width, height, left, bottom, top] = [900, 300, 40, 26, 10];
  const x = month => left + (width - left - 10) * (month + 0.5) / DATA.months.length;
  const y = score => top + (height - top - bottom) * (1 - score / 100);
  const parts = [];
  for (const score of [0, 25, 50, 75, 100])
    parts.push(`<line class="axis" x1="${left}" x2="${width - 10}" y1="${y(score)}" y2="${y(score)}"/><text x="${left - 8}" y="${y(score) + 4}" text-anchor="end">${score}</text>`);
  DATA.months.forEach((month, place) => {
    if (place % Math.ceil(DATA.months.length / 9) === 0) parts.push(`<text x="${x(place)}" y="${height - 6}" text-anchor="middle">${month}</text>`);
  });
  const edge = place => left + (width - left - 10) * place / DATA.months.length;
  parts.push(`<rect x="${edge(state.start)}" y="${top}" width="${edge(state.end + 1) - edge(state.start)}" height="${height - top - bottom}" fill="var(--wash)" opacity=".7"/>`);
  state.shown.forEach((name, colour) => {
    const model = DATA.models.find(each => each.name === name);
    const points = DATA.months.map((_, month) => {
      let sum = 0, n = 0;
      DATA.problems.forEach(([when, level], i) => {
        if (when === month && (level === null || state.levels.has(level)) && model.scores[i] !== null) { sum += model.scores[i]; n += 1; }
      });
      return n ? `${x(month).toFixed(1)},${y(sum / n).toFixed(1)}` : null;
    }).filter(Boolean);
    parts.push(`<polyline points="${points.join(" ")}" fill="none" stroke="${COLOURS[colour]}" stroke-width="2"/>`);
    for (const point of points) {
      const [left, up] = point.split(",");
      parts.push(`<circle cx="${left}" cy="${up}" r="2.5" fill="${COLOURS[colour]}"/>`);
    }
    const month = model.cutoff === null ? -1 : DATA.months.indexOf(model.cutoff.slice(0, 7));
    if (month >= 0) {
      const at = edge(month + Number(model.cutoff.slice(8)) / 31);
      parts.push(`<line x1="${at}" x2="${at}" y1="${top}" y2="${height - bottom}" stroke="${COLOURS[colour]}" stroke-width="1.5" stroke-dasharray="5 4"/>`);
    }
  });
  const label = state.shown.length ? `pass@1 by month: ${state.shown.join(", ")}` : "pass@1 by month: no model chosen";
  byId("curve").innerHTML = `<svg viewBox="0 0 ${width} ${height}" role="img">${parts.join("")}</svg>`;
  byId("curve").firstChild.setAttribute("aria-label", label);
}

function draw() {
  const [start, end] = [`${DATA.months[state.start]}-01`, lastDay(DATA.months[state.end])];
  byId("start").value = state.start;
  byId("end").value = state.end;
  byId("start-day").textContent = start;
  byId("end-day").textContent = end;
  const { table, problems } = rows();
  const unranked = table.filter(row => !row.clean).length;
  byId("said").textContent = `${problems} problems from ${start} to ${end}; ${table.length - unranked} models ranked, ${unranked} without a rank.`;
  head();
  board(table);
  curve();
}

function begin() {
  readAddress();
  for (const edge of ["start", "end"]) {
    byId(edge).max = DATA.months.length - 1;
    byId(edge).addEventListener("input", event => {
      state[edge] = Number(event.target.value);
      if (state.end < state.start) state[edge === "start" ? "end" : "start"] = state[edge];
      history.replaceState(null, "", `#start=${DATA.months[state.start]}&end=${DATA.months[state.end]}`);
      draw();
    });
  }
  if (DATA.levels.length) for (const [level, name] of DATA.levels.entries()) {
    const box = element("input", null, { type: "checkbox", id: `level-${level}`, checked: "" });
    box.addEventListener("change", () => { state.levels[box.checked ? "add" : "delete"](level); draw(); });
    const label = element("label", null, { for: `level-${level}` });
    label.append(box, ` ${name}`);
    byId("levels").append(label);
  }
  state.shown = rows().table.slice(0, 3).map(row => row.name);
  draw();
}
begin();
