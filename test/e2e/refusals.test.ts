/** Tests connections and frames that the running product must refuse or survive, from outside. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { WebSocket } from 'ws';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import { listenUrl } from '../../src/app/wearable/open-socket.js';
import type { WearableOptions } from '../../src/app/wearable/options.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { findModel } from '../../src/models/directory.js';
import { metric, startService } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

t.test('refused streams and streams that continue', async (t) => {
  const service = await startService(t, { INTERIM_WORDS: 'false' });
  const ada = await service.user('ada');

  /** Returns the HTTP status of a refused upgrade, or the close code and reason after acceptance. */
  const attempt = (
    options: Partial<WearableOptions> & { query?: Record<string, string> },
    token: string | null = ada.token,
    first?: Uint8Array,
  ): Promise<{ status?: number; code?: number; reason?: string; body?: string }> =>
    new Promise((resolve) => {
      const url = listenUrl({ url: service.base, uid: ada.uid, codec: 'opus', rate: 16_000, ...options });
      const socket = new WebSocket(url, {
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
      });
      socket.on('error', () => undefined);
      socket.on('unexpected-response', (_request, response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode!, body }));
      });
      socket.on('open', () => first && socket.send(first));
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });

  await t.test('each wrong parameter has its close code and reason', async (t) => {
    t.match(await attempt({}, null), { status: 401 }, 'no token');
    t.match(await attempt({}, 'abc.def.ghi'), { status: 401 }, 'bad token');
    t.match(await attempt({ query: { sample_rate: 'abc' } }), { status: 403 }, 'sample_rate=abc');
    t.match(await attempt({ uid: 'somebody-else' }), { code: 1008 }, 'foreign uid');
    t.match(await attempt({ codec: 'flac' }), { code: 1003, reason: /flac/ }, 'unknown codec');
    t.match(await attempt({ rate: 44_100 }), { code: 1003, reason: /44100/ }, 'opus at 44100 Hz');
    const spoken = findModel(loadSettings({}).values.transcriberModels[0]!).recogniser!.languages;
    for (const language of ['xx', 'de', 'es', 'fr', 'ja', 'zh', 'multi'].filter(
      (one) => !spoken.includes(one),
    )) {
      const reason = new RegExp(`, ${language}$`);
      t.match(
        await attempt({ language }),
        { code: 1008, reason },
        `a language that no model knows, ${language}`,
      );
    }
    t.match(
      await attempt({}, ada.token, new Uint8Array(1_048_576)),
      { code: 1009, reason: /frame_too_large/ },
      '1 MiB binary frame',
    );
    t.match(await attempt({ query: { channels: '3' } }), { code: 1003 }, 'three channels');
  });

  await t.test(
    'text that is not JSON and a thousand frames of random bytes are counted and close nothing',
    async (t) => {
      const wearable = await service.wearable(ada);
      await wearable.waitFor((event) => event.status === 'ready', 60_000);
      const invalidTexts = await metric(service, 'texts_invalid_total');
      const invalidFrames = await metric(service, 'frames_invalid_total');
      for (const text of ['not json', '{', '', '\u0000']) wearable.sendText(text);
      const sent = 1000;
      for (let frame = 0; frame < sent; frame++) {
        wearable.sendBinary(randomBytes(3 + (frame % 200)));
        // The pause gives the rate of a normal client. Frames over the budget would be refused before they are decoded.
        if (frame % 20 === 19) await pause(20);
      }
      await until(
        async () => (await metric(service, 'texts_invalid_total')) >= invalidTexts + 4,
        'non-JSON texts are counted',
      );
      await until(
        async () => (await metric(service, 'frames_invalid_total')) > invalidFrames,
        'frames that do not decode are counted',
      );
      t.notOk(wearable.isClosed, 'the stream is still open');
      const logged = (): number => service.readLog().split('do not decode and are').length - 1;
      await until(() => logged() > 0, 'frames that do not decode are logged');
      t.ok(logged() < 10, `${logged()} lines, and not one for each frame`);

      const { pcm, rate } = await scene([3]);
      await wearable.send(encodeFrames({ rate, pcm }, 'opus', 16_000), 2);
      await until(() => /amiable/i.test(wearable.transcript.text), 'speech after the noise is still heard');
      await wearable.close();
    },
  );
});
