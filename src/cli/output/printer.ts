import { type Io, write } from '../terminal/index.js';
import { plainText, safeJson } from './plain-text.js';
import type { Column } from './table.js';

export interface PrinterOptions {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/**
 * Writes the output of a command. Results are written to standard output, as tables or, with `--json`, as the answer of
 * the service. Messages are written to standard error. With `--json` each message is a line of JSON, and messages
 * without a warning or an error are omitted.
 */
export class Printer {
  readonly json: boolean;
  readonly #verbose: boolean;
  readonly #color: boolean;

  constructor(
    private readonly io: Io,
    { json, verbose, color }: PrinterOptions,
  ) {
    this.json = json;
    this.#verbose = verbose;
    this.#color = color && !io.env.NO_COLOR && io.env.TERM !== 'dumb';
  }

  /** Prints a record. @param fields fields of the table; absent: all fields */
  async record(record: unknown, fields?: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.json) return this.#out(safeJson(record, 2));
    const { recordTable } = await import('./table.js');
    const shown = fields ?? (record as Readonly<Record<string, unknown>> | null) ?? {};
    return this.#out(recordTable(shown, await this.#bold()));
  }

  /** Prints a complete list. */
  async list(rows: readonly unknown[], columns: readonly Column[]): Promise<void> {
    if (this.json) return this.#out(safeJson(rows, 2));
    if (rows.length === 0) return this.#out('(no results)');
    const { listTable } = await import('./table.js');
    return this.#out(listTable(columns, rows, await this.#bold()));
  }

  /** Prints one record as a line of JSON (JSON Lines). */
  line(record: unknown): Promise<void> {
    return this.#out(safeJson(record));
  }

  /** Prints a requested text, such as a path. With `--json` it prints `record`, which contains the text. */
  text(text: string, record: unknown): Promise<void> {
    return this.#out(this.json ? safeJson(record, 2) : plainText(text));
  }

  /** Reports that a command has succeeded. With `--json` nothing is printed, because the exit code reports success. */
  async info(text: string): Promise<void> {
    if (!this.json) await this.#say(text);
  }

  /** Reports the deletion of a record. @param answer answer of the service, printed with `--json` */
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
    return colors.createColors(this.#color && this.io.stdout.isTTY === true).bold;
  }

  #out(text: string): Promise<void> {
    return write(this.io.stdout, `${text}\n`);
  }

  #say(text: string): Promise<void> {
    return write(this.io.stderr, `${plainText(text)}\n`);
  }
}
