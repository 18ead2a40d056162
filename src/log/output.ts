import { writeSync } from 'node:fs';

/** Number of ms between two attempts to write to a slow reader. */
const retryPause = 50;
/** Maximum ms for which a process that ends waits for a slow reader. */
const exitTimeout = 250;
const exitPause = 10;
/**
 * Number of bytes that fatal lines may use in addition to the capacity of the buffer, because these lines explain the
 * end of the process.
 */
const fatalReserve = 65_536;
const fatalLevel = 60;
const metadata = Symbol.for('pino.metadata');
/**
 * Maximum number of bytes in one write. A pipe accepts a write of this size atomically, so lines of different threads
 * do not mix.
 */
const writeSize = 4096;

export interface LogOutputOptions {
  /** A non-blocking descriptor, see `logDescriptor`. */
  readonly descriptor: number;
  /** Maximum number of bytes buffered for a slow reader. Further lines are dropped. */
  readonly capacity: number;
  /**
   * Function used instead of `writeSync`, for tests. Like `writeSync`, it throws an error with code EAGAIN if the
   * reader accepts nothing.
   */
  readonly write?: (descriptor: number, bytes: Buffer) => number;
  /** Called for every dropped line. */
  readonly onDrop?: () => void;
  /**
   * Called after lines were dropped and the whole buffer could be written again. The argument is the number of dropped
   * lines.
   */
  readonly onRecovered?: (dropped: number) => void;
}

/**
 * Writes the log lines of one thread. `write` writes a line at once if the descriptor accepts it. Otherwise the line is
 * buffered, up to `capacity`, and written later. Writing never waits, except for at most 250 ms when the process ends.
 */
export class LogOutput {
  // pino sets `lastLevel` before each write if this property is set.
  readonly [metadata] = true;
  lastLevel = 0;
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  #dropped = 0;
  #broken = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(private readonly options: LogOutputOptions) {}

  get heldBytes(): number {
    return this.#heldBytes;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    const capacity = this.options.capacity + (this.lastLevel >= fatalLevel ? fatalReserve : 0);
    if (this.#broken || this.#heldBytes + bytes.length > capacity) {
      this.#dropped++;
      this.options.onDrop?.();
      return;
    }
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    // If a retry is scheduled, the reader is slow. The line then waits for this retry, because an attempt for every
    // line would need a system call for every line.
    if (this.#retry === undefined) this.#attempt();
  }

  /** Writes the buffer. Called by pino after a line of level fatal. */
  flushSync(): void {
    this.#writeHeld();
  }

  /** Writes the buffer when the process or thread ends, waiting at most 250 ms for the reader. */
  flushAtExit(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const deadline = performance.now() + exitTimeout;
    while (!this.#writeHeld() && performance.now() < deadline) Atomics.wait(pause, 0, 0, exitPause);
  }

  #attempt(): void {
    this.#retry = undefined;
    if (!this.#writeHeld()) {
      this.#retry = setTimeout(() => this.#attempt(), retryPause);
      // The timer does not keep the process alive. At the end of the process, `flushAtExit` tries to write the buffered
      // lines again.
      this.#retry.unref();
    } else if (this.#dropped > 0 && !this.#broken) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      this.options.onRecovered?.(dropped);
    }
  }

  /** Writes the buffered lines. Returns false if the reader does not accept all of them. */
  #writeHeld(): boolean {
    const write = this.options.write ?? writeSync;
    while (this.#held.length > 0) {
      const bytes = this.#nextWrite();
      try {
        const written = write(this.options.descriptor, bytes);
        this.#heldBytes -= written;
        if (written < bytes.length) this.#held[0] = bytes.subarray(written);
        else this.#held.shift();
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code === 'EAGAIN') return false;
        // The reader has closed the pipe, or the disk is full. The lines are dropped, because logging must not end the
        // process.
        this.#broken = (thrown as NodeJS.ErrnoException).code === 'EPIPE';
        this.#held.length = 0;
        this.#heldBytes = 0;
      }
    }
    return true;
  }

  /** Returns the bytes of the next write: as many buffered lines as fit, at least one line. */
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
