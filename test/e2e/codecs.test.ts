/** Codecs that other programs encode, and both sides of a call, through the whole engine in real time. */
import t from 'tap';
import { encodeFrames, type Frame } from '../../src/app/wearable/index.js';
import { wordError } from '../../src/app/word-error.js';
import { native } from '../audio/support.js';
import { encodeAac, encodeLc3, hasTool } from '../audio/tools.js';
import { serviceOnTestDatabase } from '../support/service.js';
import { scene } from '../support/speech.js';

interface Talk {
  readonly title: string;
  readonly codec: string;
  readonly source?: string;
  readonly channels?: 1 | 2;
  readonly query?: Readonly<Record<string, string>>;
  readonly frames: readonly Frame[];
  /** What each speaker says. */
  readonly texts: Readonly<Record<string, string>>;
}

const lasting = (messages: readonly Uint8Array[], duration: number): Frame[] =>
  messages.map((bytes) => ({ bytes, duration }));

/** Frames of two sides, taking turns; those of the microphone first. */
const tagged = (mic: readonly Frame[], remote: readonly Frame[]): Frame[] => {
  const frames: Frame[] = [];
  for (let at = 0; at < Math.max(mic.length, remote.length); at++) {
    const [own, other] = [mic[at], remote[at]];
    if (own) frames.push({ bytes: Buffer.concat([Uint8Array.of(1), own.bytes]), duration: 0 });
    if (other) frames.push({ bytes: Buffer.concat([Uint8Array.of(2), other.bytes]), duration: 0 });
    frames.push({ ...frames.pop()!, duration: 20 });
  }
  return frames;
};

/** Stereo of 16 bits: one recording on the left, the other on the right. */
const stereo = (left: Int16Array, right: Int16Array, rate: number): Frame[] => {
  const samples = rate / 50;
  const frames: Frame[] = [];
  for (let start = 0; start < Math.max(left.length, right.length); start += samples) {
    const both = new Int16Array(2 * samples);
    for (let at = 0; at < samples; at++) {
      both[2 * at] = left[start + at] ?? 0;
      both[2 * at + 1] = right[start + at] ?? 0;
    }
    frames.push({ bytes: new Uint8Array(both.buffer), duration: 20 });
  }
  return frames;
};

t.test('LC3, AAC and both sides of a call are transcribed', { timeout: 240_000 }, async (t) => {
  const [one, two] = [await scene([0], 1500), await scene([1], 1500)];
  const talks: Talk[] = [
    {
      title: 'a call',
      codec: 'opus_fs320',
      source: 'phone_call',
      channels: 2,
      frames: tagged(encodeFrames(one, 'opus_fs320', 16_000), encodeFrames(two, 'opus_fs320', 16_000)),
      texts: { SPEAKER_00: one.text, SPEAKER_01: two.text },
    },
    {
      title: 'each side of a stereo recording',
      codec: 'pcm16',
      source: 'desktop',
      channels: 2,
      query: { stereo: 'separate' },
      frames: stereo(one.pcm, two.pcm, one.rate),
      texts: { SPEAKER_00: one.text, SPEAKER_01: two.text },
    },
  ];
  const codecs: readonly string[] = 'addon' in native ? Object.keys(native.addon) : [];
  if (codecs.includes('lc3') && hasTool('elc3', '-h')) {
    const frames = lasting(encodeLc3(one.pcm, one.rate, 1, 30), 10);
    talks.push({ title: 'LC3', codec: 'lc3_fs1030', frames, texts: { SPEAKER_00: one.text } });
  } else {
    t.pass('LC3', { skip: 'elc3, or liblc3 when the addon was built, is missing' });
  }
  if ('addon' in native && native.addon.aac !== undefined && hasTool('ffmpeg', '-version')) {
    const frames = lasting(encodeAac(two.pcm, two.rate, 1), 64);
    talks.push({ title: 'AAC', codec: 'aac', frames, texts: { SPEAKER_00: two.text } });
  } else {
    t.pass('AAC', { skip: 'ffmpeg, or the native core, is missing' });
  }
  const service = await serviceOnTestDatabase(t, { INTERIM_WORDS: 'false' });
  await Promise.all(
    talks.map(async ({ title, codec, source, channels, query, frames, texts }, index) => {
      const user = await service.user(`wearer-${index}`);
      const wearable = await service.wearable(user, {
        codec,
        rate: 16_000,
        conversationTimeout: 10,
        ...(source ? { source } : {}),
        ...(channels ? { channels } : {}),
        ...(query ? { query } : {}),
      });
      await wearable.waitFor((event) => event.status === 'ready', 60_000);
      await wearable.send(frames, 1);
      t.ok(
        await wearable.waitFor((event) => event.type === 'memory_created', 120_000),
        `${title}: is finished`,
      );
      const { segments } = wearable.transcript;
      for (const [speaker, text] of Object.entries(texts)) {
        const said = segments.filter((segment) => segment.speaker === speaker);
        const { rate } = wordError(text, said.map((segment) => segment.text).join(' '));
        t.ok(rate <= 0.3, `${title}: word error of ${speaker} is ${rate.toFixed(3)}`);
        const owner = source !== undefined && speaker === 'SPEAKER_00';
        t.ok(
          said.every((segment) => segment.is_user === owner),
          `${title}: ${speaker}`,
        );
      }
      t.same(
        segments.filter((segment) => !Object.hasOwn(texts, segment.speaker)),
        [],
        `${title}: nobody else`,
      );
      await wearable.close();
    }),
  );
});
