import pTimeout from 'p-timeout';
import type { ListenerApp } from '../listener/index.js';
import { copyHandshake } from '../streams/index.js';
import { type LegalKind, type LegalRequest, legalKinds, socketPath } from './cases.js';
import { aTurn, Probe } from './probe.js';

/** Timeout of the test in ms. The test takes a few hundred ms on an idle machine. */
const longest = 20_000;
/** Maximum number of connections that are open at one time. */
const abreast = 64;
/**
 * Number of further requests that the listener must answer before an earlier answer counts as missing. Even on a busy
 * machine, the listener reads these requests after all data that was sent before them.
 */
const controls = 8;

const addRoutes = (app: ListenerApp): void => {
  app.any('*', (response, request) => {
    const fields: [string, string][] = [];
    request.forEach((name, value) => void fields.push([name, value]));
    let isGone = false;
    response.onAborted(() => {
      isGone = true;
    });
    // The answer is sent later, as an answer of the sidecar would be. A pipelined request must wait for the earlier
    // answer.
    setImmediate(() => {
      if (!isGone) response.cork(() => response.end(JSON.stringify(fields)));
    });
  });
  app.stream(socketPath, {
    upgrade: (response, request, accept) => {
      response.onAborted(() => undefined);
      accept({ attach: () => undefined }, copyHandshake(request));
    },
    message: () => undefined,
    close: () => undefined,
  });
};

/**
 * Makes the listener answer requests on another connection. When these answers have arrived, the listener has also had
 * time to answer the earlier requests.
 * @throws Error when the listener does not answer the simplest request.
 */
const letItWork = async (port: number): Promise<void> => {
  const control = await Probe.open(port);
  try {
    for (let index = 0; index < controls; index++) {
      control.send(Buffer.from('GET /control HTTP/1.1\r\nHost: localhost\r\n\r\n'));
      await control.beyond(index);
      if (control.answers.length <= index) throw new Error('a plain request got no answer');
    }
  } finally {
    control.close();
  }
};

const isAnswered = ({ upgrades, fields }: LegalRequest, { answers }: Probe): boolean => {
  if (upgrades) return answers[0]?.startsWith('101 ') ?? false;
  const expected = fields.map((one) => `200 ${JSON.stringify(one)}`);
  return answers.length === expected.length && expected.every((answer, index) => answers[index] === answer);
};

const areAnswered = async (port: number, requests: readonly LegalRequest[]): Promise<boolean> => {
  const probes = await Promise.all(requests.map(() => Probe.open(port)));
  try {
    const most = Math.max(...requests.map(({ segments }) => segments.length));
    for (let index = 0; index < most; index++) {
      for (const [number, { segments }] of requests.entries()) {
        const segment = segments[index];
        if (segment !== undefined) probes[number]!.send(segment);
      }
      await aTurn();
    }
    await letItWork(port);
    return requests.every((request, number) => isAnswered(request, probes[number]!));
  } finally {
    for (const probe of probes) probe.close();
  }
};

const kindIsAnswered = async (port: number, { requests }: LegalKind): Promise<boolean> => {
  for (let from = 0; from < requests.length; from += abreast) {
    if (!(await areAnswered(port, requests.slice(from, from + abreast)))) return false;
  }
  return true;
};

const failingKinds = async (app: ListenerApp): Promise<string[]> => {
  addRoutes(app);
  const port = await app.listen();
  const failing: string[] = [];
  for (const kind of legalKinds()) {
    if (!(await kindIsAnswered(port, kind))) failing.push(kind.kind);
  }
  return failing;
};

/**
 * Sends unusual but legal requests and upgrades to a listener on loopback, and checks the answers. Closes the listener.
 * @param app a listener without routes that does not listen yet. Its settings must be 127.0.0.1 without TLS.
 * @returns the kinds of requests with wrong or missing answers, as texts for the operator.
 * @throws Error when the listener cannot be opened, or the test does not end in time.
 */
export const selfTest = async (app: ListenerApp): Promise<string[]> => {
  try {
    return await pTimeout(failingKinds(app), {
      milliseconds: longest,
      message: `the self-test took more than ${longest} ms`,
    });
  } finally {
    app.close();
  }
};
