// Search, filters, sort and column choice of the leaderboard. The whole state
// is in the query string: short keys, defaults left out, in a fixed order, so
// that a link shows what its sender saw.
//
//   q     words to search for          only  precisions to keep, comma-separated
//   hide  columns left out             sort  column key, "-" in front for descending
//
// Numbers come from data-v attributes and words from the page: nothing is
// formatted or translated here.

export function startBoard(table, form) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const columns = heads.map((th) => th.dataset.col || "");
  const status = form.querySelector("[role=status]");

  const state = read();
  form.hidden = false;
  form.elements.q.value = state.q;
  for (const box of form.querySelectorAll("input[name=only]")) box.checked = state.only.includes(box.value);
  for (const box of form.querySelectorAll("input[name=col]")) box.checked = !state.hide.includes(box.value);

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    state.q = form.elements.q.value;
    state.only = checked("only", true);
    state.hide = checked("col", false);
    apply();
  });
  form.querySelector("[type=reset]").addEventListener("click", (event) => {
    event.preventDefault();
    form.elements.q.value = "";
    for (const box of form.querySelectorAll("input[name=only]")) box.checked = false;
    for (const box of form.querySelectorAll("input[name=col]")) box.checked = true;
    Object.assign(state, { q: "", only: [], hide: [], sort: "" });
    apply();
  });
  for (const [i, th] of heads.entries()) {
    if (!columns[i] || !("sortable" in th.dataset)) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...th.childNodes);
    th.append(button);
    button.addEventListener("click", () => {
      const first = th.dataset.sortable === "desc" ? "-" : "";
      const one = first + columns[i];
      const other = (first ? "" : "-") + columns[i];
      state.sort = state.sort === one ? other : state.sort === other ? "" : one;
      apply();
    });
  }
  apply();

  function checked(name, want) {
    return [...form.querySelectorAll(`input[name=${name}]`)].filter((box) => box.checked === want).map((box) => box.value);
  }

  function read() {
    const query = new URLSearchParams(location.search);
    const list = (key) => (query.get(key) || "").split(",").filter(Boolean);
    const sort = query.get("sort") || "";
    return {
      q: query.get("q") || "",
      only: list("only"),
      hide: list("hide"),
      sort: columns.includes(sort.replace(/^-/, "")) ? sort : "",
    };
  }

  function write() {
    const query = new URLSearchParams();
    if (state.q) query.set("q", state.q);
    if (state.only.length) query.set("only", state.only.join(","));
    if (state.hide.length) query.set("hide", state.hide.join(","));
    if (state.sort) query.set("sort", state.sort);
    const text = query.toString().replaceAll("%2C", ",");
    history.replaceState(null, "", text ? "?" + text : location.pathname);
  }

  function apply() {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.dataset.search;
      const keep = words.every((w) => text.includes(w)) && (!state.only.length || state.only.includes(row.dataset.precision));
      row.hidden = !keep;
      if (keep) shown++;
    }
    const down = state.sort.startsWith("-");
    const at = columns.indexOf(state.sort.replace(/^-/, ""));
    const order = at < 0 ? rows : [...rows].sort((a, b) => compare(value(a, at), value(b, at), down));
    body.append(...order);
    body.classList.toggle("sorted", at >= 0);
    for (const [i, th] of heads.entries()) {
      const off = state.hide.includes(columns[i]);
      th.hidden = off;
      for (const row of rows) row.cells[i].hidden = off;
      if (i === at) th.setAttribute("aria-sort", down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    }
    const one = new Intl.PluralRules(document.documentElement.lang).select(shown) === "one";
    status.textContent = status.dataset[one ? "formOne" : "formOther"].replace("{shown}", shown).replace("{all}", rows.length);
    write();
  }

  function value(row, i) {
    const cell = row.cells[i];
    return cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v === "" ? null : Number(cell.dataset.v);
  }

  // What was not measured stays at the end, whichever way the column is sorted.
  function compare(a, b, down) {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === "number" ? a - b : a.localeCompare(b, document.documentElement.lang);
    return down ? -order : order;
  }
}
