/** One user's slow or failing questions to the language model do not block the questions of others. */
import t, { type Test } from 'tap';
import { z } from 'zod';
import { loadSettings } from '../../../src/config/load-settings.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { Breaker } from '../../../src/llm/breaker.js';
import { createLanguageModel } from '../../../src/llm/language-model.js';
import { modelOptions } from '../../../src/llm/model-options.js';
import type { TokenBudget } from '../../../src/llm/token-budget.js';
import { startModelServer } from '../../support/servers/model-server.js';
import { until } from '../../support/until.js';

const unbounded: TokenBudget = { reserve: async () => true, settle: async () => undefined };
const schema = z.strictObject({ title: z.string() });

const start = async (t: Test, environment: Record<string, string> = {}) => {
  const server = await startModelServer(t);
  server.answer = () => ({ title: 'A title' });
  const settings = loadSettings({
    LLM_BASE_URL: server.url,
    LLM_MODEL: 'tiny',
    LLM_RETRIES: '0',
    LLM_TIMEOUT: '60000',
    ...environment,
  }).values;
  const model = createLanguageModel(modelOptions(settings)!, { budget: unbounded });
  const ask = (uid: string): Promise<string> =>
    model
      .ask({ step: 'structure', uid, instructions: 'Name it.', data: `By ${uid}.`, answerTokens: 50 }, schema)
      .then(
        () => 'answered',
        ({ code }: CochleaError) => code,
      );
  return { server, ask };
};

/** Replaces `Date.now` until the test ends. It then returns a time that is `ahead` ms in the future. */
const movableClock = (t: Test): { ahead: number } => {
  const clock = { ahead: 0 };
  const realNow = Date.now;
  Date.now = () => realNow() + clock.ahead;
  t.teardown(() => {
    Date.now = realNow;
  });
  return clock;
};

/** Returns the name of the user who asked, which the prompt contains. */
const askerOf = ({ messages }: { readonly messages: readonly { readonly content: string }[] }): string =>
  /By (\w+)\./.exec(messages[1]!.content)![1]!;

t.test("users take turns at the model's slots, and each may use half of them", async (t) => {
  const { server, ask } = await start(t, { LLM_CONCURRENCY: '4' });
  const held: (() => void)[] = [];
  server.gate = () => new Promise((resolve) => held.push(() => resolve(undefined)));
  const asked = (): string[] => server.requests.map(askerOf);
  const all = Array.from({ length: 40 }, () => ask('flooder'));
  await until(() => held.length === 2);
  t.same(asked(), ['flooder', 'flooder'], 'half of the slots');
  for (const uid of ['ann', 'bob', 'ann', 'bob']) all.push(ask(uid));
  await until(() => held.length === 4);
  t.same(asked().slice(2).toSorted(), ['ann', 'bob'], 'other users get the other half at once');
  for (const released of [2, 3]) {
    const { length } = held;
    held[released]!();
    await until(() => held.length === length + 1);
  }
  t.equal(asked().filter((uid) => uid !== 'flooder').length, 4, `users take turns: ${asked()}`);
  server.gate = async () => undefined;
  for (const release of held) release();
  t.same(new Set(await Promise.all(all)), new Set(['answered']));
});

t.test('two users with slow questions leave a slot to a third', async (t) => {
  const { server, ask } = await start(t, { LLM_CONCURRENCY: '4' });
  const held: (() => void)[] = [];
  server.gate = () => new Promise((resolve) => held.push(() => resolve(undefined)));
  const all = Array.from({ length: 40 }, (_, index) => ask(index % 2 === 0 ? 'flooder' : 'other'));
  await until(() => held.length === 3);
  all.push(ask('ann'));
  await until(() => held.length === 4);
  t.equal(askerOf(server.requests[3]!), 'ann');
  server.gate = async () => undefined;
  for (const release of held) release();
  t.same(new Set(await Promise.all(all)), new Set(['answered']));
});

