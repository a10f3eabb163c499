import { percentile } from '../percentile.ts';

export interface Series {
  name: string;
  /** Latencies in milliseconds, in any order. */
  values: readonly number[];
}

const width = 860;
const height = 420;
const frame = { left: 60, right: 190, top: 40, bottom: 50 };
/** Every next mark leaves out nine of ten of the requests that the one before it left out. */
const marks = [0, 0.5, 0.9, 0.99, 0.999, 0.9999];
const nines = Math.log10(1 / (1 - 0.9999));
const colours = ['#0b6bcb', '#b3261e', '#2e7d32', '#8e5a00', '#6b3fa0', '#00707a'];

const style = `
    text { font: 12px system-ui, sans-serif; fill: #222 }
    .grid { stroke: #ddd }
    .paper { fill: #fff }
    @media (prefers-color-scheme: dark) {
      text { fill: #ddd }
      .grid { stroke: #444 }
      .paper { fill: #16181b }
      path, .name { filter: brightness(1.6) }
    }`;

/** Latency by percentile as an SVG document: a line for each series that has values, both axes logarithmic. Its colours follow the reader's scheme. */
export function plotLatencies(title: string, series: readonly Series[]): string {
  const shown = series.filter(({ values }) => values.length > 0);
  const all = shown.flatMap(({ values }) => values);
  const low =
    10 **
    Math.floor(
      Math.log10(
        Math.max(
          0.1,
          all.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
        ),
      ),
    );
  const high =
    10 **
    Math.ceil(
      Math.log10(
        Math.max(
          low * 10,
          all.reduce((most, value) => Math.max(most, value), 0),
        ),
      ),
    );
  const x = (share: number) => frame.left + (Math.min(nines, Math.log10(1 / (1 - share))) / nines) * (width - frame.left - frame.right);
  const y = (ms: number) =>
    height - frame.bottom - (Math.log10(Math.max(low, ms) / low) / Math.log10(high / low)) * (height - frame.top - frame.bottom);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <style>${style}\n  </style>`,
    `  <rect class="paper" width="${width}" height="${height}"/>`,
    `  <text x="${frame.left}" y="22">${escaped(title)}</text>`,
    ...marks.map((share) => vertical(share, x(share))),
    ...powersOfTen(low, high).map((ms) => horizontal(ms, y(ms))),
    ...shown.map((each, index) => line(each, index, x, y)),
    '</svg>',
    '',
  ].join('\n');
}

const powersOfTen = (low: number, high: number) =>
  Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, power) => low * 10 ** power);

const vertical = (share: number, x: number) =>
  `  <line class="grid" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${frame.top}" y2="${height - frame.bottom}"/>
  <text x="${x.toFixed(1)}" y="${height - frame.bottom + 20}" text-anchor="middle">${Number((share * 100).toFixed(2))} %</text>`;

const horizontal = (ms: number, y: number) =>
  `  <line class="grid" x1="${frame.left}" x2="${width - frame.right}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}"/>
  <text x="${frame.left - 8}" y="${(y + 4).toFixed(1)}" text-anchor="end">${Number(ms.toPrecision(1))} ms</text>`;

function line({ name, values }: Series, index: number, x: (share: number) => number, y: (ms: number) => number): string {
  const colour = colours[index % colours.length];
  const shares = sharesShown(values.length);
  const points = shares.map((share) => `${x(share).toFixed(1)},${y(percentile(values, share)).toFixed(1)}`);
  const legend = frame.top + 12 + index * 20;
  return `  <path d="M${points.join(' L')}" fill="none" stroke="${colour}" stroke-width="2"/>
  <text class="name" x="${width - frame.right + 16}" y="${legend}" style="fill: ${colour}">${escaped(name)}</text>`;
}

/** As many nines as the number of values can tell, in twenty steps each. */
function sharesShown(count: number): number[] {
  const steps = Math.ceil(20 * Math.min(nines, Math.log10(Math.max(2, count))));
  return Array.from({ length: steps + 1 }, (_, step) => 1 - 10 ** (-step / 20));
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
