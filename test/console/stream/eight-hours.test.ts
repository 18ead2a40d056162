/**
 * Eight simulated hours of a live recording: the memory of the stream and of the page's state does not grow after the
 * first segments were dropped. Needs `node --expose-gc`, so the test runs itself in a process of its own.
 */
import { execFile } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { LiveStream } from '../../../src/console/stream/live-stream.js';
import type { StreamMessage } from '../../../src/console/stream/messages.js';
import { SpeechTimes } from '../../../src/console/stream/speech-times.js';
import { emptyTranscript, nextTranscript } from '../../../src/console/stream/transcript.js';
import { WordDelay } from '../../../src/console/stream/word-delay.js';
import { emptySegment } from '../../../src/wire/segment.js';
import { FakeEngine, FakeTime, numberedFrame } from './fake-engine.js';

const hours = 8;
const tellEvery = 1800;
/** Ms of audio that are pushed at once. */
const piece = 200;

/** Records, and prints the heap in bytes after each half hour. */
const record = async (): Promise<void> => {
  const time = new FakeTime();
  const engine = new FakeEngine(time, 1);
  engine.forgets = true;
  let transcript = emptyTranscript;
  const [speechTimes, delay] = [new SpeechTimes(), new WordDelay()];
  const received = (message: StreamMessage): void => {
    speechTimes.message(message, stream.position, time.now());
    delay.message(message, stream.position);
    transcript = nextTranscript(transcript, message);
  };
  const stream = new LiveStream({
    address: 'ws://engine/v4/web/listen',
    clock: 'hours',
    open: engine.openSocket,
    token: async () => ({ token: 'token', expires_in: 600 }),
    time,
    random: () => 0.5,
    onState: () => undefined,
    onMessage: received,
  });
  stream.start();
  const heaps: number[] = [];
  let frame = 0;
  for (let second = 0; second < hours * 3600; second++) {
    for (let at = 0; at < 1000; at += piece) {
      const samples = new Int16Array((piece / 20) * 320);
      for (let part = 0; part < piece / 20; part++)
        samples.set(numberedFrame(frame, frame++ % 210 < 150), part * 320);
      stream.push(samples);
      engine.tick();
      await time.advance(piece);
    }
    // A segment every three seconds, as from people who take turns.
    if (second % 3 === 0) {
      const at = second + 0.5;
      received({ type: 'speech_activity', speaking: second % 2 === 0, at });
      const text = `What was said at second ${second} of this long day, in about fifteen words.`;
      received({
        type: 'segments',
        segments: [{ ...emptySegment, id: `s${second}`, text, start: at, end: at + 2 }],
      });
    }
    if (second % 7200 === 3600) engine.socket?.fail();
    if (second % tellEvery !== tellEvery - 1) continue;
    engine.sockets.splice(0, engine.sockets.length - 1);
    for (let turn = 0; turn < 3; turn++) {
      globalThis.gc!();
      await nextTurn();
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    heaps.push(heapUsed + arrayBuffers);
  }
  console.log(JSON.stringify({ heaps, segments: transcript.segments.length, earlier: transcript.earlier }));
};

if (process.argv.includes('--record')) await record();
else
  t.test('memory stays level', { timeout: 300_000 }, async (t) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      fileURLToPath(import.meta.url),
      '--record',
    ]);
    const line = stdout.split('\n').find((text) => text.startsWith('{'))!;
    const { heaps, segments, earlier } = JSON.parse(line) as {
      heaps: number[];
      segments: number;
      earlier: number;
    };
    const megabytes = heaps.map((bytes) => (bytes / 1e6).toFixed(2));
    t.comment(`MB after each half hour: ${megabytes.join(' ')}; ${segments} segments, ${earlier} dropped`);
    t.ok(earlier > 0, 'segments were dropped');
    const level = heaps.slice(-6);
    const half = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length;
    const growth = half(level.slice(3)) - half(level.slice(0, 3));
    t.comment(`growth in the last three hours: ${(growth / 1e3).toFixed(0)} kB`);
    t.ok(Math.abs(growth) < 300_000, 'no slope beyond the 500 segments that are dropped at once');
  });
