/**
 * Tests streams with audio in another format than declared. Each such stream gets one warning and continues, and a
 * counter counts the stream. Also tests the sampling rules, memory limits, and the thread that judges samples.
 */
import t from 'tap';
import type { Verdict } from '../../../src/audio/readability/finding.js';
import type { FrameSample } from '../../../src/audio/readability/frame-sample.js';
import { judge } from '../../../src/audio/readability/judge.js';
import { TrialDecoder } from '../../../src/audio/readability/trial.js';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { openReadabilityPool } from '../../../src/engine/readability/check-pool.js';
import { type CheckSample, SampleMemory, StreamCheck } from '../../../src/engine/readability/stream-check.js';
import { createLogger } from '../../../src/log/logger.js';
import { RecordKind } from '../../../src/ring/layout.js';
import type { StreamFormat } from '../../../src/wire/stream.js';
import {
  at,
  behind,
  cut,
  mulaw,
  opus,
  pcm16,
  sampleOf,
} from '../../audio/readability/readability-streams.js';
import { bytesOf } from '../../audio/support.js';
import { scene } from '../../support/texts/speech.js';
import { Harness } from '../support/harness.js';

const { pcm } = await scene([0, 1], 200);
const speech = pcm.slice(3200);
const opusFormat = { codec: 'opus', sampleRate: 16_000, channels: 1 } as const;
const pcmFormat = { codec: 'pcm16', sampleRate: 16_000, channels: 1 } as const;

let trial: TrialDecoder;
t.before(async () => {
  trial = await TrialDecoder.load('auto');
});
t.after(() => trial.destroy());

/** Makes a judge that answers at once and records its requests. `decided` resolves when all answers are sent. */
const judging = (): {
  readonly check: CheckSample;
  readonly asked: FrameSample[];
  decided(h: Harness): Promise<void>;
} => {
  const asked: FrameSample[] = [];
  const verdicts: Promise<Verdict>[] = [];
  return {
    asked,
    check: (_user, sample) => {
      asked.push(sample);
      const verdict = judge(sample, trial);
      verdicts.push(verdict);
      return verdict;
    },
    decided: async (h) => {
      await Promise.all(verdicts);
      await h.settle();
    },
  };
};

/** Sends messages in real time, and runs the shard's ticks in between. */
const send = async (h: Harness, slot: number, frames: readonly Uint8Array[], each = 20): Promise<void> => {
  let sinceTick = 0;
  for (const frame of frames) {
    h.record(RecordKind.audio, slot, frame);
    h.clock.now += each;
    sinceTick += each;
    if (sinceTick < 600) continue;
    sinceTick = 0;
    await h.tick(0);
  }
  await h.settle();
};

const told = (h: Harness, slot = 0) =>
  h.events(slot, 'service_status').filter(({ status }) => status === 'audio_unreadable');

t.test('reports a wrongly declared format once, within 3 s of audio, and continues the stream', async (t) => {
  const { check, decided } = judging();
  const h = new Harness({ checkSample: check });
  await h.open(0, { format: pcmFormat });
  const { frames } = opus(speech);
  await send(h, 0, frames.slice(0, 99));
  t.same(told(h), [], 'not before 2 s');
  await send(h, 0, frames.slice(99, 120));
  await decided(h);
  t.match(told(h), [
    {
      status_text: 'Audio Unreadable',
      cause: 'codec',
      declared: { codec: 'pcm16', sample_rate: 16_000, channels: 1 },
      likely: { codec: 'opus' },
      remedy: /Open the stream with codec=opus/,
    },
  ]);
  await send(h, 0, [...frames.slice(120), ...frames]);
  t.equal(told(h).length, 1, 'once');
  t.notMatch(h.story(0).join(), /close/);
  t.equal(h.metric('streams_unreadable_total'), 1);
});

t.test('reports extra header bytes before each packet', async (t) => {
  const { check, decided } = judging();
  const h = new Harness({ checkSample: check });
  await h.open(0, { format: opusFormat });
  await send(h, 0, behind(opus(speech), (index) => [index & 255, index >> 8, 0]).frames.slice(0, 125));
  await decided(h);
  t.match(told(h), [{ cause: 'header', likely: { header_bytes: 3 } }]);
});

