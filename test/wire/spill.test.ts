import fc from 'fast-check';
import t from 'tap';
import { decodeSpillEntry, encodeSpillEntry, type SpillEntry } from '../../src/wire/spill/spill.js';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
// An empty optional text is equivalent to no text, and is read as no text.
const optional = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { nil: null });
const whole = fc.nat();
const seconds = fc.double({ noNaN: true, noDefaultInfinity: true });

const conversation = fc.record({
  id: fc.uuid(),
  uid: text,
  source: text,
  deviceId: optional,
  clientPlatform: optional,
  language: text,
  timeout: whole,
  usesCustomStt: fc.boolean(),
  createdAt: seconds,
});

const row = fc
  .record({
    id: text,
    position: seconds,
    revision: fc.maxSafeNat(),
    segment: fc.option(
      fc.record({
        text,
        speaker: text,
        speaker_id: fc.integer(),
        is_user: fc.boolean(),
        person_id: optional,
        start: seconds,
        end: seconds,
        translations: fc.array(fc.record({ lang: text, text }), { maxLength: 3 }),
        speech_profile_processed: fc.boolean(),
        stt_provider: optional,
        stt_model: optional,
      }),
      { nil: null },
    ),
  })
  .map((made) => ({ ...made, segment: made.segment && { id: made.id, ...made.segment } }));

const entry: fc.Arbitrary<SpillEntry> = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), conversation }),
  fc.record({
    kind: fc.constant('commit' as const),
    changes: fc.array(
      fc.record({
        conversation,
        epoch: fc.maxSafeNat(),
        // The value 0, which is the first millisecond of 1970, means that there is no time. An empty text likewise
        // means no text.
        startedAt: fc.option(
          fc.maxSafeNat().map((ms) => ms + 1),
          { nil: null },
        ),
        audio: fc.option(
          fc.record(
            {
              clock: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
              confirmed: fc.array(seconds, { maxLength: 2 }),
              // The value 0, which is the first millisecond of 1970, means that there is no time.
              began: seconds.filter((ms) => ms !== 0),
              newest: fc.record({
                stream: fc.integer({ min: 1, max: 2 ** 31 }),
                since: fc.array(seconds, { maxLength: 2 }),
                after: fc.array(seconds, { maxLength: 2 }),
              }),
            },
            { requiredKeys: ['clock', 'confirmed'] },
          ),
          { nil: null },
        ),
        lastSpeechAt: seconds,
        speechProbability: fc.option(fc.double({ min: 0.1, max: 1, noNaN: true })),
        spoken: fc.option(
          fc.record({
            language: text,
            times: fc.dictionary(text, fc.maxSafeNat(), { maxKeys: 4, noNullPrototype: true }),
          }),
          { nil: null },
        ),
        rows: fc.array(row, { maxLength: 4 }),
      }),
      { maxLength: 3 },
    ),
  }),
  fc.record({ kind: fc.constant('finish' as const), id: fc.uuid(), epoch: whole, finishedAt: seconds }),
  fc.record({ kind: fc.constant('release' as const), id: fc.uuid(), epoch: whole }),
);

/** Compares values as JSON, so that -0 and 0 are equal. */
const same = (value: unknown): string => JSON.stringify(value);
const inOrder = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(inOrder)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => a.localeCompare(b))
            .map(([k, v]) => [k, inOrder(v)]),
        )
      : value;

t.test('encodes and decodes any entry', async (t) => {
  const property = fc.property(entry, (sent) => {
    const received = decodeSpillEntry(encodeSpillEntry(sent));
    return same(inOrder(received)) === same(inOrder(sent));
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 300 }));
});

t.test('refuses invalid bytes', async (t) => {
  t.throws(() => decodeSpillEntry(new Uint8Array()));
  const property = fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
    try {
      return ['begin', 'commit', 'finish', 'release'].includes(decodeSpillEntry(bytes).kind);
    } catch (thrown) {
      return thrown instanceof Error;
    }
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }));
});

t.test('reads an entry of an earlier release', async (t) => {
  const release = Buffer.from('220f0a046162636411000000000000f03f', 'hex');
  t.strictSame(decodeSpillEntry(release), { kind: 'release', id: 'abcd', epoch: 1 });
});
