import fc from 'fast-check';
import t from 'tap';
import { speakerModel } from '../../src/models/speaker-model.js';
import type { SpokenSegment } from '../../src/transcript/spoken.js';
import {
  addWindow,
  joinVoice,
  noVoices,
  type VoiceMove,
  type VoiceRule,
  type VoiceState,
} from '../../src/transcript/voice-clusters.js';
import { cutByVoice, voiceOf } from '../../src/transcript/voice-spans.js';

const { voices: rule } = speakerModel('ge2e');
const dimensions = 8;

/** Returns a unit vector with the given similarity to the axis of its voice. Its similarity to other voices is 0. */
const spoken = (voice: number, similarity = 1): Float32Array => {
  const vector = new Float32Array(dimensions);
  vector[voice] = similarity;
  vector[dimensions - 1] = Math.sqrt(1 - similarity ** 2);
  return vector;
};

/** Adds consecutive windows, and returns their labels. */
const listen = (
  vectors: readonly Float32Array[],
  options: { readonly rule?: VoiceRule; readonly state?: VoiceState } = {},
): { state: VoiceState; moves: VoiceMove[]; labels: number[] } => {
  let state = options.state ?? noVoices(0);
  const moves: VoiceMove[] = [];
  const labels = new Map<number, number>();
  for (const [index, embedding] of vectors.entries()) {
    const added = addWindow(state, { embedding, at: index * 250 }, options.rule ?? rule);
    state = added.state;
    moves.push(...added.moves);
    for (const { from, to } of added.moves) {
      for (const [at, voice] of labels) if (voice === from) labels.set(at, to);
    }
    for (const { at, voice } of state.windows) labels.set(at, voice);
  }
  return { state, moves, labels: [...labels.values()] };
};

const times = (count: number, ...vector: Parameters<typeof spoken>): Float32Array[] =>
  Array.from({ length: count }, () => spoken(...vector));

t.test('decides when windows form a new voice', (t) => {
  const table: readonly {
    readonly what: string;
    readonly windows: readonly Float32Array[];
    readonly voices: readonly number[];
    readonly last: number;
  }[] = [
    { what: 'one voice is never two', windows: times(200, 0), voices: [0], last: 0 },
    {
      what: 'windows at the threshold are the same voice',
      windows: [...times(9, 0), ...times(9, 0, 0.79)],
      voices: [0],
      last: 0,
    },
    {
      what: 'two dissimilar windows are not enough for a new voice',
      windows: [...times(9, 0), ...times(2, 1)],
      voices: [0],
      last: 0,
    },
    {
      what: 'three dissimilar windows are enough',
      windows: [...times(9, 0), ...times(3, 1)],
      voices: [0, 1],
      last: 1,
    },
    {
      what: 'dissimilar windows between similar ones are not enough',
      windows: [...times(9, 0), ...times(2, 1), ...times(1, 0), ...times(2, 1)],
      voices: [0],
      last: 0,
    },
    {
      what: 'a voice that returns keeps its number',
      windows: [...times(12, 0), ...times(12, 1), ...times(12, 0)],
      voices: [0, 1],
      last: 0,
    },
    {
      what: 'a short voice that does not return is dissolved',
      windows: [...times(12, 0), ...times(5, 1), ...times(rule.unseen, 0)],
      voices: [0],
      last: 0,
    },
    {
      what: 'a short voice is still known half a minute of speech later',
      windows: [...times(12, 0), ...times(5, 1), ...times(120, 0), ...times(2, 1)],
      voices: [0, 1],
      last: 1,
    },
    {
      what: 'no more voices than the maximum',
      windows: [0, 1, 2, 3, 4, 5, 6].flatMap((voice) => times(12, voice)),
      voices: [0, 1, 2, 3, 4, 5],
      last: 5,
    },
  ];
  for (const { what, windows, voices, last } of table) {
    const { state } = listen(windows);
    t.same(
      state.voices.map(({ number }) => number),
      voices,
      what,
    );
    t.equal(state.windows.at(-1)!.voice, last, what);
  }
  t.end();
});

t.test('labels the windows that proved a new voice', (t) => {
  const { labels } = listen([...times(12, 0), ...times(12, 1)]);
  t.same(labels, [...Array(12).fill(0), ...Array(12).fill(1)]);
  t.end();
});

t.test('merges voices that become similar into the older one', (t) => {
  // The second voice becomes more and more similar to the first.
  const drifting = Array.from({ length: 200 }, (_, step) => spoken(0, Math.min(1, 0.7 + step / 300)));
  const { state, moves } = listen([...times(20, 0), ...times(6, 0, 0.6), ...drifting], {
    rule: { ...rule, weight: 10 },
  });
  t.same(
    state.voices.map(({ number }) => number),
    [0],
  );
  t.ok(moves.every(({ from, to }) => from > to));
  t.end();
});

