/** Tests the custom transcription service on a port, with a fake transcriber: the messages of clients and the answers. */
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { AudioLines } from '../../../src/app/custom-stt/audio-lines.js';
import { type CustomService, startCustomService } from '../../../src/app/custom-stt/server.js';
import { ServiceSocket } from '../../../src/app/custom-stt/service-socket.js';
import { demoSpeech } from '../../../src/app/sample/speech.js';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { loadCore } from '../../../src/audio/load.js';
import { coreOptions } from '../../../src/audio/options.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger } from '../../../src/log/logger.js';
import type { TranscriptionClient } from '../../../src/stt/shared/transcription-request.js';
import { until } from '../../support/until.js';

const log = createLogger('test', 'silent');
const { recording } = await demoSpeech('novel');
const spoken = { pcm: recording.pcm.subarray(0, 9 * recording.rate), rate: recording.rate };

const start = async (
  t: Test,
  options: { idle?: number; streams?: number; transcribe?: TranscriptionClient['transcribe'] } = {},
): Promise<string> => {
  const { idle = 60_000, streams = 4 } = options;
  const { values } = loadSettings({});
  const memory = new Uint8Array(new SharedArrayBuffer(65_536));
  const core = await loadCore(values.core, coreOptions(values, { maxStreams: streams, memory }));
  const lines = new AudioLines(core, streams);
  const service: CustomService = await startCustomService({
    host: '127.0.0.1',
    port: 0,
    lines,
    idle,
    log,
    defaults: { codec: 'opus', rate: 16_000, language: 'en' },
    transcription: {
      transcribe:
        options.transcribe ??
        (async ({ language, pcm }) => ({
          outcome: 'success',
          text: `${language} ${Math.round(pcm.length / 16_000)} s`,
          provider: 'local',
          waited: 0,
          decoded: 0,
        })),
    },
  });
  t.teardown(async () => {
    await service.close();
    lines.destroy();
  });
  return `ws://127.0.0.1:${service.port}`;
};

t.test('sends words for each codec at the end of the stream, then closes', async (t) => {
  const url = await start(t);
  const rows = [
    { query: '', codec: 'opus', rate: 16_000, says: /^en [5-9] s$/ },
    { query: '?codec=pcm8&sample_rate=8000&language=fr', codec: 'pcm8', rate: 8000, says: /^fr [5-9] s$/ },
    { query: '?codec=pcm16', codec: 'pcm16', rate: 16_000, says: /^en [5-9] s$/ },
    { query: '?codec=opus_fs320', codec: 'opus_fs320', rate: 16_000, says: /^en [5-9] s$/ },
  ] as const;
  for (const { query, codec, rate, says } of rows) {
    const replies: unknown[] = [];
    const socket = await ServiceSocket.open(`${url}/${query}`, (reply) => replies.push(reply));
    // The audio ends in the middle of a word.
    for (const { bytes, duration } of encodeFrames(spoken, codec, rate)) socket.send(bytes, duration);
    t.equal(await socket.end(60_000), true);
    t.equal(await socket.closed, 1000);
    t.match(replies[0], { kind: 'segments', segments: [{ text: says, speaker: 'SPEAKER_00' }] }, codec);
    t.ok(replies.length >= 1);
  }
});

t.test('closes unsupported streams with a reason and frees their slots', async (t) => {
  const url = await start(t, { streams: 1 });
  const closing = async (path: string): Promise<readonly [number, string]> => {
    const socket = new WebSocket(`${url}${path}`);
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    return [code, reason.toString()];
  };
  t.same(await closing('/?codec=mp3'), [1003, 'codec_unknown']);
  t.same(await closing('/?codec=opus&sample_rate=44100'), [1003, 'sample_rate_unsupported']);
  const first = await ServiceSocket.open(url, () => undefined);
  t.match(await closing('/'), [Number, 'overloaded']);
  first.cut();
  await first.closed;
  const again = await until(async () => {
    const next = new WebSocket(url);
    await once(next, 'open');
    next.send('{}');
    // The server closes a refused connection at once.
    const isRefused = await Promise.race([
      once(next, 'close').then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, 100, false)),
    ]);
    return isRefused ? undefined : next;
  }, 'the place of the stream that ended');
  again.terminate();
});

t.test('closes a stream without messages, but not one with messages', async (t) => {
  const url = await start(t, { idle: 400 });
  const [silent, busy] = await Promise.all([
    ServiceSocket.open(url, () => undefined),
    ServiceSocket.open(url, () => undefined),
  ]);
  const timer = setInterval(() => busy.send(Buffer.alloc(2), 0), 50);
  t.teardown(() => clearInterval(timer));
  t.equal(await silent.closed, 1001);
  t.notOk(busy.isOver);
  busy.cut();
});

t.test(
  'closes the stream when speech is not transcribed, so that it does not look like silence',
  async (t) => {
    const url = await start(t, {
      transcribe: async () => ({
        outcome: 'upstream_error',
        text: '',
        provider: 'local',
        waited: 0,
        decoded: 0,
      }),
    });
    const socket = await ServiceSocket.open(url, () => undefined);
    for (const { bytes, duration } of encodeFrames(spoken, 'opus', 16_000)) socket.send(bytes, duration);
    void socket.end(60_000);
    t.equal(await socket.closed, 1011);
  },
);
