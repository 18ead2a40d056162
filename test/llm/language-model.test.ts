/** The client of the language model, against a server with the same protocol over HTTP. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { loadSettings } from '../../src/config/load-settings.js';
import type { CochleaError } from '../../src/errors/cochlea-error.js';
import { checkAnswer } from '../../src/llm/answer.js';
import { createLanguageModel } from '../../src/llm/language-model.js';
import { modelOptions } from '../../src/llm/model-options.js';
import type { TokenBudget } from '../../src/llm/token-budget.js';
import { type ModelFault, startModelServer } from '../support/servers/model-server.js';
import { until } from '../support/until.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const unbounded: TokenBudget = { reserve: async () => true, settle: async () => undefined };
const title = z.strictObject({ title: z.string().min(1).max(20), mood: z.enum(['good', 'bad']) });
const question = {
  step: 'structure',
  uid: 'ann',
  instructions: 'Name the conversation.',
  data: 'We planned the garden.',
  answerTokens: 100,
} as const;
const good = { title: 'Garden plan', mood: 'good' };

const start = async (t: Test, environment: Record<string, string> = {}, budget = unbounded) => {
  const server = await startModelServer(t);
  server.answer = () => good;
  const settings = loadSettings({
    LLM_BASE_URL: server.url,
    LLM_MODEL: 'tiny',
    LLM_API_KEY: 'sk-secret',
    LLM_TIMEOUT: '30000',
    ...environment,
  }).values;
  return { server, model: createLanguageModel(modelOptions(settings)!, { budget }) };
};

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error: CochleaError) => (typeof error.code === 'string' ? error.code : error.name),
  );

t.test('a question is answered by what passes the schema', async (t) => {
  const { server, model } = await start(t, { LLM_STEP_MODELS: 'folder=small, answer=big' });
  t.same(await model.ask(question, title), good);
  const [request] = server.requests;
  t.match(request, { step: 'structure', model: 'tiny', stream: true, key: 'sk-secret' });
  const [system, user] = request!.messages;
  t.match(system, { role: 'system', content: /Name the conversation[\s\S]*not.*instruction|instruction/ });
  const mark = /<data-([0-9a-f]{16})>/.exec(system!.content)![1];
  t.equal(user!.content, `<data-${mark}>\nWe planned the garden.\n</data-${mark}>`, 'data stands alone');
  const { schema } = request!.body.response_format.json_schema;
  t.same(schema.required, ['title', 'mood']);
  t.equal(schema.additionalProperties, false);
  t.notMatch(JSON.stringify(schema), 'maxLength', 'what servers refuse is checked here alone');

  await model.ask({ ...question, step: 'folder' }, title);
  t.match(server.requests[1], { model: 'small' });
  t.not(/<data-(\w+)>/.exec(server.requests[1]!.messages[1]!.content)![1], mark, 'no mark is used twice');
  t.equal(model.nameOf('folder'), 'llm:small');

  server.answer = () => 'The garden.';
  const parts: string[] = [];
  t.equal(await model.tell({ ...question, step: 'answer' }, (part) => parts.push(part)), 'The garden.');
  t.equal(parts.join(''), 'The garden.', 'plain text comes in parts');
  t.match(server.requests[2], { model: 'big', body: { response_format: undefined } });
});

t.test('answers around their JSON, and one try to repair them', async (t) => {
  const { server, model } = await start(t);
  const json = JSON.stringify(good);
  for (const text of [`<think>{"a":1}</think>\n${json}`, `\`\`\`json\n${json}\n\`\`\``, `  ${json}\n`]) {
    server.answer = () => text;
    t.same(await model.ask(question, title), good, text);
  }
  for (const wrong of ['{}', '{"title":"', JSON.stringify({ ...good, user_id: 'bob' }), '']) {
    const before = server.requests.length;
    server.answer = ({ messages }) => (messages.length > 2 ? json : wrong);
    t.same(await model.ask(question, title), good, `${wrong} is repaired`);
    t.equal(server.requests.length, before + 2);
    t.match(server.requests.at(-1)!.messages.at(-1), { role: 'user', content: /not accepted/ });
    server.answer = () => wrong;
    t.equal(await codeOf(model.ask(question, title)), 'llm_answer_invalid', `${wrong} twice is given up`);
  }
});

/** The error for each fault, and the number of requests with two retries. A wrong answer is requested one more time. */
const faults: readonly [ModelFault, string, number][] = [
  ['slow stream', 'llm_unavailable', 1],
  ['hang', 'llm_unavailable', 1],
  ['garbage', 'llm_unavailable', 2],
  ['broken off', 'llm_unavailable', 2],
  ['reset', 'llm_unavailable', 2],
  ['server error', 'llm_unavailable', 2],
  ['error in the stream', 'llm_unavailable', 2],
  ['limited', 'llm_limited', 2],
  ['refusal', 'llm_refused', 1],
  ['content filter', 'llm_refused', 1],
  ['wrong key', 'llm_rejected', 1],
  ['redirection', 'llm_unavailable', 2],
  ['half JSON', 'llm_answer_invalid', 2],
  ['wrong schema', 'llm_answer_invalid', 2],
];

