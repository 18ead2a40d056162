import type { Report, Row } from './envelope.js';
import { fieldOf } from './fields.js';
import { bySuite, cellOf, columnsOf, isNumeric, shownValue } from './table.js';

/** Escapes text so that it neither ends a cell nor begins a tag, a link or emphasis. */
const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|~#&]/g, (character) => `\\${character}`);

const heading = (column: string): string => {
  const { title, unit } = fieldOf(column)!;
  return unit === '' ? title : `${title}, ${unit}`;
};

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const markdownTable = (rows: readonly Row[]): string[] => {
  const columns = columnsOf(rows, ['suite']);
  return [
    line(columns.map(heading)),
    line(columns.map((column) => (isNumeric(rows, column) ? '--:' : '---'))),
    ...rows.map((row) => line(columns.map((column) => plain(shownValue(cellOf(row, column)))))),
  ];
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Returns facts about the run, as names and values. */
export const factsOf = ({
  machine,
  commit,
  date,
  command,
  clock,
  settings = {},
}: Report): [string, string][] => [
  ['Machine', `${machine.cpu}, ${machine.cores} cores (${machine.flags.join(' ')})`],
  ['System', `${machine.system}, Node ${machine.node}, load ${machine.load.toFixed(1)} at the start`],
  ['Commit', commit || 'unknown'],
  ...(date === undefined ? [] : [['Date', date] satisfies [string, string]]),
  ...(command ? [['Command', `npm run bench -- ${command}`] satisfies [string, string]] : []),
  ['Clock', clock === 'cpu' ? 'CPU time, unless a column says otherwise' : 'wall clock'],
  ...Object.entries(settings).map(([name, value]): [string, string] => [name, String(value)]),
  ...Object.entries(machine.versions),
];

/** Returns a sentence about the noise of each contender that was measured twice. */
export const noiseLines = ({ self_noise }: Report): string[] =>
  self_noise.map(
    ({ suite, of, ratio, spread }) =>
      `${suite}, ${of}: differs from itself by ${percent(ratio - 1)}, spread ${percent(spread)}`,
  );

/** Returns a sentence for each skipped measurement. */
export const skipLines = ({ skipped }: Report): string[] =>
  skipped.map(({ suite, what, why }) => `${suite}, ${what}: ${why}`);

/** Returns a report as Markdown: the facts of the run, a table for each suite, the self-noise, and the skipped measurements. */
export const markdownOf = (report: Report): string => {
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map((text) => `- ${plain(text)}`)];
  const suites = [...bySuite(report.results)].flatMap(([suite, rows]) => [
    '',
    `## ${plain(suite)}`,
    '',
    ...markdownTable(rows),
  ]);
  const lines = [
    '# Bench report',
    '',
    ...factsOf(report).map(([name, value]) => `- ${plain(name)}: ${plain(value)}`),
    ...suites,
    ...list('Self-noise', noiseLines(report)),
    ...list('Not measured', skipLines(report)),
  ];
  return `${lines.join('\n')}\n`;
};
