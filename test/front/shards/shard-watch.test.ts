import t, { type Test } from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { chooseShard } from '../../../src/front/shards/choose-shard.js';
import { ShardChannel } from '../../../src/front/shards/shard-channel.js';
import { ShardWatch } from '../../../src/front/shards/shard-watch.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { ringClock } from '../../../src/ring/clock.js';
import { until } from '../../support/until.js';
import { FakeShard, startRig } from '../support.js';

const timeout = 1000;
const settings = loadSettings({}).values;

/** Makes a shard, its channel and a watch. The test moves their clock. */
const watched = (t: Test) => {
  const shard = new FakeShard();
  // The test decides when the shard's loop runs.
  shard.turning = false;
  const channel = new ShardChannel(shard.link, 4, settings, new MetricsTable(1).row(0), () => undefined);
  const channels = [channel];
  const watch = new ShardWatch(channels, timeout);
  t.teardown(() => {
    channel.close();
    shard.stop();
  });
  let now = ringClock();
  /** Advances the time in steps of the watch's timer. */
  const pass = (milliseconds: number, turn: () => void = () => undefined): void => {
    for (let gone = 0; gone < milliseconds; gone += 100) {
      now += 100;
      turn();
      watch.look(now);
    }
  };
  watch.look(now);
  return {
    shard,
    channel,
    channels,
    watch,
    pass,
    write: () => channel.audio(0, new ArrayBuffer(10), now),
    jump: (milliseconds: number) => {
      now += milliseconds;
      watch.look(now);
    },
  };
};

t.test('gives up a shard by its progress, not by the time since a check', async (t) => {
  await t.test('keeps a shard that runs its loop and has nothing to do', async (t) => {
    const { shard, channel, pass } = watched(t);
    pass(10 * timeout, () => shard.consumer.beat());
    t.ok(channel.alive);
  });

  await t.test('gives up a shard whose loop stops, exactly after the timeout', async (t) => {
    const { shard, channel, pass } = watched(t);
    pass(timeout / 2, () => shard.consumer.beat());
    pass(timeout - 100);
    t.ok(channel.alive);
    pass(200);
    t.notOk(channel.alive);
    t.equal(shard.givenUp, 'its loop does not turn');
  });

  await t.test('gives up a shard that runs its loop but reads nothing from its ring', async (t) => {
    const { shard, channel, pass, write } = watched(t);
    write();
    pass(timeout + 200, () => shard.consumer.beat());
    t.notOk(channel.alive);
    t.equal(shard.givenUp, 'it takes nothing from its ring');
  });

  await t.test('keeps a shard that is behind but makes progress', async (t) => {
    const { shard, channel, pass, write } = watched(t);
    for (let record = 0; record < 5; record++) write();
    pass(5 * timeout, () => {
      shard.consumer.beat();
      write();
      shard.consumer.drain(() => false);
      shard.consumer.release();
    });
    t.ok(channel.alive);
    t.ok(channel.progress(ringClock()).waiting >= 0);
  });

  await t.test('ignores time in which this thread itself was blocked', async (t) => {
    const { channel, pass, jump } = watched(t);
    pass(200);
    jump(60 * timeout);
    t.ok(channel.alive);
  });

  await t.test('watches a replacement channel from its first check on', async (t) => {
    const first = watched(t);
    first.pass(timeout - 200);
    const second = new FakeShard();
    second.turning = false;
    const channel = new ShardChannel(second.link, 4, settings, new MetricsTable(1).row(0), () => undefined);
    t.teardown(() => {
      channel.close();
      second.stop();
    });
    first.channels[0] = channel;
    first.pass(timeout - 100);
    t.ok(channel.alive, 'the silence of the one before does not count');
    first.pass(300);
    t.notOk(channel.alive);
    t.equal(first.shard.givenUp, undefined);
  });
});

