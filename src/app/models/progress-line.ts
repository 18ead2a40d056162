import type { WriteStream } from 'node:tty';

const width = 24;

/** A progress bar that is redrawn in place on a terminal. Outputs other than terminals get one line for every 10 %. */
export class ProgressLine {
  readonly #since = Date.now();
  #last = '';

  constructor(private readonly out: WriteStream) {}

  /** Shows progress. @param total size in bytes; undefined while unknown */
  show(title: string, received: number, total: number | undefined): void {
    const megabytes = `${(received / 1e6).toFixed(1)} MB`;
    const fraction = total ? Math.min(1, received / total) : undefined;
    if (!this.out.isTTY) {
      const step = fraction === undefined ? title : `${title} ${Math.floor(fraction * 10) * 10} %`;
      if (step !== this.#last) this.out.write(`${step}\n`);
      this.#last = step;
      return;
    }
    const filled = Math.round((fraction ?? 0) * width);
    const bar = fraction === undefined ? '' : ` [${'#'.repeat(filled)}${'.'.repeat(width - filled)}]`;
    const elapsed = `${Math.round((Date.now() - this.#since) / 1000)} s`;
    this.#last = title;
    this.out.write(`\r\x1b[K${`${title}${bar} ${megabytes} ${elapsed}`.slice(0, this.out.columns || 100)}`);
  }

  /** Prints a line that is not overwritten. */
  note(text: string): void {
    this.end();
    this.out.write(`${text}\n`);
  }

  end(): void {
    if (this.out.isTTY && this.#last !== '') this.out.write('\r\x1b[K');
    this.#last = '';
  }
}
