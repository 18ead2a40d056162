import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import type { AudioFiles } from './audio-files.js';
import type { RestKindTraits } from './kinds.js';
import type { Account } from './neighbour-program.js';
import { paths, voiceForm } from './requests.js';
import { ordinaryTranscript, sentence } from './texts.js';

/** Answers that the honest user got from one route. */
export interface RouteAnswers {
  /**
   * Ms from a request's due time to the end of its answer. Refused requests and incomplete answers are not included.
   */
  readonly latencies: number[];
  /**
   * Number of failures, by HTTP status or by one of three words. `broken`: no answer arrived. `unsent`: the request
   * still waited for earlier requests at the end. `without model`: the rules answered a question instead of the model.
   */
  readonly failed: Record<string, number>;
}

/** Answers that the honest user got in a phase, by route. */
export type HonestAnswers = ReadonlyMap<string, RouteAnswers>;

interface HonestRoute {
  readonly route: string;
  /** Number of requests per second. */
  readonly rate: number;
  readonly method: 'GET' | 'POST';
  readonly path: (index: number) => string;
  readonly credential: 'key' | 'token';
  readonly type?: string;
  readonly body?: (index: number) => string | Uint8Array;
  /** Returns why an answer counts as a failure although its status is a success; undefined if it does not. */
  readonly flaw?: (answer: Record<string, unknown>) => string | undefined;
}

/** Returns the name of a measured route for voice messages in one format. */
export const voiceRoute = (name: string): string => `POST ${paths.voice}, ${name}`;
export const askRoute = `POST ${paths.ask}`;
export const createRoute = `POST ${paths.fromSegments}`;
/** Name of a measurement: time from the creation of a conversation to the end of its processing steps. */
export const jobsRoute = 'jobs of a conversation';

const rates = { usual: 14, creating: 3, voice: 1.5, asking: 2 } as const;
/** Ms after which a request is abandoned. The product's own time limit is shorter. */
const timeout = 60_000;

/** Statuses of immediate refusals. They are counted but have no latency. */
const refusals: ReadonlySet<number> = new Set([429, 503]);
/**
 * Maximum number of concurrent requests of a route. Further requests wait, so that a slow product is not flooded. Their
 * latency includes this wait.
 */
const atOnce = 4;
/** ms after the end of a phase in which waiting requests may still be sent. */
const lateSending = 1000;
/**
 * Returns a client address for a route. Each route has its own, so that limits per client address do not refuse its
 * constant rate.
 */
const clientAddress = (place: number): string => `203.0.113.${place + 1}`;

/** Routes that an honest user requests: reads, writes, searches, and the routes that an attack aims at. */
export const honestRoutes = (
  { voice, questions }: RestKindTraits,
  conversations: readonly string[],
  audio: AudioFiles,
): readonly HonestRoute[] => {
  const get = (route: string, path: (index: number) => string): HonestRoute => ({
    route: `GET ${route}`,
    rate: rates.usual,
    method: 'GET',
    credential: 'key',
    path,
  });
  const post = (path: string, rate: number, body: (index: number) => string): HonestRoute => ({
    route: `POST ${path}`,
    rate,
    method: 'POST',
    credential: 'key',
    type: 'application/json',
    path: () => path,
    body,
  });
  const routes: HonestRoute[] = [
    get(paths.conversations, () => `${paths.conversations}?limit=10`),
    get(
      `${paths.conversations}/{id}`,
      (index) =>
        `${paths.conversations}/${conversations[index % conversations.length]}?include_transcript=true`,
    ),
    get(
      paths.searchMemories,
      (index) => `${paths.searchMemories}?query=${encodeURIComponent(sentence(index).slice(0, 40))}`,
    ),
    post(paths.memories, rates.usual, (index) => JSON.stringify({ content: `${sentence(index)} ${index}` })),
    post(paths.fromSegments, rates.creating, ordinaryTranscript),
  ];
  const file = voice === 'mp3' ? audio.mp3 : audio.ogg;
  if (voice && file) {
    const form = voiceForm(`message.${voice}`, [file]);
    routes.push({
      route: voiceRoute(voice),
      rate: rates.voice,
      method: 'POST',
      credential: 'token',
      type: form.type,
      path: () => paths.voice,
      body: () => form.body,
      flaw: ({ transcript }) => (transcript ? undefined : 'without words'),
    });
  }
  if (questions) {
    routes.push({
      ...post(paths.ask, rates.asking, (index) => JSON.stringify({ question: sentence(index) })),
      flaw: ({ generated_by }) => (generated_by === 'rules-1' ? 'without model' : undefined),
    });
  }
  return routes;
};

