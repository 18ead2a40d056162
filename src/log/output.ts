import { writeSync } from 'node:fs';

/** Ms between attempts to write to a reader that is too slow. */
const retryPause = 50;
/** Ms that the end of the process waits for such a reader. */
const exitTimeout = 250;
const exitPause = 10;
/** Bytes over the bound that lines of level fatal may take: they say why the process ends. */
const fatalReserve = 65_536;
const fatalLevel = 60;
const metadata = Symbol.for('pino.metadata');
/** Bytes of one write: a pipe takes up to so many whole or not at all, so lines of several threads do not mix. */
const writeSize = 4096;

export interface LogOutputOptions {
  /** Non-blocking, see `logDescriptor`. */
  readonly descriptor: number;
  /** Bytes of lines held while the reader does not take them; lines over it are dropped. */
  readonly capacity: number;
  /** Replaces the system's write; throws with code EAGAIN when the reader does not take any. */
  readonly write?: (descriptor: number, bytes: Buffer) => number;
  /** Called for every line dropped. */
  readonly onDrop?: () => void;
  /** Called when everything held has been written after lines were dropped, with their number. */
  readonly onRecovered?: (dropped: number) => void;
}

/**
 * Where the lines of one thread go: written at once where the descriptor takes them, so that a line is out before the
 * next statement runs; else held, up to a bound, and written when the reader goes on. Writing never waits, except for a
 * bounded moment when the process ends.
 */
export class LogOutput {
  // Read by pino, which then sets `lastLevel` before each write.
  readonly [metadata] = true;
  lastLevel = 0;
  readonly #options: LogOutputOptions;
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  #dropped = 0;
  #broken = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: LogOutputOptions) {
    this.#options = options;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    const capacity = this.#options.capacity + (this.lastLevel >= fatalLevel ? fatalReserve : 0);
    if (this.#broken || this.#heldBytes + bytes.length > capacity) {
      this.#dropped++;
      this.#options.onDrop?.();
      return;
    }
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    // While a retry is due the reader is known to be behind: asking again for every line would cost a call each.
    if (this.#retry === undefined) this.#attempt();
  }

  /** Asked by pino after a line of level fatal. */
  flushSync(): void {
    this.#writeHeld();
  }

  /** Writes what is held when the process or thread ends, waiting at most 250 ms for the reader. */
  flushAtExit(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const deadline = performance.now() + exitTimeout;
    while (!this.#writeHeld() && performance.now() < deadline) Atomics.wait(pause, 0, 0, exitPause);
  }

  #attempt(): void {
    this.#retry = undefined;
    if (!this.#writeHeld()) {
      this.#retry = setTimeout(() => this.#attempt(), retryPause);
      // A process with nothing else to do may end; what is held is tried once more then.
      this.#retry.unref();
    } else if (this.#dropped > 0 && !this.#broken) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      this.#options.onRecovered?.(dropped);
    }
  }

  /** False while the reader does not take everything. */
  #writeHeld(): boolean {
    const write = this.#options.write ?? writeSync;
    while (this.#held.length > 0) {
      const bytes = this.#nextWrite();
      try {
        const written = write(this.#options.descriptor, bytes);
        this.#heldBytes -= written;
        if (written < bytes.length) this.#held[0] = bytes.subarray(written);
        else this.#held.shift();
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code === 'EAGAIN') return false;
        // The reader is gone for good, or the disk is full: logging must not be what ends the process.
        this.#broken = (thrown as NodeJS.ErrnoException).code === 'EPIPE';
        this.#held.length = 0;
        this.#heldBytes = 0;
      }
    }
    return true;
  }

  /** The first of what is held, after joining to it as many of the following lines as one write takes. */
  #nextWrite(): Buffer {
    let count = 1;
    let size = this.#held[0]!.length;
    while (count < this.#held.length && size + this.#held[count]!.length <= writeSize) {
      size += this.#held[count]!.length;
      count++;
    }
    if (count > 1) this.#held.splice(0, count, Buffer.concat(this.#held.slice(0, count)));
    return this.#held[0]!;
  }
}
