/** Tests how `src/sidecar/frame` runs declared routes. Each test declares small routes. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { z } from 'zod';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { open } from '../../../src/sidecar/access/access.js';
import type { Caller } from '../../../src/sidecar/access/authentication.js';
import { type Route, route } from '../../../src/sidecar/frame/route.js';
import { appOf } from './frame-support.js';

const common = { tag: 'Service', access: open, limits: [], summary: 'Of the test' } as const;

const never = route({
  ...common,
  method: 'GET',
  url: '/never',
  operationId: 'never',
  timeout: 50,
  handle: () => new Promise<void>(() => {}),
});
const wrongAnswer = route({
  ...common,
  method: 'GET',
  url: '/wrong-answer',
  operationId: 'wrongAnswer',
  answer: z.object({ count: z.number() }),
  handle: () => ({ count: 'many' }) as never,
});
const wrongStatus = route({
  ...common,
  method: 'GET',
  url: '/wrong-status',
  operationId: 'wrongStatus',
  handle: async () => {
    throw new CochleaError('keys_full', { limit: 1 });
  },
});
const small = route({
  ...common,
  method: 'POST',
  url: '/small/{name}',
  operationId: 'small',
  path: z.object({ name: z.string().min(2) }),
  body: z.object({ text: z.string() }),
  answer: z.object({ name: z.string(), text: z.string() }),
  bodyLimit: 100,
  handle: ({ path, body }) => ({ ...path, ...body }),
});

t.test('declared routes', async (t) => {
  const app = appOf([never, wrongAnswer, wrongStatus, small]);
  t.teardown(() => app.close());

  t.test('a request over its time limit is answered 504', async (t) => {
    const answer = await app.inject('/never');
    t.equal(answer.statusCode, 504);
    t.same(answer.json(), { detail: 'The request took too long' });
  });

  t.test('time limits of different lengths apply to simultaneous and later requests', async (t) => {
    const other = appOf([never, { ...never, url: '/never-longer', operationId: 'neverLonger', timeout: 70 }]);
    for (const urls of [['/never', '/never-longer', '/never'], ['/never']]) {
      const answers = await Promise.all(urls.map((url) => other.inject(url)));
      t.same(
        answers.map(({ statusCode }) => statusCode),
        urls.map(() => 504),
      );
    }
  });

  t.test('a handler that checks the credential itself', async (t) => {
    const knownKey = () => ({ hash: 'x', uid: 'ann' });
    const work = { text: '', values: [] };
    const admitted: string[] = [];
    const asked = (url: string, handle: Route['handle'], admission: Promise<void> = Promise.resolve()) => {
      const declared = { ...common, method: 'GET', operationId: 'asked', timeout: 50, admits: true } as const;
      const answer = z.object({ uid: z.string() });
      const uidOf = () => {
        admitted.push(url);
        return 'ann';
      };
      const other = appOf([route({ ...declared, url, answer, handle: handle as never })], {
        knownKey,
        uidOf,
        admission,
      });
      return other.inject(url);
    };
    const alone = async ({ uid }: Caller) => ({ uid });

    const done = await asked('/together', async ({ caller, admit }) => {
      t.equal(caller, null, 'no caller before the check');
      return (await admit(() => ({ work, result: () => ({ uid: 'by the statement' }) }), alone)).result;
    });
    t.same(done.json(), { uid: 'by the statement' });
    const rest = await asked('/alone', async ({ admit }) => {
      return (await admit(() => ({ work, result: () => null }), alone)).result;
    });
    t.same(rest.json(), { uid: 'ann' }, 'runs without the statement if the statement has no result');

    const forgotten = await asked('/forgotten', async () => ({ uid: 'nobody was asked' }));
    t.same(
      [forgotten.statusCode, forgotten.body.includes('nobody')],
      [500, false],
      'fails if the handler did not check',
    );

    let began = false;
    const late = await asked(
      '/late',
      async ({ admit }) =>
        admit(
          () => null,
          async () => {
            began = true;
          },
        ),
      pause(100),
    );
    await pause(100);
    t.same([late.statusCode, began], [504, false], 'does not start after its time limit');
    t.same(admitted, ['/together', '/alone', '/forgotten', '/late'], 'checks each credential once');
  });

  t.test('a time limit does not end a request that was answered', async (t) => {
    const quick = route({
      ...common,
      method: 'GET',
      url: '/quick',
      operationId: 'quick',
      timeout: 50,
      answer: z.object({ done: z.boolean() }),
      handle: () => ({ done: true }),
    });
    const other = appOf([quick, never]);
    const answers = await Promise.all(['/quick', '/never', '/quick'].map((url) => other.inject(url)));
    t.same(
      answers.map(({ statusCode }) => statusCode),
      [200, 504, 200],
    );
  });

  t.test('answers are checked against their declaration if `checkAnswers` is set', async (t) => {
    t.equal((await app.inject('/wrong-answer')).statusCode, 500);
    const status = await app.inject('/wrong-status');
    t.equal(status.statusCode, 500);
    t.match(status.json(), { detail: 'wrongStatus does not declare 409' });
    const unchecked = appOf([wrongAnswer, wrongStatus], { checkAnswers: false });
    t.same((await unchecked.inject('/wrong-answer')).json(), { count: 'many' });
    t.equal((await unchecked.inject('/wrong-status')).statusCode, 409);
  });

  t.test('path, body and size are checked against the declaration', async (t) => {
    const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });
    t.same((await post('/small/ab', { text: 'x' })).json(), { name: 'ab', text: 'x' });
    t.match((await post('/small/a', { text: 'x' })).json(), { detail: [{ loc: ['path', 'name'] }] });
    t.match((await post('/small/ab', {})).json(), { detail: [{ loc: ['body', 'text'], type: 'missing' }] });
    t.equal((await post('/small/ab', { text: 'x'.repeat(100) })).statusCode, 413);
    const ordinary = appOf([{ ...small, bodyLimit: undefined }]);
    const sent = (length: number) =>
      ordinary.inject({ method: 'POST', url: '/small/ab', payload: { text: 'x'.repeat(length) } });
    t.equal((await sent(1_000_000)).statusCode, 200);
    t.equal((await sent(1_100_000)).statusCode, 413, 'the default maximum is 1 MiB');
  });
});

t.test('refuses two operations with the same name', async (t) => {
  t.throws(() => appOf([never, { ...never, url: '/other' }]), /two operations are called never/);
});
