import t from 'tap';
import type { Frame } from '../../../src/app/wearable/encode.js';
import { percentile, utteranceLags } from '../../../src/app/wearable/lag.js';
import { sendPaced } from '../../../src/app/wearable/pace.js';

/** Returns a clock whose time passes only during sleeps. Each sleep takes `late` ms longer than requested. */
const fakeClock = (late = 0) => {
  let time = 1000;
  return {
    now: () => time,
    sleep: async (ms: number) => {
      time += ms + late;
    },
  };
};

const frames: Frame[] = Array.from({ length: 50 }, (_, index) => ({
  bytes: Uint8Array.of(index),
  duration: 20,
}));

t.test(
  'sends frames when their last sample would have been recorded, without accumulating delays',
  async (t) => {
    for (const [late, pace] of [
      [0, 1],
      [7, 1],
      [33, 4],
    ] as const) {
      const clock = fakeClock(late);
      const sent: { due: number; at: number }[] = [];
      const start = await sendPaced(frames, (_frame, due) => sent.push({ due, at: clock.now() }), {
        pace,
        clock,
      });
      t.equal(start, 1000);
      t.equal(sent.length, 50);
      for (const [index, { due, at }] of sent.entries()) {
        if (due !== 1000 + ((index + 1) * 20) / pace) t.fail(`frame ${index} due ${due}`);
        if (at < due || at > due + late + 1) t.fail(`frame ${index} due ${due} sent ${at}`);
      }
      t.ok(clock.now() <= 1000 + 1000 / pace + late + 1, `${clock.now()}`);
    }
  },
);

t.test('the pace max waits for the socket between bursts, and a closed socket ends it', async (t) => {
  let asked = 0;
  let sent = 0;
  await sendPaced(frames, () => sent++, { pace: 'max', clock: fakeClock(), ready: async () => void asked++ });
  t.equal(sent, 50);
  t.ok(asked > 0);
  sent = 0;
  await sendPaced(frames, () => sent++, { pace: 1, clock: fakeClock(), stopped: () => sent >= 10 });
  t.equal(sent, 10);
});

const segment = (id: string, start: number, end: number) => ({
  id,
  start,
  end,
  text: id,
  speaker: 'SPEAKER_00',
  speaker_id: 0,
  is_user: false,
  person_id: null,
  translations: [],
  speech_profile_processed: true,
  stt_provider: null,
  stt_model: null,
});

t.test(
  'counts the lag from the end of an utterance to the message with its words, merged or not',
  async (t) => {
    const labels = [
      { speechStart: 1000, speechEnd: 4000 },
      { speechStart: 5200, speechEnd: 7000 },
      { speechStart: 9000, speechEnd: 12_000 },
    ];
    const arrivals = [
      { at: 55_100, segments: [segment('a', 0, 3.1)] },
      { at: 58_000, segments: [segment('a', 0, 6.2)] },
    ];
    t.same(utteranceLags(labels, arrivals, 50_000), [1100, 1000, undefined]);
  },
);

t.test('computes percentiles by nearest rank', async (t) => {
  t.equal(percentile([5, 1, undefined, 3], 95), 5);
  t.equal(percentile([5, 1, 3], 50), 3);
  t.equal(percentile([undefined], 95), undefined);
});