t.test('faults of a server', async (t) => {
  for (const [fault, code, requests] of faults) {
    const waits = fault === 'hang' || fault === 'slow stream';
    const { server, model } = await start(t, { LLM_RETRIES: '1', ...(waits && { LLM_TIMEOUT: '1000' }) });
    server.fault = () => fault;
    const failed = await model.ask(question, title).catch((error: CochleaError) => error);
    t.match(failed, { code }, fault);
    t.equal(server.requests.length, requests, `${fault} was asked ${requests} times`);
    const { message, details, cause } = failed as CochleaError;
    t.notMatch(
      JSON.stringify([message, details, cause ?? null]),
      /garden|sk-secret/i,
      'and nothing of it is kept',
    );
    if (requests === 2 && !code.includes('invalid')) {
      server.fault = () => (server.requests.length % 2 === 1 ? fault : undefined);
      t.same(await model.ask(question, title), good, `${fault} once is repeated`);
    }
  }
});

t.test('an answer that comes slowly is given up, although Node collects garbage meanwhile', async (t) => {
  const { server, model } = await start(t, { LLM_TIMEOUT: '1000' });
  server.fault = () => 'slow stream';
  const collecting = setInterval(collect, 100);
  t.teardown(() => clearInterval(collecting));
  t.equal(await codeOf(model.ask(question, title)), 'llm_unavailable');
});

t.test('a server that asks for more time than there is, is left alone', async (t) => {
  const { server, model } = await start(t);
  server.fault = () => 'limited';
  for (const after of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
    server.retryAfter = after;
    const before = server.requests.length;
    t.equal(await codeOf(model.ask(question, title)), 'llm_limited', after);
    t.equal(server.requests.length, before + 1);
  }
});

t.test('a model that is away is not asked for a while', async (t) => {
  const { server, model } = await start(t, { LLM_RETRIES: '0' });
  server.fault = () => 'server error';
  for (let count = 0; count < 7; count++) {
    t.equal(await codeOf(model.ask(question, title)), 'llm_unavailable');
  }
  t.equal(server.requests.length, 5, 'after five failures in a row it rests');
});

t.test('a question that is broken off says nothing of the model', async (t) => {
  const { server, model } = await start(t, { LLM_RETRIES: '0' });
  server.fault = () => 'server error';
  const fail = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count++) await codeOf(model.ask(question, title));
  };
  await fail(4);
  server.fault = () => 'hang';
  const ending = new AbortController();
  const ended = codeOf(model.ask({ ...question, signal: ending.signal }, title));
  await until(() => server.requests.length === 5);
  ending.abort();
  t.equal(await ended, 'AbortError');
  server.fault = () => 'server error';
  await fail(3);
  t.equal(server.requests.length, 6, 'the failures before it count all the same');
});

t.test('waiting for a place is no fault of the model', async (t) => {
  const { server, model } = await start(t, { LLM_CONCURRENCY: '1', LLM_TIMEOUT: '1500', LLM_RETRIES: '0' });
  server.fault = () => (server.requests.length === 1 ? 'hang' : undefined);
  const first = codeOf(model.ask(question, title));
  await until(() => server.requests.length === 1);
  const others = Array.from({ length: 8 }, () => codeOf(model.ask(question, title)));
  t.equal(await first, 'llm_unavailable', 'the one that was asked');
  const codes = new Set(await Promise.all(others));
  t.strictSame(
    [...codes].filter((code) => code !== 'answered' && code !== 'llm_busy'),
    [],
    'none of those that waited is counted against it',
  );
  t.same(await model.ask(question, title), good, 'so it does not rest');
});

