/** Tests which conversations keep their voices in memory while no stream is connected. */
import t from 'tap';
import { VoiceMemory } from '../../../src/engine/voices/memory.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { speakerModel } from '../../../src/models/speaker-model.js';

const memory = (): VoiceMemory =>
  new VoiceMemory({
    tell: async () => undefined,
    revise: async () => undefined,
    rule: speakerModel('ge2e').voices,
    history: 1200,
    metrics: new MetricsTable(1).row(0),
    recognition: null,
  });

t.test('keeps the voices of active conversations and drops the oldest inactive ones', async (t) => {
  const voices = memory();
  const live = voices.of('live', 0);
  const reconnected = voices.of('reconnected', 0);
  voices.rest('reconnected');
  t.equal(voices.of('reconnected', 0), reconnected);
  const first = voices.of('rests 0', 0);
  const last = Array.from({ length: 501 }, (_, index) => {
    const of = voices.of(`rests ${index}`, 0);
    voices.rest(`rests ${index}`);
    return of;
  }).at(-1);
  t.equal(voices.of('live', 0), live);
  t.equal(voices.of('reconnected', 0), reconnected);
  t.equal(voices.of('rests 500', 0), last);
  t.not(voices.of('rests 0', 0), first, 'the one that rests longest is forgotten');
});

t.test('forgets the voices of an ended conversation', async (t) => {
  const voices = memory();
  const ended = voices.of('ended', 0);
  voices.rest('ended');
  voices.forget('ended');
  voices.rest('ended');
  t.not(voices.of('ended', 0), ended);
});
