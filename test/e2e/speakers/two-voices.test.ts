/**
 * Tests two voices on a socket of the running product. While the jobs pool is late, words arrive without labels. Then
 * each voice gets its label and keeps it after a reconnect.
 */
import t from 'tap';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { resample } from '../../../src/app/wearable/resample.js';
import type { Wearable } from '../../../src/app/wearable/wearable.js';
import { withoutNative } from '../../audio/support.js';
import { heldModel } from '../../support/memory/held-model.js';
import { serviceOnTestDatabase } from '../../support/service.js';
import { scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';

t.test(
  'two voices that take turns get two speakers',
  { skip: withoutNative, timeout: 240_000 },
  async (t) => {
    const model = await heldModel(t, 'ge2e', 'pretrained.pt');
    // With these settings, a busy machine does not refuse a stream.
    const service = await serviceOnTestDatabase(t, {
      COCHLEA_MODELS_DIR: model.folder,
      LAG_BUDGET: '60000',
      TRANSCRIBER_LAG_BUDGET: '600000',
    });
    const user = await service.user('ann');
    const connect = async (): Promise<Wearable> => {
      const wearable = await service.wearable(user);
      await wearable.waitFor(({ status }) => status === 'ready', 60_000);
      return wearable;
    };
    const low = (await scene([0, 1], 200)).pcm;
    // The recorded speaker, pitched a third higher. The model treats this as a different voice.
    const high = resample((await scene([2, 3], 200)).pcm, 21_300, 16_000);
    const say = (wearable: Wearable, ...voices: readonly Int16Array[]): Promise<unknown> => {
      const pcm = Int16Array.from(voices.flatMap((voice) => [...voice]));
      return wearable.send(encodeFrames({ pcm, rate: 16_000 }, 'opus', 16_000), 2);
    };
    const speakers = (wearable: Wearable): number[] =>
      wearable.transcript.segments.map(({ speaker_id }) => speaker_id);

    // Without its speaker model, the jobs pool cannot start.
    await model.hold(service.dataDir);
    const first = await connect();
    const pause = new Int16Array(16_000 * 3);
    await say(first, low, pause, high, pause);
    const spoken = (low.length + pause.length + high.length) / 16_000;
    await until(
      () => (first.transcript.segments.at(-1)?.end ?? 0) > spoken - 1.5,
      'words of both came without labels',
    );
    t.same(new Set(speakers(first)), new Set([0]));
    const ids = first.transcript.segments.map(({ id }) => id);
    await model.release();
    await until(() => speakers(first).at(-1) === 1, 'the second voice has a label of its own');
    t.same(
      first.transcript.segments.map(({ id }) => id),
      ids,
      'labels came by upserts of the same segments',
    );
    t.equal(speakers(first)[0], 0);
    await first.close(1001);

    const second = await connect();
    await say(second, high, low);
    await until(() => speakers(second).at(-1) === 0, 'the first voice is known again');
    t.same(new Set(speakers(second)), new Set([0, 1]), 'and so is the second');
    await second.close();
  },
);