t.test('places are bounded, and a question can be ended', async (t) => {
  const { server, model } = await start(t, { LLM_CONCURRENCY: '2' });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let inside = 0;
  let most = 0;
  server.gate = async () => {
    most = Math.max(most, ++inside);
    await held;
    inside--;
  };
  const ending = new AbortController();
  const ended = codeOf(model.ask({ ...question, signal: ending.signal }, title));
  const others = ['bob', 'cid', 'dan'].map((uid) => model.ask({ ...question, uid }, title));
  await until(() => inside === 2, 'two are asked');
  ending.abort();
  t.equal(await ended, 'AbortError');
  const leaving = new AbortController();
  const left = codeOf(model.ask({ ...question, signal: leaving.signal }, title));
  leaving.abort();
  t.equal(await left, 'AbortError', 'one that waits for a place ends at once');
  const gone = codeOf(model.ask({ ...question, signal: leaving.signal }, title));
  t.equal(await gone, 'AbortError', 'and one that has ended is not asked');
  release();
  await Promise.all(others);
  t.equal(server.requests.length, 4);
  t.ok(most <= 3, 'two at once, beside the one that was ended');
});

t.test('the budget pays each request, and corrects what it took to what was used', async (t) => {
  const taken: number[] = [];
  const budget: TokenBudget = {
    reserve: async (_uid, tokens) => {
      taken.push(tokens);
      return taken.length < 3;
    },
    settle: async (_uid, reserved, used) => void taken.push(used - reserved),
  };
  const { server, model } = await start(t, {}, budget);
  await model.ask(question, title);
  t.equal(taken[0]! + taken[1]!, 30, 'what the server counted');
  t.equal(await codeOf(model.ask(question, title)), 'llm_budget_spent');
  t.equal(server.requests.length, 1, 'nothing is asked without a budget');
});

t.test('what a failed question costs its user', async (t) => {
  let left = 0;
  const budget: TokenBudget = {
    reserve: async (_uid, tokens) => {
      left -= tokens;
      return true;
    },
    settle: async (_uid, reserved, used) => {
      left += reserved - used;
    },
  };
  const cases: readonly [fault: ModelFault | 'no server', isFree: boolean][] = [
    ['no server', true],
    ['reset', false],
    ['limited', true],
    ['wrong key', true],
    ['server error', false],
    ['broken off', false],
    ['refusal', false],
  ];
  for (const [fault, isFree] of cases) {
    const away: Record<string, string> =
      fault === 'no server' ? { LLM_BASE_URL: 'http://127.0.0.1:1/v1' } : {};
    const { server, model } = await start(t, { LLM_RETRIES: '0', ...away }, budget);
    server.fault = () => (fault === 'no server' ? undefined : fault);
    left = 0;
    await codeOf(model.ask(question, title));
    t.equal(left === 0, isFree, fault);
  }
});

t.test('no answer decides how long it is looked at', (t) => {
  const cpu = (text: string): number => {
    const before = process.cpuUsage();
    checkAnswer(text, title, '');
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const answers: readonly ((length: number) => string)[] = [
    (length) => `\`\`\`${'\n'.repeat(length)}x`,
    (length) => `\`\`\`json${' '.repeat(length)}\`\``,
    (length) => '<think>'.repeat(length / 7),
    (length) => `${' '.repeat(length)}<think>`,
    (length) => '`'.repeat(length),
    (length) => `{"title":"${'\\"'.repeat(length / 2)}`,
  ];
  for (const answer of answers) {
    const once = Math.max(cpu(answer(10_000)), 20_000);
    t.ok(cpu(answer(80_000)) < 32 * once, JSON.stringify(answer(14)));
  }
  t.end();
});

t.test('settings', async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'key');
  writeFileSync(path, 'sk-file\n');
  const options = (environment: Record<string, string>) => modelOptions(loadSettings(environment).values);
  t.equal(options({}), null, 'no model without an address');
  const base = { LLM_BASE_URL: 'http://127.0.0.1:1/v1/', LLM_MODEL: 'm' };
  t.match(options({ ...base, LLM_API_KEY_FILE: path }), { key: 'sk-file', baseUrl: 'http://127.0.0.1:1/v1' });
  for (const [environment, what] of [
    [{ LLM_BASE_URL: 'http://127.0.0.1/v1' }, /LLM_MODEL/],
    [{ ...base, LLM_BASE_URL: 'http://me:secret@host/v1' }, /LLM_BASE_URL/],
    [{ ...base, LLM_STEP_MODELS: 'titles=x' }, /LLM_STEP_MODELS/],
    [{ ...base, LLM_STEP_MODELS: 'folder=' }, /LLM_STEP_MODELS/],
    [{ ...base, LLM_API_KEY: 'a', LLM_API_KEY_FILE: path }, /LLM_API_KEY_FILE/],
    [{ ...base, LLM_API_KEY_FILE: join(folder, 'none') }, /cannot be read/],
  ] as const) {
    t.throws(() => options(environment), { message: what }, String(what));
  }
});
