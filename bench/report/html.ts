import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { checkout } from '../checkout.js';
import type { Report, Row } from './envelope.js';
import { fieldOf } from './fields.js';
import { factsOf, noiseLines, skipLines } from './markdown.js';
import { describePlot, type Plot, plotsOf } from './plots.js';
import { bySuite, cellOf, columnsOf, isNumeric, shownValue } from './table.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for an element or a quoted attribute. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

/** Escapes data for a script element, so that no text in it can end the element. */
const data = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

const packageFile = (path: string): string =>
  readFileSync(createRequire(import.meta.url).resolve(`uplot/${path}`), 'utf8');
const pageFile = (name: string): string =>
  readFileSync(new URL(`bench/report/page/${name}`, checkout), 'utf8');

/** Returns an inline element, and the CSP source that allows only this element. */
const inline = (tag: 'script' | 'style', content: string): { element: string; source: string } => ({
  element: `<${tag}>${content}</${tag}>`,
  source: `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
});

const headings = (column: string): string => {
  const { title, unit } = fieldOf(column)!;
  return escaped(unit === '' ? title : `${title}, ${unit}`);
};

/** Returns a table. The first column contains the contender, which is the heading of the row. */
const table = (caption: string, rows: readonly Row[]): string => {
  const columns = columnsOf(rows, ['suite']);
  const kinds = columns.map((column) => (isNumeric(rows, column) ? ' class="number"' : ''));
  const head = columns.map((column, at) => `<th scope="col"${kinds[at]}>${headings(column)}</th>`);
  const cell = (row: Row, column: string, at: number): string => {
    const text = escaped(shownValue(cellOf(row, column)));
    return at === 0 ? `<th scope="row">${text}</th>` : `<td${kinds[at]}>${text}</td>`;
  };
  const body = rows.map((row) => `<tr>${columns.map((column, at) => cell(row, column, at)).join('')}</tr>`);
  const label = `Results of ${escaped(caption)}`;
  return `<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table aria-label="${label}">
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div>`;
};

const figure = (plot: Plot, at: number): string =>
  `<figure><figcaption>${escaped(plot.title)}</figcaption>
<div data-plot="${at}" data-description="${escaped(describePlot(plot))}"></div></figure>`;

const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<h2>${title}</h2>\n<ul>\n${lines.map((text) => `<li>${escaped(text)}</li>`).join('\n')}\n</ul>`;

/** Returns a report as one self-contained page. Scripts, style and data are inline. The page's security policy forbids every request. */
export const htmlOf = (report: Report): string => {
  const plots = plotsOf(report);
  const scripts = [packageFile('dist/uPlot.iife.min.js'), pageFile('draw.js')].map((text) =>
    inline('script', text),
  );
  const styles = [packageFile('dist/uPlot.min.css'), pageFile('style.css')].map((text) =>
    inline('style', text),
  );
  const sources = (parts: typeof scripts): string => parts.map(({ source }) => source).join(' ');
  const policy = `default-src 'none'; script-src ${sources(scripts)}; style-src ${sources(styles)}; img-src data:; base-uri 'none'; form-action 'none'`;
  const facts = factsOf(report).map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`);
  const suites = [...bySuite(report.results)].map(
    ([suite, rows]) => `<section><h2>${escaped(suite)}</h2>\n${table(suite, rows)}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Bench report${report.commit === '' ? '' : ` of ${escaped(report.commit.slice(0, 12))}`}</title>
<!-- The script and the first style are uPlot's.
${packageFile('LICENSE').trim()}
-->
${styles.map(({ element }) => element).join('\n')}
</head>
<body>
<main>
<h1>Bench report</h1>
<dl>
${facts.join('\n')}
</dl>
${plots.length === 0 ? '' : `<h2>Plots</h2>\n<div class="plots">\n${plots.map(figure).join('\n')}\n</div>`}
${suites.join('\n')}
${list('Self-noise', noiseLines(report))}
${list('Not measured', skipLines(report))}
</main>
<script type="application/json" id="plots">${data(plots)}</script>
${scripts.map(({ element }) => element).join('\n')}
</body>
</html>
`;
};
