import { type AudioBudget, coreRate } from '../../audio/interface/index.js';
import type { Finding } from '../../audio/readability/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { ringAge } from '../../ring/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { type ClientSender, events } from '../shared/index.js';

const samplesPerMillisecond = coreRate / 1000;
/**
 * Time in ms without frames over the budget that ends a burst. The next frame over the budget starts a new burst, and
 * the client is warned again.
 */
const newBurstAfter = 10_000;
/** Minimum interval in ms between two messages about dropped frames. */
const droppedInterval = 1000;
/** Minimum interval in ms between two log lines about invalid frames of one stream. */
const invalidInterval = 10_000;
/** Minimum interval in ms between two messages about audio that does not match its declared format. */
const unreadableInterval = 60_000;

export interface AudioNoticesOptions {
  readonly audioBudget: AudioBudget;
  readonly log: Logger;
  readonly client: ClientSender;
  readonly metrics: Pick<MetricsRow, 'add'>;
}

/** Reports to the client and to the log that audio is not decoded, once per burst. Invalid frames are only logged. */
export class AudioNotices {
  /** Arrival of the last frame over the budget, on the ring clock; -1 before the first. */
  #overBudgetAt = -1;
  /** Time of the last message about dropped frames, on the ring clock; -1 before the first. */
  #droppedAt = -1;
  /** Number of frames and samples dropped since the last message about them. */
  #untold = { frames: 0, samples: 0 };
  /** Time of the last log line about invalid frames, on the ring clock; -1 before the first. */
  #invalidAt = -1;
  /** Number of invalid frames since the last log line about them. */
  #unlogged = 0;
  /** Time of the last message about unreadable audio, on the ring clock; -1 before the first. */
  #unreadableAt = -1;

  constructor(private readonly options: AudioNoticesOptions) {}

  /**
   * Reports frames that were refused because the stream exceeds its audio budget.
   * @param now ring clock.
   */
  overBudget(now: number): void {
    const first = this.#overBudgetAt < 0 || ringAge(this.#overBudgetAt, now) >= newBurstAfter;
    this.#overBudgetAt = now;
    if (!first) return;
    const { audioBudget, client, log } = this.options;
    log.warn('stream exceeds its audio budget');
    client.send(events.audioOverBudget(audioBudget));
  }

  /**
   * Reports dropped frames. Called when the first frame after the gap is decoded.
   * @param samples length of the gap, in samples at 16 kHz.
   * @param now ring clock.
   */
  dropped(frames: number, samples: number, now: number): void {
    this.#untold.frames += frames;
    this.#untold.samples += samples;
    this.tellDropped(now);
  }

  /**
   * Reports frames that did not decode and were skipped. The client is not informed of single invalid frames. If most
   * frames fail, `unreadable` informs the client.
   * @param now ring clock.
   */
  invalid(frames: number, now: number): void {
    this.#unlogged += frames;
    if (this.#invalidAt >= 0 && ringAge(this.#invalidAt, now) < invalidInterval) return;
    this.#invalidAt = now;
    this.options.log.warn({ frames: this.#unlogged }, 'frames of a stream do not decode and are skipped');
    this.#unlogged = 0;
  }

  /**
   * Reports audio that does not match the declared format. It reports once for all tracks of the stream.
   * @param now ring clock.
   */
  unreadable(declared: StreamFormat, finding: Finding, now: number): void {
    if (this.#unreadableAt >= 0 && ringAge(this.#unreadableAt, now) < unreadableInterval) return;
    this.#unreadableAt = now;
    const { client, log, metrics } = this.options;
    const { cause, decodes, likely } = finding;
    log.warn(
      { cause, decodes, likely, declared },
      'the audio of a stream does not match its declared format',
    );
    metrics.add('streams_unreadable_total');
    client.send(events.audioUnreadable(declared, finding));
  }

  /** Reports dropped frames that are not reported yet, at most once per `droppedInterval`. @param now ring clock. */
  tellDropped(now: number): void {
    const { frames, samples } = this.#untold;
    if (frames === 0) return;
    if (this.#droppedAt >= 0 && ringAge(this.#droppedAt, now) < droppedInterval) return;
    this.#droppedAt = now;
    this.#untold = { frames: 0, samples: 0 };
    const { client, log } = this.options;
    log.warn(
      { frames, samples },
      'frames of a stream were dropped: the shard was late, or the stream sent too many',
    );
    client.send(events.audioDropped(frames, samples / samplesPerMillisecond));
  }
}
