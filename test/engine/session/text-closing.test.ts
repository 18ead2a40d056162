/** Tests streams that close with unread texts. The shard still reads these texts, and they delay nothing else. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { Harness } from '../support/harness.js';

const { closingRate, sharedBurst, sharedRate, suggestedRate, suggestedSegments } = fixedLimits;
const burst = suggestedSegments.value;
const line = (index: number) => ({ text: `Line ${index}.`, start: 10 * index, end: 10 * index + 1 });
const suggested = (first: number, count: number): object => ({
  type: 'suggested_transcript',
  segments: Array.from({ length: count }, (_, index) => line(first + index)),
});
const stored = (h: Harness): number =>
  h.journal.commits.flat().reduce((sum, { upserts }) => sum + upserts.length, 0);

/** Drains a shard with a stopped clock. */
const drain = async (h: Harness): Promise<void> => {
  let ended = false;
  const drained = h.shard.drain().finally(() => {
    ended = true;
  });
  // The shard reads further texts when earlier segments are stored.
  while (!ended) await h.tick(0);
  await drained;
};

t.test('stores the backlog of an hour offline soon after the close, complete and in order', async (t) => {
  const h = new Harness({ transcriberTimeout: 60_000 });
  await h.open(0, { customStt: true });
  for (let index = 0; index < 2000; index++) {
    h.text(0, suggested(index, 1));
    if (index % 500 === 0) h.shard.pass();
  }
  h.close(0);
  for (let second = 0; second < 5; second++) await h.tick(1000);
  t.equal(h.shard.sessions, 0);
  t.same(
    h.journal.texts(h.conversationId(0)),
    Array.from({ length: 2000 }, (_, index) => `Line ${index}.`),
  );
  t.equal(h.metric('segments_dropped_total'), 0);
});

t.test('reads texts only when there is space to store their segments', async (t) => {
  const h = new Harness();
  const streams = 4;
  for (let slot = 0; slot < streams; slot++) await h.open(slot, { customStt: true });
  h.journal.hold();
  for (let slot = 0; slot < streams; slot++) h.text(slot, suggested(slot * burst, burst));
  for (let second = 0; second < 3; second++) {
    await h.settle();
    h.clock.now += 1000;
    void h.shard.tick();
  }
  h.journal.resume();
  for (let second = 0; second < 3; second++) await h.tick(1000);
  t.equal(h.segments(0).length, streams * burst);
  t.equal(h.metric('segments_dropped_total'), 0);
});

t.test('a hundred closed streams with full backlogs are read in turn', async (t) => {
  const streams = 100;
  const texts = 4;
  const h = new Harness({ slots: streams + 1, transcriberTimeout: 60_000, drainTimeout: 60_000 });
  for (let slot = 0; slot < streams; slot++) {
    await h.open(slot, { customStt: true, uid: `flooder-${slot}` });
    for (let text = 0; text < texts; text++) {
      h.text(slot, suggested(text * burst, burst));
      h.shard.pass();
    }
  }
  await h.tick(0);
  const before = stored(h);
  t.ok(before >= streams * burst, `${before}: one message of each, and what they share`);
  t.ok(before <= streams * burst + sharedBurst.value + 2 * burst, `${before}`);
  for (let slot = 0; slot < streams; slot++) h.close(slot);
  await h.settle();
  t.equal(h.shard.sessions, streams, 'all have more');
  const seconds = 30;
  for (let second = 0; second < seconds; second++) await h.tick(1000);
  const read = stored(h) - before;
  const allowed =
    2 * burst + seconds * (closingRate.value + sharedRate.value + streams * suggestedRate.value);
  t.ok(read > closingRate.value * (seconds / 2), `${read} segments are read`);
  // A text may exceed the remaining allowance. The next text then waits longer.
  t.ok(read <= allowed + streams * burst, `${read} of ${allowed} segments`);

  await h.open(streams, { customStt: true, uid: 'honest' });
  h.text(streams, suggested(0, 3));
  await h.tick(0);
  t.equal(h.segments(streams).length, 3, 'an open stream is read at once');
  await drain(h);
  t.equal(stored(h), texts * streams * burst + 3, 'and nothing is lost');
});

t.test('drops texts that are not read within the time limit of a closed stream', async (t) => {
  const h = new Harness({ transcriberTimeout: 1 });
  await h.open(0, { customStt: true });
  for (let text = 0; text < 4; text++) h.text(0, suggested(text * burst, burst));
  await h.tick(0);
  h.close(0);
  h.shard.pass();
  // The shard's clock is stopped, so the shard may read nothing more. The timeout of a close uses real time.
  while (h.shard.sessions > 0) await new Promise((resolve) => setImmediate(resolve));
  t.equal(h.metric('texts_given_up_total') > 0, true);
  t.equal(h.shard.conversations, 0);
});

t.test('a drain reads the backlogs of many streams', async (t) => {
  const h = new Harness({ slots: 20, drainTimeout: 60_000 });
  for (let slot = 0; slot < 20; slot++) {
    await h.open(slot, { customStt: true, uid: `user-${slot}` });
    for (let text = 0; text < 2; text++) h.text(slot, suggested(text * burst, burst));
    h.shard.pass();
  }
  await drain(h);
  t.equal(stored(h), 20 * 2 * burst, 'all is stored');
  t.equal(h.metric('texts_given_up_total'), 0);
  t.equal(h.metric('segments_dropped_total'), 0);
});

t.test('a drain ends in time, however many texts wait', async (t) => {
  const h = new Harness({ slots: 20 });
  for (let slot = 0; slot < 20; slot++) {
    await h.open(slot, { customStt: true, uid: `user-${slot}` });
    for (let text = 0; text < 12; text++) h.text(slot, suggested(text * burst, burst));
    h.shard.pass();
  }
  h.journal.hold();
  const drained = h.shard.drain();
  // Nothing can be stored, so the shard reads nothing more. The timeout of a drain uses real time.
  while (h.metric('texts_given_up_total') === 0) await h.settle();
  h.journal.resume();
  await drained;
  t.equal(h.sent.at(-1)?.kind, 'drained');
  t.equal(h.metric('texts_unread_bytes'), 0);
  t.equal(h.metric('segments_dropped_total'), 0);
});
