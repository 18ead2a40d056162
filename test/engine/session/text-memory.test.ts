/**
 * Tests that waiting texts use only as much memory as they have bytes, and that a shard limits their bytes over all its
 * streams.
 */
import fc from 'fast-check';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { ByteQueue } from '../../../src/engine/shared/byte-queue.js';
import { RecordKind } from '../../../src/ring/layout.js';
import { Harness } from '../support/harness.js';

t.test('a queue of bytes returns its entries unchanged and in order', async (t) => {
  const length = fc.oneof(
    fc.nat({ max: 40 }),
    fc.nat({ max: 9000 }),
    fc.constantFrom(0, 4092, 4093, 65_532, 70_000),
  );
  const step = fc.oneof(
    { weight: 3, arbitrary: length },
    { weight: 2, arbitrary: fc.constant('drop' as const) },
    { weight: 1, arbitrary: fc.constantFrom('drain' as const, 'clear' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new ByteQueue();
      const model: Buffer[] = [];
      const check = (): void => {
        if (queue.length !== model.length) throw new Error(`${queue.length} instead of ${model.length}`);
        const expected = model[0];
        if (expected === undefined ? queue.oldest !== undefined : queue.oldest?.equals(expected) !== true) {
          throw new Error('another one is the oldest');
        }
      };
      steps.forEach((one, number) => {
        if (typeof one === 'number') {
          const bytes = Buffer.alloc(one, number);
          queue.push(bytes);
          model.push(Buffer.from(bytes));
          bytes.fill(0xff);
        } else if (one === 'clear') {
          queue.clear();
          model.length = 0;
        }
        for (let left = one === 'drain' ? model.length : one === 'drop' ? 1 : 0; left > 0; left--) {
          queue.drop();
          model.shift();
          check();
        }
        check();
      });
    }),
    { numRuns: 300 },
  );
  t.pass('held for 300 sequences');
});

t.test('stores waiting texts outside the JavaScript heap', async (t) => {
  // All entries use the same buffer, because garbage of further buffers would count as memory of the queues.
  const text = Buffer.from(JSON.stringify({ type: 'x', text: 'ü'.repeat(400) }));
  const queues = Array.from({ length: 20 }, () => new ByteQueue());
  const before = process.memoryUsage();
  for (const queue of queues) for (let count = 0; count < 1000; count++) queue.push(text);
  const after = process.memoryUsage();
  const bytes = 20_000 * text.length;
  t.ok(after.arrayBuffers - before.arrayBuffers <= 2 * bytes, 'not more than twice what they have');
  t.equal(queues[0]!.length, 1000);
});

const capacity = fixedLimits.textsUnread.value;
const limit = fixedLimits.textsUnreadPerShard.value;
const blank = Buffer.alloc(60_000, 0x20);

/** Uses up a stream's allowance of segments, so that its next texts wait. */
const exhaust = async (h: Harness, slot: number, messages = 1): Promise<void> => {
  const segments = Array.from({ length: 500 }, (_, index) => ({
    text: 'A.',
    start: 10 * index,
    end: 10 * index + 1,
  }));
  for (let count = 0; count < messages; count++) h.text(slot, { type: 'suggested_transcript', segments });
  await h.tick(0);
};

/** Sends texts of the given number of bytes, counted as the limits count them. */
const fill = (h: Harness, slot: number, bytes: number): void => {
  for (let left = bytes; left > 256; left -= blank.length + 256) {
    h.record(RecordKind.text, slot, blank.subarray(0, Math.min(blank.length, left - 256)));
    h.shard.pass();
  }
};

const closes = (h: Harness) => h.sent.filter((message) => message.kind === 'close');

t.test('closes the stream with the most unread texts when a shard has too many', async (t) => {
  const full = Math.floor(limit / capacity);
  const h = new Harness({ slots: full + 2 });
  for (let slot = 0; slot <= full + 1; slot++) {
    await h.open(slot, { customStt: true, uid: `user-${slot}` });
    // The first stream also uses up the allowance that all streams share.
    await exhaust(h, slot, slot === 0 ? 3 : 1);
    if (slot < full) fill(h, slot, capacity - (slot === 1 ? 10_000 : 30_000));
  }
  fill(h, full, 100_000);
  t.same(closes(h), [], 'so far all is within the bounds');
  for (let count = 0; closes(h).length === 0 && count < 15; count++) {
    fill(h, full + 1, 60_256);
    await h.settle();
  }
  t.match(
    closes(h),
    [{ slot: 1, code: 1013, reason: 'The engine is at capacity', violation: false }],
    'the one with the most, which broke no rule',
  );
  t.ok(h.metric('texts_given_up_total') >= 15);
  await h.tick(0);
  t.ok(h.metric('texts_unread_bytes') > limit - capacity - 70_000 && h.metric('texts_unread_bytes') <= limit);
});

t.test('counts unread texts of a closed stream, and drops them first', async (t) => {
  const h = new Harness({ slots: 40, transcriberTimeout: 60_000 });
  let slot = 0;
  for (; slot < 40 && h.metric('texts_given_up_total') === 0; slot++) {
    await h.open(slot, { customStt: true, uid: `user-${slot}` });
    // The first stream also uses up the allowance that all closed streams share.
    await exhaust(h, slot, slot === 0 ? 6 : 1);
    fill(h, slot, capacity - (slot === 0 ? 120_000 : 140_000));
    if (slot === 0) h.close(0);
    await h.settle();
  }
  t.ok(h.metric('texts_given_up_total') > 0);
  t.same(closes(h), [], 'no open stream had to');
  t.equal(h.shard.sessions, slot - 1, 'the closed one has ended');
});

t.test('stops counting unread texts when their stream has ended', async (t) => {
  const h = new Harness({ transcriberTimeout: 60_000 });
  for (const end of ['violation', 'close'] as const) {
    await h.open(0, { customStt: true });
    await exhaust(h, 0);
    fill(h, 0, 500_000);
    await h.tick(0);
    t.ok(h.metric('texts_unread_bytes') > 200_000);
    if (end === 'violation') h.record(RecordKind.text, 0, Buffer.alloc(65_537, 0x20));
    h.close(0);
    for (let second = 0; second < 10; second++) await h.tick(1000);
    t.equal(h.metric('texts_unread_bytes'), 0, end);
    t.equal(h.shard.sessions, 0);
  }
});
