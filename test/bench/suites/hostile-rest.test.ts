import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { openView } from '../../../bench/fleet/live-view.js';
import { makeAudioFiles, repeatedOgg, shortestPacket } from '../../../bench/hostile/rest/audio-files.js';
import { askRoute, createRoute, HonestUser, honestRoutes } from '../../../bench/hostile/rest/honest-user.js';
import { judgeRest } from '../../../bench/hostile/rest/judge.js';
import { forms, restKinds, restKindTraits } from '../../../bench/hostile/rest/kinds.js';
import { startNeighbours } from '../../../bench/hostile/rest/neighbour-process.js';
import type { PhaseResult } from '../../../bench/hostile/rest/phase.js';
import { type NeighbourRequest, requestsOf } from '../../../bench/hostile/rest/requests.js';
import { rowsOf } from '../../../bench/hostile/rest/rows.js';
import { leastValue, startModel } from '../../../bench/hostile/rest/services.js';
import { textBounds, unansweredMarker } from '../../../bench/hostile/rest/texts.js';
import { rowSchema, selfNoiseSchema } from '../../../bench/report/envelope.js';
import { isKept } from '../../../bench/rest/bounds.js';
import { runHostileRest } from '../../../bench/suites/rest/hostile-rest.js';
import { readOggOpus } from '../../../src/audio/ogg/read.js';
import { ratePolicies } from '../../../src/sidecar/limits/rate-policies.js';

const page = 'GET /v1/dev/user/conversations';
const audio = await makeAudioFiles(false);
const withFfmpeg = { ...audio, mp3: new Uint8Array(9), wide: new Uint8Array(9) };
const account = { uid: 'ann', key: 'key', token: 'token', address: '198.51.100.1' };

t.test('the hostile form has as many requests of each route, within the hourly limits', async (t) => {
  const routes = (requests: readonly NeighbourRequest[]): string[] =>
    requests.map(({ method, path, at }) => `${at} ${method} ${path.split('?')[0]}`);
  for (const kind of restKinds) {
    const [ordinary, hostile] = forms.map((form) => requestsOf(kind, form, withFfmpeg));
    t.same(routes(hostile!), routes(ordinary!), kind);
    const writes = hostile!.filter(
      ({ method, path }) => method === 'POST' && path.includes('/conversations'),
    );
    const voice = hostile!.filter(({ credential }) => credential === 'token');
    const transcripts = hostile!.filter(({ path }) => path.includes('include_transcript'));
    const questions = hostile!.filter(({ path }) => path.endsWith('/ask'));
    t.ok(writes.length <= ratePolicies['dev:conversations'].allowed, `${kind} writes`);
    t.ok(voice.length <= ratePolicies['voice:transcribe'].allowed, `${kind} voice messages`);
    t.ok(questions.length <= ratePolicies['dev:ask'].allowed, `${kind} questions`);
    // All rounds request long pages of the same accounts, so the limit must allow several rounds.
    t.ok(4 * transcripts.length <= ratePolicies['dev:conversation_transcript_read'].allowed, `${kind} pages`);
    for (const { body } of hostile!) t.ok((body?.length ?? 0) <= 9_000_000, `${kind} bodies`);
    for (const { path, body = '' } of hostile!) {
      if (path.endsWith('/from-segments')) t.ok(body.length < 4_194_304, `${kind}: BODY_LIMIT`);
    }
  }
});

t.test('texts without a blank have the largest allowed size', async (t) => {
  const sent = requestsOf('search-text', 'hostile', audio);
  const [transcript] = sent.filter(({ path }) => path.endsWith('/from-segments'));
  const { transcript_segments: segments } = JSON.parse(String(transcript!.body));
  t.equal(segments[0].text.length, textBounds.segment);
  t.notMatch(segments[0].text, / /);
  t.ok(String(transcript!.body).length > 1_000_000);
  const queries = sent.flatMap(({ path }) => new URL(path, 'http://x').searchParams.get('query') ?? []);
  t.ok(queries.length > 0 && queries.every((query) => query.length === textBounds.query));
});

t.test('Ogg files in which most packets are empty are refused', async (t) => {
  const packets = 5000;
  const file = repeatedOgg(audio.ogg, new Uint8Array(0), packets);
  t.ok(file.length > packets && file.length < 1.2 * packets + audio.ogg.length, 'a byte for each packet');
  t.throws(() => readOggOpus(file, 'empty.ogg'), { code: 'audio_file_unsupported' });
  const short = readOggOpus(repeatedOgg(audio.ogg, shortestPacket, packets), 'short.ogg');
  t.ok(short.packets.length > 0.9 * packets, 'packets of a byte are audio');
});