t.test('numbers new voices from the first free number', (t) => {
  const { state } = listen([...times(9, 0), ...times(9, 1)], { state: noVoices(4) });
  t.same([state.voices.map(({ number }) => number), state.next], [[4, 5], 6]);
  t.end();
});

t.test('keeps voices limited and every window labelled, for any speech', (t) => {
  const vector = fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
    .map((values) => {
      const length = Math.hypot(...values);
      return Float32Array.from(length > 0 ? values.map((value) => value / length) : spoken(0));
    });
  fc.assert(
    fc.property(fc.array(vector, { maxLength: 120 }), (vectors) => {
      const { state } = listen(vectors);
      const numbers = new Set(state.voices.map(({ number }) => number));
      const windows = state.windows.every(({ voice }) => numbers.has(voice));
      const bounded = numbers.size <= rule.voices && state.windows.length <= 40;
      const unit = state.voices.every(({ mean }) => Math.abs(Math.hypot(...mean) - 1) < 1e-3);
      return windows && bounded && unit && state.count === vectors.length;
    }),
    { numRuns: 200 },
  );
  t.pass('voices are bounded, of length one, and every window has one of them');
  t.end();
});

const segment = (text: string, from: number, to: number): SpokenSegment => ({
  id: 'first',
  text,
  speaker: 'SPEAKER_00',
  speakerId: 0,
  isUser: false,
  personId: null,
  provider: 'local',
  from,
  to,
});
const windows = (...voices: number[]) =>
  voices.map((voice, index) => ({ at: index * 250, voice, sure: true }));

t.test('splits a segment where the voice changes', (t) => {
  const words = 'one two three four five six seven eight'.split(' ');
  const timed = words.map((text, index) => ({ text, from: index * 250, to: index * 250 + 200 }));
  const table = [
    {
      what: 'in the middle',
      voices: [0, 0, 0, 0, 1, 1, 1, 1],
      pieces: ['0 one two three four', '1 five six seven eight'],
    },
    {
      what: 'nowhere',
      voices: [2, 2, 2, 2, 2, 2, 2, 2],
      pieces: ['2 one two three four five six seven eight'],
    },
    {
      what: 'not for one word',
      voices: [0, 0, 0, 1, 0, 0, 0, 0],
      pieces: ['0 one two three four five six seven eight'],
    },
    {
      what: 'not for the first word',
      voices: [1, 0, 0, 0, 0, 0, 0, 0],
      pieces: ['0 one two three four five six seven eight'],
    },
    {
      what: 'twice',
      voices: [0, 0, 1, 1, 1, 0, 0, 0],
      pieces: ['0 one two', '1 three four five', '0 six seven eight'],
    },
  ];
  for (const { what, voices, pieces } of table) {
    for (const known of [true, false]) {
      const whole = { ...segment(words.join(' '), 0, 1950), ...(known && { words: timed }) };
      const cut = cutByVoice(whole, windows(...voices));
      if (known)
        t.same(
          cut.map(({ speakerId, text }) => `${speakerId} ${text}`),
          pieces,
          what,
        );
      t.equal(cut.map(({ text }) => text).join(' '), whole.text, `${what}: no word is lost`);
      t.equal(cut[0]!.id, 'first');
      t.equal(new Set(cut.map(({ id }) => id)).size, cut.length);
      t.ok(cut.every(({ from, to }, index) => from < to && (index === 0 || from >= cut[index - 1]!.to)));
    }
  }
  t.same(cutByVoice(segment('one two', 0, 500), []), [segment('one two', 0, 500)], 'without windows');
  t.end();
});

t.test('the voice of most windows decides the speaker of a time range', (t) => {
  t.same(voiceOf(windows(0, 0, 1, 1, 1), 0, 1000, 100), { voice: 1, sure: true });
  t.same(voiceOf(windows(0, 0, 1), 0, 250, 100), { voice: 0, sure: true });
  t.equal(voiceOf(windows(0), 5000, 6000, 100), undefined);
  t.same(voiceOf([{ at: 0, voice: 3, sure: false }], 0, 100, 100), { voice: 3, sure: false });
  t.end();
});

t.test('joins a voice with another one and does not reuse its number', (t) => {
  const { state } = listen([...times(20, 0), ...times(20, 1)]);
  const joined = joinVoice(state, { from: 1, to: 0 });
  t.match(joined.voices, [{ number: 0, windows: 40 }]);
  t.equal(joined.voices.length, 1);
  t.same(new Set(joined.windows.map(({ voice }) => voice)), new Set([0]));
  t.equal(joined.next, 2, 'its number is not used again');
  t.same(
    joinVoice(state, { from: 5, to: 0 }).voices,
    [state.voices[1], state.voices[0]],
    'a voice that does not exist',
  );
  t.end();
});
