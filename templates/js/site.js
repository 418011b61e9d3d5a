// What every page does with a script: the language switch keeps query and
// fragment, copy buttons copy, the leaderboard filters. Without a script all
// content is there; only these conveniences are missing.
import { startBoard } from "./board.js";

for (const link of document.querySelectorAll(".languages a")) {
  link.addEventListener("click", () => {
    link.search = location.search;
    link.hash = location.hash;
  });
}

async function copy(text) {
  if (navigator.clipboard && window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Plain HTTP on another machine has no clipboard interface.
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("copy refused");
}

for (const button of document.querySelectorAll("button.copy")) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await copy(document.getElementById(button.dataset.copy).textContent);
      button.textContent = button.dataset.done;
    } catch {
      button.textContent = button.dataset.fail;
    }
    setTimeout(() => (button.textContent = label), 2000);
  });
}

const board = document.querySelector("table.board");
if (board) startBoard(board, document.querySelector("form.tools"));
