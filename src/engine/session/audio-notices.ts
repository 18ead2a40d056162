import { type AudioBudget, coreRate } from '../../audio/interface/index.js';
import type { Finding } from '../../audio/readability/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { ringAge } from '../../ring/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { type ClientSender, events } from '../shared/index.js';

const samplesPerMillisecond = coreRate / 1000;
/** Ms without a frame over the budget after which the next one is told of again. */
const newBurstAfter = 10_000;
/** Ms between two messages about frames that were dropped. */
const droppedInterval = 1000;
/** Ms between two log lines about frames of one stream that do not decode. */
const invalidInterval = 10_000;
/** Ms between two messages that the audio of a stream is not what was declared. */
const unreadableInterval = 60_000;

export interface AudioNoticesOptions {
  readonly audioBudget: AudioBudget;
  readonly log: Logger;
  readonly client: ClientSender;
  readonly metrics: Pick<MetricsRow, 'add'>;
}

/** Tells a client, once for a burst, that audio of its stream is not decoded; and the log, where the audio itself is at fault. */
export class AudioNotices {
  readonly #options: AudioNoticesOptions;
  /** Ring clock of the last frame that was over the budget; -1 before the first. */
  #overBudgetAt = -1;
  /** Ring clock at which dropped frames were last told of; -1 before. */
  #droppedAt = -1;
  /** Dropped since then. */
  #untold = { frames: 0, samples: 0 };
  /** Ring clock at which frames that do not decode were last logged, -1 before; and those that came since then. */
  #invalidAt = -1;
  #unlogged = 0;
  /** Ring clock at which unreadable audio was last told of; -1 before. */
  #unreadableAt = -1;

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
   * Frames had to be dropped; the next one that was not is decoded now.
   * @param samples of the gap, at 16 kHz.
   * @param now ring clock.
   */
  dropped(frames: number, samples: number, now: number): void {
    this.#untold.frames += frames;
    this.#untold.samples += samples;
    this.tellDropped(now);
  }

  /**
   * Frames did not decode and were skipped. The client is told only where that is so of most of them, by `unreadable`.
   * @param now ring clock.
   */
  invalid(frames: number, now: number): void {
    this.#unlogged += frames;
    if (this.#invalidAt >= 0 && ringAge(this.#invalidAt, now) < invalidInterval) return;
    this.#invalidAt = now;
    this.#options.log.warn({ frames: this.#unlogged }, 'frames of a stream do not decode and are skipped');
    this.#unlogged = 0;
  }

  /**
   * The audio of a stream is not what it was opened with: told once for all its tracks.
   * @param now ring clock.
   */
  unreadable(declared: StreamFormat, finding: Finding, now: number): void {
    if (this.#unreadableAt >= 0 && ringAge(this.#unreadableAt, now) < unreadableInterval) return;
    this.#unreadableAt = now;
    const { client, log, metrics } = this.#options;
    const { cause, decodes, likely } = finding;
    log.warn({ cause, decodes, likely, declared }, 'the audio of a stream is not what it was opened with');
    metrics.add('streams_unreadable_total');
    client.send(events.audioUnreadable(declared, finding));
  }

  /** Tells of dropped frames that were not told of at once, because others had been just then. @param now ring clock. */
  tellDropped(now: number): void {
    const { frames, samples } = this.#untold;
    if (frames === 0) return;
    if (this.#droppedAt >= 0 && ringAge(this.#droppedAt, now) < droppedInterval) return;
    this.#droppedAt = now;
    this.#untold = { frames: 0, samples: 0 };
    const { client, log } = this.#options;
    log.warn({ frames, samples }, 'frames of a stream were dropped: the shard was late, or it sent too many');
    client.send(events.audioDropped(frames, samples / samplesPerMillisecond));
  }
}
