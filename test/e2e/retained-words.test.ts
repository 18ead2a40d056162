/** The transcriber's queue is full for some speech. The speech is retained as audio, and its words later appear in the conversation. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { wordError } from '../../src/app/sample/word-error.js';
import { encodeFrames, usualRate } from '../../src/app/wearable/encode.js';
import { metric, readBack, startService } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

t.test('retained audio becomes words', { timeout: 180_000 }, async (t) => {
  // The queue takes at most one second of each stream. Every utterance of the scene is longer, so all utterances are retained.
  const service = await startService(t, { TRANSCRIBER_STREAM_QUEUE: '1000', SWEEP_INTERVAL: '500' });
  const user = await service.user('ada');
  const key = await service.developerKey(user.uid);
  const files = (): string[] =>
    readdirSync(join(service.dataDir, 'audio')).filter((name) => name.endsWith('.opus'));
  const spoken = await scene([0, 2], 1200);
  const wearable = await service.wearable(user, {
    codec: 'opus',
    rate: usualRate('opus'),
    conversationTimeout: 10,
  });
  await wearable.waitFor((event) => event.status === 'ready', 60_000);
  await wearable.send(encodeFrames(spoken, 'opus', usualRate('opus')), 1);
  await until(async () => (await metric(service, 'utterances_retained_total')) >= 2, 'both are retained');
  await until(() => files().length === 2, 'both are written');
  await wearable.close();

  await until(() => files().length === 0, 'the audio is transcribed and removed', 120_000);
  const answer = await fetch(`${service.base}/v1/dev/user/conversations`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const list = (await answer.json()) as { id: string }[];
  t.equal(list.length, 1, 'one conversation');
  const { transcript_segments: segments } = await readBack(service, key, list[0]!.id);
  const said = (segments ?? []).map((segment) => segment.text).join(' ');
  const { rate } = wordError(spoken.text, said);
  t.ok(rate < 0.2, `all words are there, in their order: word error ${rate.toFixed(3)}`);
  t.match(JSON.parse(await service.cochlea('retained', 'list', '--json')), [], 'nothing is left to list');
});
