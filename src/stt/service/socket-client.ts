import { deferred } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { ResultMessage, StatusMessage } from '../../wire/service/index.js';
import {
  cutAudio,
  joinedLanguages,
  type Outcome,
  offsetOf,
  type QueueBounds,
  resultOf,
  sampleRate,
  type TranscriberState,
  type TranscriptionClient,
  type TranscriptionRequest,
  type TranscriptionResult,
  timedWords,
  transcriptionPriorities,
  type WeightedLanguages,
  type WordTime,
} from '../shared/index.js';
import { type LinkEnding, ServiceLink } from './client-link.js';
import { Outstanding } from './outstanding.js';
import { languagesOfFields } from './result-fields.js';

export interface ServiceClientOptions {
  /** Path of the service's socket. */
  readonly socket: string;
  readonly log: Logger;
  /** Models that the service must use, as in its settings, separated by commas. By default any model is accepted. */
  readonly model?: string;
  /** Maximum length of unanswered audio, in ms. */
  readonly bounds?: QueueBounds;
  /** Time in ms without a service after which requests are given up. The default is half a minute. */
  readonly absence?: number | undefined;
  /** Called when no process listens on the socket. The callback may start a service. */
  readonly start?: (() => void) | undefined;
  /** Called with each status report of the service. */
  readonly status?: (status: StatusMessage) => void;
  /** Called when the state changes: requests are accepted, wait for a service, or are given up at once. */
  readonly state?: (state: TranscriberState) => void;
  /** Called when the connection to a service that had accepted requests is lost. */
  readonly lost?: () => void;
}

/**
 * A piece of a request, or the complete request. A request that is too long for the model is split into several pieces.
 */
interface Piece {
  readonly id: number;
  readonly user: string;
  readonly stream: string;
  /** Length of the audio, in samples. */
  readonly size: number;
  readonly request: TranscriptionRequest;
  readonly pcm: Int16Array;
  /** Monotonic time (ms) at which the piece was added. */
  readonly since: number;
  /** Number of connections that ended after this piece was sent and before it was answered. */
  losses: number;
  readonly settle: (result: TranscriptionResult) => void;
}

const provider = 'local';
/**
 * Maximum number of connections that may end while the service has a request. After the last of them, the request is
 * given up, because it may be the cause.
 */
const mostLosses = 3;
/** Pause in ms before the first reconnect. The pause doubles after each attempt. */
const firstPause = 50;
/** Maximum pause in ms before a reconnect. */
const longestPause = 1000;
/** Default time in ms without a service after which requests are given up. */
const usualAbsence = 30_000;
/** Default maximum length of unanswered audio, in ms. */
const usualBounds: QueueBounds = { total: 600_000, user: 300_000, stream: 300_000 };

const failed = (
  outcome: Outcome,
  reason: string,
  more: Partial<TranscriptionResult> = {},
): TranscriptionResult => resultOf(outcome, provider, { reason, ...more });

/** Results of requests that are given up, by the state that is the reason. */
const failures: Readonly<Partial<Record<TranscriberState, TranscriptionResult>>> = {
  away: failed('upstream_error', 'away', { rejected: 'away' }),
  unusable: failed('config_error', 'unusable'),
  stopped: failed('upstream_error', 'stopped'),
};

const isAnswered = ({ outcome }: TranscriptionResult): boolean =>
  outcome === 'success' || outcome === 'empty_unexpected' || outcome === 'expected_silence';

/**
 * A client of the local transcription service. It stores every request until it is answered. When the connection
 * ends, it sends all requests again over the next connection, in order.
 */
export class ServiceClient implements TranscriptionClient {
  readonly #outstanding: Outstanding<Piece>;
  /** Pieces that were not sent over the current connection yet. */
  #unsent: Piece[] = [];
  /** Ids of unanswered pieces, by the name of their request. */
  readonly #named = new Map<number, number>();
  #link: ServiceLink;
  #state: TranscriberState = 'starting';
  #pause = firstPause;
  #retry: NodeJS.Timeout | undefined;
  /**
   * Monotonic time (ms) at which the service became unavailable; undefined while it is available. The time is set when
   * this process notices the end of the connection. So if this process itself was stopped for some time, that time does
   * not count.
   */
  #awaySince: number | undefined;
  #lastId = 0;
  readonly #joined = deferred();

