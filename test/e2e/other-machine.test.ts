/**
 * A machine is lost with its disk. A second machine with a different host name and an empty data folder has the same
 * database and bucket. It finds the retained audio, the image and the uploaded recording of the lost machine.
 */
import { rm } from 'node:fs/promises';
import t from 'tap';
import WebSocket from 'ws';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { recorded, recordingName } from '../recordings/frame-files.js';
import { uploadForm } from '../sidecar/support.js';
import { testDatabaseUrl } from '../support/database/database.js';
import { startHostedStub } from '../support/hosted-stub/server.js';
import { testSecret } from '../support/issuer-secret.js';
import { startMoto, withoutMoto } from '../support/moto.js';
import { descendants, metric, startService } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const png = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1'),
  Buffer.alloc(60_000, 7),
]);

/** Returns options of Node that give a process and its children a different host name. */
const withHostName = (name: string): string => {
  const program = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module'; os.hostname = () => '${name}'; syncBuiltinESMExports();`;
  return `--import=data:text/javascript,${encodeURIComponent(program)}`;
};

t.test('another machine finds all files', { skip: withoutMoto, timeout: 400_000 }, async (t) => {
  const url = await testDatabaseUrl(t);
  const sql = connectDatabase(url, { max: 2, name: 'test' });
  t.teardown(() => sql.end());
  const { bucket, accessKey, secretKey } = await startMoto(t);
  const stub = await startHostedStub('provider_a', 1);
  t.teardown(() => stub.stop());
  const start = (host: string, sweep: number) =>
    startService(
      t,
      {
        DATABASE_URL: url,
        ISSUER_SECRET: testSecret,
        BUCKET_URL: `${bucket}/kept`,
        BUCKET_ACCESS_KEY: accessKey,
        BUCKET_SECRET_KEY: secretKey,
        RETAINED_AUDIO_KEY: 'ab'.repeat(32),
        STT_SERVICE_MODELS: 'provider_a',
        HOSTED_PARAKEET_API_URL: stub.url,
        SWEEP_INTERVAL: String(sweep),
        STT_ANSWER_TIMEOUT: '3000',
        NODE_OPTIONS: withHostName(host),
      },
      async () => undefined,
    );

  // The provider never answers, so all audio is accepted before the stream fails. The first machine searches for retained audio only at
  // its start.
  stub.fault = 'stall';
  const lost = await start('lost-host', 600_000);
  const user = await lost.user('ann');
  const speech = await scene([0], 1500);
  const query = `language=en&sample_rate=16000&codec=opus&conversation_timeout=10&uid=${user.uid}`;
  const socket = new WebSocket(`${lost.base.replace('http', 'ws')}/v4/listen?${query}`, {
    headers: { authorization: `Bearer ${user.token}` },
  });
  const events: Record<string, unknown>[] = [];
  socket.on('message', (data) => {
    if (String(data).startsWith('{')) events.push(JSON.parse(String(data)));
  });
  const told = (find: (event: Record<string, unknown>) => boolean) =>
    until(async () => events.find(find), 'an event', 60_000);
  await told(({ status }) => status === 'ready');
  const session = await told(({ type }) => type === 'conversation_session');
  const data = png.toString('base64');
  socket.send(JSON.stringify({ type: 'image_chunk', id: 'one', index: 0, total: 1, data }));
  await told(({ type }) => type === 'photo_processing');
  for (const { bytes } of encodeFrames(speech, 'opus', 16_000)) socket.send(bytes);
  await until(
    async () => (await metric(lost, 'utterances_retained_total')) >= 1,
    'audio is retained',
    60_000,
  );
  t.equal(await metric(lost, 'utterances_retained_on_disk_total'), 0, 'in the bucket');
  const answer = await fetch(`${lost.base}/v2/sync-local-files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}` },
    body: uploadForm({ [recordingName(Date.now() - 86_400_000)]: recorded(speech.pcm, 'opus_fs320') }),
  });
  t.equal(answer.status, 202, 'the upload is confirmed');
  for (const { pid } of descendants(lost.pid)) process.kill(pid, 'SIGKILL');
  await rm(lost.dataDir, { recursive: true, force: true });

  stub.fault = undefined;
  // The claim of the killed worker would last a minute. The test ends it at once.
  await sql`update recordings set due_at = now() where state = 'waiting'`;
  const found = await start('found-host', 500);
  const key = await found.developerKey(user.uid);
  const headers = { authorization: `Bearer ${key}` };
  const path = `/v1/dev/user/conversations/${session.conversation_id}/photos`;
  const [photo] = (await (await fetch(found.base + path, { headers })).json()) as { url: string }[];
  const link = new URL(photo!.url);
  const image = await fetch(found.base + link.pathname + link.search);
  t.equal(image.status, 200);
  t.same(Buffer.from(await image.arrayBuffer()), png, 'the image is found');

  const stateOf = async () =>
    (
      await sql<{ retained: string[]; recordings: string[] }[]>`
      select array(select distinct state from retained_audio) as retained, array(select state from recordings) as recordings`
    )[0]!;
  await until(
    async () => {
      const { retained, recordings } = await stateOf();
      return retained.join() === 'done' && recordings.join() === 'done';
    },
    'retained audio and recording are transcribed',
    180_000,
  );
  const words = await sql<{ id: string; text: string }[]>`
    select conversation_id as id, string_agg(text, ' ') as text from segments where not deleted group by conversation_id`;
  t.equal(words.length, 2, 'words of the stream and of the recording');
  t.ok(words.some(({ id }) => id === session.conversation_id));
  t.ok(words.every(({ text }) => /word \d/.test(text)));
  socket.terminate();
});
