/**
 * Two devices of one user are near each other and stream the same speech. The result is one conversation with the words of the better
 * stream.
 */
import t from 'tap';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import type { Wearable } from '../../src/app/wearable/wearable.js';
import { pinkNoise } from '../../src/audio/pink-noise.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { withoutNative } from '../audio/support.js';
import { recorded, recordingName } from '../recordings/frame-files.js';
import { testDatabaseUrl } from '../support/database/database.js';
import { readBack, startService, type User } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

t.test('two devices in one room', { skip: withoutNative, timeout: 240_000 }, async (t) => {
  const url = await testDatabaseUrl(t);
  // With these settings, a busy machine does not refuse a stream.
  const limits = { LAG_BUDGET: '60000', TRANSCRIBER_LAG_BUDGET: '600000', INTERIM_WORDS: 'false' };
  const service = await startService(t, { DATABASE_URL: url, ...limits }, async () => undefined);
  const sql = connectDatabase(url, { max: 1, name: 'test' });
  t.teardown(() => sql.end());
  const near = (await scene([0, 1], 700)).pcm;
  const noise = pinkNoise(near.length, 1);
  // The second device is far away. Its audio is quieter and noisy, and its recording is longer.
  const far = Int16Array.from([
    ...near.map((sample, i) => 0.3 * sample + 250 * noise[i]!),
    ...(await scene([3], 700)).pcm,
  ]);

  const connect = async (user: User, source: string): Promise<Wearable> => {
    const wearable = await service.wearable(user, { source });
    await wearable.waitFor(({ status }) => status === 'ready', 60_000);
    return wearable;
  };
  const speak = async (wearable: Wearable, pcm: Int16Array): Promise<void> => {
    await wearable.send(encodeFrames({ pcm, rate: 16_000 }, 'opus', 16_000));
    await until(
      () => (wearable.transcript.segments.at(-1)?.end ?? 0) > pcm.length / 16_000 - 4,
      'all words came',
    );
    wearable.sendText('{"type":"stop"}');
    await wearable.close();
  };
  const wordsOf = (texts: readonly string[]): string[] =>
    texts
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}']+/gu) ?? [];

  const ann = await service.user('ann');
  await sql`update users set merge_devices = true where uid = 'ann'`;
  const [clean, quiet] = [await connect(ann, 'omi'), await connect(ann, 'phone')];
  const begun = Date.now();
  await Promise.all([speak(clean, near), speak(quiet, far)]);
  await until(async () => {
    const [row] =
      await sql`select count(*)::integer as ended from conversations where uid = 'ann' and status = 'completed'`;
    return row!.ended === 2;
  }, 'both are processed');
  const rows = await sql<
    { id: string; source: string; merged_into: string | null; speech_probability: number }[]
  >`
    select id, source, merged_into, speech_probability from conversations where uid = 'ann' order by source`;
  const [better, other] = [false, true].map(
    (isPhone) => rows.find(({ source }) => (source === 'phone') === isPhone)!,
  );
  for (const { source, speech_probability } of rows)
    t.ok(speech_probability > 0.5 && speech_probability <= 1, `${source}: ${speech_probability}`);
  t.ok(better!.speech_probability >= other!.speech_probability, 'the near one is better');
  const kept = rows.filter(({ merged_into: into }) => into === null);
  t.equal(kept.length, 1, 'they are one conversation');
  const key = await service.developerKey('ann');
  const { transcript_segments: segments } = await readBack(service, key, kept[0]!.id);
  const said = wordsOf(segments.map(({ text }) => text));
  const live = (wearable: Wearable): string[] =>
    wordsOf(wearable.transcript.segments.map(({ text }) => text));
  const [ours, theirs] = [live(clean), live(quiet)];
  t.equal(said.slice(0, ours.length).join(' '), ours.join(' '), 'the words of the near device stay');
  const rest = said.slice(ours.length).join(' ');
  t.ok(
    rest.length > 0 && theirs.join(' ').endsWith(rest),
    `what only the other one recorded follows: ${rest.length} characters`,
  );
  t.ok(said.length < 1.2 * theirs.length, `${said.length} words of ${ours.length} and ${theirs.length}`);
  const listed = await fetch(`${service.base}/v1/dev/user/conversations`, {
    headers: { authorization: `Bearer ${key}` },
  });
  t.match(await listed.json(), [{ id: kept[0]!.id, merged_into: null, discarded: false }]);

  // The first device stored the same audio in its flash memory. Its clock is 2 s ahead.
  const form = new FormData();
  form.append('files', new Blob([recorded(near, 'opus')]), recordingName(begun + 2000, 'opus_16000_1'));
  const headers = { authorization: `Bearer ${ann.token}` };
  const path = `${service.base}/v2/sync-local-files`;
  const { job_id: job } = (await (await fetch(path, { method: 'POST', headers, body: form })).json()) as {
    job_id: string;
  };
  const progress = async () =>
    (await fetch(`${path}/${job}`, { headers })).json() as Promise<{ status: string }>;
  await until(async () => (await progress()).status === 'completed', 'it is transcribed');
  t.match(await progress(), { new_memories: [], updated_memories: [kept[0]!.id], failed_segments: 0 });
  const after = await readBack(service, key, kept[0]!.id);
  const grown = wordsOf(after.transcript_segments.map(({ text }) => text)).length - said.length;
  t.ok(grown <= 2, `${grown} words more`);
});