  /** Resolves with the first response of a service. @throws CochleaError transcriber_refused */
  readonly joined = this.#joined.promise;

  constructor(private readonly options: ServiceClientOptions) {
    const { total, user, stream } = options.bounds ?? usualBounds;
    const samples = (ms: number): number => (ms / 1000) * sampleRate;
    this.#outstanding = new Outstanding({
      total: samples(total),
      user: samples(user),
      stream: samples(stream),
    });
    this.joined.catch(() => undefined);
    this.#link = this.#open();
  }

  /** Number of unanswered requests. */
  get length(): number {
    return this.#outstanding.length;
  }

  /**
   * Returns the time in ms that the oldest request has waited for an unavailable service; 0 while the service is
   * available.
   */
  absence(): number {
    if (this.#link.welcomed) return 0;
    const [oldest] = this.#outstanding.values();
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  async transcribe(request: TranscriptionRequest): Promise<TranscriptionResult> {
    if (request.pcm.length === 0) return failed('invalid_input', 'no_audio');
    let whole: TranscriptionResult | undefined;
    const words: WordTime[] = [];
    let isTimed = true;
    const spoken: WeightedLanguages[] = [];
    // Sends one piece after the other, so that at most one piece of a long request is in the queue at a time.
    for (const pcm of cutAudio(request.pcm)) {
      const result = await this.#piece(request, pcm);
      const waited = (whole?.waited ?? 0) + result.waited;
      const decoded = (whole?.decoded ?? 0) + result.decoded;
      if (!isAnswered(result)) return { ...result, waited, decoded };
      const text = [whole?.text, result.text].filter(Boolean).join(' ');
      const offset = offsetOf(pcm, request.pcm);
      for (const word of result.words ?? [])
        words.push({ ...word, start: word.start + offset, end: word.end + offset });
      spoken.push({ ...result, weight: pcm.length });
      isTimed &&= result.text === '' || result.words !== undefined;
      const timed = isTimed && text !== '' ? { words } : {};
      whole = {
        outcome: text === '' ? 'empty_unexpected' : 'success',
        text,
        ...timed,
        ...(whole?.looped || result.looped ? { looped: true as const } : {}),
        ...joinedLanguages(spoken),
        ...(result.model === undefined ? {} : { model: result.model }),
        provider,
        waited,
        decoded,
      };
    }
    return whole!;
  }

  async close(): Promise<void> {
    this.#become('stopped');
    clearTimeout(this.#retry);
    this.#link.close();
    this.#giveUpAll();
    this.#joined.reject(new CochleaError('shutdown'));
  }

  #piece(request: TranscriptionRequest, pcm: Int16Array): Promise<TranscriptionResult> {
    const { user, stream, signal } = request;
    const failure = failures[this.#state];
    if (failure !== undefined) return Promise.resolve(failure);
    if (signal?.aborted) return Promise.resolve(failed('upstream_error', 'given_up'));
    return new Promise((settle) => {
      const id = this.#nextId();
      const giveUp = (): void => {
        this.#settle(id, failed('upstream_error', 'given_up'));
        if (this.#link.welcomed) this.#link.send({ kind: 'cancel', id });
      };
      const piece: Piece = {
        id,
        user,
        stream,
        size: pcm.length,
        request,
        pcm,
        since: performance.now(),
        losses: 0,
        settle: (result) => {
          signal?.removeEventListener('abort', giveUp);
          if (request.name !== undefined) this.#named.delete(request.name);
          settle(result);
        },
      };
      if (!this.#outstanding.add(piece)) {
        settle(failed('upstream_error', 'queue_full', { rejected: 'full' }));
        return;
      }
      signal?.addEventListener('abort', giveUp, { once: true });
      if (request.name !== undefined) this.#named.set(request.name, id);
      this.#unsent.push(piece);
      this.#flush();
    });
  }

  /** Returns the next free id. Ids wrap around at 2^32 and skip outstanding ids. 0 is never used. */
  #nextId(): number {
    do this.#lastId = (this.#lastId + 1) % 2 ** 32;
    while (this.#lastId === 0 || this.#outstanding.has(this.#lastId));
    return this.#lastId;
  }

  #flush(): void {
    let sent = 0;
    while (sent < this.#unsent.length && this.#link.welcomed && !this.#link.full) {
      const { id, user, stream, request, pcm } = this.#unsent[sent++]!;
      // Skips pieces that were cancelled before they were sent.
      if (!this.#outstanding.has(id)) continue;
      this.#link.send({
        kind: 'transcribe',
        id,
        user,
        stream,
        language: request.language,
        priority: transcriptionPriorities.indexOf(request.priority),
        pcm: new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength),
        languages: request.languages ?? [],
        settles: request.settles === true,
        keywords: request.keywords ?? [],
        detected: request.detected ?? 0,
        instead: (request.instead !== undefined && this.#named.get(request.instead)) || 0,
      });
    }
    this.#unsent.splice(0, sent);
  }

  #settle(id: number, result: TranscriptionResult): void {
    this.#outstanding.take(id)?.settle(result);
  }

  /** Gives up all requests if the state is one of those in `failures`. */
  #giveUpAll(): void {
    const failure = failures[this.#state];
    if (failure === undefined) return;
    for (const { id } of [...this.#outstanding.values()]) this.#settle(id, failure);
    this.#unsent = [];
  }

  #become(state: TranscriberState): void {
    if (this.#state === state || this.#state === 'stopped') return;
    this.#state = state;
    this.options.state?.(state);
  }

  // The next methods handle events of the connection.

  #open(): ServiceLink {
    const { socket, model = '' } = this.options;
    return new ServiceLink(socket, model, {
      welcomed: () => {
        this.#pause = firstPause;
        this.#joined.resolve();
        this.#flush();
      },
      result: (message) => this.#result(message),
      status: (message) => {
        this.#awaySince = undefined;
        this.options.status?.(message);
        this.#become(message.state as TranscriberState);
      },
      drained: () => this.#flush(),
      ended: (how) => this.#ended(how),
    });
  }

  #result(message: ResultMessage): void {
    const { id, outcome, text, times, looped, waited, decoded, full, reason, model } = message;
    const words = timedWords(text, times);
    this.#settle(id, {
      outcome: outcome as Outcome,
      text,
      provider,
      waited,
      decoded,
      ...(words.length === 0 ? {} : { words }),
      ...(looped ? { looped } : {}),
      ...languagesOfFields(message),
      ...(model === '' ? {} : { model }),
      ...(full ? { rejected: 'full' as const } : {}),
      ...(reason === '' ? {} : { reason }),
    });
  }

  #ended({ welcomed, refused, by, code }: LinkEnding): void {
    if (this.#state === 'stopped') return;
    const { log, socket, lost, start } = this.options;
    if (refused !== undefined) {
      const error = new CochleaError('transcriber_refused', {
        path: socket,
        why: refused,
        release: by?.release ?? '',
        model: by?.model ?? '',
      });
      log.error(error.line);
      this.#joined.reject(error);
    } else if (welcomed) {
      log.warn('the transcription service is gone; unanswered requests are sent again');
      lost?.();
      this.#become('starting');
      this.#charge();
    } else if (code === 'ENOENT' || code === 'ECONNREFUSED') start?.();
    else log.warn({ code }, 'the transcription service cannot be reached');
    this.#unsent = [...this.#outstanding.values()];
    this.#awaySince ??= performance.now();
    if (performance.now() - this.#awaySince > (this.options.absence ?? usualAbsence))
      this.#giveUpService(refused !== undefined);
    this.#giveUpAll();
    this.#retry = setTimeout(() => {
      this.#link = this.#open();
    }, this.#pause);
    this.#pause = Math.min(longestPause, this.#pause * 2);
  }

  /** Ends the wait for a service. @param refused whether a service answers, but refuses this process. */
  #giveUpService(refused: boolean): void {
    if (this.#state === 'starting')
      this.options.log.error('the transcription service is away: streams end until it answers again');
    this.#become(refused ? 'unusable' : 'away');
  }

  /** Counts a lost attempt for each request that was sent over the lost connection and not answered. */
  #charge(): void {
    const unsent = new Set(this.#unsent);
    for (const piece of [...this.#outstanding.values()]) {
      if (unsent.has(piece) || ++piece.losses < mostLosses) continue;
      this.#settle(piece.id, failed('upstream_error', 'decoding_failed'));
    }
  }
}
