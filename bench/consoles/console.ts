import { WebSocket } from 'ws';
import { LiveStream, machineTime, type StreamSocket } from '../../src/console/stream/index.js';
import { createConsoleLink } from '../../src/identity/console-sessions.js';
import type { Sql } from '../../src/store/client/database.js';

/** Ms of speech that are recorded at once. The audio thread of a browser sends pieces of this length. */
const piece = 40;
const samplesPerMs = 16;
/** Ms between two requests for the live conversations, as on a live page that is visible. */
const pollInterval = 5000;

export interface ConsoleOptions {
  /** Address of the service, `http://127.0.0.1:PORT`. */
  readonly base: string;
  readonly sql: Sql;
  readonly uid: string;
  /** Samples at 16 kHz that the console records in a loop. */
  readonly pcm: Int16Array;
  /** Whether the stream asks for `speech_activity`. */
  readonly activity: boolean;
}

/** Numbers of events and answers that a console received. */
export interface ConsoleCounts {
  readonly activities: number;
  readonly polls: number;
  readonly failedPolls: number;
}

/**
 * Simulates a browser with the live page. It records with the page's own class `LiveStream`, and polls the list of live
 * conversations.
 */
export class Console {
  readonly #headers: Record<string, string>;
  #stream: LiveStream | undefined;
  #polling: NodeJS.Timeout | undefined;
  #recording: NodeJS.Timeout | undefined;
  #counts = { activities: 0, polls: 0, failedPolls: 0 };

  private constructor(
    private readonly options: ConsoleOptions,
    cookie: string,
  ) {
    this.#headers = { ...headersOf(options.base), cookie };
  }

  /** Opens a session of the console by a link, and begins to record. */
  static async open(options: ConsoleOptions): Promise<Console> {
    const { base, sql, uid } = options;
    const { secret } = await createConsoleLink(sql, uid);
    const entered = await fetch(`${base}/console/api/enter`, {
      method: 'POST',
      headers: { ...headersOf(base), 'content-type': 'application/json' },
      body: JSON.stringify({ link: secret }),
    });
    const cookie = entered.headers.get('set-cookie')?.split(';')[0];
    if (!entered.ok || cookie === undefined) throw new Error(`the console refused a link: ${entered.status}`);
    const opened = new Console(options, cookie);
    await opened.#record();
    return opened;
  }

  /** Ends the recording. @returns the numbers of events and answers that the console received. */
  async close(): Promise<ConsoleCounts> {
    clearInterval(this.#polling);
    clearInterval(this.#recording);
    await new Promise<void>((resolve) => {
      this.#ended = resolve;
      this.#stream?.stop();
    });
    return this.#counts;
  }

  #ended: () => void = () => undefined;

  async #record(): Promise<void> {
    const { base, pcm, activity, uid } = this.options;
    const length = piece * samplesPerMs;
    let [began, at] = [0, 0];
    await new Promise<void>((resolve, reject) => {
      this.#stream = new LiveStream({
        address: `${base.replace(/^http/, 'ws')}/v4/web/listen`,
        // The parameters include `uid`, because the fleet of the bench runs with AUTH_MODE=uid.
        parameters: { uid, source: 'desktop', language: 'en', ...(activity && { activity: 'true' }) },
        clock: crypto.randomUUID(),
        deviceId: uid,
        open: (address) => new WebSocket(address) as unknown as StreamSocket,
        token: () => this.#token(),
        time: machineTime,
        random: Math.random,
        onMessage: ({ type }) => {
          if (type === 'speech_activity') this.#counts.activities++;
        },
        onState: ({ kind, ...state }) => {
          if (kind === 'live') resolve();
          if (kind === 'failed') reject(new Error(`a console failed: ${JSON.stringify(state)}`));
          if (kind === 'saved' || kind === 'failed') this.#ended();
        },
      });
      this.#stream.start();
    });
    began = performance.now();
    this.#recording = setInterval(() => {
      for (; (at / length) * piece < performance.now() - began; at += length) {
        const from = at % (pcm.length - length);
        this.#stream?.push(pcm.subarray(from, from + length));
      }
    }, piece);
    this.#polling = setInterval(() => void this.#poll(), pollInterval);
    await this.#poll();
  }

  async #token(): Promise<{ token: string; expires_in: number }> {
    const answer = await fetch(`${this.options.base}/console/api/stream-token`, {
      method: 'POST',
      headers: this.#headers,
    });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    return (await answer.json()) as { token: string; expires_in: number };
  }

  async #poll(): Promise<void> {
    const answer = await fetch(`${this.options.base}/console/api/conversations/live`, {
      headers: this.#headers,
    }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) this.#counts.polls++;
    else this.#counts.failedPolls++;
  }
}

const headersOf = (base: string): Record<string, string> => ({
  origin: base,
  'sec-fetch-site': 'same-origin',
  'x-cochlea-console': '1',
});
