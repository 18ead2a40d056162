/** Tests the storage cost of a conversation from a provider without punctuation. */
import t from 'tap';
import { AssignedSpeakers } from '../../../src/engine/conversation/assigned-speakers.js';
import { Transcript } from '../../../src/engine/conversation/transcript.js';
import { longestSegment, longestText } from '../../../src/transcript/bounds.js';
import { cutSegment, type SpokenSegment } from '../../../src/transcript/spoken.js';
import { Harness } from '../support/harness.js';

const spoken = (number: number, text: string): SpokenSegment => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  text,
  speaker: 'SPEAKER_00',
  speakerId: 0,
  isUser: false,
  personId: null,
  provider: 'mine',
  from: number * 2000,
  to: number * 2000 + 1900,
});

/** Stores utterances one after the other. @returns the bytes written, and the length of the longest segment. */
const store = (utterances: number, textOf: (number: number) => string) => {
  const transcript = new Transcript({ startedAt: null, segmentCount: 0, characters: 0, tail: null } as never);
  const speakers = new AssignedSpeakers();
  const texts = new Map<string, string>();
  let written = 0;
  let longest = 0;
  let duration = 0;
  for (let number = 0; number < utterances; number++) {
    const draft = transcript.draft(cutSegment(spoken(number, textOf(number))), speakers);
    transcript.accept(draft);
    for (const { id } of draft.deletions) texts.delete(id);
    for (const upsert of draft.upserts) {
      const { segment } = upsert;
      written += JSON.stringify(upsert).length;
      texts.set(segment.id, segment.text);
      longest = Math.max(longest, segment.text.length);
      duration = Math.max(duration, segment.end - segment.start);
    }
  }
  return { written, longest, duration, text: [...texts.values()].join(' ') };
};

t.test('writes data in proportion to 3,000 utterances without punctuation', async (t) => {
  const kinds: readonly (readonly [name: string, textOf: (number: number) => string])[] = [
    ['words', (number) => `and then utterance ${number} went on and on some more`],
    ['no spaces', (number) => `それから${number}番目の発話がまだ続いています`],
  ];
  for (const [name, textOf] of kinds) {
    const half = store(1500, textOf);
    const whole = store(3000, textOf);
    t.ok(
      whole.longest <= longestText && whole.duration <= longestSegment,
      `${name}: ${whole.longest} characters`,
    );
    const growth = whole.written / half.written;
    t.ok(growth > 1.9 && growth < 2.1, `${name}: twice as many write ${growth.toFixed(2)} times as much`);
    t.ok(whole.written < 3000 * 2 * longestText, `${name}: ${whole.written} bytes`);
    const said = Array.from({ length: 3000 }, (_, number) => textOf(number)).join(' ');
    t.equal(whole.text, said, `${name}: every word, in its order`);
  }
});

t.test('stores one huge suggested text in pieces, each with its part of the time', async (t) => {
  const kinds: readonly (readonly [name: string, text: string])[] = [
    ['words', Array.from({ length: 5000 }, (_, number) => `word${number}`).join(' ')],
    ['no spaces', 'これは句読点のない長い文です'.repeat(1200)],
    ['one letter', 'a'.repeat(50_000)],
  ];
  for (const [name, text] of kinds) {
    const h = new Harness();
    await h.open(0, { customStt: true });
    h.text(0, {
      type: 'suggested_transcript',
      stt_provider: 'mine',
      segments: [{ text, start: 0, end: 1200 }],
    });
    await h.tick();
    const segments = h.segments(0);
    t.ok(segments.length >= text.length / longestText);
    t.ok(
      segments.every((segment) => segment.text.length <= longestText),
      name,
    );
    t.ok(
      segments.every(({ start, end }) => end - start <= longestSegment + 0.002),
      name,
    );
    t.equal(segments.map((segment) => segment.text).join(name === 'words' ? ' ' : ''), text, name);
    t.equal(new Set(segments.map(({ id }) => id)).size, segments.length);
    for (const [index, { start }] of segments.entries()) {
      const before = segments[index - 1];
      if (before !== undefined) t.ok(Math.abs(before.end - start) <= 0.0011, `${before.end} then ${start}`);
    }
    t.match([segments[0]?.start, segments.at(-1)?.end], [0, 1200]);
    t.equal(h.metric('segments_dropped_total'), 0);
  }
});
