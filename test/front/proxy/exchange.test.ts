/** Tests how a request to the sidecar ends if the client or the sidecar is too slow or closes. */

import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import type { Dispatcher } from 'undici';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { BodyPace } from '../../../src/front/listener/body-pace.js';
import type { HttpResponse } from '../../../src/front/listener/listener.js';
import { Exchange } from '../../../src/front/proxy/exchange.js';
import type { BodyFraming } from '../../../src/front/proxy/request-framing.js';
import { until } from '../../support/until.js';

/** A fake of the listener's response, with the parts that an exchange uses. Records every call. */
class FakeResponse {
  readonly calls: string[] = [];
  status = '';
  body = '';
  onData!: (chunk: ArrayBuffer, isLast: boolean) => void;
  aborted!: () => void;
  writable!: (offset: number) => boolean;
  taking = true;
  #offset = 0;

  readonly self = {
    onAborted: (handler: () => void) => {
      this.aborted = handler;
    },
    onData: (handler: (chunk: ArrayBuffer, isLast: boolean) => void) => {
      this.onData = handler;
    },
    onWritable: (handler: (offset: number) => boolean) => {
      this.writable = handler;
    },
    cork: (write: () => void) => write(),
    writeStatus: (status: string) => {
      this.status = status;
      return this.self;
    },
    writeHeader: () => this.self,
    getWriteOffset: () => this.#offset,
    tryEnd: (chunk: Buffer, length: number) => {
      if (!this.taking) return [false, false];
      this.#offset += chunk.length;
      this.body += chunk.toString();
      return [true, this.#offset === length];
    },
    write: (chunk: Buffer) => {
      this.body += chunk.toString();
      return this.taking;
    },
    end: (text?: string) => {
      this.calls.push('end');
      this.body += text ?? '';
    },
    endWithoutBody: () => this.calls.push('end'),
    close: () => this.calls.push('close'),
    pause: () => this.calls.push('pause'),
    resume: () => this.calls.push('resume'),
  };
}

/** A fake upstream client. It holds the dispatched request until the test answers it. */
class FakeUpstream {
  options!: Dispatcher.DispatchOptions;
  handler!: Dispatcher.DispatchHandler;
  dispatched = 0;
  aborted = 0;
  paused = 0;
  resumed = 0;
  readonly controller = {
    rawHeaders: [] as Buffer[],
    abort: () => this.aborted++,
    pause: () => this.paused++,
    resume: () => this.resumed++,
  } as unknown as Dispatcher.DispatchController & { rawHeaders: Buffer[] };

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.dispatched++;
    this.options = options;
    this.handler = handler;
    handler.onRequestStart?.(this.controller, {});
    return true;
  }

  answer(headers: readonly string[] = []): void {
    this.controller.rawHeaders = headers.map((text) => Buffer.from(text));
    this.handler.onResponseStart?.(this.controller, 200, {});
  }

  data(text: string): void {
    this.handler.onResponseData?.(this.controller, Buffer.from(text));
  }

  end(): void {
    this.handler.onResponseEnd?.(this.controller, {});
  }

  fail(code: string): void {
    this.handler.onResponseError?.(this.controller, Object.assign(new Error(code), { code }));
  }
}

const start = (
  body: BodyFraming = { kind: 'none' },
  method = 'POST',
  clock?: () => number,
  pace = new BodyPace(),
) => {
  const response = new FakeResponse();
  const upstream = new FakeUpstream();
  const counts = { ended: 0, failures: 0 };
  const exchange = new Exchange({
    response: response.self as unknown as HttpResponse,
    forwarded: { method, path: '/x', headers: ['host', 'a'], body },
    upstream: upstream as unknown as Dispatcher,
    bodyLimit: 1_000_000,
    bodyRate: 1000,
    pace,
    client: 'a',
    ...(clock === undefined ? {} : { clock }),
    reached: (failure) => {
      if (failure !== undefined) counts.failures++;
    },
    ended: () => {
      counts.ended++;
    },
  });
  exchange.start();
  return { response, upstream, counts, exchange };
};

