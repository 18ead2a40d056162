/**
 * Voice messages are transcribed while they are spoken, through real sockets of both listeners to a real sidecar. Tests messages to the
 * client, close codes, and limits.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import type { Settings } from '../../../src/config/settings.js';
import { loadUws } from '../../../src/front/uws/build.js';
import { createTokenVerifier } from '../../../src/identity/token-verifier.js';
import { createLogger } from '../../../src/log/logger.js';
import type { RecordingWork } from '../../../src/pipeline/words/recordings.js';
import { withoutNative } from '../../audio/support.js';
import { startAnother, startApi } from '../../sidecar/support.js';
import { scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';
import { Client, type Rig, startRig } from '../support.js';

type Transcription = RecordingWork['transcription'];
type Request = Parameters<Transcription['transcribe']>[0];
type Result = Awaited<ReturnType<Transcription['transcribe']>>;

const result = (outcome: string, text = ''): Result =>
  ({ outcome, text, provider: 'local', waited: 0, decoded: 0 }) as Result;
/** The path that clients use. */
const path = '/v2/voice-message/transcribe-stream';
const uws = loadUws();
const log = createLogger('voice-streams-test', 'silent');
/** Bytes of 100 ms of audio at 16 kHz. */
const tenth = 3200;

t.test('live voice messages', { skip: withoutNative, timeout: 240_000 }, async (t) => {
  let answer: (request: Request) => Promise<Result> | Result;
  let asked: Request[] = [];
  const transcription: Transcription = {
    transcribe: async (request) => {
      asked.push(request);
      return answer(request);
    },
    close: async () => undefined,
  };
  t.beforeEach(() => {
    asked = [];
    answer = () => result('success', `Part ${asked.length}.`);
  });
  const metricsPort = await freePort();
  const api = await startApi(
    t,
    { VOICE_STREAM_LENGTH: '20000', SIDECAR_METRICS_PORT: String(metricsPort) },
    log,
    transcription,
  );
  /** A sidecar with the rate limits of a deployment. */
  const strict = await startAnother(t, api, { RATE_LIMIT_BOOST: '1' }, transcription);
  const verifier = await createTokenVerifier({ settings: api.settings, databaseUrl: api.url, log });
  t.teardown(() => verifier.close());
  const counted = async (outcome: string): Promise<number> => {
    const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const line = new RegExp(
      `cochlea_voice_messages_total\\{route="voice_stream",outcome="${outcome}",provider="\\w+"\\} (\\d+)`,
    );
    return Number(line.exec(page)?.[1] ?? 0);
  };
  const { pcm } = await scene([0]);
  const speech = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const silence = Buffer.alloc(10 * tenth);

  const rigTo = (t: Test, base: string, settings: Partial<Settings>): Promise<Rig> =>
    startRig(t, {
      settings: { ...settings, maxOpensPerUser: 1000 },
      verifier,
      sidecar: { host: '127.0.0.1', port: Number(new URL(base).port) },
    });

  /** Opens a socket. */
  const open = (
    t: Test,
    rig: Rig,
    token: string,
    query = '',
    headers: Record<string, string> = {},
  ): Client => {
    const socket = new WebSocket(`ws://${rig.origin}${path}${query}`, {
      headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
    });
    t.teardown(() => socket.terminate());
    return new Client(socket);
  };
  const speak = async (client: Client, audio: Buffer): Promise<void> => {
    await client.open();
    for (let at = 0; at < audio.length; at += tenth) client.socket.send(audio.subarray(at, at + tenth));
  };
  const textsOf = ({ received }: Client): string[] =>
    received
      .map((text) => JSON.parse(text) as unknown)
      .filter((message) => Array.isArray(message))
      .flat()
      .map(({ text }) => text);

  for (const listener of ['uws-untested', 'ws'] as const) {
    await t.test(listener, async (t) => {
      if (listener === 'uws-untested' && typeof uws === 'string') {
        t.pass('sockets of uWebSockets.js', { skip: `no build of it loads here: ${uws}` });
        return;
      }
      const ann = await api.person();
      const rig = await rigTo(t, api.base, { listener });

      await t.test('sends words during the message and the last ones at its end', async (t) => {
        const before = await counted('success');
        await api.sql`update users set custom_words = ${['Kubernetes']} where uid = ${ann.uid}`;
        const client = open(t, rig, ann.token, '?language=en&keywords=Okafor,Ada%20L&keywords=okafor');
        await speak(client, Buffer.concat([speech, silence]));
        await client.message((text) => text.startsWith('['));
        t.ok(asked.length > 0, 'words are there before the end');
        client.socket.send('finalize');
        t.match(await client.outcome, { code: 1000 });
        t.same(
          textsOf(client),
          asked.map((_, index) => `Part ${index + 1}.`),
        );
        const [first] = JSON.parse(client.received[0]!);
        t.match(first, { speaker: 'SPEAKER_00', speaker_id: 0, is_user: true, stt_provider: 'local' });
        t.ok(first.start >= 0 && first.end > first.start && first.end < pcm.length / 16_000 + 1);
        t.match(asked[0], { user: ann.uid, language: 'en', priority: 'voice' });
        t.strictSame(asked[0]!.keywords, ['Okafor', 'Ada L', 'Kubernetes']);
        t.equal(await counted('success'), before + 1);
      });

      await t.test('sends the last words at the end, in the order in which they were spoken', async (t) => {
        const waiting: (() => void)[] = [];
        answer = async (request) => {
          const number = asked.indexOf(request) + 1;
          if (number === 1) await new Promise<void>((resolve) => waiting.push(resolve));
          return result('success', `Part ${number}.`);
        };
        const client = open(t, rig, ann.token);
        await speak(client, Buffer.concat([speech, silence, speech]));
        client.socket.send('finalize');
        await until(() => asked.length >= 2);
        t.equal(client.received.length, 0);
        waiting[0]!();
        t.match(await client.outcome, { code: 1000 });
        t.match(textsOf(client), ['Part 1.', 'Part 2.']);
      });

      await t.test('closes normally for silence and without audio', async (t) => {
        const before = await counted('expected_silence');
        for (const audio of [silence, Buffer.alloc(0), Buffer.alloc(2)]) {
          const client = open(t, rig, ann.token);
          await speak(client, audio);
          client.socket.send('finalize');
          t.match(await client.outcome, { code: 1000 });
          t.same(client.received, []);
        }
        t.same(asked, []);
        t.equal(await counted('expected_silence'), before + 3);
      });

      await t.test('closes with the code of a failed transcription', async (t) => {
        for (const [outcome, code] of [
          ['config_error', 1011],
          ['invalid_input', 1008],
          ['upstream_error', 1011],
        ] as const) {
          answer = () => result(outcome);
          const before = await counted(outcome);
          const client = open(t, rig, ann.token);
          // The error arrives at once, not at the end of the client's audio.
          await speak(client, Buffer.concat([speech, silence]));
          t.match(await client.outcome, { code });
          t.match(
            client.received.map((text) => JSON.parse(text)),
            [{ type: 'service_status', status: 'stt_failed', outcome, provider: 'local' }],
          );
          t.equal(await counted(outcome), before + 1);
        }
        answer = () => result('success', '');
        const client = open(t, rig, ann.token);
        await speak(client, speech);
        client.socket.send('finalize');
        t.match(await client.outcome, { code: 1011 }, 'speech without words is no success');
        t.match(JSON.parse(client.received[0]!), { status: 'stt_failed' });
      });

      await t.test('counts a client that disconnects, and frees its slot', async (t) => {
        const before = await counted('left');
        answer = ({ signal }) =>
          new Promise((resolve) =>
            signal!.addEventListener('abort', () => resolve(result('upstream_error'))),
          );
        for (let time = 1; time <= 3; time++) {
          const client = open(t, rig, ann.token);
          await speak(client, Buffer.concat([speech, silence]));
          await until(() => asked.length >= time, 'its first words are being transcribed');
          asked.length = time;
          client.socket.close(1000);
          await client.outcome;
        }
        await until(async () => (await counted('left')) === before + 3, 'they are counted');
        t.equal(rig.metrics.get('voice_streams_active'), 0);
      });

      await t.test('refuses clients without a valid token or origin', async (t) => {
        const upgrades = async (token: string, headers = {}) =>
          (await open(t, rig, token, '?language=en', headers).outcome).status;
        t.equal(await upgrades(''), 401);
        t.equal(await upgrades('nonsense'), 401);
        t.equal(await upgrades(ann.key), 401, 'a developer key');
        t.equal(await upgrades(ann.token, { origin: 'https://elsewhere.example' }), 403);
        t.same(asked, []);
        const gone = await api.person();
        await api.sql`delete from users where uid = ${gone.uid}`;
        t.match(await open(t, rig, gone.token).outcome, { code: 1008, reason: 'Bad user' });
      });

      await t.test('refuses unsupported parameters in the URL', async (t) => {
        for (const [query, name] of [
          ['?sample_rate=7999', 'sample_rate'],
          ['?sample_rate=48001', 'sample_rate'],
          ['?sample_rate=x', 'sample_rate'],
          ['?codec=opus', 'codec'],
          ['?channels=2', 'channels'],
        ] as const) {
          const { code, reason } = await open(t, rig, ann.token, query).outcome;
          t.equal(code, 1008, query);
          t.match(reason, new RegExp(name), query);
        }
        for (const [query, code] of [
          ['?language=%00', 1008],
          ['?language=xx', 1011],
        ] as const)
          t.match(await open(t, rig, ann.token, query).outcome, { code }, query);
      });

      await t.test('refuses the route without an upgrade', async (t) => {
        const headers = { authorization: `Bearer ${ann.token}` };
        for (const method of ['POST', 'GET']) {
          const answered = await fetch(`http://${rig.origin}${path}`, { method, headers });
          t.equal(answered.status, 426, method);
          t.match(await answered.json(), { detail: String });
        }
      });

      await t.test('limits the audio of a message', async (t) => {
        const client = open(t, rig, ann.token);
        await speak(client, Buffer.concat([speech, Buffer.alloc(22 * 32_000)]));
        t.match(await client.outcome, { code: 1008, reason: 'A voice message may last 20 s' });
        t.ok(textsOf(client).length > 0, 'the words so far are told');
      });

      await t.test('closes a flood of tiny audio messages', async (t) => {
        const client = await open(t, rig, ann.token).open();
        for (let sent = 0; sent < 14_000; sent++) client.socket.send(Buffer.alloc(4));
        const { code, reason } = await client.outcome;
        t.equal(code, 1008);
        t.match(reason, /message_flood/);
      });

      await t.test('shares the daily audio limit with other messages', async (t) => {
        const ben = await api.person();
        const limited = await rigTo(t, strict.base, { listener });
        await api.sql`
          insert into rate_windows (subject, policy, used, allowed, ends_at)
          values (${ben.uid}, 'voice:audio', 7199, 7200, now() + interval '1 hour')`;
        const { status } = await strict.call('/v2/voice-message/transcribe', {
          credential: ben.token,
          method: 'POST',
          body: new Uint8Array(32_000),
          headers: { 'content-type': 'application/octet-stream' },
        });
        t.equal(status, 200, 'the last second');
        const client = open(t, limited, ben.token);
        await speak(client, speech);
        const { code, reason } = await client.outcome;
        t.equal(code, 1008);
        t.match(reason, /voice:audio/);
        t.same(asked, [], 'nothing of it is transcribed');
      });

      await t.test('limits concurrent messages per address and in total', async (t) => {
        const few = await rigTo(t, api.base, { listener, maxVoiceStreams: 3, maxVoiceStreamsPerAddress: 2 });
        const from = (address: string, token = ann.token) =>
          open(t, few, token, '', { 'x-forwarded-for': address });
        const held = [await from('192.0.2.1').open(), await from('192.0.2.1').open()];
        t.equal((await from('192.0.2.1').outcome).status, 503, 'of an address');
        await Promise.all(held.map((client) => speak(client, silence)));
        const third = await from('192.0.2.2').open();
        // The messages reach the sidecar in an unknown order, so any of them may be refused.
        const refused = await Promise.race([...held, third].map(({ outcome }) => outcome));
        t.match(refused, { code: 1013 }, 'of a user, who has two');
        const other = await from('192.0.2.3', (await api.person()).token).open();
        t.equal((await from('192.0.2.4').outcome).status, 503, 'of all');
        for (const client of [...held, third, other]) {
          client.socket.close();
          await client.outcome;
        }
        await until(() => few.metrics.get('voice_streams_active') === 0);
      });

      await t.test('closes a socket without audio', async (t) => {
        const quick = await rigTo(t, api.base, { listener, voiceStreamIdle: 1000 });
        const client = await open(t, quick, ann.token).open();
        client.socket.send('hello');
        client.socket.send(Buffer.alloc(2));
        t.match(await client.outcome, { code: 1001, reason: 'idle' });
      });

      await t.test('closes when the sidecar reads nothing', async (t) => {
        const stuck = createServer((request) => request.pause());
        stuck.listen(0, '127.0.0.1');
        await once(stuck, 'listening');
        const { port } = stuck.address() as AddressInfo;
        const slow = await rigTo(t, `http://127.0.0.1:${port}`, { listener, voiceStreamBuffer: 65_536 });
        const client = await open(t, slow, ann.token).open();
        const flood = setInterval(() => client.socket.send(Buffer.alloc(60_000)), 5);
        t.match(await client.outcome, { code: 1013 }, 'audio that waits is bounded');
        clearInterval(flood);
        const waits = await open(t, slow, ann.token).open();
        await speak(waits, silence);
        stuck.closeAllConnections();
        stuck.close();
        t.match(await waits.outcome, { code: 1013 }, 'one that goes away');
        t.match(await open(t, slow, ann.token).outcome, { code: 1013 }, 'one that is away');
      });

      await t.test('closes when the account is deleted, and when the front ends', async (t) => {
        const eve = await api.person();
        const client = await open(t, rig, eve.token).open();
        await speak(client, Buffer.concat([speech, silence]));
        await client.message((text) => text.startsWith('['));
        await api.sql`delete from users where uid = ${eve.uid}`;
        await rig.front.checkAccounts(eve.uid);
        t.match(await client.outcome, { code: 4004 });
        const again = await open(t, rig, ann.token).open();
        await rig.front.closeStreams();
        t.match(await again.outcome, { code: 1001 });
      });
    });
  }
});
