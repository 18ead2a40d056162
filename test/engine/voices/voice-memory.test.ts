/** Tests which conversations keep their voices in memory while no stream is connected, and which voices are newer. */
import t from 'tap';
import { VoiceMemory } from '../../../src/engine/voices/memory.js';
import { encodeVoices } from '../../../src/engine/voices/voice-bytes.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { speakerModel } from '../../../src/models/speaker-model.js';
import { directionOf } from './voice-directions.js';

const { rule, voices: voiceRule } = speakerModel('ge2e');
const recognition = { model: 'ge2e', dimensions: 16, rule };

const memory = (table = new MetricsTable(1), isOn = true): VoiceMemory =>
  new VoiceMemory({
    tell: async () => undefined,
    revise: async () => undefined,
    rule: voiceRule,
    history: 1200,
    metrics: table.row(0),
    recognition: isOn ? recognition : null,
  });

/** Creates a conversation that was opened with one epoch. Its voices may have been stored with another epoch. */
const opened = (epoch = 1, stored?: { readonly epoch: number; readonly numbers: readonly number[] }) => ({
  lease: { conversationId: 'c', uid: 'ann', epoch },
  nextSpeaker: 0,
  voices: stored
    ? {
        epoch: stored.epoch,
        voices: encodeVoices(
          {
            voices: stored.numbers.map((number) => ({
              number,
              mean: directionOf(number),
              weight: 4,
              windows: 4,
              last: number,
            })),
            windows: [],
            count: 9,
            next: 9,
          },
          recognition,
        ),
      }
    : null,
});

t.test('keeps the voices of active conversations and drops the oldest inactive ones', async (t) => {
  const voices = memory();
  const live = voices.of('live', opened());
  const reconnected = voices.of('reconnected', opened());
  voices.rest('reconnected');
  t.equal(voices.of('reconnected', opened()), reconnected);
  const first = voices.of('rests 0', opened());
  const last = Array.from({ length: 501 }, (_, index) => {
    const of = voices.of(`rests ${index}`, opened());
    voices.rest(`rests ${index}`);
    return of;
  }).at(-1);
  t.equal(voices.of('live', opened()), live);
  t.equal(voices.of('reconnected', opened()), reconnected);
  t.equal(voices.of('rests 500', opened()), last);
  t.not(voices.of('rests 0', opened()), first, 'the one that rests longest is forgotten');
});

t.test('forgets the voices of an ended conversation', async (t) => {
  const voices = memory();
  const ended = voices.of('ended', opened());
  voices.rest('ended');
  voices.forget('ended');
  voices.rest('ended');
  t.not(voices.of('ended', opened()), ended);
});

t.test('the voices of the latest lease win', async (t) => {
  const table = new MetricsTable(1);
  const voices = memory(table);
  const own = voices.of('c', opened(5));
  t.equal(voices.of('c', opened(6, { epoch: 5, numbers: [0] })), own, 'this shard wrote them');
  const other = voices.of('c', opened(8, { epoch: 7, numbers: [0, 3] }));
  t.not(other, own, 'another engine wrote them');
  t.same(
    other.speakers.map(({ speakerId, embedding }) => [speakerId, embedding]),
    [0, 3].map((number) => [number, directionOf(number)]),
  );
  t.equal(voices.of('c', opened(9, { epoch: 8, numbers: [0] })), other);
  t.equal(table.total('voices_restored_total'), 1);
});

t.test('damaged voices are ignored and counted', async (t) => {
  const table = new MetricsTable(1);
  const voices = memory(table);
  const own = voices.of('c', opened(5));
  const damaged = { ...opened(8), voices: { epoch: 7, voices: new Uint8Array(40) } };
  t.equal(voices.of('c', damaged), own);
  t.same(voices.of('new', damaged).speakers, []);
  t.same([table.total('voices_ignored_total'), table.total('voices_restored_total')], [2, 0]);
});

t.test('without recognition, stored voices are not used', async (t) => {
  const table = new MetricsTable(1);
  const voices = memory(table, false).of('c', opened(8, { epoch: 7, numbers: [0, 3] }));
  t.same(voices.speakers, []);
  t.equal(voices.toStore(0, true), undefined);
  t.equal(table.total('voices_restored_total'), 0);
});