t.test('spreads users of a lost shard over the others, and moves no other user', async (t) => {
  const channels = [true, true, true, true].map((alive) => ({ alive })) as unknown as ShardChannel[];
  const users = Array.from({ length: 400 }, (_, number) => `user-${number}`);
  const placeOf = (uid: string): number => channels.indexOf(chooseShard(channels, uid, 'phone', null)!);
  const before = new Map(users.map((uid) => [uid, placeOf(uid)]));
  channels[2]!.alive = false;
  const moved = users.filter((uid) => before.get(uid) === 2);
  t.ok(moved.length > 0);
  for (const uid of users) {
    if (before.get(uid) === 2) t.not(placeOf(uid), 2);
    else if (placeOf(uid) !== before.get(uid)) t.fail(`${uid} moved`);
  }
  t.same([...new Set(moved.map(placeOf))].sort(), [0, 1, 3]);
  for (const channel of channels) channel.alive = false;
  t.equal(chooseShard(channels, 'user-1', 'phone', null), undefined);
});

t.test(
  'a hung shard gets no streams; its sockets close with 1012, and another shard replaces it',
  async (t) => {
    const rig = await startRig(t, { settings: { shardTimeout: 200 } });
    const [hung] = rig.shards;
    const ready = async () => {
      const answer = await fetch(`http://${rig.origin}/engine/health/ready`);
      return { status: answer.status, body: await answer.json() };
    };
    t.same(await ready(), { status: 200, body: { status: 'ok' } });
    const client = await rig.connect().open();
    await hung!.opened();
    hung!.turning = false;
    await until(() => hung!.givenUp !== undefined);
    t.match(
      await rig.connect().outcome,
      { status: 503 },
      'no stream is taken, although its thread still exists',
    );
    t.same(await ready(), {
      status: 503,
      body: { status: 'no_shards', shards: { serving: 0, configured: 1 } },
    });
    hung!.kill();
    t.match(await client.outcome, { code: 1012, reason: 'shard_lost' });

    const fresh = new FakeShard();
    t.teardown(() => fresh.stop());
    rig.front.replaceShard(0, fresh.link);
    t.same(await ready(), { status: 200, body: { status: 'ok' } });
    const again = await rig.connect().open();
    const { slot, request } = await fresh.opened();
    t.equal(request.generation, 0, 'its slots are as fresh as its ring');
    fresh.say({ kind: 'send', slot, generation: 0, text: '"welcome back"' });
    await again.message((text) => text === '"welcome back"');
    hung!.say({ kind: 'send', slot, generation: 0, text: '"from the dead"' });
    hung!.say({ kind: 'released', slot, generation: 0 });
    fresh.say({ kind: 'send', slot, generation: 0, text: '"still here"' });
    await again.message((text) => text === '"still here"');
    t.notOk(again.received.includes('"from the dead"'), 'what the lost thread says reaches no socket');
  },
);

t.test("subtracts the streams of a lost shard from their users' counts", async (t) => {
  const rig = await startRig(t, { shardCount: 2, settings: { maxStreamsPerUser: 1, shardTimeout: 200 } });
  const client = await rig.connect().open();
  const first = await Promise.race(rig.shards.map((one) => one.opened().then(() => one)));
  t.match(await rig.connect().outcome, { status: 503 });
  first.turning = false;
  await until(() => first.givenUp !== undefined);
  const ready = await fetch(`http://${rig.origin}/engine/health/ready`);
  t.equal(ready.status, 200);
  t.same(await ready.json(), { status: 'degraded', shards: { serving: 1, configured: 2 } });
  first.kill();
  t.match(await client.outcome, { code: 1012 });
  await rig.connect().open();
  await rig.shards.find((one) => one !== first)!.opened();
});

t.test('admission considers the ring of a blocked shard, and ignores a lost shard', async (t) => {
  const rig = await startRig(t, { shardCount: 2, settings: { lagBudget: 500, shardTimeout: 60_000 } });
  const client = await rig.connect().open();
  const first = await Promise.race(rig.shards.map((one) => one.opened().then(() => one)));
  first.reading = false;
  client.socket.send(Buffer.alloc(40));
  // Waits until the ring contains data that is older than the budget.
  const refusal = await until(async () => {
    const next = rig.connect();
    const outcome = await Promise.race([next.open().then(() => ({ status: 101 })), next.outcome]);
    next.socket.close();
    return outcome.status !== 101 && outcome;
  }, 'a stream is refused');
  t.match(refusal, { status: 503, body: /overloaded|busy|capacity|load/i });
  first.kill();
  t.match(await client.outcome, { code: 1012 });
  await rig.connect().open();
});
