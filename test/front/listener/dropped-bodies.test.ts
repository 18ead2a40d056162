/** Bodies of refused requests are dropped at a limited rate, so repeated uploads do not occupy the engine. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { answerError } from '../../../src/front/listener/responses.js';
import { createNodeApp } from '../../../src/front/node/app.js';
import { DroppedBodies } from '../../../src/front/node/dropped-bodies.js';
import { createLogger } from '../../../src/log/logger.js';
import { until } from '../../support/until.js';

const size = 8_000_000;
const piece = 65_536;

/** Starts a listener that refuses each request before its body arrives. @returns its port. */
const startRefusing = async (t: Test): Promise<number> => {
  const settings = { ...loadSettings({}).values, host: '127.0.0.1', port: 0 };
  const app = createNodeApp(settings, createLogger('dropped', 'silent'));
  app.any('*', (response) => {
    response.onAborted(() => undefined);
    answerError(response, new CochleaError('overloaded'), false);
  });
  t.teardown(() => app.close());
  return app.listen();
};

/** Sends a body of `size` bytes before it reads. @returns the answer. */
const sendBody = async (port: number): Promise<{ readonly text: string }> => {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n`);
  socket.end(Buffer.alloc(size));
  await once(socket, 'close');
  return { text };
};

/** A request whose body arrives as fast as it is read. */
class EndlessBody extends Readable {
  readonly socket = { remoteAddress: '192.0.2.1' };
  sent = 0;

  override _read(): void {
    this.sent += piece;
    setImmediate(() => this.push(Buffer.alloc(piece)));
  }
}

t.test('all bodies together are dropped at a limited rate', async (t) => {
  const dropped = new DroppedBodies();
  const bodies = Array.from({ length: 4 }, () => new EndlessBody());
  const began = performance.now();
  const stops = bodies.map((body) => dropped.drop(body as unknown as IncomingMessage));
  const sent = (): number => bodies.reduce((sum, body) => sum + body.sent, 0);
  await until(() => sent() >= size, 'the bodies are dropped');
  const { unpacedBody, bodyBurst, droppedBodyRate } = fixedLimits;
  const paced = size - bodies.length * (unpacedBody.value + 3 * piece) - bodyBurst.value;
  const least = (paced / droppedBodyRate.value) * 1000;
  const ms = performance.now() - began;
  t.ok(ms >= least, `${Math.round(ms)} of ${Math.round(least)} ms`);
  for (const stop of stops) stop();
  for (const body of bodies) {
    t.ok(body.isPaused());
    body.destroy();
  }
  dropped.close();
});

t.test('a client that sends its whole body first gets the answer', async (t) => {
  const { text } = await sendBody(await startRefusing(t));
  t.match(text, /^HTTP\/1.1 503 /);
});

t.test('an ordinary request does not wait for dropped bodies', async (t) => {
  const port = await startRefusing(t);
  const bodies = Array.from({ length: 4 }, () => sendBody(port).catch(() => undefined));
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  t.equal(answer.status, 503);
  await Promise.all(bodies);
});
