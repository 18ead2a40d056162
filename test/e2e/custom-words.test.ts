/** Custom words of a stream, of a voice message and of a user appear in no log line, even if they are refused. */
import t from 'tap';
import { encodeFrames, usualRate } from '../../src/app/wearable/encode.js';
import { startService } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

/** Common part of all test words, which no other line of a log contains. It contains upper and lower case. */
const mark = 'Zyzzyva';

t.test('custom words are not logged', { timeout: 240_000 }, async (t) => {
  const service = await startService(t, { LOG_LEVEL: 'trace' });
  const user = await service.user('ada');
  const spoken = await scene([0]);
  const headers = { authorization: `Bearer ${user.token}` };
  const change = (custom_words: readonly string[]): Promise<Response> =>
    fetch(`${service.base}/v1/users/settings`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ custom_words }),
    });
  t.equal((await change([`${mark} of the settings`])).status, 200);
  t.equal((await change([mark.repeat(10)])).status, 422);

  const options = { codec: 'opus', rate: usualRate('opus'), conversationTimeout: 10 } as const;
  const tooLong = { ...options, query: { keywords: mark.repeat(10) } };
  await t.rejects(service.wearable(user, tooLong), /403/);
  const wearable = await service.wearable(user, { ...options, query: { keywords: `${mark} of the stream` } });
  await wearable.waitFor((event) => event.status === 'ready', 60_000);
  wearable.sendText(JSON.stringify({ type: 'keywords', words: [`${mark} of a message`] }));
  wearable.sendText(JSON.stringify({ type: 'keywords', words: [mark.repeat(10)] }));
  await wearable.waitFor((event) => event.status === 'message_refused', 60_000);
  await wearable.send(encodeFrames(spoken, 'opus', usualRate('opus')), 2);
  await until(() => wearable.transcript.text !== '', 'words', 60_000);
  await wearable.close();

  const { buffer, byteOffset, byteLength } = spoken.pcm;
  const body = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
  const message = (keywords: string): Promise<Response> =>
    fetch(`${service.base}/v2/voice-message/transcribe?language=en&keywords=${keywords}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body,
    });
  t.equal((await message(`${mark}-voice`)).status, 200);
  t.equal((await message(mark.repeat(10))).status, 200, 'left out');
  await service.stop();
  const log = service.readLog();
  t.match(log, /"level":20/, 'all levels are logged');
  t.notMatch(log, new RegExp(mark, 'i'));
});