t.test('the fake model answers at once, but never a request with the marker', async (t) => {
  const model = await startModel();
  t.teardown(() => model.close());
  const schema = {
    type: 'object',
    required: ['answer', 'sources'],
    properties: { answer: { type: 'string' }, sources: { type: 'array', items: { type: 'integer' } } },
  };
  const ask = (content: string, signal: AbortSignal) =>
    fetch(`${model.url}/v1/chat/completions`, {
      method: 'POST',
      signal,
      body: JSON.stringify({ messages: [{ content }], response_format: { json_schema: { schema } } }),
    });
  const { signal } = new AbortController();
  const answered = await ask('Where is the key?', signal);
  const { choices } = (await answered.json()) as { choices: { message: { content: string } }[] };
  t.same(JSON.parse(choices[0]!.message.content), { answer: 'Garden plan', sources: [] });
  const giveUp = new AbortController();
  const unanswered = ask(`${unansweredMarker} key`, giveUp.signal).then(
    () => 'answered',
    () => 'given up',
  );
  await ask('Another one', signal);
  giveUp.abort();
  t.equal(await unanswered, 'given up', 'another question is answered meanwhile');
  t.same(leastValue({ anyOf: [{ type: 'string' }, { type: 'null' }] }), null);
  t.same(leastValue({ type: 'array', minItems: 1, items: { enum: ['b', 'a'] } }), ['b']);
});

