import { answerJson, type HttpResponse, type ListenerApp } from './listener/index.js';
import type { ShardChannel } from './shards/index.js';

export interface Readiness {
  /** Returns whether the other parts of the engine accept traffic. */
  ready(): boolean | Promise<boolean>;
  /** The front's list with one channel per shard, including lost shards. */
  readonly channels: readonly ShardChannel[];
  isDraining(): boolean;
}

type Answer = readonly [status: number, body: object];

/**
 * Answers a request after the listener has read everything that arrived with it. If pipelined requests follow in the
 * buffer, the listener closes the connection, because an answer is pending.
 *
 * Otherwise one client could make a single turn of the event loop answer thousands of requests, while no stream is
 * served.
 */
const answerAlone = (response: HttpResponse, find: () => Answer | Promise<Answer>): void => {
  let aborted = false;
  response.onAborted(() => {
    aborted = true;
  });
  setImmediate(async () => {
    const [status, body] = await find();
    if (!aborted) answerJson(response, status, body);
  });
};

/**
 * Registers `/engine/health/live` and `/engine/health/ready`. The answer of `ready` is 200 while streams are accepted.
 * Its status is `ok`, or `degraded` with the number of serving shards if some shards are lost. Otherwise the answer is
 * 503 with `draining`, `starting` or `no_shards`.
 */
export const registerHealth = (app: ListenerApp, readiness: Readiness): void => {
  const { channels } = readiness;
  const statusOf = (isReady: boolean): Answer => {
    if (readiness.isDraining()) return [503, { status: 'draining' }];
    if (!isReady) return [503, { status: 'starting' }];
    const serving = channels.filter(({ alive }) => alive).length;
    const shards = { serving, configured: channels.length };
    if (serving === 0) return [503, { status: 'no_shards', shards }];
    if (serving < channels.length) return [200, { status: 'degraded', shards }];
    return [200, { status: 'ok' }];
  };
  app.any('/engine/health/live', (response) => answerAlone(response, () => [200, { status: 'ok' }]));
  app.any('/engine/health/ready', (response) => {
    answerAlone(response, async () => {
      const isReady = await Promise.resolve()
        .then(readiness.ready)
        .catch(() => false);
      return statusOf(isReady);
    });
  });
};
