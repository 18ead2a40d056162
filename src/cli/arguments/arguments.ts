import { type Command, InvalidArgumentError, Option } from 'commander';

/** Parsers of command arguments. Commander adds the argument's name to their errors. */

/** Returns a parser of a whole number. @param most maximum that the service accepts */
export const wholeNumber =
  (least: number, most: number) =>
  (given: string): number => {
    const value = /^\d+$/.test(given.trim()) ? Number(given) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${most}.`);
  };

export const anyNumber = (given: string): number => {
  const value = given.trim() === '' ? Number.NaN : Number(given);
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It has to be a number.');
};

/** Parses an id that becomes part of a URL's path. Refuses texts with a special meaning in paths, such as `..`. */
export const recordId = (given: string): string => {
  const id = given.trim();
  if (id !== '' && id !== '.' && id !== '..') return id;
  throw new InvalidArgumentError('It has to be the id of a record.');
};

const moment =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Parses a day or a time in ISO 8601. The service reads a time without zone as UTC. */
export const dateArgument = (given: string): string => {
  if (moment.test(given.trim())) return given.trim().replace(' ', 'T');
  throw new InvalidArgumentError('It has to be a date such as 2026-03-01 or 2026-03-01T09:30:00Z.');
};

const milliseconds = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Parses the start of a period: minutes, hours, days or weeks ago, or a date. */
export const sinceArgument = (given: string): string => {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(given.trim()) ?? [];
  if (count === undefined) return dateArgument(given);
  return new Date(Date.now() - Number(count) * milliseconds[unit as keyof typeof milliseconds]).toISOString();
};

/** Collects the values of a repeatable option. */
export const collected = (given: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  given,
];

/** Options of a list command. */
export interface ListOptions {
  readonly limit: number;
  readonly offset?: number;
  readonly all?: boolean;
  readonly jsonl?: boolean;
}

export const withListOptions = (command: Command, usual: number): Command =>
  command
    .option('--limit <n>', 'records, at most', wholeNumber(1, 1_000_000), usual)
    .addOption(
      new Option('--offset <n>', 'records to skip at the start').argParser(wholeNumber(0, 1_000_000_000)),
    )
    .option('--all', 'all records, page by page')
    .option('--jsonl', 'one line of JSON for each record, printed as pages are read');

export interface CreateOptions {
  readonly idempotencyKey?: string;
}

export const withCreateOptions = (command: Command): Command =>
  command.option(
    '--idempotency-key <key>',
    'repeating the command with the same key creates no second record',
  );

export const withYes = (command: Command): Command =>
  command.option('-y, --yes', 'do not ask for confirmation; required without a terminal');
