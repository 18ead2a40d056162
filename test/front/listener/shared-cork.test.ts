/** Tests the listener's connection to itself: its loss, and the data of an upgrade that used it. */
import type { Socket } from 'node:net';
import t from 'tap';
import { loadUws } from '../../../src/front/uws/build.js';
import { until } from '../../support/until.js';
import { startRig } from '../support.js';

const build = loadUws();
const why =
  typeof build === 'string'
    ? `no build of uWebSockets.js loads here: ${build}`
    : `${build.name} upgrades without a connection to itself`;
const needed = typeof build !== 'string' && build.needsSharedCork;
const only = { skip: needed ? false : why } as const;
const settings = { listener: 'uws-untested' } as const;

/**
 * Returns the client ends of this process's connections to itself. Before any client connects, the only such connection is the listener's.
 */
const ownConnections = (): Socket[] =>
  (process as unknown as { _getActiveHandles(): unknown[] })
    ._getActiveHandles()
    .filter((handle): handle is Socket => (handle as Socket).remoteAddress === '127.0.0.1');

t.test('upgrades continue after the shared connection is lost, and no slot is lost', only, async (t) => {
  const { connect, front, shards } = await startRig(t, { settings, slotsPerShard: 1 });
  for (let round = 0; round < 5; round++) {
    await until(() => ownConnections().length === 1, "only the listener's own connection is left");
    const lost = ownConnections();
    if (round % 2 === 0) lost[0]!.destroy();
    else lost[0]!.resetAndDestroy();
    await until(async () => {
      const from = shards[0]!.seen.length;
      const client = connect();
      const outcome = await Promise.race([client.open(), client.outcome]);
      if (!('socket' in outcome)) {
        t.match(outcome, { status: 503 }, 'to be tried again, and no fault');
        return false;
      }
      const { slot, request } = await shards[0]!.opened(from);
      t.equal(slot, 0, 'the only slot');
      client.socket.close();
      await client.outcome;
      await shards[0]!.record(({ kind }) => kind === 4, from);
      shards[0]!.say({ kind: 'released', slot, generation: request.generation });
      return true;
    }, 'a stream is opened');
    t.equal(front.activeStreams(), 0);
  }
});

t.test('answers each of many upgrades at the moment of the loss', only, async (t) => {
  const { connect, front } = await startRig(t, {
    settings: { ...settings, maxStreamsPerUser: 100, maxOpensPerUser: 100 },
    slotsPerShard: 40,
  });
  const [lost] = ownConnections();
  const clients = Array.from({ length: 40 }, () => connect());
  lost!.destroy();
  const outcomes = await Promise.all(
    clients.map((client) =>
      Promise.race([client.open().then(() => 101), client.outcome.then(({ status }) => status)]),
    ),
  );
  t.ok(outcomes.every((status) => status === 101 || status === 503));
  t.equal(front.activeStreams(), outcomes.filter((status) => status === 101).length);
});
