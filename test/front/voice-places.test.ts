/** Voice messages have places and bounds of their own, in the front, beside other requests and uploads of recordings. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import t from 'tap';
import { uploadPath, voicePaths } from '../../src/wire/upload-path.js';
import { until } from '../support/until.js';
import { startRig } from './support.js';

t.test('voice messages take no place of other requests', async (t) => {
  let held = 0;
  const upstream = createServer((message, response) => {
    message.resume();
    if (message.method === 'POST' && (voicePaths.has(message.url!) || message.url === uploadPath)) held++;
    else response.end('ok');
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  t.teardown(() => {
    upstream.closeAllConnections();
    upstream.close();
  });
  const { port } = upstream.address() as { port: number };
  const rig = await startRig(t, {
    sidecar: { host: '127.0.0.1', port },
    settings: {
      maxProxied: 2,
      maxUploads: 1,
      maxVoiceMessages: 2,
      maxVoiceMessagesPerAddress: 1,
      maxProxiedBody: 1000,
      uploadSize: 2000,
      voiceSize: 100_000,
    },
  });
  /** @param address of the client behind a proxy, so that it counts. */
  const send = (path: string, address: string, method = 'POST', body = 'x') => {
    const sent = request(`http://${rig.origin}${path}`, {
      method,
      headers: { 'x-forwarded-for': address },
      agent: false,
    });
    t.teardown(() => sent.destroy());
    sent.on('error', () => undefined);
    const answered = once(sent, 'response').then(([answer]) => {
      answer.resume();
      return answer as { statusCode: number; headers: Record<string, string> };
    });
    answered.catch(() => undefined);
    sent.end(method === 'GET' ? undefined : body);
    return answered;
  };
  for (const path of voicePaths) {
    const before = held;
    const first = send(path, '192.0.2.1', 'POST', 'x'.repeat(50_000));
    await until(() => held === before + 1, 'the first message is under way');
    const again = await send(path, '192.0.2.1');
    t.equal(again.statusCode, 503, 'one address has its part of the places');
    t.ok(Number(again.headers['retry-after']) > 0);
    const second = send(path, '192.0.2.2');
    await until(() => held === before + 2, 'another one has its own');
    t.equal((await send(path, '192.0.2.3')).statusCode, 503, 'a third message has no place');
    t.equal((await send('/v1/any', '192.0.2.4', 'GET')).statusCode, 200, 'other requests have theirs');
    void send(uploadPath, '192.0.2.5');
    await until(() => held === before + 3, 'uploads of recordings have theirs');
    upstream.closeAllConnections();
    await Promise.allSettled([first, second]);
    const large = await send(path, '192.0.2.9', 'POST', 'x'.repeat(200_000));
    t.equal(large.statusCode, 413);
  }
});
