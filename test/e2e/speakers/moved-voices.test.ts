/**
 * Two machines use one database. When the first machine drains, a conversation moves to the second machine. Its
 * speakers keep their numbers, but not for a user who turned voice recognition off.
 */
import t from 'tap';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { resample } from '../../../src/app/wearable/resample.js';
import type { Wearable } from '../../../src/app/wearable/wearable.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { withoutNative } from '../../audio/support.js';
import { testDatabaseUrl } from '../../support/database/database.js';
import { metric, type Service, startService, type User } from '../../support/service.js';
import { scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';

t.test(
  'speakers keep their numbers when their machine drains',
  { skip: withoutNative, timeout: 400_000 },
  async (t) => {
    const url = await testDatabaseUrl(t);
    const sql = connectDatabase(url, { max: 1, name: 'test' });
    t.teardown(() => sql.end({ timeout: 1 }));
    const env = {
      DATABASE_URL: url,
      // With these settings, a busy machine does not refuse a stream, and has time for the last words.
      LAG_BUDGET: '60000',
      TRANSCRIBER_LAG_BUDGET: '600000',
      DRAIN_TIMEOUT: '30000',
      INTERIM_WORDS: 'false',
    };
    const start = () => startService(t, env, async () => undefined);
    const first = await start();
    const users = [await first.user('ann'), await first.user('ben')];
    await sql`update users set voice_recognition = false where uid = 'ben'`;
    const low = (await scene([0, 1], 200)).pcm;
    // The recorded speaker, pitched a third higher. The model treats this as a different voice.
    const high = resample((await scene([2, 3], 200)).pcm, 21_300, 16_000);
    const pause = new Int16Array(16_000 * 2);
    const connect = async (service: Service, user: User): Promise<Wearable> => {
      const wearable = await service.wearable(user);
      await wearable.waitFor(({ status }) => status === 'ready', 60_000);
      return wearable;
    };
    const say = async (wearables: readonly Wearable[], ...voices: readonly Int16Array[]): Promise<void> => {
      const pcm = Int16Array.from(voices.flatMap((voice) => [...voice, ...pause]));
      const frames = encodeFrames({ pcm, rate: 16_000 }, 'opus', 16_000);
      await Promise.all(wearables.map((wearable) => wearable.send(frames, 2)));
    };
    /** The speakers in the order of their turns. */
    const turns = ({ transcript }: Wearable): string =>
      transcript.segments
        .map(({ speaker_id }) => speaker_id)
        .filter((speaker, index, all) => speaker !== all[index - 1])
        .join();
    /** Waits until each of the wearables has the given turns. */
    const have = async (wearables: readonly Wearable[], ...wanted: readonly string[]): Promise<void> => {
      await until(
        () => wearables.every((wearable, index) => turns(wearable) === wanted[index]),
        'labels',
        90_000,
      ).catch(() => undefined);
      t.same(wearables.map(turns), wanted);
    };

    const before = await Promise.all(users.map((user) => connect(first, user)));
    await say(before, low, high);
    await have(before, '0,1', '0,1');
    const second = await start();
    t.same((await first.stop()).code, 0, 'the first machine has drained');
    const [stored] = await sql`
      select count(*)::integer as rows, max(octet_length(voices)) as bytes, max(c.uid) as uid
      from conversation_voices v join conversations c on c.id = v.conversation_id`;
    t.match(stored, { rows: 1, uid: 'ann' });
    t.comment(`bytes of the stored voices: ${stored!.bytes}`);

    const after = await Promise.all(users.map((user) => connect(second, user)));
    await say(after, high, low);
    await have(after, '1,0', '2,3');
    t.comment(`numbers with stored voices: ${turns(after[0]!)}; without: ${turns(after[1]!)}`);
    t.equal(await metric(second, 'voices_restored_total'), 1);
    await Promise.all(after.map((wearable) => wearable.close()));
  },
);
