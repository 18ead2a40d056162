import { setTimeout as pause } from 'node:timers/promises';
import type { WearableOptions } from '../../src/app/wearable/options.js';
import { seeded } from '../seeded.js';
import { Connection, type ConnectionEnd, type EngineEvent } from './connection.js';
import type { Said } from './judge.js';
import type { Line, ResendRule } from './resend-rules.js';
import { oracleRate } from './speech-bursts.js';
import type { Burst, SpokenTimeline } from './spoken-timeline.js';
import { spokenOf, tokensIn } from './token-words.js';

const samplesPerMs = oracleRate / 1000;
/** Length of the audio in one message, in ms. */
const messageLength = 100;
/** Length of the audio in one message, in samples. */
const messageSamples = messageLength * samplesPerMs;
/**
 * Maximum number of messages that are sent at once while the wearable is behind its recording: four times real time, as
 * docs/protocol.md states.
 */
const mostAtOnce = 4;
/**
 * Pauses in ms before a reconnect, as docs/protocol.md states them. The pause is `first` again after a connection that
 * lasted `steady` ms, or on which a word was acknowledged.
 */
const reconnects = { first: 1000, longest: 30_000, steady: 60_000, replaced: 30_000 } as const;
/** Ms without a message of the engine after which the connection counts as lost. The engine sends `ping` every 10 s. */
const silenceBound = 25_000;

export interface SpeakerOptions {
  readonly wearable: number;
  readonly uid: string;
  /** Options of the stream without its audio format. */
  readonly stream: Omit<WearableOptions, 'uid' | 'codec' | 'rate'>;
  readonly timeline: SpokenTimeline;
  readonly rule: ResendRule;
  /** Seed of the random part of pauses. */
  readonly seed: number;
  /** Longest pause before a reconnect, in ms. Default: 30 s. */
  readonly longestPause?: number;
}

/** A word that the product has acknowledged. Times are results of `performance.now()`. */
export interface Acknowledgement {
  readonly token: number;
  /** Time at which the end of the word's speech was recorded. */
  readonly spoken: number;
  readonly arrived: number;
  /** Number of the connection on which the word was acknowledged, counted from 1. */
  readonly connection: number;
}

/**
 * A wearable whose user says one token after the other. After a lost connection it sends audio again as its rule says.
 */
export class TokenSpeaker {
  readonly acknowledgements: Acknowledgement[] = [];
  readonly ends: ConnectionEnd[] = [];
  /** Times at which connections were opened. */
  readonly opens: number[] = [];
  /** Number of attempts that were refused or failed. */
  refusals = 0;
  readonly #acknowledged = new Set<number>();
  /** Number of times that the anchor of each token was sent. */
  readonly #sends = new Map<number, number>();
  readonly #random: () => number;
  #began = 0;
  /** Position at which the user has said the last token. */
  #end = Number.POSITIVE_INFINITY;
  /** Position of the first sample that was sent on this connection. `#sent` is the position after the last one. */
  #first = 0;
  #sent = 0;
  /** Number of bursts whose audio is confirmed. */
  #confirmed = 0;
  /** Error that the rule threw. */
  #fault: unknown;

  constructor(private readonly options: SpeakerOptions) {
    this.#random = seeded(options.seed * 8191 + options.wearable);
  }

  get uid(): string {
    return this.options.uid;
  }