const bytes = (length: number): ArrayBuffer => new Uint8Array(length).buffer;
const hold = fixedLimits.brokenOffRequest.value;
const grace = fixedLimits.bodyGrace.value;
const stall = fixedLimits.answerStall.value;

t.test('aborts a body that arrives too slowly, but not a fast one', async (t) => {
  const { response, upstream, counts, exchange } = start({ kind: 'length', bytes: 500_000 });
  const began = performance.now();
  response.onData(bytes(100), false);
  exchange.check(began + grace - 1);
  t.equal(response.status, '', 'nothing is judged at first');
  response.onData(bytes(20_000), false);
  exchange.check(began + grace + 15_000);
  t.equal(response.status, '', 'fast enough on average');
  exchange.check(began + grace + 25_000);
  await nextTurn();
  t.equal(response.status, '408 Request Timeout');
  t.match(response.body, /too slowly/);
  t.match([upstream.aborted, counts.ended], [1, 1]);
  exchange.check(began + 10 * grace);
  response.onData(bytes(1), true);
  t.equal(counts.ended, 1, 'once');
});

t.test('does not treat a body as slow while the sidecar pauses it', async (t) => {
  const { response, exchange } = start({ kind: 'chunked' });
  response.onData(bytes(200_000), false);
  t.same(response.calls, ['pause']);
  exchange.check(performance.now() + 10 * grace + 1_000_000);
  t.equal(response.status, '');
});

t.test('joins chunks of single bytes and keeps their order', async (t) => {
  const { upstream, response } = start({ kind: 'chunked' });
  const given = Buffer.from(Array.from({ length: 50_000 }, (_, at) => at % 251));
  const passed: Buffer[] = [];
  (upstream.options.body as Readable).on('data', (piece: Buffer) => passed.push(piece));
  const send = (from: number, to: number, last = false): void => {
    for (let at = from; at < to; at++)
      response.onData(Uint8Array.of(given[at]!).buffer, last && at === to - 1);
  };
  send(0, 20_000);
  await nextTurn();
  await nextTurn();
  t.equal(Buffer.concat(passed).length, 20_000, 'nothing waits longer than a turn');
  response.onData(Uint8Array.from(given.subarray(20_000, 30_000)).buffer, false);
  send(30_000, given.length, true);
  await once(upstream.options.body as Readable, 'end');
  t.ok(Buffer.concat(passed).equals(given));
  t.ok(passed.length < 12, `in ${passed.length} pieces`);
});

t.test('a request with a complete body has no time limit here', async (t) => {
  const { response, exchange } = start({ kind: 'length', bytes: 3 });
  response.onData(bytes(3), true);
  exchange.check(performance.now() + 100 * grace);
  t.equal(response.status, '');
});

t.test('closes a client that does not read its answer', async (t) => {
  const { response, upstream, counts, exchange } = start();
  response.taking = false;
  upstream.answer(['content-length', '5']);
  upstream.data('hello');
  t.equal(upstream.paused, 1);
  const now = performance.now();
  exchange.check(now + stall - 1000);
  t.same(response.calls, []);
  exchange.check(now + stall + 1000);
  t.same(response.calls, ['close']);
  t.match([upstream.aborted, counts.ended], [1, 1]);
});

t.test('closes a client that reads its answer too slowly', async (t) => {
  let now = 1000;
  const { response, upstream, exchange } = start({ kind: 'none' }, 'POST', () => now);
  const { value: rate } = fixedLimits.answerRate;
  const size = 10 * rate;
  response.taking = false;
  upstream.answer(['content-length', '1000000']);
  upstream.data('x'.repeat(size));
  const end = now + stall + (size / rate) * 1000;
  // The listener calls again when the client has read some bytes. Each time, the client reads only a part.
  while (now + stall / 2 < end) {
    now += stall / 2;
    t.notOk(response.writable(0));
    exchange.check(now);
    t.same(response.calls, []);
  }
  now = end + 1000;
  response.writable(0);
  exchange.check(now);
  t.same(response.calls, ['close']);
});

