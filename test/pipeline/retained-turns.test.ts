/** Even if one user has much retained audio, the audio of other users does not wait until all of it is transcribed. */
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { createUser } from '../../src/identity/users.js';
import { startPipeline } from '../../src/pipeline/pipeline.js';
import type { RetainedContext } from '../../src/pipeline/words/retained.js';
import { noteRetained, takeDueRetained } from '../../src/store/conversations/retained-audio.js';
import { testDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';
import { log } from './retained-support.js';

const keyOf = (owner: string, number: number): string =>
  `2026-01-01T00-00-${String(number).padStart(4, '0')}Z_${owner}_8000_s_1-${number}`;
const keysOf = (owner: string, count: number, first = 0): string[] =>
  Array.from({ length: count }, (_, index) => keyOf(owner, first + index));

t.test('takes retained audio of users in turn', async (t) => {
  const { url, sql } = await testDatabase(t);
  const many = keysOf('aaaa', 80);
  const few = keysOf('bbbb', 2, 500);
  await noteRetained(sql, 'turns', [...many, ...few]);
  const taken = await takeDueRetained(sql, 'turns', 60, 6);
  t.strictSame(
    taken.map(({ key }) => key),
    [many[0], few[0], many[1], few[1], many[2], many[3]],
    'the oldest of each, then the next of each',
  );
  t.equal((await takeDueRetained(sql, 'turns', 60, 3))[0]?.key, many[4], 'none is taken twice');

  await createUser(sql, { uid: 'ann' });
  // The keys above are not due for a minute.
  const there = new Set(keysOf('dddd', 80));
  const order: string[] = [];
  let looks = 0;
  let noticed: Promise<boolean> | undefined;
  const record = {
    user: 'ann',
    stream: 's',
    start: 0,
    end: 0.5,
    language: 'en',
    reason: 'queue_full',
    samples: 8000,
    retained_at: new Date(0).toISOString(),
  };
  const archive: RetainedContext['archive'] = {
    place: 'flood',
    mayComeBack: false,
    list: async () => {
      looks++;
      return [...there].map((key) => ({
        key,
        owner: key.slice(25, 29),
        seconds: 1,
        at: 0,
        bytes: 1,
        failed: false,
      }));
    },
    read: async (key) => {
      order.push(key);
      return { record, pcm: new Int16Array(8000) };
    },
    remove: async (key) => void there.delete(key),
    giveUp: async () => undefined,
    putBack: async () => undefined,
  };
  const pipeline = startPipeline({
    settings: loadSettings({ SWEEP_INTERVAL: '300' }).values,
    databaseUrl: url,
    log,
    retained: {
      archive,
      place: 'flood',
      speakerLanguages: () => ['en'],
      transcription: {
        transcribe: async () => {
          // A second user's audio arrives when many files of the first user are done and many remain.
          if (order.length >= 10 && noticed === undefined) {
            there.add(keyOf('cccc', 900));
            const before = looks;
            // The next check finds the audio. When the check after it has begun, the work of the next check is done.
            noticed = until(() => looks >= before + 2, 'two more looks');
          }
          // Both workers wait here, so the rest of the test does not depend on speed.
          await noticed;
          return { outcome: 'expected_silence', text: '', provider: 'local', waited: 0, decoded: 0 };
        },
        close: async () => undefined,
      },
    },
  });
  t.teardown(() => pipeline.close(5000));
  await until(() => there.size === 0, 'all of it is done');
  t.equal(order.length, 81, 'each once');
  const place = order.indexOf(keyOf('cccc', 900));
  t.ok(place >= 10 && place < 60, `the other user's is number ${place} of 81`);

  const again = keyOf('dddd', 0);
  // A file that was claimed but not started is claimed again only after two minutes.
  for (const time of ['first', 'second']) {
    there.add(again);
    await sql`update retained_audio set state = 'waiting', due_at = now(), ended_at = null where key = ${again}`;
    await until(
      () => !there.has(again),
      `an operator retries it: the ${time} time, seconds after the job before`,
    );
  }
  t.equal(order.length, 83);
});