/** Sends the requests of an honest user at constant rates, even if earlier requests have no answer yet. */
export class HonestUser {
  readonly #url: string;
  readonly #account: Account;
  readonly #routes: readonly HonestRoute[];
  readonly #agent = new Agent({
    connections: 64,
    pipelining: 1,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  readonly #created: string[] = [];
  #next = 0;

  constructor(url: string, account: Account, routes: readonly HonestRoute[]) {
    this.#url = url;
    this.#account = account;
    this.#routes = routes;
  }

  /** Returns the ids of conversations that were created since the last call. */
  takeCreated(): readonly string[] {
    return this.#created.splice(0);
  }

  /** Sends one request of a route. @returns the answer's latency or failure. */
  async once(route: string): Promise<RouteAnswers> {
    const answers: RouteAnswers = { latencies: [], failed: {} };
    await this.#send(this.#routes.find((known) => known.route === route)!, answers, performance.now());
    return answers;
  }

  /** Sends requests of all routes for some ms. Resolves when all sent requests are answered. */
  async during(milliseconds: number): Promise<HonestAnswers> {
    const end = performance.now() + milliseconds + lateSending;
    const sent = this.#routes.map(async (route, place) => {
      const answers: RouteAnswers = { latencies: [], failed: {} };
      const pending: Promise<void>[] = [];
      const places = pLimit(atOnce);
      const between = 1000 / route.rate;
      const began = performance.now() + (place * between) / this.#routes.length;
      for (let index = 0; index * between < milliseconds; index++) {
        const due = began + index * between;
        await pause(Math.max(0, due - performance.now()));
        pending.push(places(() => this.#send(route, answers, due, end)));
      }
      await Promise.all(pending);
      return [route.route, answers] as const;
    });
    return new Map(await Promise.all(sent));
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /**
   * Sends one request.
   * @param end time by the monotonic clock after which the request is not sent.
   */
  async #send(
    route: HonestRoute,
    { latencies, failed }: RouteAnswers,
    due: number,
    end = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const index = this.#next++;
    const place = this.#routes.indexOf(route);
    const fail = (why: string): void => {
      failed[why] = (failed[why] ?? 0) + 1;
    };
    if (performance.now() > end) {
      latencies.push(performance.now() - due);
      fail('unsent');
      return;
    }
    try {
      const { statusCode, body } = await request(this.#url + route.path(index), {
        dispatcher: this.#agent,
        method: route.method,
        headers: {
          authorization: `Bearer ${this.#account[route.credential]}`,
          'x-forwarded-for': clientAddress(place),
          ...(route.type === undefined ? {} : { 'content-type': route.type }),
        },
        body: route.body?.(index) ?? null,
      });
      const text = await body.text();
      if (!refusals.has(statusCode)) latencies.push(performance.now() - due);
      if (statusCode < 200 || statusCode > 299) {
        fail(String(statusCode));
        return;
      }
      if (route.route === createRoute) this.#created.push((JSON.parse(text) as { id: string }).id);
      const flaw = route.flaw?.(JSON.parse(text) as Record<string, unknown>);
      if (flaw !== undefined) fail(flaw);
    } catch {
      fail('broken');
    }
  }
}
