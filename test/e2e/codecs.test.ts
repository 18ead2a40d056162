/**
 * Sends codecs that other programs encode, and both sides of a call, through the complete engine in real time. Also sends the same speech
 * in every format of a voice message, to the same recogniser.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { wordError } from '../../src/app/sample/word-error.js';
import { encodeFrames, type Frame } from '../../src/app/wearable/encode.js';
import { native } from '../audio/support.js';
import { encodeAac, encodeLc3, hasTool } from '../audio/tools.js';
import { frameFile, recorded } from '../recordings/frame-files.js';
import { uploadForm } from '../sidecar/support.js';
import { serviceOnTestDatabase } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { wavFile } from '../support/texts/wav-file.js';

interface Talk {
  readonly title: string;
  readonly codec: string;
  readonly source?: string;
  readonly channels?: 1 | 2;
  readonly query?: Readonly<Record<string, string>>;
  readonly frames: readonly Frame[];
  /** The text of each speaker. */
  readonly texts: Readonly<Record<string, string>>;
}

const lasting = (messages: readonly Uint8Array[], duration: number): Frame[] =>
  messages.map((bytes) => ({ bytes, duration }));

/** Alternates the frames of two sides, the microphone first. Tags each frame with its side. */
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

/** Returns 16-bit stereo: one recording on the left, the other on the right. */
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

const codecs: readonly string[] = 'addon' in native ? Object.keys(native.addon) : [];
const withLc3 = codecs.includes('lc3') && hasTool('elc3', '-h');
const withoutLc3 = 'elc3, or liblc3 when the addon was built, is missing';
const withFfmpeg = hasTool('ffmpeg', '-version');
const withAac = 'addon' in native && native.addon.aac !== undefined && withFfmpeg;
const withoutAac = 'ffmpeg, or the native core, is missing';

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
  if (withLc3) {
    const frames = lasting(encodeLc3(one.pcm, one.rate, 1, 30), 10);
    talks.push({ title: 'LC3', codec: 'lc3_fs1030', frames, texts: { SPEAKER_00: one.text } });
  } else {
    t.pass('LC3', { skip: withoutLc3 });
  }
  if (withAac) {
    const frames = lasting(encodeAac(two.pcm, two.rate, 1), 64);
    talks.push({ title: 'AAC', codec: 'aac', frames, texts: { SPEAKER_00: two.text } });
  } else {
    t.pass('AAC', { skip: withoutAac });
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

  await t.test('voice messages of every format are transcribed', async (t) => {
    const { token } = await service.user('speaker');
    const spoken = await scene([0, 4], 500);
    const named = (format: string): string => `audio_pendant_${format}_1_1767225600.bin`;
    const files: [string, Uint8Array][] = [
      ['speech.wav', wavFile(spoken.pcm)],
      [named('pcm16_16000'), recorded(spoken.pcm, 'pcm16')],
      [named('pcm8_8000'), recorded(spoken.pcm, 'pcm8')],
      [named('opus_16000'), recorded(spoken.pcm, 'opus')],
      ['audio_pendant_opus_16000_1_fs320_1767225600.bin', recorded(spoken.pcm, 'opus_fs320')],
    ];
    if (withLc3) {
      files.push([named('lc3_16000'), frameFile(encodeLc3(spoken.pcm, spoken.rate, 1, 60))]);
      const frames = encodeLc3(spoken.pcm, spoken.rate, 1, 30);
      files.push(['audio_pendant_lc3_16000_1_fs1030_1767225600.bin', frameFile(frames)]);
    } else {
      t.pass('LC3', { skip: withoutLc3 });
    }
    if (withAac) files.push([named('aac_16000'), frameFile(encodeAac(spoken.pcm, spoken.rate, 1))]);
    else t.pass('AAC', { skip: withoutAac });
    if (withFfmpeg) {
      const folder = t.testdir({ 'speech.wav': wavFile(spoken.pcm) });
      for (const [name, codec] of [
        ['speech.mp4', 'aac'],
        ['speech.m4a', 'aac'],
        ['speech.webm', 'libopus'],
        ['opus.ogg', 'libopus'],
        ['vorbis.ogg', 'libvorbis'],
        ['speech.mp3', 'libmp3lame'],
      ] as const) {
        const path = join(folder, name);
        execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', join(folder, 'speech.wav'), '-c:a', codec, path]);
        files.push([name, readFileSync(path)]);
      }
    } else {
      t.pass('files of other programs', { skip: 'ffmpeg is missing' });
    }
    for (const [name, file] of files) {
      const form = uploadForm({ [name]: file });
      form.append('language', 'en');
      const response = await fetch(`${service.base}/v2/voice-message/transcribe`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      const body = (await response.json()) as { outcome: string; transcript: string };
      t.strictSame([response.status, body.outcome], [200, 'success'], name);
      const { rate } = wordError(spoken.text, body.transcript);
      t.ok(rate <= 0.1, `${name}: word error is ${rate.toFixed(3)}`);
    }
  });
});
