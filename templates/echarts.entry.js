// Entry of the chart library: the parts of ECharts that the site's charts use,
// what a JSON option cannot say, and the two ways in. The same build runs in
// browsers (mount) and in the program that draws the pictures (draw).
//
// A drawing is {width, height, ticks: {x, y}, heads, option}. ticks and heads
// are lists of [value, text]: the axis labels and the first lines of tooltips.
// All text in it is finished, and inert: nothing in it is ever run or parsed.
import * as echarts from "echarts/core";
import {
  BarChart,
  CustomChart,
  HeatmapChart,
  LineChart,
  ScatterChart,
} from "echarts/charts";
import {
  GridComponent,
  LegendPlainComponent,
  TooltipComponent,
} from "echarts/components";
import { SVGRenderer } from "echarts/renderers";

echarts.use([
  BarChart,
  CustomChart,
  HeatmapChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendPlainComponent,
  TooltipComponent,
  SVGRenderer,
]);

// position is the pixel position of a value, moved to its bar within a group.
function position(api, { bar, layout }, along, value) {
  const p = api.coord([along, value]);
  if (layout) p[0] += api.barLayout(layout)[bar].offsetCenter;
  return p;
}

const measured = (v) => typeof v === "number" && !Number.isNaN(v);

// line joins two points given in data values.
const line = (from, to, style) => ({
  type: "line",
  shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] },
  style,
  silent: true,
});

// errorBar draws one whisker per item [along, lo, hi], with half-caps of cap
// pixels.
function errorBar(params, api) {
  const { cap } = params.itemPayload;
  const style = { stroke: api.visual("color"), lineWidth: 1.25, fill: "none" };
  const [lo, hi] = [1, 2].map((i) => {
    const v = api.value(i);
    return measured(v) ? position(api, params.itemPayload, api.value(0), v) : null;
  });
  const children = [];
  for (const p of [lo, hi]) {
    if (!p) continue;
    children.push(line([p[0] - cap, p[1]], [p[0] + cap, p[1]], style));
  }
  if (lo && hi) children.push(line(lo, hi, style));
  return { type: "group", children };
}

// band fills between lo and hi. Items are [x, lo, hi]; the item that opens an
// unbroken run draws all of it, so that no seams show.
function band(params, api) {
  const at = (i) => [api.value(0, i), api.value(1, i), api.value(2, i)];
  const whole = (i) =>
    i >= 0 && i < params.dataInsideLength && at(i).every(measured);
  let i = params.dataIndex;
  if (!whole(i) || whole(i - 1)) return null;
  const upper = [];
  const lower = [];
  for (; whole(i); i++) {
    const [x, lo, hi] = at(i);
    upper.push(api.coord([x, hi]));
    lower.unshift(api.coord([x, lo]));
  }
  return {
    type: "polygon",
    shape: { points: upper.concat(lower) },
    style: { fill: api.visual("color"), opacity: 0.14 },
    silent: true,
  };
}

// limit draws a line across the plot at the item's y.
function limit(params, api) {
  const { x, width } = params.coordSys;
  const { stroke } = params.itemPayload;
  const p = api.coord([api.value(0), api.value(1)]);
  const style = { stroke, lineWidth: 1, lineDash: [5, 4], fill: "none" };
  return line([x, p[1]], [x + width, p[1]], style);
}

// note writes the payload's text of an item beside it, or at its height at an
// edge of the plot. A halo in the colour of
// the ground keeps text readable over lines.
function note(params, api) {
  const { items, fill, size, halo, family } = params.itemPayload;
  const { text, dx, dy, align, edge } = items[params.dataIndex];
  const p = position(api, params.itemPayload, api.value(0), api.value(1));
  const { x, width } = params.coordSys;
  if (edge) p[0] = edge === "left" ? x : x + width;
  return {
    type: "text",
    x: p[0] + dx,
    y: p[1] + dy,
    style: {
      text,
      fill,
      align,
      verticalAlign: "middle",
      fontSize: size,
      fontFamily: family,
      stroke: halo,
      lineWidth: halo ? 3 : 0,
    },
    silent: true,
  };
}

echarts.registerCustomSeries("limit", limit);
echarts.registerCustomSeries("note", note);
echarts.registerCustomSeries("errorBar", errorBar);
echarts.registerCustomSeries("band", band);

// finder answers the text that belongs to a value.
function finder(list) {
  const texts = new Map(list || []);
  return (v) => texts.get(Number(v)) ?? "";
}

// plain keeps text from being read as rich-text markup.
const plain = (s) => String(s ?? "").replaceAll("{", "{\u200b");

function tooltip(heads) {
  const head = finder(heads);
  const row = (p) => `${p.marker} ${plain(p.seriesName)}  ${plain(p.data.tip)}`;
  return (params) => {
    if (!Array.isArray(params)) {
      const { title, tip } = params.data;
      return title ? `${plain(title)}\n${plain(tip)}` : row(params);
    }
    const rows = params.filter((p) => p.data?.tip).map(row);
    if (rows.length === 0) return "";
    return [plain(head(params[0].axisValue)), ...rows].join("\n");
  };
}

// prepare adds to an option the functions that JSON cannot carry, and the font.
function prepare({ option, ticks, heads }, family) {
  const ready = copyOf(option);
  ready.textStyle.fontFamily = family;
  for (const s of ready.series) {
    if (s.renderItem === "note") s.itemPayload.family = family;
  }
  const axes = { x: ready.xAxis[0], y: ready.yAxis[0] };
  for (const key of ["x", "y"]) {
    if (axes[key].type === "category") continue;
    axes[key].axisLabel.formatter = finder(ticks[key]);
  }
  if (ready.tooltip.show) ready.tooltip.formatter = tooltip(heads);
  return ready;
}

// copyOf copies JSON. The engine that draws the pictures has no structuredClone.
const copyOf = (v) => JSON.parse(JSON.stringify(v));

// mount puts an interactive chart into an element of a page, as wide as the
// element and in the page's font.
function mount(element, drawing) {
  element.style.height = `${drawing.height}px`;
  const chart = echarts.init(element, null, {
    renderer: "svg",
    width: element.clientWidth,
    height: drawing.height,
  });
  chart.setOption(prepare(drawing, getComputedStyle(element).fontFamily));
  return chart;
}

// draw returns a chart as the text of an SVG element. It takes JSON text.
function draw(json) {
  const drawing = JSON.parse(json);
  const chart = echarts.init(null, null, {
    renderer: "svg",
    ssr: true,
    width: drawing.width,
    height: drawing.height,
  });
  try {
    const option = prepare(drawing, "sans-serif");
    option.tooltip = { show: false };
    chart.setOption(option);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

globalThis.arenaCharts = { mount, draw };
