/**
 * Tests audio that arrives faster than the shard's passes handle it. Such audio waits behind the audio of other
 * streams. The wait is limited, and no audio is lost.
 */
import t from 'tap';
import { batchStride } from '../../../src/audio/interface/core.js';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { AudioBacklogs, type BacklogOwner } from '../../../src/engine/session/audio-backlogs.js';
import type { Track } from '../../../src/engine/session/track.js';
import type { EngineClock } from '../../../src/engine/shared/clock.js';
import { Harness, silence, speech } from '../support/harness.js';

/** Makes backlogs with a core that records its input and takes `cost` ms per frame. */
const rig = (cost: number) => {
  const time = { now: 0 };
  const pieces: string[][] = [];
  let piece: string[] = [];
  const core = {
    lose: (handle: number, frames: number, bytes: number): void => {
      piece.push(`${handle}:lost ${frames} of ${bytes}`);
    },
    push: (batch: Uint32Array, count: number, _now: number, memory?: Uint8Array): void => {
      for (let entry = 0; entry < count; entry++) {
        const [handle, offset, length] = batch.subarray(entry * batchStride);
        piece.push(`${handle}:${Buffer.from(memory!.subarray(offset!, offset! + length!)).toString()}`);
      }
    },
  };
  const backlogs = new AudioBacklogs({
    core,
    clock: { monotonic: () => time.now } as EngineClock,
    decode: () => {
      time.now += piece.length * cost;
      if (piece.length > 0) pieces.push(piece);
      piece = [];
    },
  });
  const arrivals: number[] = [];
  const owner = (uid: string, handle: number): BacklogOwner & { takesWaiting: boolean } => ({
    request: { uid },
    tracks: [
      {
        handle,
        frameCame: (arrival: number) => arrivals.push(arrival),
        frameWaits: () => undefined,
        noFrameWaits: () => undefined,
      } as unknown as Track,
    ],
    takesWaiting: true,
    backlog: null,
  });
  const add = (to: BacklogOwner, text: string, arrival = 0): boolean =>
    backlogs.add(to, 0, Buffer.from(text), arrival);
  return { backlogs, owner, add, pieces, arrivals, time };
};

t.test('decodes one piece without remaining time, then as many as fit into the time', async (t) => {
  const { backlogs, owner, add, pieces, time } = rig(2);
  const ann = owner('ann', 0);
  for (let frame = 0; frame < 9; frame++) add(ann, `f${frame}`);
  backlogs.run(0);
  t.same(pieces, [['0:f0']]);
  backlogs.run(time.now + 5);
  t.equal(pieces.flat().length, 4, 'the last one began before the time was over');
  backlogs.run(Number.POSITIVE_INFINITY);
  t.same(
    pieces.flat(),
    Array.from({ length: 9 }, (_, frame) => `0:f${frame}`),
    'in their order',
  );
  t.notOk(backlogs.waiting);
  t.equal(backlogs.bytes, 0);
  t.equal(ann.backlog, null);
});

t.test('increases the size of pieces while frames are cheap, up to a maximum', async (t) => {
  const { backlogs, owner, add, pieces } = rig(0.01);
  const ann = owner('ann', 0);
  for (let frame = 0; frame < 100; frame++) add(ann, 'x');
  backlogs.run(Number.POSITIVE_INFINITY);
  t.same(
    pieces.slice(0, 5).map(({ length }) => length),
    [1, 2, 4, 8, 8],
  );
});

t.test('serves users in turn, for any number of streams', async (t) => {
  const { backlogs, owner, add, pieces } = rig(5);
  const eve = [owner('eve', 0), owner('eve', 1), owner('eve', 2)];
  const ann = owner('ann', 9);
  for (let frame = 0; frame < 4; frame++) {
    for (const stream of eve) add(stream, `e${frame}`);
    add(ann, `a${frame}`);
  }
  backlogs.run(Number.POSITIVE_INFINITY);
  t.same(pieces.flat().slice(0, 8), ['0:e0', '9:a0', '1:e0', '9:a1', '2:e0', '9:a2', '0:e1', '9:a3']);
});

