import { type AudioBudget, coreRate } from '../audio/core.js';
import type { Logger } from '../log/index.js';
import { ringAge } from '../ring/index.js';
import type { ClientSender } from './client-sender.js';
import * as events from './server-events.js';

const samplesPerMillisecond = coreRate / 1000;
/** Ms without a frame over the budget after which the next one is told of again. */
const newBurstAfter = 10_000;

/** Ms between two messages about frames that found no space. */
const noSpaceInterval = 1000;

export interface AudioNoticesOptions {
  readonly audioBudget: AudioBudget;
  readonly log: Logger;
  readonly client: ClientSender;
}

/** Tells a client, once for a burst, that audio of its stream is not decoded. */
export class AudioNotices {
  readonly #options: AudioNoticesOptions;
  /** Ring clock of the last frame that was over the budget; -1 before the first. */
  #overBudgetAt = -1;
  /** Ring clock at which frames without space were last told of; -1 before. */
  #noSpaceAt = -1;
  #untold = 0;

  constructor(options: AudioNoticesOptions) {
    this.#options = options;
  }

  /**
   * Frames were refused because the stream sends more audio than it may.
   * @param now ring clock.
   */
  overBudget(now: number): void {
    const first = this.#overBudgetAt < 0 || ringAge(this.#overBudgetAt, now) >= newBurstAfter;
    this.#overBudgetAt = now;
    if (!first) return;
    const { audioBudget, client, log } = this.#options;
    log.warn('stream sends more audio than it may');
    client.send(events.audioOverBudget(audioBudget));
  }

  /**
   * A frame found no space, because too much audio waits.
   * @param now ring clock.
   */
  noSpace(now: number): void {
    this.#untold++;
    if (this.#noSpaceAt >= 0 && ringAge(this.#noSpaceAt, now) < noSpaceInterval) return;
    this.#noSpaceAt = now;
    const { client, log } = this.#options;
    log.warn({ frames: this.#untold }, 'too much audio waits: frames of a stream were dropped');
    client.send(events.audioDropped(this.#untold));
    this.#untold = 0;
  }

  /** Frames had to be dropped. @param samples of the gap, at 16 kHz. */
  dropped(frames: number, samples: number): void {
    const { client, log } = this.#options;
    log.warn({ frames, samples }, 'frames of a stream were dropped; it was behind, or over its budget');
    client.send(events.audioDropped(frames, samples / samplesPerMillisecond));
  }
}