t.test('judges valid speech in the shard itself, and never again', async (t) => {
  const { check, asked } = judging();
  const h = new Harness({ checkSample: check });
  await h.open(0, { format: pcmFormat });
  await h.open(1, { format: pcmFormat, uid: 'other' });
  for (const slot of [0, 1]) await send(h, slot, pcm16(speech, 16_000).frames);
  t.same([asked.length, told(h).length, told(h, 1).length], [0, 0, 0]);
});

t.test('does not judge the audio of a client that transcribes it itself', async (t) => {
  const { check, asked } = judging();
  const h = new Harness({ checkSample: check });
  await h.open(0, { format: pcmFormat, customStt: true });
  await send(h, 0, opus(speech).frames);
  t.same([asked.length, told(h).length], [0, 0]);
});

t.test('judges frames that arrived before the stream paused', async (t) => {
  const { check, decided } = judging();
  const h = new Harness({ checkSample: check });
  await h.open(0, { format: pcmFormat });
  // Sends a backlog that arrives all at once.
  await send(h, 0, opus(speech).frames.slice(0, 150), 1);
  t.same(told(h), []);
  await h.tick(2000);
  await decided(h);
  t.match(told(h), [{ cause: 'codec', likely: { codec: 'opus' } }]);
});

interface Checked {
  readonly check: StreamCheck;
  readonly memory: SampleMemory;
  readonly found: unknown[];
  readonly asked: FrameSample[];
  readonly status: { framesDecoded: number; framesInvalid: number };
  /** Sends audio for the given ms, and runs the shard's ticks. */
  run(time: number, frame?: Uint8Array): Promise<void>;
  now: number;
}

