import fc from 'fast-check';
import t from 'tap';
import { segmentBuffer } from '../../../src/engine/conversation/segment-buffer.js';
import { parseClientMessage } from '../../../src/engine/shared/client-message.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { Harness } from '../support/harness.js';

t.test('uses suggested transcripts instead of a provider', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true, language: 'xx' });
  t.equal(h.provider.connects, 0);
  t.equal(h.story(0).at(-1), 'ready');
  h.frames(0, [0]);
  h.text(0, {
    type: 'suggested_transcript',
    stt_provider: 'mine',
    segments: [
      { text: 'Hello there.', speaker: 'SPEAKER_02', start: 4, end: 5.5, is_user: true, person_id: null },
      { speaker: 'SPEAKER_01', start: 1, end: 2 },
      { text: '   ' },
    ],
  });
  await h.tick();
  t.equal(h.segments(0).length, 1);
  t.match(h.segments(0)[0], {
    text: 'Hello there.',
    speaker: 'SPEAKER_02',
    speaker_id: 2,
    is_user: true,
    start: 0,
    end: 1.5,
    stt_provider: 'mine',
    speech_profile_processed: false,
  });
  h.say(0, 9);
  await h.tick();
  t.equal(h.provider.utterances, 0);
  t.equal(h.segments(0).length, 1);
});

t.test('sends suggested words with replaced characters exactly as they are stored', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true });
  h.text(0, {
    type: 'suggested_transcript',
    stt_provider: 'mi\0ne',
    segments: [
      {
        text: 'Nul \0 and half a pair \ud800 and a whole one \u{1f600}.',
        speaker: 'S\0_12345678901234567890',
        person_id: 'a\0b',
        start: 0,
        end: 1,
      },
    ],
  });
  await h.tick();
  const [segment] = h.segments(0);
  t.match(segment, {
    text: 'Nul \ufffd and half a pair \ufffd and a whole one \u{1f600}.',
    speaker: 'S\ufffd_12345678901234567890',
    speaker_id: 0,
    person_id: 'a\ufffdb',
    stt_provider: 'mi\ufffdne',
  });
  h.text(0, {
    type: 'speaker_assigned',
    speaker_id: 0,
    person_id: 'c\0d',
    person_name: 'Ada',
    segment_ids: [segment!.id],
  });
  await h.tick();
  t.match(h.segments(0)[0], { id: segment!.id, person_id: 'c\ufffdd' });
});

t.test('ignores suggested transcripts that were not requested', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.text(0, { type: 'suggested_transcript', segments: [{ text: 'No.' }], stt_provider: 'mine' });
  await h.tick();
  t.same(h.segments(0), []);
});

t.test('records whether a client supplied the transcript of a conversation', async (t) => {
  const h = new Harness();
  const remembered = () => [...h.journal.conversations.values()].map(({ request }) => request.usesCustomStt);
  const ended = async (count: number): Promise<void> => {
    while (h.journal.log.filter((entry) => entry === 'finish').length < count) await h.tick(2000);
  };
  const say = async (voice: number): Promise<void> => {
    h.say(1, voice);
    await h.tick();
  };
  await h.open(0, { customStt: true, conversationTimeout: 5 });
  await h.open(1, { conversationTimeout: 5 });
  h.journal.takeOver(h.conversationId(1));
  await say(1);
  t.same(remembered(), [true, true], 'also where it has to be opened again');
  await ended(1);
  await say(2);
  t.same(remembered(), [true, true, true], 'that client is still there');
  h.close(0);
  await h.settle();
  await ended(2);
  await say(3);
  t.same(remembered(), [true, true, true, false], 'it has left');
});

t.test('silence after the last suggested segment ends the conversation', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true, conversationTimeout: 5 });
  await h.tick(4000);
  h.text(0, { type: 'suggested_transcript', segments: [{ text: 'One.', start: 0, end: 1 }] });
  await h.tick();
  await h.tick(4000);
  t.notOk(h.journal.log.includes('finish'));
  await h.tick(2000);
  t.ok(h.journal.log.includes('finish'));
});

t.test("drops segments over the buffer's limit and reports it", async (t) => {
  const h = new Harness();
  // The shard may read 500 segments of each stream at once. A provider's results need not wait until these
  // segments are stored.
  for (const slot of [0, 1]) await h.open(slot, { customStt: true });
  await h.open(2);
  const segments = Array.from({ length: segmentBuffer }, (_, index) => ({
    text: `Line ${index}.`,
    start: index * 10,
    end: index * 10 + 1,
  }));
  for (let at = 0; at < segments.length; at += 500) {
    h.text(at / 500, { type: 'suggested_transcript', segments: segments.slice(at, at + 500) });
  }
  await h.settle();
  for (let voice = 1; voice <= 5; voice++) {
    h.say(2, voice);
    await h.settle();
  }
  await h.tick();
  t.equal(h.metric('segments_dropped_total'), 5);
  const told = h.events(0, 'service_status').filter(({ status }) => status === 'segments_dropped');
  t.same(
    told.map(({ count }) => count),
    [5],
    'told once',
  );
});

