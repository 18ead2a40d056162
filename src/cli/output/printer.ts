import { type Io, write } from '../terminal/index.js';
import { plainText, safeJson } from './plain-text.js';
import type { Column } from './table.js';

export interface PrinterOptions {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/**
 * Writes what a command has to say. Results go to standard output: tables for people, or with `--json` the answer of the service and
 * nothing else. All other texts go to standard error; with `--json` each of them is one line of JSON, and mere information is left out.
 */
export class Printer {
  readonly json: boolean;
  readonly #io: Io;
  readonly #verbose: boolean;
  readonly #color: boolean;

  constructor(io: Io, { json, verbose, color }: PrinterOptions) {
    this.#io = io;
    this.json = json;
    this.#verbose = verbose;
    this.#color = color && !io.env.NO_COLOR && io.env.TERM !== 'dumb';
  }

  /** A record. @param fields what a table shows of it, all of it when absent. */
  async record(record: unknown, fields?: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.json) return this.#out(safeJson(record, 2));
    const { recordTable } = await import('./table.js');
    const shown = fields ?? (record as Readonly<Record<string, unknown>> | null) ?? {};
    return this.#out(recordTable(shown, await this.#bold()));
  }

  /** A list that was read as a whole. */
  async list(rows: readonly unknown[], columns: readonly Column[]): Promise<void> {
    if (this.json) return this.#out(safeJson(rows, 2));
    if (rows.length === 0) return this.#out('(no results)');
    const { listTable } = await import('./table.js');
    return this.#out(listTable(columns, rows, await this.#bold()));
  }

  /** One record as one line of JSON, for JSON Lines. */
  line(record: unknown): Promise<void> {
    return this.#out(safeJson(record));
  }

  /** A text that was asked for, such as a path; with `--json` a record that holds it. */
  text(text: string, record: unknown): Promise<void> {
    return this.#out(this.json ? safeJson(record, 2) : plainText(text));
  }

  /** Says that something was done; with `--json` the exit code says it. */
  async info(text: string): Promise<void> {
    if (!this.json) await this.#say(text);
  }

  /** Says that a record was deleted. @param answer what the service said of it, for `--json`. */
  async deleted(what: string, answer: unknown): Promise<void> {
    if (this.json) await this.record(answer ?? { success: true });
    else await this.info(`Deleted ${what}.`);
  }

  async warn(text: string): Promise<void> {
    await this.#say(this.json ? safeJson({ warning: text }) : `Warning: ${text}`);
  }

  async debug(text: string): Promise<void> {
    if (this.#verbose) await this.#say(this.json ? safeJson({ debug: text }) : `[debug] ${text}`);
  }

  async #bold(): Promise<(text: string) => string> {
    const { default: colors } = await import('picocolors');
    return colors.createColors(this.#color && this.#io.stdout.isTTY === true).bold;
  }

  #out(text: string): Promise<void> {
    return write(this.#io.stdout, `${text}\n`);
  }

  #say(text: string): Promise<void> {
    return write(this.#io.stderr, `${plainText(text)}\n`);
  }
}