const checked = (verdicts: (asked: number) => Verdict | undefined, memory = new SampleMemory()): Checked => {
  const asked: FrameSample[] = [];
  const found: unknown[] = [];
  const status = { framesDecoded: 0, framesInvalid: 0 };
  const check = new StreamCheck({
    user: 'user',
    format: opusFormat,
    memory,
    check: async (_user, sample) => {
      asked.push(sample);
      return verdicts(asked.length);
    },
    status: () => status,
    unreadable: (finding) => found.push(finding),
    metrics: { add: () => undefined },
  });
  const self: Checked = {
    ...{ check, memory, found, asked, status, now: 1000 },
    run: async (time, frame = Uint8Array.of(1, 2, 3)) => {
      for (const until = self.now + time; self.now < until; self.now += 20) {
        check.add(frame, 0, frame.length, self.now);
        status.framesInvalid++;
        if (self.now % 600 === 0) {
          check.look(self.now);
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    },
  };
  return self;
};

t.test('checks undecided audio again at growing intervals, then stops', async (t) => {
  const stream = checked(() => 'undecided');
  await stream.run(8000);
  t.equal(stream.asked.length, 3, 'three samples one after the other');
  await stream.run(600_000);
  t.equal(stream.asked.length, 8);
  const at = stream.asked.map(({ first }) => first);
  t.same(at, [true, ...new Array<boolean>(7).fill(false)], 'the first has the beginning of the stream');
  t.same([stream.found, stream.memory.bytes], [[], 0]);
});

t.test('checks a stream some seconds later if no checker was free', async (t) => {
  const finding = { decodes: 0, cause: 'unknown', likely: {}, remedy: 'None.' } as const;
  const stream = checked((asked) => (asked === 1 ? undefined : finding));
  await stream.run(5000);
  t.equal(stream.asked.length, 1);
  await stream.run(6000);
  t.same([stream.asked.length, stream.found], [2, [finding]]);
});

t.test('checks a stream again when its frames stop decoding', async (t) => {
  const finding = { decodes: 0, cause: 'unknown', likely: {}, remedy: 'None.' } as const;
  const stream = checked((asked) => (asked === 1 ? 'right' : finding));
  await stream.run(3000);
  for (let second = 0; second < 60; second++) {
    stream.status.framesDecoded += 200;
    await stream.run(1000);
  }
  t.equal(stream.asked.length, 1, 'a tenth of the frames does not decode');
  await stream.run(60_000);
  t.same([stream.asked.length, stream.found], [2, [finding]], 'none decodes: judged once');
  for (let second = 0; second < 5; second++) {
    stream.status.framesDecoded += 200;
    await stream.run(1000);
  }
  await stream.run(8000);
  t.equal(stream.asked.length, 3, 'and once more when they had decoded in between');
});

t.test('limits copied audio per stream and per shard', async (t) => {
  const memory = new SampleMemory();
  const frame = new Uint8Array(60_000);
  const streams = Array.from({ length: 200 }, () => checked(() => 'undecided', memory));
  let most = 0;
  for (let round = 0; round < 3; round++) {
    for (const stream of streams) {
      stream.check.add(frame, 0, frame.length, 1000 + round);
      most = Math.max(most, memory.bytes);
    }
  }
  const { audioSample, audioSamples } = fixedLimits;
  t.ok(most > audioSamples.value / 2, `${most} bytes`);
  t.ok(most <= audioSamples.value + audioSample.value, `${most} bytes`);
  for (const { check } of streams) check.close();
  t.equal(memory.bytes, 0, 'nothing is left of closed streams');

  const alone = checked(() => 'undecided');
  await alone.run(400, frame);
  t.ok(alone.asked[0]!.bytes.length <= audioSample.value, 'as much as a sample may have is judged at once');
});

t.test('judges in a thread, skips samples over its limit, serves users in turn, and ends', async (t) => {
  const pool = openReadabilityPool({ core: 'auto' }, createLogger('test', 'silent'));
  const wrong = (): FrameSample => sampleOf(opusFormat, pcm16(speech, 16_000), { decodes: 0 });
  t.match(await pool.check('ann', wrong()), { cause: 'codec', likely: { codec: 'pcm16' } });

  const order: string[] = [];
  const ask = async (user: string): Promise<Verdict | undefined> => {
    const verdict = await pool.check(user, wrong());
    if (verdict !== undefined) order.push(user);
    return verdict;
  };
  const greedy = Promise.all(Array.from({ length: 12 }, () => ask('greedy')));
  const other = ask('other');
  t.ok(await other, 'another user has a place');
  t.equal((await greedy).filter((verdict) => verdict === undefined).length, 4, 'a user has eight places');
  t.ok(order.indexOf('other') <= 2, 'and waits for two samples of the other at most');

  const users = Array.from(
    { length: fixedLimits.audioSamplesWaiting.value + 5 },
    (_, index) => `user-${index}`,
  );
  const crowd = users.map((user) => pool.check(user, wrong()));
  t.equal(await crowd.at(-1), undefined, 'all together have as many as are allowed');
  await pool.stop();
  t.ok((await Promise.all(crowd)).includes(undefined), 'what waited is undecided');
  t.equal(await pool.check('ann', wrong()), undefined, 'nothing more is taken');
});

t.test('reports audio inside texts once, if no valid audio arrives', async (t) => {
  const { check } = judging();
  const h = new Harness({ checkSample: check });
  const payloads = opus(speech).frames.map((frame) => Buffer.from(frame).toString('base64'));
  /** Sends texts in real time. */
  const sendTexts = async (slot: number, texts: readonly string[], each = 20): Promise<void> => {
    for (const text of texts) {
      h.record(RecordKind.text, slot, Buffer.from(text));
      h.clock.now += each;
      await h.tick(0);
    }
    await h.settle();
  };
  await h.open(0, { format: opusFormat });
  await sendTexts(
    0,
    payloads.slice(0, 120).map((payload) => JSON.stringify({ event: 'media', media: { payload } })),
  );
  t.match(told(h), [{ cause: 'container', decodes: 0, likely: { container: 'text' } }]);
  await h.open(1, { format: pcmFormat });
  await sendTexts(1, payloads.slice(0, 120));
  t.match(told(h, 1), [{ cause: 'container', likely: { container: 'text' } }], 'texts that are no JSON');
  await h.open(2, { format: opusFormat });
  await sendTexts(
    2,
    new Array<string>(30).fill(JSON.stringify({ type: 'heartbeat', id: 'a'.repeat(36) })),
    1000,
  );
  t.same(told(h, 2), [], 'signs of life while the microphone is off are no audio');
  await h.open(3, { format: opusFormat });
  h.record(RecordKind.audio, 3, opus(speech).frames[0]!);
  await h.tick(0);
  await sendTexts(3, payloads.slice(0, 120));
  t.same(told(h, 3), [], 'texts beside audio are left alone');
  await h.open(4, { format: opusFormat, customStt: true });
  await sendTexts(4, payloads.slice(0, 120));
  t.same(told(h, 4), [], 'nor those of a client that transcribes itself');
});

/** Returns the ms of speech until the warning about a wrong format, or undefined if no warning came. */
const toldAfter = async (
  format: StreamFormat,
  before: readonly Uint8Array[],
  frames: readonly Uint8Array[],
) => {
  const { check, decided } = judging();
  const h = new Harness({ checkSample: check });
  await h.open(0, { format });
  await send(h, 0, before);
  for (let at = 0; at < frames.length; at += 5) {
    await send(h, 0, frames.slice(at, at + 5));
    await h.tick(0);
    await decided(h);
    if (told(h).length > 0) return (at + 5) * 20;
  }
  return undefined;
};

const narrow = at(speech, 8000);
const forms = [
  {
    name: 'big-endian samples',
    format: pcmFormat,
    frames: cut(Buffer.from(bytesOf(speech)).swap16(), 640),
    silence: [0, 0],
  },
  {
    name: 'mu-law',
    format: { codec: 'pcm8', sampleRate: 8000, channels: 1 },
    frames: cut(mulaw(narrow), 160),
    silence: [0xff, 0x7f],
  },
  {
    name: 'signed samples of a byte',
    format: { codec: 'pcm8', sampleRate: 8000, channels: 1 },
    frames: cut(
      Uint8Array.from(narrow, (sample) => (sample >> 8) & 0xff),
      160,
    ),
    silence: [0, 0xff],
  },
] as const;
for (const { name, format, frames, silence } of forms) {
  t.test(`reports ${name} after silence`, async (t) => {
    for (const before of [0, 0.3, 1, 5]) {
      // The samples alternate between the two values around zero, like the noise of real converters.
      const blank = Array.from({ length: before * 50 }, (_, index) =>
        Uint8Array.from(frames[0]!, (_byte, at) => silence[((at >> 3) + index) & 1]!),
      );
      const after = await toldAfter(format, blank, frames.slice(0, 200));
      t.ok(after !== undefined && after <= 3000, `${before} s of it: told after ${after} ms`);
    }
  });
}

t.test('never reports speech after silence', async (t) => {
  for (const before of [0.1, 0.3, 1, 5]) {
    const blank = Array.from({ length: before * 50 }, () => new Uint8Array(640));
    t.equal(
      await toldAfter(pcmFormat, blank, pcm16(speech, 16_000).frames.slice(0, 300)),
      undefined,
      `${before} s`,
    );
  }
});

t.test('reports PCM frames that become Opus, and ignores frames that become shorter', async (t) => {
  const before = pcm16(speech, 16_000).frames.slice(0, 300);
  const after = await toldAfter(pcmFormat, before, opus(speech).frames.slice(0, 400));
  t.ok(after !== undefined && after <= 6000, `told after ${after} ms`);
  const shorter = pcm16(speech, 16_000, 5).frames.slice(0, 800);
  const { check, decided } = judging();
  const h = new Harness({ checkSample: check });
  await h.open(0, { format: pcmFormat });
  await send(h, 0, before);
  await send(h, 0, shorter, 5);
  await decided(h);
  t.same(told(h), []);
});
