import { setTimeout as pause } from 'node:timers/promises';
import type { Frame } from '../../src/app/wearable/encode.js';
import type { WearableOptions } from '../../src/app/wearable/options.js';
import { Wearable } from '../../src/app/wearable/wearable.js';

/** Pause in ms before a closed stream is reopened. After each refusal the pause doubles, up to `longest`. */
const pauses = { first: 500, longest: 4000 } as const;

export interface WandererOptions {
  readonly stream: Omit<WearableOptions, 'connectTimeout'>;
  readonly frames: readonly Frame[];
  /** Mean ms between two losses of the connection. */
  readonly disconnect: number;
  readonly signal: AbortSignal;
}

/**
 * A wearable that streams until it is stopped. It sends its frames in a loop, and reopens its stream when the server
 * closes it.
 */
export class Wanderer {
  readonly #options: WandererOptions;
  opens = 0;
  refusals = 0;
  /** Number of provider failures that the server reported on the stream. */
  failures = 0;

  constructor(options: WandererOptions) {
    this.#options = options;
  }

  /** Streams until the signal is aborted. Resolves soon after that. */
  async run(): Promise<void> {
    const { signal, stream } = this.#options;
    let wait: number = pauses.first;
    while (!signal.aborted) {
      try {
        const wearable = await Wearable.connect({ ...stream, connectTimeout: 20_000 });
        this.opens++;
        wait = pauses.first;
        await this.#speak(wearable);
      } catch {
        this.refusals++;
        wait = Math.min(pauses.longest, 2 * wait);
      }
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  async #speak(wearable: Wearable): Promise<void> {
    const { disconnect, frames, signal } = this.#options;
    const ending = new AbortController();
    const end = (): void => ending.abort();
    signal.addEventListener('abort', end, { once: true });
    const lost = setTimeout(end, -Math.log(1 - Math.random()) * disconnect);
    // The stream starts with a random frame, so that not all wearables speak at the same time.
    let next = Math.floor(Math.random() * frames.length);
    const began = performance.now();
    let sent = 0;
    while (!ending.signal.aborted && !wearable.isClosed) {
      const due = began + sent;
      await pause(Math.max(1, due - performance.now()), undefined, { signal: ending.signal }).catch(
        () => undefined,
      );
      const frame = frames[next]!;
      if (ending.signal.aborted || wearable.isClosed) break;
      wearable.sendBinary(frame.bytes);
      sent += frame.duration;
      next = (next + 1) % frames.length;
    }
    clearTimeout(lost);
    signal.removeEventListener('abort', end);
    if (wearable.events.some(({ status }) => status === 'stt_failed')) this.failures++;
    await wearable.close();
  }
}