t.test('refuses a message over a limit completely, and continues the stream', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true });
  const assigned = { type: 'speaker_assigned', speaker_id: 0, person_id: 'p', person_name: 'Ada' };
  const segment = { text: 'Word.', start: 0, end: 1 };
  const ids = (count: number, length = 36) => new Array<string>(count).fill('i'.repeat(length));
  const table = [
    [{ type: 'suggested_transcript', segments: new Array(501).fill(segment) }, 'too_many_segments', 500],
    [{ ...assigned, segment_ids: ids(1001) }, 'too_many_segment_ids', 1000],
    [{ ...assigned, segment_ids: [...ids(1), ...ids(1, 65)] }, 'segment_id_invalid', 64],
    [{ ...assigned, segment_ids: [7] }, 'segment_id_invalid', 64],
  ] as const;
  for (const [message, reason, limit] of table) {
    h.text(0, message);
    await h.tick();
    t.match(h.events(0, 'service_status').at(-1), {
      status: 'message_refused',
      message_type: message.type,
      reason,
      limit,
    });
  }
  t.same(h.segments(0), []);
  h.text(0, { type: 'suggested_transcript', segments: [{ ...segment, text: 'Still here.' }] });
  await h.tick();
  t.match(h.segments(0), [{ text: 'Still here.', person_id: null }]);
  h.text(0, { ...assigned, segment_ids: ids(1000) });
  await h.tick();
  t.match(h.segments(0), [{ person_id: 'p' }], 'at the bound it is taken');
});

t.test("applies a speaker's name to earlier and later segments", async (t) => {
  const h = new Harness();
  await h.open(0);
  h.say(0, 1);
  await h.tick();
  const [segment] = h.segments(0);
  h.text(0, {
    type: 'speaker_assigned',
    speaker_id: 0,
    person_id: 'person-1',
    person_name: 'Ada',
    segment_ids: [segment!.id],
  });
  await h.tick();
  t.match(h.segments(0)[0], { id: segment!.id, person_id: 'person-1', is_user: false });
  h.say(0, 2);
  await h.tick();
  t.ok(h.segments(0).every(({ person_id }) => person_id === 'person-1'));
  h.text(0, {
    type: 'speaker_assigned',
    speaker_id: 0,
    person_id: 'user',
    person_name: 'Me',
    segment_ids: [segment!.id],
  });
  await h.tick();
  t.match(h.segments(0)[0], { id: segment!.id, person_id: null, is_user: true });
  t.same(h.storedSegments(0), h.segments(0));
});

const chunk = { type: 'image_chunk', id: 'a', index: 0, total: 2, data: 'AAAA' };
const chunks = [
  { why: 'good', messages: [chunk, { ...chunk, index: 1 }], closes: false },
  { why: 'index not below total', messages: [{ ...chunk, index: 2 }], closes: true },
  { why: 'negative index', messages: [{ ...chunk, index: -1 }], closes: true },
  { why: 'too many', messages: [{ ...chunk, total: 257 }], closes: true },
  { why: 'no data', messages: [{ ...chunk, data: '' }], closes: true },
  { why: 'no id', messages: [{ ...chunk, id: '' }], closes: true },
  { why: 'another total', messages: [chunk, { ...chunk, index: 1, total: 3 }], closes: true },
];
for (const { why, messages, closes } of chunks) {
  t.test(`image chunks: ${why}`, async (t) => {
    const h = new Harness();
    await h.open(0);
    for (const message of messages) h.text(0, message);
    await h.settle();
    t.equal(/^close 1008 image_chunk/.test(h.story(0).at(-1)!), closes);
    if (!closes) t.equal(h.metric('image_chunks_total'), messages.length);
  });
}

t.test('keeps the session open for any message of a client', async (t) => {
  const h = new Harness();
  await h.open(0, { customStt: true });
  const before = h.story(0).length;
  for (const message of [
    {},
    { type: 'nonsense' },
    { type: 'finalization_reason', reason: 'user_stop' },
    [],
  ]) {
    h.text(0, message);
  }
  await h.settle();
  t.equal(h.story(0).length, before);
});

t.test('parsing throws only for an invalid image chunk', async (t) => {
  const types = ['suggested_transcript', 'speaker_assigned', 'image_chunk', 'finalization_reason', 'x'];
  const keys = ['segments', 'stt_provider', 'speaker_id', 'person_id', 'segment_ids', 'id', 'index', 'total'];
  const message = fc
    .tuple(fc.constantFrom(...types), fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()))
    .map(([type, rest]) => JSON.stringify({ ...rest, type }));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), message), (text) => {
      try {
        parseClientMessage(text);
        return true;
      } catch (thrown) {
        return thrown instanceof CochleaError && thrown.code === 'image_chunk_invalid';
      }
    }),
    { numRuns: 500 },
  );
  t.pass('held for 500 messages');
});
