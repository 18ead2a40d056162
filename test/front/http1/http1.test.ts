/** Plays HTTP/1.1 cases of h1spec and RFC 9112 against every listener available on this machine. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pLimit from 'p-limit';
import t, { type Test } from 'tap';
import type { Settings } from '../../../src/config/settings.js';
import { nodeLimits } from '../../../src/front/node/limits.js';
import { loadUws } from '../../../src/front/uws/build.js';
import { type HttpAnswer, parseAnswers } from '../../attack/support/http-answers.js';
import { RawConnection } from '../../attack/support/raw-connection.js';
import { type Rig, startRig } from '../support.js';
import type { Http1Case } from './case.js';
import { h1spec } from './h1spec.js';
import { rfc9112 } from './rfc9112.js';

const uws = loadUws();
const abreast = pLimit(16);
/** Timeout for an expected answer, in ms. */
const bound = 20_000;
/** Number of consecutive answers on a second connection after which a case counts as unanswered. */
const controls = 4;
const refusals = new Set([400, 405, 413, 414, 417, 426, 431, 505]);

interface Echo {
  readonly target: string;
  readonly body: string;
}

/** Starts a sidecar that answers with the request that it received. */
const startSidecar = async (t: Test): Promise<number> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      response.end(JSON.stringify({ target: request.url, body: Buffer.concat(chunks).toString('latin1') }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
};

/** Sends other requests and waits for their answers, so that the listener has time to handle a case. */
const letItWork = async ({ front }: Rig): Promise<void> => {
  const control = await RawConnection.open(front.port);
  try {
    for (let count = 1; count <= controls; count++) {
      control.send('GET /control HTTP/1.1\r\nHost: cochlea\r\n\r\n');
      await control.until(
        () => parseAnswers(control.received, Array(count).fill('GET'), false).answers.length >= count,
        bound,
      );
    }
  } finally {
    control.destroy();
  }
};

const answersOf = (connection: RawConnection, count: number): readonly HttpAnswer[] =>
  parseAnswers(connection.received, Array(count + 1).fill('GET'), connection.isClosed).answers;

const serving = async (connection: RawConnection, one: Http1Case): Promise<string[]> => {
  const { answers: wanted = 1, bodies = [''], target } = one;
  await connection.until(() => answersOf(connection, wanted).length >= wanted || connection.isClosed, bound);
  const answers = answersOf(connection, wanted);
  if (answers.length !== wanted) return [`${answers.length} answers`];
  const echoes = answers.map(({ status, body }) =>
    status === 200 ? (JSON.parse(body.toString()) as Echo) : status,
  );
  return echoes.flatMap((echo, index) => {
    if (typeof echo === 'number') return [`status ${echo}`];
    const found = echo.body === bodies[index] ? [] : [`body ${JSON.stringify(echo.body)}`];
    if (target !== undefined && echo.target !== target) found.push(`target ${echo.target}`);
    return found;
  });
};

const refusing = (connection: RawConnection, { verdict }: Http1Case): string[] => {
  const [answer] = answersOf(connection, 1);
  if (answer === undefined) return connection.isClosed && verdict === 'refused' ? [] : ['no answer'];
  if (verdict === 'refused') return refusals.has(answer.status) ? [] : [`status ${answer.status}`];
  if (answer.status !== 405) return [`status ${answer.status}`];
  return answer.headers.allow?.includes('GET, ') ? [] : ['no Allow'];
};

/** Plays a case. @returns the faults. */
const play = async (rig: Rig, one: Http1Case): Promise<string[]> => {
  const connection = await RawConnection.open(rig.front.port);
  try {
    connection.send(one.bytes);
    if (one.verdict === 'served') return await serving(connection, one);
    await letItWork(rig);
    const [first] = answersOf(connection, 1);
    if (one.verdict === 'answered') return first === undefined ? ['no answer'] : [];
    if (one.verdict === 'waits') {
      if (first !== undefined || connection.isClosed) return ['it did not wait'];
      connection.send(one.rest!);
      return await serving(connection, one);
    }
    if (one.verdict === 'either' && first?.status === 200) return await serving(connection, one);
    return refusing(connection, one.verdict === 'either' ? { ...one, verdict: 'refused' } : one);
  } finally {
    connection.destroy();
  }
};

for (const listener of ['uws-untested', 'ws'] as const satisfies readonly Settings['listener'][]) {
  t.test(listener, async (t) => {
    if (listener === 'uws-untested' && typeof uws === 'string') {
      t.pass('cases of uWebSockets.js', { skip: `no build of it loads here: ${uws}` });
      return;
    }
    const isOld = listener === 'uws-untested' && typeof uws !== 'string' && uws.needsSharedCork;
    const sidecar = { host: '127.0.0.1', port: await startSidecar(t) };
    const rig = await startRig(t, { settings: { listener }, sidecar });
    // The old build takes about 11 s to end a refused connection. With that build, only served cases are compared.
    const cases = [...h1spec, ...rfc9112].filter(
      ({ exceptOldUws, verdict }) =>
        !isOld || (!exceptOldUws && (verdict === 'served' || verdict === 'waits')),
    );
    const found = cases.map((one) => abreast(() => play(rig, one)));
    for (const [index, { source, name }] of cases.entries())
      t.same(await found[index], [], `${source}: ${name}`);
  });
}

t.test('ws: limits pipelined requests', async (t) => {
  const sidecar = { host: '127.0.0.1', port: await startSidecar(t) };
  const rig = await startRig(t, { settings: { listener: 'ws' }, sidecar });
  const request = 'GET /x HTTP/1.1\r\nHost: cochlea\r\n\r\n';
  for (const [sent, answered] of [
    [1 + nodeLimits.pipelined, 1 + nodeLimits.pipelined],
    [2 + nodeLimits.pipelined, 0],
  ] as const) {
    const connection = await RawConnection.open(rig.front.port);
    connection.send(request.repeat(sent));
    await connection.until(() => connection.isClosed || answersOf(connection, sent).length === sent, bound);
    t.equal(answersOf(connection, sent).length, answered, `${sent} at once`);
    connection.destroy();
  }
});