t.test("one user's failures pause the model only for that user", async (t) => {
  const { server, ask } = await start(t);
  server.fault = (request) => (askerOf(request) === 'flooder' ? 'server error' : undefined);
  for (let count = 0; count < 8; count++) t.equal(await ask('flooder'), 'llm_unavailable');
  t.equal(server.requests.length, 5, 'five failures in a row pause the model for the user');
  t.equal(await ask('ann'), 'answered');
  server.fault = () => 'server error';
  for (let count = 0; count < 4; count++) t.equal(await ask('ann'), 'llm_unavailable');
  t.equal(server.requests.length, 10, 'failures of two users do not pause the model for a third');
});

t.test('failures of several users pause the model for everyone, until a question is answered', async (t) => {
  const { server, ask } = await start(t);
  const clock = movableClock(t);
  server.fault = () => 'server error';
  for (const uid of ['ann', 'bob', 'cid']) t.equal(await ask(uid), 'llm_unavailable');
  for (const uid of ['dan', 'eva', 'ann']) t.equal(await ask(uid), 'llm_unavailable');
  t.equal(server.requests.length, 3, 'a paused model is not asked');
  clock.ahead = 30_001;
  server.fault = () => undefined;
  t.equal(await ask('dan'), 'answered', 'the model is tried after the pause');
  t.equal(await ask('ann'), 'answered');

  // After an outage, repeated failures of one user's requests must not make the product stop the requests of other
  // users.
  server.fault = () => 'server error';
  for (const uid of ['ann', 'bob', 'flooder']) await ask(uid);
  server.fault = (request) => (askerOf(request) === 'flooder' ? 'server error' : undefined);
  clock.ahead += 30_001;
  t.equal(await ask('flooder'), 'llm_unavailable');
  t.equal(await ask('ann'), 'answered');
});

t.test('accounts whose questions always fail do not block the model for others', async (t) => {
  const clock = movableClock(t);
  const breaker = new Breaker();
  const failing = async (): Promise<void> => {
    throw new CochleaError('llm_unavailable', { why: 'HTTP 500' });
  };
  const ask = (uid: string, question: () => Promise<void>): Promise<boolean> =>
    breaker.guard(uid, question).then(
      () => true,
      () => false,
    );
  let answered = 0;
  for (let second = 0; second < 300; second++) {
    clock.ahead += 1000;
    for (let account = 0; account < 6; account++) await ask(`flooder ${account}`, failing);
    if (await ask('ann', async () => undefined)) answered++;
  }
  t.ok(answered > 200, `${answered} of 300 questions are answered`);
});

t.test('questions that time out together count only for their users while others are answered', async (t) => {
  const clock = movableClock(t);
  const breaker = new Breaker();
  const timeouts: (() => void)[] = [];
  const ask = (uid: string, question: () => Promise<void>): Promise<string> =>
    breaker.guard(uid, question).then(
      () => 'answered',
      ({ code }: CochleaError) => code,
    );
  const unanswered = (): Promise<void> =>
    new Promise((_resolve, reject) => {
      timeouts.push(() => reject(new CochleaError('llm_unavailable', { why: 'it takes too long' })));
    });
  for (const meanwhile of [true, false]) {
    const asked = ['a', 'b', 'c', 'd'].map((name) => ask(`${name} ${meanwhile}`, unanswered));
    clock.ahead += 500;
    if (meanwhile) t.equal(await ask('ann', async () => undefined), 'answered');
    clock.ahead += 500;
    for (const end of timeouts.splice(0)) end();
    t.same(new Set(await Promise.all(asked)), new Set(['llm_unavailable']));
    const expected = meanwhile ? 'answered' : 'llm_unavailable';
    t.equal(await ask('ann', async () => undefined), expected, `answered meanwhile: ${meanwhile}`);
  }
});

t.test('new users whose questions are not answered leave a place to a user who was answered', async (t) => {
  const { server, ask } = await start(t, { LLM_CONCURRENCY: '4' });
  t.equal(await ask('ann'), 'answered');
  const held: (() => void)[] = [];
  server.gate = () => new Promise((resolve) => held.push(() => resolve(undefined)));
  const all = Array.from({ length: 12 }, (_, index) => ask(`new${index}`));
  await until(() => held.length === 3);
  all.push(ask('ann'));
  await until(() => held.length === 4);
  t.equal(askerOf(server.requests[4]!), 'ann');
  server.gate = async () => undefined;
  for (const release of held) release();
  t.same(new Set(await Promise.all(all)), new Set(['answered']));
});
