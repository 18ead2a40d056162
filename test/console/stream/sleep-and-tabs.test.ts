/**
 * Tests a computer that sleeps, so that no timer runs for minutes, a token that expires meanwhile, and two tabs that
 * record at the same time.
 */
import t from 'tap';
import { sentences, startRig } from './rig.js';

const minutes = 60_000;

const sleeps: readonly {
  readonly what: string;
  /**
   * Close code that the browser reports for the socket on waking; undefined if the browser believes the socket to be
   * open.
   */
  readonly code: number | undefined;
  readonly length: number;
}[] = [
  { what: 'a connection that the browser believes to be open', code: undefined, length: 5 * minutes },
  { what: 'a connection that the network closed', code: 1006, length: 5 * minutes },
  { what: 'a token that expired meanwhile', code: 4001, length: 30 * minutes },
  { what: 'an engine that closed the idle stream', code: 1001, length: 480 * minutes },
];
for (const { what, code, length } of sleeps) {
  t.test(`a computer sleeps, and wakes with ${what}`, async (t) => {
    const { engine, time, stream, record, wait, states, kinds, wrong } = startRig();
    stream.start();
    // Sleep begins in a sentence.
    await record(5, sentences);
    const socket = engine.socket!;
    socket.isOpen = false;
    await time.advance(length);
    if (code !== undefined) socket.fail(code);
    await record(60, sentences);
    t.same(kinds(), ['connecting', 'live', 'reconnecting', 'live']);
    t.equal(engine.tokens.length, new Set(engine.tokens).size, 'each connection has a new token');
    stream.stop();
    await wait(30);
    t.match(states.at(-1), { kind: 'saved', conversation: 'talk', unconfirmed: 0 });
    t.equal(stream.lost, 0);
    t.same(wrong(), [], 'each recorded word is stored once');
  });
}

t.test('a computer that sleeps while the last words are saved goes on when it wakes', async (t) => {
  const { engine, time, stream, record, wait, states, kinds, wrong } = startRig();
  stream.start();
  await record(5, sentences);
  stream.stop();
  engine.socket!.isOpen = false;
  await time.advance(20 * minutes);
  await wait(60);
  t.notOk(kinds().includes('failed'), 'sleep is no minute without a connection');
  t.match(states.at(-1), { kind: 'saved', conversation: 'talk', unconfirmed: 0 });
  t.same(wrong(), []);
});

t.test('a computer that wakes without a network says after a minute what is kept', async (t) => {
  const { engine, time, stream, record, wait, states, wrong } = startRig();
  stream.start();
  await record(5, sentences);
  stream.stop();
  engine.reachable = false;
  engine.socket!.isOpen = false;
  await time.advance(20 * minutes);
  await wait(110);
  t.match(states.at(-1), { kind: 'failed', remedy: /could not be reached/, conversation: 'talk' });
  t.ok(stream.kept > 0);
  engine.reachable = true;
  stream.retry();
  await wait(30);
  t.match(states.at(-1), { kind: 'saved', unconfirmed: 0 });
  t.same(wrong(), []);
});

t.test('a token is renewed on an open stream, and the recording does not notice', async (t) => {
  const { engine, stream, record, wait, kinds, wrong } = startRig({
    token: async () => ({ token: `token-${engine.tokens.length}`, expires_in: 20 }),
  });
  stream.start();
  await record(100, sentences);
  t.equal(engine.sockets.length, 1);
  t.ok(engine.tokens.length >= 6, `${engine.tokens.length} tokens`);
  stream.stop();
  await wait(10);
  t.same(kinds(), ['connecting', 'live', 'stopping', 'saved']);
  t.same(wrong(), []);
});

t.test('two tabs that record at once each store what they recorded', async (t) => {
  const one = startRig({ clock: 'tab-1' });
  const { engine, time } = one;
  const other = startRig({ clock: 'tab-2', shared: { engine, time } });
  one.stream.start();
  other.stream.start();
  for (let turn = 0; turn < 10; turn++) {
    await one.record(2, sentences);
    await other.record(2, sentences);
    if (turn === 4) engine.sockets[0]!.fail();
  }
  one.stream.stop();
  await one.wait(20);
  t.match(one.states.at(-1), { kind: 'saved', conversation: 'talk', unconfirmed: 0 });
  t.equal(other.stream.state.kind, 'live', 'the end of one does not end the other');
  other.stream.stop();
  await other.wait(20);
  t.match(other.states.at(-1), { kind: 'saved', conversation: 'talk', unconfirmed: 0 });
  const counts = one.spoken.map((frame) => engine.stored.get(frame));
  t.ok(
    counts.every((count) => count === 2),
    'the same frames of both',
  );
});