t.test('sends the rest to a client that resumes reading, and frees the upstream connection', async (t) => {
  const { response, upstream, counts, exchange } = start();
  response.taking = false;
  upstream.answer(['content-length', '5']);
  upstream.data('hello');
  response.taking = true;
  t.ok(response.writable(0));
  t.equal(response.body, 'hello');
  t.match([upstream.resumed, counts.ended], [1, 1]);
  upstream.end();
  exchange.check(performance.now() + 10 * stall);
  t.same(response.calls, []);
});

t.test('does not close a silent stream of events', async (t) => {
  const { response, upstream, exchange } = start();
  upstream.answer();
  upstream.data('data: 1\n\n');
  exchange.check(performance.now() + 100 * stall);
  t.same(response.calls, []);
  upstream.end();
  t.same(response.calls, ['end']);
});

t.test('closes the connection after an answer shorter than announced', async (t) => {
  const { response, upstream, counts } = start();
  upstream.answer(['Content-Length', '10']);
  upstream.data('half');
  upstream.end();
  t.same(response.calls, ['close']);
  t.equal(counts.ended, 1);
});

t.test('retries idempotent requests once when the connection closed just before', async (t) => {
  const get = start({ kind: 'none' }, 'GET');
  get.upstream.fail('UND_ERR_SOCKET');
  t.equal(get.upstream.dispatched, 2);
  get.upstream.fail('UND_ERR_SOCKET');
  await nextTurn();
  t.equal(get.response.status, '502 Bad Gateway');
  const post = start();
  post.upstream.fail('UND_ERR_SOCKET');
  t.match([post.upstream.dispatched, post.counts.failures], [1, 1]);
  await nextTurn();
  t.equal(post.response.status, '502 Bad Gateway');
});

t.test('a client that disconnects aborts its upstream request once', async (t) => {
  const { response, upstream, counts, exchange } = start({ kind: 'chunked' });
  const began = performance.now();
  response.aborted();
  exchange.abandon();
  t.match([upstream.aborted, counts.ended], [1, 0]);
  upstream.fail('UND_ERR_ABORTED');
  exchange.check(began + hold - 1);
  t.equal(counts.ended, 0, 'it keeps its place while its credentials may be checked');
  exchange.check(performance.now() + hold);
  exchange.check(performance.now() + 2 * hold);
  t.equal(counts.ended, 1);
  t.same(response.calls, []);
});

for (const { title, finish } of [
  { title: 'is answered', finish: (upstream: FakeUpstream) => upstream.answer() },
  { title: 'fails', finish: (upstream: FakeUpstream) => upstream.fail('ECONNRESET') },
]) {
  t.test(`a complete request of a disconnected client keeps its slot until it ${title}`, async (t) => {
    const { response, upstream, counts, exchange } = start({ kind: 'none' }, 'GET');
    response.aborted();
    exchange.check(performance.now() + 10 * hold);
    t.match([upstream.aborted, counts.ended], [0, 0], 'the sidecar is still at work on it');
    finish(upstream);
    t.match([upstream.aborted, counts.ended, upstream.dispatched], [1, 1, 1]);
    upstream.end();
    upstream.fail('UND_ERR_ABORTED');
    t.equal(counts.ended, 1, 'once');
    t.same(response.calls, []);
  });
}

t.test('a client that disconnects during the answer ends it at once', async (t) => {
  const { response, upstream, counts } = start({ kind: 'none' }, 'GET');
  upstream.answer();
  response.aborted();
  t.match([upstream.aborted, counts.ended], [1, 1]);
});

t.test('forwards an announced length and sends other bodies chunked', async (t) => {
  t.same(start({ kind: 'length', bytes: 7 }).upstream.options.headers, ['host', 'a', 'content-length', '7']);
  t.same(start({ kind: 'chunked' }).upstream.options.headers, ['host', 'a']);
  t.equal(start().upstream.options.body, null);
});

