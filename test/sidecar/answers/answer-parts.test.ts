/** Tests answers in parts without a database: completed, failed, slow and abandoned answers. */
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { z } from 'zod';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { itemParts } from '../../../src/service/parts/item-parts.js';
import { developerKey } from '../../../src/sidecar/access/access.js';
import { AnswerMemory } from '../../../src/sidecar/answers/answer-memory.js';
import { JsonInParts } from '../../../src/sidecar/answers/json-in-parts.js';
import { type Route, route } from '../../../src/sidecar/frame/route.js';
import { FairTurns } from '../../../src/sidecar/turns/fair-turns.js';
import { piece } from '../../../src/store/pieces/piece.js';
import { until } from '../../support/until.js';
import { appOf } from '../frame/frame-support.js';

/** Yields the parts, and then throws `error` if there is one. */
async function* partsOf(parts: readonly string[], error?: Error): AsyncIterable<Buffer> {
  for (const part of parts) yield Buffer.from(part);
  if (error !== undefined) throw error;
}

const listing = (name: string, parts: () => AsyncIterable<Buffer>): Route =>
  route({
    method: 'GET',
    url: `/${name}`,
    operationId: name,
    tag: 'Conversations',
    summary: name,
    access: developerKey('conversations:read'),
    limits: [],
    inParts: true,
    answer: z.array(z.string()),
    handle: () => new JsonInParts(parts()),
  });

/** Turns that count the parts whose wait ended because the request was aborted. */
class CountedTurns extends FairTurns {
  left = 0;

  override async duringPart<Result>(
    uid: string,
    operation: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    try {
      return await super.duringPart(uid, operation, work, signal);
    } catch (thrown) {
      if (signal?.aborted) this.left++;
      throw thrown;
    }
  }
}

t.test('answers in parts', async (t) => {
  const gone = new CochleaError('answer_outdated');
  const memory = new AnswerMemory({ most: 2_000_000, mostOfUser: 1_000_000 });
  const turns = new FairTurns(2);
  let late: (() => void) | undefined;
  const routes = [
    listing('whole', () => partsOf(['["a"', ',"b"', ']'])),
    listing('none', () => partsOf([], gone)),
    listing('broken', () => partsOf(['["a"', ',"b"'], gone)),
    listing('wrong', () => partsOf(['["a"', ',1', ']'])),
    listing('slow', async function* () {
      yield Buffer.from('["a"');
      await new Promise<void>((resolve) => {
        late = resolve;
      });
      yield Buffer.from(']');
    }),
  ];
  /**
   * Starts an application with these routes, and returns its address. `checkAnswers` says whether it checks answers
   * against their schemas.
   */
  const serve = async (checkAnswers: boolean, shared = { memory, turns }): Promise<string> => {
    const app = appOf(routes, { ...shared, timeout: 50, uid: 'ann', checkAnswers });
    await app.listen({ port: 0, host: '127.0.0.1' });
    t.teardown(() => app.close());
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  };
  const base = await serve(true);
  const unchecked = await serve(false);
  const released = async (): Promise<boolean> => {
    for (let turn = 0; memory.held > 0 && turn < 1000; turn++)
      await new Promise((resolve) => setImmediate(resolve));
    return memory.held === 0;
  };

  t.test('sends a complete answer', async (t) => {
    const answer = await fetch(`${base}/whole`);
    t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    t.same(await answer.json(), ['a', 'b']);
    t.ok(await released(), 'the memory is released');
  });

  t.test('a failure before the first part is answered with an error', async (t) => {
    const answer = await fetch(`${base}/none`);
    t.same([answer.status, await answer.json()], [503, { detail: gone.message }]);
    t.ok(await released(), 'the memory is released');
  });

  t.test('a failure after the first part closes the connection', async (t) => {
    for (const name of ['broken', 'wrong']) {
      const answer = await fetch(`${base}/${name}`);
      t.equal(answer.status, 200);
      await t.rejects(answer.text(), name);
      t.ok(await released(), 'the memory is released');
    }
  });

  t.test('the time limit applies only until the first part', async (t) => {
    const answer = await fetch(`${unchecked}/slow`);
    await new Promise((resolve) => setTimeout(resolve, 120));
    late!();
    t.same(await answer.json(), ['a']);
  });

  t.test('a waiting part of a disconnected client leaves the queue', async (t) => {
    late = undefined;
    const counted = new CountedTurns(8);
    const free = await serve(false, {
      memory: new AnswerMemory({ most: 4_000_000, mostOfUser: 4_000_000 }),
      turns: counted,
    });
    const first = await fetch(`${free}/slow`);
    await until(() => late !== undefined);
    const leaving = new AbortController();
    const second = await fetch(`${free}/slow`, { signal: leaving.signal });
    leaving.abort();
    await t.rejects(second.text());
    await until(() => counted.left === 1);
    late!();
    t.same(await first.json(), ['a']);
  });

  t.test('a client that disconnects releases memory and slot', async (t) => {
    const leaving = new AbortController();
    const answer = await fetch(`${unchecked}/slow`, { signal: leaving.signal });
    t.ok(memory.held > 0);
    leaving.abort();
    await t.rejects(answer.text());
    late!();
    t.ok(await released());
    t.same(await (await fetch(`${base}/whole`)).json(), ['a', 'b']);
  });
});

