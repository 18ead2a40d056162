/** Tests the transcript that a page makes from the messages of a stream. */
import fc from 'fast-check';
import t from 'tap';
import { readMessage, type Segment, type StreamMessage } from '../../../src/console/stream/messages.js';
import {
  emptyTranscript,
  mostSegments,
  nextTranscript,
  type Transcript,
} from '../../../src/console/stream/transcript.js';
import { emptySegment } from '../../../src/wire/segment.js';

const after = (messages: readonly StreamMessage[]): Transcript =>
  messages.reduce(nextTranscript, emptyTranscript);
const segment = (id: string, start: number, more: Partial<Segment> = {}): Segment => ({
  ...emptySegment,
  id,
  start,
  ...more,
});
const segments = (...list: Segment[]): StreamMessage => ({ type: 'segments', segments: list });
const session = (id: string, status = 'in_progress'): StreamMessage => ({
  type: 'conversation_session',
  conversation_id: id,
  status,
});

t.test('words change in place, corrections and deletions apply', async (t) => {
  const first = segment('a', 1, { text: 'By the way I am' });
  const before = after([session('talk'), segments(first, segment('b', 3, { text: 'Yes' }))]);
  t.same(before.conversation, 'talk');
  const later = nextTranscript(before, segments({ ...first, text: 'By the way, I am here.', speaker_id: 2 }));
  t.match(later.segments, [{ id: 'a', text: 'By the way, I am here.', speaker_id: 2 }, { id: 'b' }]);
  t.equal(later.segments[1], before.segments[1], 'an unchanged segment stays the same object');
  t.match(nextTranscript(later, { type: 'segments_deleted', segment_ids: ['b', 'unknown'] }).segments, [
    { id: 'a' },
  ]);
  t.equal(nextTranscript(later, { type: 'segments_deleted', segment_ids: ['unknown'] }), later);
});

t.test('a long conversation keeps its last segments, and ignores changes of earlier ones', async (t) => {
  const list = Array.from({ length: mostSegments }, (_, at) => segment(`s${at}`, at));
  const full = after([session('talk'), segments(...list)]);
  t.equal(full.segments.length, mostSegments);
  t.equal(full.earlier, 0);
  const later = nextTranscript(full, segments(segment('new', mostSegments)));
  t.equal(later.segments.length + later.earlier, mostSegments + 1);
  t.ok(later.earlier > 0 && later.segments.length <= mostSegments);
  t.equal(later.segments.at(-1)!.id, 'new');
  const changed = nextTranscript(later, segments(segment('s3', 3, { is_user: true })));
  t.same(changed.segments, later.segments);
  t.equal(changed.earlier, later.earlier);
  t.equal(nextTranscript(later, session('next')).earlier, 0);
});

t.test('a translation joins its segment, and unknown ids are ignored', async (t) => {
  const translations = [{ lang: 'de', text: 'Ja' }];
  const message = {
    type: 'translation',
    segments: [
      { id: 'a', translations },
      { id: 'x', translations },
    ],
  } as const;
  t.match(after([segments(segment('a', 1)), message]).segments, [{ id: 'a', translations }]);
});

t.test('the next conversation begins empty; an ended one and a reconnect change nothing', async (t) => {
  const talk = after([session('talk'), segments(segment('a', 1))]);
  t.equal(nextTranscript(talk, session('talk')), talk);
  t.equal(nextTranscript(talk, session('older', 'completed')), talk);
  t.same(nextTranscript(talk, session('next')), { ...emptyTranscript, conversation: 'next' });
});

t.test('a guess about a speaker stays until the speaker has a person', async (t) => {
  const guess = {
    type: 'speaker_label_suggestion',
    speaker_id: 1,
    segment_id: 'a',
    person_id: 'p',
    person_name: 'Ann',
  } as const;
  const one = segment('a', 1, { speaker_id: 1 });
  const open = after([segments(one), guess, { ...guess, person_name: 'Anna' }]);
  t.match(open.suggestions, [{ speaker_id: 1, person_name: 'Anna' }]);
  t.equal(nextTranscript(open, segments(segment('b', 2))).suggestions.length, 1, 'another speaker');
  t.same(nextTranscript(open, segments({ ...one, person_id: 'p' })).suggestions, []);
});

t.test('any order of messages gives the segments of a plain model', async (t) => {
  const change = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        start: fc.integer({ min: 0, max: 9 }),
        text: fc.string(),
      }),
    },
    fc.record({ deleted: fc.constantFrom('a', 'b', 'c', 'x') }),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const model = new Map<string, Segment>();
      let transcript = emptyTranscript;
      for (const one of changes) {
        const frozen = JSON.stringify(transcript);
        const message: StreamMessage =
          'deleted' in one
            ? { type: 'segments_deleted', segment_ids: [one.deleted] }
            : segments(segment(one.id, one.start, { text: one.text }));
        if ('deleted' in one) model.delete(one.deleted);
        else model.set(one.id, segment(one.id, one.start, { text: one.text }));
        const next = nextTranscript(transcript, message);
        if (JSON.stringify(transcript) !== frozen) return false;
        transcript = next;
      }
      const sorted = [...model.values()].sort((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1));
      return JSON.stringify(transcript.segments) === JSON.stringify(sorted);
    }),
  );
  t.pass('sorted, unique, earlier values unchanged');
});

t.test('texts that are no messages are left out', async (t) => {
  for (const text of ['ping', '', '{', 'null', '7', '"x"', '{}', '{"type":"later"}', '{"type":7}'])
    t.equal(readMessage(text), undefined, text);
  t.same(readMessage('[]'), { type: 'segments', segments: [] });
  t.same(readMessage('{"type":"auth_response","success":true}'), { type: 'auth_response', success: true });
});