t.test(
  'accounts beside the honest user send all their requests, and unanswered ones are aborted',
  async (t) => {
    const arrived: string[] = [];
    const server = createServer((request, response) => {
      request.resume();
      request.once('end', () => {
        arrived.push(`${request.headers.authorization} ${request.headers['x-forwarded-for']}`);
        if (arrived.length > 1) response.writeHead(arrived.length === 2 ? 503 : 200).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const neighbours = startNeighbours();
    t.teardown(async () => {
      await neighbours.stop();
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const order = {
      port,
      kind: 'slow-pages',
      form: 'ordinary',
      accounts: [account],
      milliseconds: 100,
      audio,
    } as const;
    await neighbours.begin(order);
    const counts = await neighbours.finish(300);
    t.same(counts, { sent: 5, ended: { unanswered: 1, 503: 1, 200: 3 } });
    t.same([...new Set(arrived)], ['Bearer key 198.51.100.1']);
  },
);

t.test('an honest user counts refusals, lost answers and answers without the model', async (t) => {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      const { url = '' } = request;
      if (url.includes('/memories/vector')) request.socket.destroy();
      else if (url.endsWith('/ask')) response.end(JSON.stringify({ generated_by: 'rules-1' }));
      else if (url.includes('?limit')) response.writeHead(503).end('{}');
      else response.end(JSON.stringify({ id: 'made' }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const honest = new HonestUser(url, account, honestRoutes(restKindTraits['model-timeouts'], ['id'], audio));
  t.teardown(async () => {
    await honest.close();
    server.close();
  });
  const answers = await honest.during(300);
  t.same(answers.get(page)?.failed, { 503: 5 });
  t.same(answers.get(page)?.latencies, [], 'a refusal is no latency');
  t.same(answers.get(`${page}/vector/search`.replace('conversations', 'memories'))?.failed, { broken: 5 });
  t.same(answers.get(askRoute)?.failed, { 'without model': 1 });
  t.same(answers.get(createRoute), { latencies: answers.get(createRoute)!.latencies, failed: {} });
  t.same(honest.takeCreated(), ['made']);
  t.same(honest.takeCreated(), []);
});

/** Returns phases of two rounds, with a hundred answers each. */
const phasesOf = (
  late: { readonly ordinary: readonly [number, number]; readonly hostile: number },
  more: Partial<PhaseResult> = {},
): PhaseResult[] =>
  forms.flatMap((form) =>
    [0, 1].map((round): PhaseResult => {
      const latency = form === 'ordinary' ? late.ordinary[round]! : late.hostile;
      return {
        ...{ form, round, accounts: 2, jobs: [latency], unfinishedJobs: 0 },
        answers: new Map([[page, { latencies: new Array<number>(100).fill(latency), failed: {} }]]),
        neighbours: { sent: 1, ended: { 200: 1 } },
        memory: { sidecar: 200, engine: 100 },
        ...(form === 'hostile' ? more : {}),
      };
    }),
  );

t.test('hostile requests are judged by lateness, losses and memory', async (t) => {
  const even = { ordinary: [10, 10], hostile: 14 } as const;
  const failing = (how: string) => ({
    answers: new Map([[page, { latencies: [10], failed: { [how]: 1 } }]]),
  });
  const cases: readonly [name: string, phases: PhaseResult[], missed: RegExp[], failures: RegExp[]][] = [
    ['less than 1.5 times', phasesOf(even), [], []],
    ['more', phasesOf({ ...even, hostile: 16 }), [/all routes/, /conversations: p99 16\.0 ms/], []],
    ['within the noise of the route', phasesOf({ ordinary: [10, 20], hostile: 35 }), [/all routes/], []],
    ['memory', phasesOf(even, { memory: { sidecar: 501, engine: 399 } }), [/sidecar: MiB/], []],
    ['a server error', phasesOf(even, failing('500')), [], [/2 ended with 500/]],
    ['a lost answer', phasesOf(even, failing('broken')), [], [/2 ended with broken/]],
    ['a refusal', phasesOf(even, failing('429')), [], [/2 ended with 429, 0 beside/]],
    ['a 504', phasesOf(even, { neighbours: { sent: 1, ended: { 504: 1 } } }), [], [/2 requests .* 504/]],
    [
      'a machine that is too busy',
      phasesOf(even).map((phase) =>
        phase.form === 'ordinary'
          ? { ...phase, answers: new Map([[page, { latencies: [10], failed: { 503: 1 } }]]) }
          : phase,
      ),
      [],
      [/2 requests of the honest user failed beside ordinary accounts/],
    ],
    ['nothing measured', phasesOf(even, { answers: new Map() }), [], [/nothing was measured/]],
  ];
  for (const [name, phases, missed, failures] of cases) {
    const verdict = judgeRest('search-text', phases);
    const found = verdict.bounds.filter((bound) => !isKept(bound)).map(({ what }) => what);
    t.equal(found.length, missed.length, `${name}: ${found.join('; ')}`);
    for (const [index, pattern] of missed.entries()) t.match(found[index], pattern, name);
    t.equal(verdict.failures.length, failures.length, `${name}: ${verdict.failures.join('; ')}`);
    for (const [index, pattern] of failures.entries()) t.match(verdict.failures[index], pattern, name);
    t.doesNotThrow(() => selfNoiseSchema.parse(verdict.noise));
  }
  const late = judgeRest('many-jobs', phasesOf({ ...even, hostile: 16 }, { unfinishedJobs: 1 }));
  t.ok(late.bounds.some((bound) => !isKept(bound) && /jobs of a conversation/.test(bound.what)));
  t.match(late.failures, [/jobs of 2 conversations/]);
});

t.test('rows contain the latency of each route, and name the row that they are compared with', async (t) => {
  const rows = rowsOf('search-text', phasesOf({ ordinary: [10, 10], hostile: 20 }));
  for (const row of rows) t.doesNotThrow(() => rowSchema.parse(row));
  const [own, , , beside] = rows;
  t.match(own, { mode: 'search-text, ordinary', accounts: 2, route: page, p99_ms: 10, requests: 200 });
  t.match(beside, { mode: 'search-text, hostile', ratio: 2, against: 'search-text, ordinary' });
  t.equal(rows.filter(({ rss_kb }) => rss_kb === 204_800).length, 2);
});

t.test(
  'a run reports the ordinary and the hostile form with a real product',
  { timeout: 240_000 },
  async (t) => {
    const lines: string[] = [];
    const outcome = await runHostileRest({
      kinds: ['model-timeouts'],
      rounds: 1,
      seconds: 1,
      accounts: [1],
      view: openView({ write: (line) => lines.push(String(line)) > 0 }, false),
      signal: new AbortController().signal,
    });
    for (const row of outcome.results) t.doesNotThrow(() => rowSchema.parse(row));
    const modes = new Set(outcome.results.map(({ mode }) => mode));
    t.same([...modes], ['model-timeouts, ordinary', 'model-timeouts, hostile']);
    const ordinary = outcome.results.filter(({ mode }) => mode === 'model-timeouts, ordinary');
    for (const route of [page, askRoute, createRoute]) {
      const row = ordinary.find((found) => found.route === route)!;
      t.ok(row.requests! > 0 && row.p99_ms! > 0, `${route} was answered`);
    }
    t.ok(
      ordinary.some(({ rss_kb = 0 }) => rss_kb > 10_000),
      'memory was watched',
    );
    t.ok(outcome.bounds.length >= 8);
    t.equal(outcome.selfNoise.length, 1);
    t.match(lines.join(''), /1 ordinary accounts sent 12 requests: .*\d ended with 200/);
  },
);
