/** Progress of a running export of everything. */
export interface ExportState {
  /** Complete lines so far. */
  readonly lines: number;
  /** Bytes of the complete lines. */
  readonly bytes: number;
}

/** The beginning of a line: the kind of its record, and the place at which the export continues after this line. */
const head = /^\{"type":"(\w+)","after":"([\w-]+)"/;

/**
 * Pauses in ms before the first, second and further successive attempts to continue an export that broke off. A new
 * line starts the count again.
 */
const waits = [1000, 2000, 5000, 10_000, 10_000] as const;

export interface EverythingOptions {
  /**
   * Reads the lines after the place `after`; undefined: all lines. The yielded texts may end anywhere in a line.
   * @throws an error. If `isFinal` is false for it, the reading is repeated.
   */
  readonly read: (after: string | undefined) => AsyncIterable<string>;
  /** Waits before an attempt to continue. Rejects if the export was cancelled. */
  readonly wait: (ms: number) => Promise<void>;
  /** Whether an error ends the export. After other errors the export tries to continue. */
  readonly isFinal: (error: unknown) => boolean;
  readonly changed: (state: ExportState) => void;
}

/**
 * Reads everything of a user, line by line. If the connection is lost, continues after the last complete line. A line
 * is never kept twice. If `run` throws, it can be called again and then continues.
 */
export class Everything {
  readonly #parts: Blob[] = [];
  #after: string | undefined;
  #state: ExportState = { lines: 0, bytes: 0 };
  #ended = false;

  constructor(private readonly options: EverythingOptions) {}

  /** Reads to the end. @throws a final error at once; another error after several attempts without a new line. */
  async run(): Promise<Blob> {
    for (let attempt = 0; !this.#ended; ) {
      const before = this.#state.lines;
      try {
        await this.#readOn();
        if (!this.#ended) throw new Error('The export broke off');
      } catch (error) {
        if (this.#state.lines > before) attempt = 0;
        const wait = waits[attempt++];
        if (wait === undefined || this.options.isFinal(error)) throw error;
        await this.options.wait(wait);
      }
    }
    return new Blob(this.#parts, { type: 'application/x-ndjson' });
  }

  async #readOn(): Promise<void> {
    let rest = '';
    for await (const text of this.options.read(this.#after)) {
      const end = text.lastIndexOf('\n') + 1;
      if (end === 0) {
        rest += text;
        continue;
      }
      this.#keep(rest + text.slice(0, end));
      rest = text.slice(end);
    }
  }

  /** Keeps complete lines. */
  #keep(lines: string): void {
    const last = lines.slice(lines.lastIndexOf('\n', lines.length - 2) + 1);
    const [, type, after] = head.exec(last) ?? [];
    if (after === undefined) throw new Error('A line cannot be read');
    const part = new Blob([lines]);
    this.#parts.push(part);
    this.#after = after;
    this.#ended = type === 'end';
    const count = lines.split('\n').length - 1;
    this.#state = { lines: this.#state.lines + count, bytes: this.#state.bytes + part.size };
    this.options.changed(this.#state);
  }
}
