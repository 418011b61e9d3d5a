// Interactive charts on demand. Every figure has a hidden button; this module
// shows it. It loads the chart library, once for the page, and puts a live chart
// in the place of the picture. Without this module, and whenever anything goes
// wrong, the picture stays.
//
//   <script type="module" src="/…/chart.js" data-echarts="/…/echarts.js"></script>
//   <figure class="chart">
//     <button class="chart-open" data-chart="/…/options.json" data-open="…"
//             data-close="…" data-failed="…" hidden>…</button>
//     <div class="plot"><svg class="chart chart-wide">…</svg>…</div>
//   </figure>
//
// data-chart is the address of the options, or "#id" of a script element of type
// application/json on this page. All words are in the button's attributes.

async function library() {
  const script = document.querySelector("script[data-echarts]");
  await import(new URL(script.dataset.echarts, document.baseURI).href);
  return globalThis.arenaCharts;
}

async function options(source) {
  if (source.startsWith("#")) {
    return JSON.parse(document.getElementById(source.slice(1)).textContent);
  }
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source}: ${response.status}`);
  return response.json();
}

// stage is the element that the live chart is drawn into.
function stage(figure, file) {
  const element = document.createElement("div");
  element.setAttribute("data-chart-live", "");
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", `${file.title}. ${file.description}`);
  figure.querySelector("svg.chart").before(element);
  return element;
}

// Unlike the picture a live chart does not shrink: where the wide layout has no
// room, the narrow one is stretched.
const layoutFor = (element, file) =>
  element.clientWidth < file.wide.width ? "narrow" : "wide";

// show draws into an element and follows its width. It returns what ends it.
function show(lib, element, file) {
  let layout;
  let chart;
  const draw = () => {
    const wanted = layoutFor(element, file);
    if (wanted !== layout) {
      chart?.dispose();
      chart = lib.mount(element, file[wanted]);
      layout = wanted;
    } else if (chart.getWidth() !== element.clientWidth) {
      chart.resize({ width: element.clientWidth });
    }
  };
  draw();
  let frame;
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    chart.dispose();
  };
}

function equip(button) {
  const figure = button.closest("figure");
  const words = button.dataset;
  const status = document.createElement("span");
  let end = null;

  const settle = (state, word) => {
    figure.setAttribute("data-chart-state", state);
    button.textContent = word;
  };

  const close = () => {
    end?.();
    end = null;
    figure.querySelector("[data-chart-live]")?.remove();
  };

  const open = async () => {
    figure.setAttribute("data-chart-state", "busy");
    button.setAttribute("aria-busy", "true");
    status.textContent = "";
    try {
      const [lib, file] = await Promise.all([library(), options(words.chart)]);
      const element = stage(figure, file);
      figure.setAttribute("data-chart-state", "live");
      end = show(lib, element, file);
      settle("live", words.close);
    } catch (error) {
      close();
      settle("failed", words.open);
      status.textContent = words.failed;
      console.warn(error);
    }
    button.removeAttribute("aria-busy");
  };

  button.addEventListener("click", () => {
    const state = figure.getAttribute("data-chart-state");
    if (state === "busy") return;
    if (state !== "live") return open();
    close();
    settle("still", words.open);
  });
  status.className = "chart-status";
  status.setAttribute("role", "status");
  (figure.querySelector(".plot") ?? figure.lastElementChild).after(status);
  button.hidden = false;
}

for (const button of document.querySelectorAll("button[data-chart]")) equip(button);
