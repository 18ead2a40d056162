/** Tests when a voice is recognised as a known person. */
import fc from 'fast-check';
import t from 'tap';
import { speakerModel } from '../../src/models/speaker-model.js';
import { type MatchRule, matchVoice, type VoiceCandidate } from '../../src/transcript/voice-match.js';

const { rule } = speakerModel('ge2e');

/** Returns candidates by name, so that each case fits on one line. */
const voices = (similarities: Record<string, number>): VoiceCandidate[] =>
  Object.entries(similarities).map(([person, similarity]) => ({ person, similarity }));

const cases: {
  title: string;
  voices: VoiceCandidate[];
  speech: number;
  narrowband?: boolean;
  gives: string;
}[] = [
  { title: 'no person is known', voices: [], speech: 5000, gives: 'none' },
  { title: 'too little speech', voices: voices({ ana: 0.99 }), speech: 1999, gives: 'none' },
  { title: 'just enough speech', voices: voices({ ana: 0.81 }), speech: 2000, gives: 'match ana' },
  { title: 'just below the threshold', voices: voices({ ana: 0.809 }), speech: 3999, gives: 'hint ana' },
  {
    title: 'more speech requires a higher similarity',
    voices: voices({ ana: 0.83 }),
    speech: 4000,
    gives: 'hint ana',
  },
  { title: 'from 4 s', voices: voices({ ana: 0.835 }), speech: 7999, gives: 'match ana' },
  { title: 'from 8 s', voices: voices({ ana: 0.84 }), speech: 8000, gives: 'hint ana' },
  { title: 'long speech', voices: voices({ ana: 0.85 }), speech: 60_000, gives: 'match ana' },
  { title: 'a stranger', voices: voices({ ana: 0.67, ben: 0.5 }), speech: 9000, gives: 'none' },
  { title: 'a clear lead', voices: voices({ ben: 0.8, ana: 0.86 }), speech: 9000, gives: 'match ana' },
  { title: 'exactly the lead', voices: voices({ ana: 0.9, ben: 0.85 }), speech: 9000, gives: 'match ana' },
  { title: 'two people too similar', voices: voices({ ana: 0.9, ben: 0.86 }), speech: 9000, gives: 'none' },
  {
    title: 'no hint for two similar people',
    voices: voices({ ana: 0.72, ben: 0.7 }),
    speech: 9000,
    gives: 'none',
  },
  {
    title: 'two recordings of one person do not compete',
    voices: [...voices({ ana: 0.9 }), ...voices({ ana: 0.89, ben: 0.6 })],
    speech: 9000,
    gives: 'match ana',
  },
  {
    title: 'narrowband, just below the threshold',
    voices: voices({ ana: 0.864 }),
    speech: 4000,
    narrowband: true,
    gives: 'hint ana',
  },
  { title: 'narrowband', voices: voices({ ana: 0.865 }), speech: 4000, narrowband: true, gives: 'match ana' },
  {
    title: 'a narrowband hint',
    voices: voices({ ana: 0.7 }),
    speech: 4000,
    narrowband: true,
    gives: 'none',
  },
  {
    title: 'a similarity that is not a number',
    voices: voices({ ben: Number.NaN, ana: 0.9 }),
    speech: 9000,
    gives: 'match ana',
  },
];

void t.test('matches a voice, hints at a person, or returns none', async (t) => {
  for (const { title, voices, speech, narrowband, gives } of cases) {
    const decision = matchVoice(voices, speech, rule, narrowband);
    t.equal(decision.kind === 'none' ? 'none' : `${decision.kind} ${decision.person}`, gives, title);
  }
});

void t.test('returns only a hint when the model has no threshold for so little speech', async (t) => {
  const late: MatchRule = { ...rule, thresholds: [{ speech: 3000, similarity: 0.8 }] };
  t.equal(matchVoice(voices({ ana: 0.99 }), 2000, late).kind, 'hint');
});

void t.test('decides independently of the order and of weaker strangers', async (t) => {
  const candidate = fc.record({
    person: fc.constantFrom('ana', 'ben', 'cem', 'dua'),
    similarity: fc.double({ min: -1, max: 1, noNaN: true }),
  });
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.array(candidate, { maxLength: 8 }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.boolean(),
        (candidates, speech, narrowband) => {
          const decision = matchVoice(candidates, speech, rule, narrowband);
          t.same(matchVoice([...candidates].reverse(), speech, rule, narrowband), decision);
          t.same(
            matchVoice([...candidates, { person: 'eve', similarity: -1 }], speech, rule, narrowband),
            decision,
          );
          if (decision.kind === 'none') return;
          const best = candidates.reduce((a, b) => (b.similarity > a.similarity ? b : a));
          t.equal(decision.person, best.person);
          t.equal(decision.similarity, best.similarity);
        },
      ),
      { seed: 11, numRuns: 300 },
    ),
  );
});
