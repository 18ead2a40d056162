import fc from 'fast-check';
import t from 'tap';
import { areMilliseconds } from '../../../src/wire/client-times.js';
import { Harness } from '../support/harness.js';

const second = 1000;
const hour = 3600;

const remark = (start: number, more: object = {}) => ({
  text: 'We talked about the harbour wall.',
  start,
  end: start + 2,
  ...more,
});

const suggest = (h: Harness, segments: readonly object[], slot = 0): void =>
  h.text(slot, { type: 'suggested_transcript', stt_provider: 'mine', segments });

t.test('shifts words ahead of real time so that they end at the present', async (t) => {
  const cases: [name: string, messages: number[][]][] = [
    ['one, an hour ahead', [[hour]]],
    ['two in one message', [[0, hour]]],
    ['message after message', [[0, 10], [hour], [2 * hour, 2 * hour + 5]]],
  ];
  for (const [name, messages] of cases) {
    const h = new Harness();
    await h.open(0, { customStt: true });
    for (const starts of messages) {
      suggest(
        h,
        starts.map((start) => remark(start)),
      );
      await h.tick();
    }
    const [conversation] = h.journal.inProgress;
    const segments = h.journal.live(conversation!.id).map(({ segment }) => segment);
    const starts = messages.flat();
    t.same(
      segments.map(({ start }) => start),
      starts.map((start) => start - starts[0]!),
      `${name}: the words keep their distances`,
    );
    const end = conversation!.startedAt! + segments.at(-1)!.end * second;
    t.ok(end <= h.clock.now + second, `${name}: the last word is not in the future`);
    t.ok(end > h.clock.now - 10 * second, `${name}: and lately said`);
  }
});

t.test('keeps the start time for words in time', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true });
  const opened = h.clock.now;
  for (let at = 0; at < 5; at++) {
    h.clock.now = opened + at * 3 * second + 2 * second;
    suggest(h, [remark(at * 3)]);
    await h.tick();
  }
  t.equal(h.journal.inProgress[0]?.startedAt, opened);
  t.equal(h.journal.commits.flat().filter(({ startedAt }) => startedAt !== undefined).length, 1);
});

t.test('does not end a conversation while texts wait to be read', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true, conversationTimeout: 5 });
  const parts = 6;
  for (let part = 0; part < parts; part++) {
    suggest(
      h,
      Array.from({ length: 500 }, (_, index) => remark((part * 500 + index) * 12, { speaker: 'SPEAKER_00' })),
    );
  }
  // The shard reads texts at a limited rate: one message of this size per hundred seconds.
  for (let step = 0; step < 300 && h.journal.inProgress.length > 0; step++) await h.tick(3 * second);
  const [conversation, ...others] = [...h.journal.conversations.values()];
  t.same(others, [], 'one conversation');
  t.equal(conversation?.status, 'processing');
  t.equal(h.journal.live(conversation!.id).length, parts * 500);
  const end = h.journal.live(conversation!.id).at(-1)!.segment.end;
  t.ok(conversation!.startedAt! + end * second <= h.clock.now);
});

t.test('a resumed conversation keeps the distances between its words', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true });
  suggest(h, [remark(0), remark(hour)]);
  await h.tick();
  const { id } = h.journal.inProgress[0]!;
  h.journal.takeOver(id, 'in_progress');
  suggest(h, [remark(hour + 10)]);
  await h.tick();
  t.same(
    h.journal.live(id).map(({ segment: { start } }) => start),
    [0, hour, hour + 10],
  );
});

t.test('refuses times in milliseconds with a reason', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true });
  suggest(h, [remark(5200, { end: 7100 }), remark(8000, { end: 8400, text: 'Yes.' })]);
  await h.tick();
  t.match(h.events(0, 'service_status').at(-1), {
    status: 'message_refused',
    message_type: 'suggested_transcript',
    reason: 'times_in_milliseconds',
  });
  t.same(h.segments(0), []);
  suggest(h, [remark(5.2, { end: 7.1 })]);
  await h.tick();
  t.equal(h.segments(0).length, 1);
});

t.test('detects times in milliseconds', (t) => {
  const cases: [
    name: string,
    expected: boolean,
    elapsed: number,
    ...[text: string, start: number, end: number][],
  ][] = [
    ['a second of speech', true, 2, ['Hello there.', 200, 1200]],
    ['a long turn', true, 20, ['x'.repeat(200), 1000, 16_000]],
    ['since the epoch', true, 5, ['Hello there.', 1.7e12, 1.7e12 + 1200]],
    ['in time', false, 2000, ['Hello there.', 200, 1200]],
    ['a recording sent at once', false, 1, ['Hello there, you all.', 3600, 3602]],
    ['one of them is a second', false, 1, ['Hello.', 200, 1200], ['Hello there.', 3600, 3602]],
    ['a slow reader', false, 1, ['So long a pause lies in these words.', 100, 160]],
    ['no duration', false, 1, ['Hello.', 1000, 1000]],
  ];
  for (const [name, expected, elapsed, ...segments] of cases) {
    const given = segments.map(([text, start, end]) => ({ text, start, end }));
    t.equal(areMilliseconds(given, elapsed), expected, name);
  }
  const spoken = fc.record({ words: fc.integer({ min: 1, max: 40 }), pause: fc.integer({ min: 0, max: 9 }) });
  fc.assert(
    fc.property(fc.array(spoken, { minLength: 1, maxLength: 20 }), (turns) => {
      let at = 0;
      const seconds = turns.map(({ words, pause }) => {
        const start = at + pause;
        at = start + words / 3;
        return { text: 'words '.repeat(words).trim(), start, end: at };
      });
      return !areMilliseconds(seconds, 0);
    }),
  );
  t.end();
});

t.test('gives speaker names their own numbers as they arrive', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true });
  suggest(h, [remark(0, { speaker: 'Ann' }), remark(5, { speaker: 'Bob' })]);
  await h.tick();
  suggest(h, [
    remark(10, { speaker: 'Ann' }),
    remark(15, { speaker: 'SPEAKER_01' }),
    remark(20, { speaker_id: 7 }),
  ]);
  await h.tick();
  const found = h.segments(0).map(({ speaker, speaker_id }) => [speaker, speaker_id]);
  t.same(found, [
    ['Ann', 0],
    ['Bob', 1],
    ['Ann', 0],
    ['SPEAKER_01', 2],
    ['SPEAKER_07', 7],
  ]);
});