t.test('computes the pace of a body after a grace period', (t) => {
  let now = 0;
  const { response, exchange, counts } = start({ kind: 'length', bytes: 500_000 }, 'POST', () => now);
  const whole = start({ kind: 'length', bytes: 100 }, 'POST', () => now);
  response.onData(bytes(20_000), false);
  whole.response.onData(bytes(100), true);
  now = grace - 1;
  t.equal(exchange.bodyPace(now), Number.POSITIVE_INFINITY, 'not at first');
  now = 2 * grace;
  t.equal(exchange.bodyPace(now), 20_000 / (now / 1000), 'bytes a second');
  t.equal(whole.exchange.bodyPace(now), Number.POSITIVE_INFINITY, 'a whole one waits for its answer');
  exchange.giveWay();
  t.equal(counts.ended, 1, 'its place is free at once');
  t.equal(exchange.bodyPace(now), Number.POSITIVE_INFINITY);
  t.end();
});

t.test('a long body waits for its rate, and continues', async (t) => {
  let now = 0;
  const pace = new BodyPace(() => now);
  const { response, upstream } = start({ kind: 'length', bytes: 2_000_000 }, 'POST', undefined, pace);
  (upstream.options.body as Readable).resume();
  const chunk = 16_384;
  let sent = 0;
  for (; !response.calls.includes('pause') && sent + chunk < 1_000_000; sent += chunk) {
    response.onData(bytes(chunk), false);
    await nextTurn();
  }
  t.ok(response.calls.includes('pause'), `it is paused after ${sent} bytes although the sidecar reads`);
  now += 1000;
  await until(() => response.calls.includes('resume'));
});

t.test('a body pays for its last bytes, and for bytes that arrive after its pause', async (t) => {
  const { unpacedBody, bodyBurst } = fixedLimits;
  const most = unpacedBody.value + bodyBurst.value;
  /**
   * Returns the bytes that a second body may pass on at once. Before that, a first body sends its chunks without any
   * pause.
   */
  const leftAfter = (chunks: readonly number[], isLast: boolean): number => {
    let now = 0;
    const pace = new BodyPace(() => now);
    const { response } = start({ kind: 'length', bytes: 900_000 }, 'POST', undefined, pace);
    for (const [index, size] of chunks.entries())
      response.onData(bytes(size), isLast && index === chunks.length - 1);
    if (!isLast) response.aborted();
    now += 2;
    const other = pace.body('b', () => undefined);
    let sent = 0;
    do sent += 16_384;
    while (sent < 2 * most && other.received(16_384));
    pace.close();
    return sent;
  };
  const unused = leftAfter([16_384], false);
  t.ok(unused >= bodyBurst.value && unused <= most + 65_536, `${unused} bytes after a short body`);
  const small = new Array<number>(54).fill(16_384);
  const large = leftAfter([most], true);
  t.ok(large < unpacedBody.value + bodyBurst.value / 2, `${large} bytes after a large last chunk`);
  for (const isLast of [false, true]) {
    const left = leftAfter(small, isLast);
    t.ok(left <= unpacedBody.value, `${left} bytes after many chunks`);
  }
});

t.test('a body continues after an answer that began while it waited for its rate', async (t) => {
  const pace = new BodyPace(() => 0);
  const { response, upstream } = start({ kind: 'length', bytes: 2_000_000 }, 'POST', undefined, pace);
  const body = upstream.options.body as Readable;
  body.resume();
  while (!response.calls.includes('pause')) {
    response.onData(bytes(16_384), false);
    await nextTurn();
  }
  body.pause();
  upstream.answer(['content-length', '5']);
  t.equal(response.calls.at(-1), 'resume', 'the body no longer waits');
  while (response.calls.at(-1) !== 'pause') response.onData(bytes(16_384), false);
  body.resume();
  await until(() => response.calls.at(-1) === 'resume');
  pace.close();
});
