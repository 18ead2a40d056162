import CliTable from 'cli-table3';
import { plainLine, plainText, safeJson, shortened } from './plain-text.js';

/** A column of a list. */
export interface Column {
  /** Path of the value in a row: names separated by dots. */
  readonly path: string;
  /** Heading of the column; absent: `path`. */
  readonly head?: string;
  /** Maximum number of characters shown. */
  readonly width?: number | undefined;
  /** Whether a value of true is shown as a star, and every other value as an empty cell. */
  readonly star?: boolean | undefined;
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

/** Returns the text of a value in a table cell. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(', ');
  return typeof value === 'object' ? safeJson(value) : String(value);
};

/** Returns the value of a row at a path; undefined if a part of the path is missing. */
const valueAt = (row: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], row);

type Emphasis = (text: string) => string;

/** Formats a list as a table with a header and one line per row. */
export const listTable = (columns: readonly Column[], rows: readonly unknown[], bold: Emphasis): string => {
  const table = newTable(columns.map(({ path, head = path }) => bold(head)));
  for (const row of rows) {
    table.push(
      columns.map(({ path, width, star }) => {
        const value = valueAt(row, path);
        const line = star ? (value ? '*' : '') : plainLine(textOf(value));
        return width === undefined ? line : shortened(line, width);
      }),
    );
  }
  return lines(table);
};

/** Formats a record as a table of its fields. Values may span several lines. */
export const recordTable = (fields: Readonly<Record<string, unknown>>, bold: Emphasis): string => {
  const table = newTable([]);
  for (const [name, value] of Object.entries(fields)) {
    table.push([bold(plainLine(name)), plainText(textOf(value))]);
  }
  return lines(table);
};