t.test('limits waiting audio per user, and leaves users equal parts of a full shard', async (t) => {
  const { owner, add } = rig(0);
  const frame = 'x'.repeat(65_536 - 16);
  const { audioWaitingPerShard, audioWaitingPerUser } = fixedLimits;
  const perUser = audioWaitingPerUser.value / 65_536;
  const users = audioWaitingPerShard.value / audioWaitingPerUser.value;
  for (let user = 0; user < users; user++) {
    const streams = [owner(`u${user}`, 2 * user), owner(`u${user}`, 2 * user + 1)];
    for (let count = 0; count < perUser; count++) t.ok(add(streams[count % 2]!, frame));
    t.notOk(add(streams[0]!, 'x'), 'more than a user may let wait');
  }
  const late = owner('late', 99);
  let taken = 0;
  while (add(late, frame)) taken++;
  const share = audioWaitingPerShard.value / (users + 2);
  t.equal(taken, Math.floor(share / 65_536), 'the shard is full, and a user that comes late has its part');
});

t.test('keeps frames that were lost in the queue as a gap at their place', async (t) => {
  const { backlogs, owner, add, pieces } = rig(0);
  const ann = owner('ann', 0);
  add(ann, 'a');
  ann.backlog!.lose(0, { frames: 2, bytes: 20 });
  ann.backlog!.lose(0, { frames: 1, bytes: 5 });
  add(ann, 'b');
  ann.backlog!.lose(0, { frames: 4, bytes: 40 });
  backlogs.run(Number.POSITIVE_INFINITY);
  t.same(pieces.flat(), ['0:a', '0:lost 3 of 25', '0:b', '0:lost 4 of 40']);
  t.equal(backlogs.bytes, 0);
  add(ann, 'c');
  ann.backlog!.lose(0, { frames: 1, bytes: 5 });
  add(ann, 'd');
  t.equal(backlogs.drop(ann), 2, 'a gap is no frame');
});

t.test('keeps the arrival times of waiting frames', async (t) => {
  const { backlogs, owner, add, arrivals } = rig(0);
  const ann = owner('ann', 0);
  add(ann, 'a', 1000.5);
  add(ann, 'b', 1020.25);
  t.equal(backlogs.oldestAge(1500), 499);
  backlogs.run(Number.POSITIVE_INFINITY);
  t.same(arrivals, [1000.5, 1020.25]);
  t.equal(backlogs.oldestAge(1500), 0);
});

t.test('drops the waiting audio of a refused session and keeps that of others', async (t) => {
  const { backlogs, owner, add, pieces } = rig(0);
  const eve = owner('eve', 0);
  const ann = owner('ann', 1);
  add(eve, 'e');
  add(ann, 'a');
  eve.takesWaiting = false;
  const empty = backlogs.whenEmpty(eve);
  backlogs.run(Number.POSITIVE_INFINITY);
  t.same(pieces, [['1:a']]);
  await empty;
  t.equal(eve.backlog, null);
  t.equal(backlogs.bytes, 0);
});

t.test('transcribes all words of a stream that closes right after a long burst', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.frames(0, [...speech(3, 100), ...silence(), ...speech(4, 100)]);
  h.close(0);
  await h.settle();
  await h.tick();
  t.equal(h.provider.utterances, 2);
  t.ok(h.core.mostQueued <= 8, 'in portions');
  t.equal(h.story(0).at(-1), 'released');
});

t.test('does not end an utterance while frames of its stream wait', async (t) => {
  const h = new Harness({ frameCost: 2 });
  await h.open(0);
  h.frames(0, [...speech(3, 100), ...silence()]);
  h.shard.pass();
  h.clock.now += 4000;
  await h.shard.tick();
  t.ok(h.metric('audio_backlog_bytes') > 0);
  t.equal(h.provider.utterances, 0);
  await h.tick();
  await h.tick();
  t.match(h.segments(0), [{ text: 'Voice 3 says word 1.', end: 2 }], 'it is one');
  t.equal(h.metric('audio_backlog_bytes'), 0);
});

t.test('counts waiting audio as lag only when passes have no time left for it', async (t) => {
  const h = new Harness({ frameCost: 2 });
  await h.open(0, { uid: 'eve' });
  await h.open(1, { uid: 'ann' });
  h.frames(0, silence(200));
  h.shard.pass();
  h.clock.now += 5000;
  await h.shard.tick();
  t.ok(h.metric('shard_lag_milliseconds') < 100, 'a flood of one stream');
  h.clock.now += 5000;
  h.frames(1, silence(8));
  h.shard.pass();
  await h.shard.tick();
  t.ok(h.metric('shard_lag_milliseconds') > 10_000, 'no pass had time since');
});