t.test('memory for whole answers', async (t) => {
  const memory = new AnswerMemory({ most: 4_000_000, mostOfUser: 1_500_000, wait: 20 });
  const held: number[] = [];
  const whole = (name: string, characters: number, answerBytes: number): Route =>
    route({
      method: 'GET',
      url: `/${name}`,
      operationId: name,
      tag: 'Conversations',
      summary: name,
      access: developerKey('conversations:read'),
      limits: [],
      answerBytes,
      answer: z.array(z.string()),
      handle: async () => {
        held.push(memory.held);
        return ['x'.repeat(characters)];
      },
    });
  const app = appOf(
    [whole('small', 10, 1_200_000), whole('usual', 10, 1000), whole('large', 300_000, 1_200_000)],
    {
      memory,
      uid: 'ann',
    },
  );
  t.teardown(() => app.close());

  t.test(
    'a request with a large answer reserves memory before its handler runs, and releases it',
    async (t) => {
      for (const [name, bytes] of [
        ['small', 1_200_000],
        ['usual', 0],
        ['large', 1_200_000],
      ] as const) {
        const answer = await app.inject(`/${name}`);
        t.equal(answer.headers['content-length'], String(answer.rawPayload.length), name);
        t.same([held.pop(), answer.json().length, memory.held], [bytes, 1, 0], name);
      }
    },
  );

  t.test('a request without memory in time is answered with Retry-After', async (t) => {
    const other = memory.count('ann', 1_000_000);
    const answer = await app.inject('/small');
    t.same([answer.statusCode, answer.headers['retry-after'], held.length], [429, '2', 0]);
    t.equal((await app.inject('/usual')).statusCode, 200, 'a request that needs no memory is answered');
    other.release();
    held.length = 0;
    const others = [1, 2, 3].map((number) => memory.count(`user ${number}`, 1_300_000));
    const full = await app.inject('/small');
    t.same([full.statusCode, full.headers['retry-after'], held.length], [503, '1', 0]);
    for (const share of others) share.release();
    t.equal((await app.inject('/small')).statusCode, 200);
  });
});

t.test('itemParts returns all items in order, and reads bounded pieces', async (t) => {
  const sizes = fc.array(fc.integer({ min: 0, max: 2 * piece.bytes }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string(), { maxLength: 5 }), sizes, async (read, left) => {
      const rest = left.map((bytes, index) => ({ id: String(index), bytes }));
      const parts: Buffer[] = [];
      const reads: (readonly string[])[] = [];
      const all = itemParts(read, rest, async (ids) => {
        reads.push(ids);
        return [...ids];
      });
      for await (const part of all) parts.push(part);
      t.same(JSON.parse(Buffer.concat(parts).toString()), [...read, ...rest.map(({ id }) => id)]);
      const tooLarge = reads.filter(
        (ids) => ids.length > 1 && ids.reduce((sum, id) => sum + left[Number(id)]!, 0) > piece.bytes,
      );
      t.same(tooLarge, []);
    }),
    { numRuns: 50 },
  );
});