  /** Everything that the user has said so far. */
  get said(): Said {
    const { wearable, uid, timeline } = this.options;
    const resent = new Set([...this.#sends].filter(([, times]) => times > 1).map(([token]) => token));
    const words = timeline.countBefore(this.#recorded);
    const sent = new Set(this.#sends.keys());
    return { wearable, uid, words, acknowledged: new Set(this.#acknowledged), sent, resent };
  }

  /** Number of words that were spoken and are not acknowledged yet. */
  get waiting(): number {
    return this.options.timeline.countBefore(this.#recorded) - this.#acknowledged.size;
  }

  /**
   * Speaks until `silent` is aborted. Then stays connected until every word is acknowledged, or `ended` is aborted.
   * Finally stops the conversation, so that it is processed at once.
   * @throws the error that the rule threw for an event.
   */
  async run(silent: AbortSignal, ended: AbortSignal): Promise<void> {
    this.#began = performance.now();
    const stop = (): void => this.#stopSpeaking();
    if (silent.aborted) stop();
    else silent.addEventListener('abort', stop, { once: true });
    const { longestPause = reconnects.longest, rule } = this.options;
    let wait: number = reconnects.first;
    while (!ended.aborted) {
      const opened = performance.now();
      const before = this.#acknowledged.size;
      const connection = await this.#open();
      if (connection !== undefined) {
        if (await this.#converse(connection, ended)) break;
        const end = await connection.ended;
        this.ends.push(end);
        this.#first = rule.resumeAt(this.#line());
        if (end.at - opened >= reconnects.steady || this.#acknowledged.size > before) wait = reconnects.first;
        if (end.reason === 'stream_replaced') wait = reconnects.replaced;
      }
      await pause(wait * (1 + this.#random() / 4), undefined, { signal: ended }).catch(() => undefined);
      wait = Math.min(longestPause, 2 * wait);
    }
    silent.removeEventListener('abort', stop);
  }

  async #open(): Promise<Connection | undefined> {
    const { stream, uid, rule } = this.options;
    try {
      const query = { ...stream.query, ...rule.query?.() };
      const connection = await Connection.open(
        { connectTimeout: 10_000, ...stream, uid, codec: 'pcm16', rate: oracleRate, query },
        {
          segments: (segments) => {
            rule.segments?.(this.#line(), segments);
            for (const { text } of segments) this.#acknowledge(text);
          },
          event: (event) => this.#follow(event),
        },
      );
      this.opens.push(performance.now());
      return connection;
    } catch {
      this.refusals++;
      return undefined;
    }
  }

  /**
   * Sends the recorded audio as the recording grows.
   * @returns true if all words are acknowledged and the stream is closed.
   */
  async #converse(connection: Connection, ended: AbortSignal): Promise<boolean> {
    const { rule } = this.options;
    // Some rules wait for an event of the engine that names the position to send from.
    while (rule.isWaiting?.() === true && connection.end === undefined && !ended.aborted) {
      if (performance.now() - connection.lastMessage > silenceBound) connection.cut();
      await pause(20);
    }
    this.#first = rule.resumed?.() ?? this.#first;
    this.#sent = this.#first;
    while (connection.end === undefined && !ended.aborted) {
      if (this.#fault !== undefined) {
        connection.cut();
        throw this.#fault;
      }
      this.#sendRecorded(connection);
      if (this.#end <= this.#sent && this.waiting === 0) {
        connection.send('{"type":"stop"}');
        await connection.close();
        return true;
      }
      if (performance.now() - connection.lastMessage > silenceBound) connection.cut();
      await pause(messageLength);
    }
    connection.cut();
    return false;
  }

  #sendRecorded(connection: Connection): void {
    const { rule, timeline } = this.options;
    const isDone = (burst: Burst): boolean => rule.isDone?.(burst, this.#acknowledged) === true;
    for (let count = 0; count < mostAtOnce && this.#sent + messageSamples <= this.#recorded; count++) {
      const [from, to] = [this.#sent, this.#sent + messageSamples];
      connection.send(new Uint8Array(timeline.audio(from, to, isDone).buffer));
      for (const burst of timeline.burstsBetween(from, to)) {
        if (burst.anchor < from || burst.anchor >= to || isDone(burst)) continue;
        this.#sends.set(burst.token, (this.#sends.get(burst.token) ?? 0) + 1);
      }
      this.#sent = to;
    }
  }

  #stopSpeaking(): void {
    const { timeline } = this.options;
    const position = this.#recorded;
    timeline.endAt(position);
    this.#end = Math.max(position, timeline.burstsBetween(position, position + 1).at(-1)?.to ?? 0);
  }

  /** Position that the recording has reached now. */
  get #recorded(): number {
    return Math.floor((performance.now() - this.#began) * samplesPerMs);
  }

  #line(): Line {
    const { timeline } = this.options;
    return { timeline, first: this.#first, sent: this.#sent, acknowledged: this.#acknowledged };
  }

  #follow(event: EngineEvent): void {
    const { rule } = this.options;
    try {
      rule.event?.(event);
      this.#acknowledgeBefore(rule.confirmed?.() ?? 0);
    } catch (thrown) {
      this.#fault = thrown;
    }
  }

  #acknowledge(text: string): void {
    for (const token of tokensIn(text)) {
      const { wearable, number } = spokenOf(token);
      if (wearable === this.options.wearable) this.#add(this.options.timeline.burst(number));
    }
  }

  /** Acknowledges the words of all bursts that end before a position. */
  #acknowledgeBefore(position: number): void {
    const { timeline } = this.options;
    const spoken = timeline.countBefore(Math.min(position, this.#recorded));
    for (; this.#confirmed < spoken; this.#confirmed++) {
      const burst = timeline.burst(this.#confirmed);
      if (burst.to > position) break;
      this.#add(burst);
    }
  }

  #add({ token, to }: Burst): void {
    if (this.#acknowledged.has(token)) return;
    this.#acknowledged.add(token);
    this.acknowledgements.push({
      token,
      spoken: this.#began + to / samplesPerMs,
      arrived: performance.now(),
      connection: this.opens.length,
    });
  }
}
