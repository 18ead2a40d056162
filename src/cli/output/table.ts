import CliTable from 'cli-table3';
import { plainLine, plainText, safeJson, shortened } from './plain-text.js';

/** A column of a list: its head, where its value is, and how many characters of it are shown. */
export interface Column {
  readonly head: string;
  readonly value: (row: never) => unknown;
  readonly width?: number;
}

const borderless = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((place) => [place, '']),
);

const lines = (table: CliTable.Table): string =>
  table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');

const newTable = (head: string[]): CliTable.Table =>
  new CliTable({
    head,
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [], compact: true },
  });

/** The text of a value in a table. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(', ');
  return typeof value === 'object' ? safeJson(value) : String(value);
};

type Emphasis = (text: string) => string;

/** A list as a table with a head, one line a row. */
export const listTable = (columns: readonly Column[], rows: readonly unknown[], bold: Emphasis): string => {
  const table = newTable(columns.map(({ head }) => bold(head)));
  for (const row of rows) {
    table.push(
      columns.map(({ value, width }) => {
        const line = plainLine(textOf(value(row as never)));
        return width === undefined ? line : shortened(line, width);
      }),
    );
  }
  return lines(table);
};

/** One record as a table of its fields, which may have several lines. */
export const recordTable = (fields: Readonly<Record<string, unknown>>, bold: Emphasis): string => {
  const table = newTable([]);
  for (const [name, value] of Object.entries(fields)) {
    table.push([bold(plainLine(name)), plainText(textOf(value))]);
  }
  return lines(table);
};
