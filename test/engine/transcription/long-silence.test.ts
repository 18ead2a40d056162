/** Tests whether the short or the long silence ends the utterances of a stream. */
import fc from 'fast-check';
import t from 'tap';
import { RecordKind } from '../../../src/ring/layout.js';
import { FakeProvider } from '../support/fake-provider.js';
import { Harness, silence, speech } from '../support/harness.js';

/** Frames of a pause that is longer than the short silence of the fake core and shorter than its long silence. */
const between = 40;

const ended = (h: Harness): number => h.metric('utterances_total');

t.test('the provider decides which silence ends the utterances of its streams', async (t) => {
  const provider = new FakeProvider();
  const h = new Harness({ providers: [provider] });
  await h.open(0);
  h.stream(0, [...speech(7), ...silence(between), ...speech(7)]);
  t.equal(ended(h), 1, 'the short silence at first');
  h.stream(0, silence(60));
  t.equal(ended(h), 2);
  provider.lingering(true);
  h.stream(0, [...speech(7), ...silence(between), ...speech(7), ...silence(49)]);
  t.equal(ended(h), 2, 'both are one utterance, which is still open');
  h.stream(0, silence(1));
  t.equal(ended(h), 3, 'after the long silence it ends');
  h.stream(0, [...speech(7), ...silence(between)]);
  provider.lingering(false);
  h.stream(0, silence(1));
  t.equal(ended(h), 4, 'the short silence ends an utterance whose pause is already longer');
  h.close(0);
  await h.settle();
});

t.test('a stream begins with the silence of its provider', async (t) => {
  const provider = new FakeProvider();
  provider.lingering(true);
  const h = new Harness({ providers: [provider] });
  await h.open(0);
  h.stream(0, [...speech(7), ...silence(between), ...speech(7)]);
  t.equal(ended(h), 0);
  h.close(0);
  await h.settle();
  t.equal(ended(h), 1, 'the end of the stream ends the utterance');
});

t.test('stereo that is mixed keeps its silence and its provisional words', async (t) => {
  const provider = new FakeProvider('local', ['en'], true);
  provider.lingering(true);
  const h = new Harness({ providers: [provider], settings: { interimWords: true } });
  await h.open(0, { source: 'phone_call', format: { codec: 'pcm8', sampleRate: 8000, channels: 2 } });
  const play = (frames: readonly number[]): void => {
    for (const frame of frames) {
      h.record(RecordKind.audio, 0, Uint8Array.of(frame, frame, 0, 0));
      h.clock.now += 20;
      h.shard.pass();
    }
  };
  play([...speech(7, 60), ...silence(between)]);
  t.ok(h.metric('interim_requests_total') > 0, 'words of the open utterance are requested');
  t.equal(h.metric('utterances_total'), 0, 'the utterance is still open');
  play(silence(10));
  t.equal(h.metric('utterances_total'), 1);
});

t.test('no speech is lost or doubled, whenever the silence changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ spoken: fc.integer({ min: 1, max: 40 }), pause: fc.nat(70), long: fc.boolean() }),
        { minLength: 1, maxLength: 8 },
      ),
      async (runs) => {
        const provider = new FakeProvider();
        provider.manual = true;
        const h = new Harness({ providers: [provider] });
        await h.open(0);
        const voices: number[] = [];
        for (const [index, { spoken, pause, long }] of runs.entries()) {
          voices.push(index + 1);
          h.stream(0, speech(index + 1, spoken));
          h.stream(0, silence(Math.floor(pause / 2)));
          provider.lingering(long);
          h.stream(0, silence(Math.ceil(pause / 2)));
        }
        h.close(0);
        await h.settle();
        const ranges = provider.held.map(({ request }) => [request.start, request.end] as const);
        for (const { answer } of provider.held) answer();
        await h.settle();
        const covered = (at: number): number => ranges.filter(([from, to]) => from <= at && at < to).length;
        let at = 0;
        for (const { spoken, pause } of runs) {
          for (let frame = 0; frame < spoken; frame++, at++) if (covered((at + 0.5) / 50) !== 1) return false;
          at += pause;
        }
        return true;
      },
    ),
    { numRuns: 50 },
  );
});
