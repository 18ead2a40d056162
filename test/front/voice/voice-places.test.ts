/** Voice messages have their own slots and limits in the front, separate from other requests and uploads of recordings. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { routedPath } from '../../../src/front/proxy/routed-path.js';
import { uploadPath, voicePaths, voiceStreamPath } from '../../../src/wire/upload-path.js';
import { until } from '../../support/until.js';
import { listening, startRig } from '../support.js';

const ownPlaces: ReadonlySet<string> = new Set([...voicePaths, uploadPath]);
/** Returns the same path with one percent-encoded letter, and with a part that no router reads. */
const otherSpellings = (path: string): string[] => [
  path.replace('v', '%76'),
  path.replace(/o/g, '%6F'),
  `${path}#x`,
];

t.test('routes a path as the sidecar reads it', async (t) => {
  for (const [given, read] of [
    ['/v2/voice%2Dmessages', '/v2/voice-messages'],
    ['/%762/voice-messages', '/v2/voice-messages'],
    ['/v2/voice-messages#/v1', '/v2/voice-messages'],
    ['/v2/voice-messages%23', '/v2/voice-messages%23'],
    ['/v2%2Fvoice-messages', '/v2%2Fvoice-messages'],
    ['/v2/voice%252Dmessages', '/v2/voice%2Dmessages'],
    ['/v2/voice%messages', '/v2/voice%messages'],
    ['/v2/voice%ff', '/v2/voice%ff'],
  ] as const)
    t.equal(routedPath(given), read, given);
});

t.test('voice messages use no slots of other requests', async (t) => {
  let held = 0;
  const upstream = createServer((message, response) => {
    message.resume();
    if (message.method === 'POST' && ownPlaces.has(routedPath(message.url!))) held++;
    else response.end('ok');
  });
  const sidecar = await listening(t, upstream);
  const rig = await startRig(t, {
    sidecar,
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
  /** Sends a request. @param address client address that a proxy reports, for which the limits count. */
  const send = (path: string, address: string, method = 'POST', body = 'x') => {
    const sent = request(`http://${rig.origin}${path}`, {
      method,
      headers: { 'x-forwarded-for': address },
      agent: false,
    });
    t.teardown(() => sent.destroy());
    sent.on('error', () => undefined);
    const answered = once(sent, 'response').then(async ([answer]) => {
      const { statusCode, headers } = answer as { statusCode: number; headers: Record<string, string> };
      return { statusCode, headers, body: await text(answer) };
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
    t.match(again.headers['content-type'], /^application\/json/);
    t.same(
      Object.keys(JSON.parse(again.body)),
      ['detail'],
      'the usual body, not that of a failed transcription',
    );
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
  for (const path of [...voicePaths].flatMap(otherSpellings)) {
    const before = held;
    const first = send(path, '192.0.2.1');
    await until(() => held === before + 1, `${path} is under way`);
    t.equal((await send(path, '192.0.2.1')).statusCode, 503, `${path} has the places of its route`);
    upstream.closeAllConnections();
    await Promise.allSettled([first]);
  }
  for (const path of otherSpellings(voiceStreamPath))
    t.equal((await send(path, '192.0.2.6')).statusCode, 426, `${path} is the front's own`);
});
