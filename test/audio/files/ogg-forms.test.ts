/**
 * Every Ogg file gives all of its audio, a part with a notice, or a refusal with the reason. The files are chained, multiplexed,
 * truncated, or have pauses.
 */
import { Encoder } from '@evan/opus';
import t from 'tap';
import type { StagedAudio } from '../../../src/audio/files/staging.js';
import { lacingOf, page } from '../../support/texts/ogg-pages.js';
import { both, check, type Form, made, one, other, stage, without } from './form.js';
import { heard, joined } from './heard.js';
import { changedPage, cutOff, inserted, moved, pagesOf, renumbered, timedOpus } from './made-files.js';

/** Packets of libopus with DTX: speech, 8 s of silence, speech. */
const paused = (() => {
  const encoder = new Encoder({ channels: 1, sample_rate: 16_000, application: 'voip' });
  encoder.bitrate = 24_000;
  encoder.dtx = true;
  const pcm = joined(one, new Int16Array(128_000), other);
  const packets = Array.from({ length: Math.floor(pcm.length / 320) }, (_, index) => ({
    bytes: encoder.encode(pcm.slice(320 * index, 320 * index + 320)).slice(),
    at: 20 * index,
  }));
  return { pcm, packets, sent: packets.filter(({ bytes }) => bytes.length > 2) };
})();

t.test('keeps the pauses of Ogg Opus', async (t) => {
  const { pcm, packets, sent } = paused;
  t.ok(packets.length - sent.length > 300, `${packets.length - sent.length} packets of two bytes at most`);
  const [before, behind] = [sent.filter(({ at }) => at < 5000), sent.filter(({ at }) => at >= 5000)];
  const forms: Form[] = [
    { name: 'a packet for each frame', bytes: timedOpus(packets, 50) },
    { name: 'a packet a page, none for pauses', bytes: timedOpus(sent, 1) },
    { name: 'many packets a page, none for pauses', bytes: timedOpus(sent, 10) },
    {
      name: 'a page before and behind the pause',
      bytes: timedOpus([...before, { bytes: packets[0]!.bytes.subarray(0, 1), at: 3000 }, ...behind], 50),
    },
  ];
  for (const form of forms) await check(t, { pcm, within: 100, likeness: 0.6, ...form });
});

t.test('reads variants of Ogg', { skip: without }, async (t) => {
  const [a, b] = [made(one), made(other)];
  const file = (name: string): Buffer => a.get(name)!;
  const opus = file('a.opus');
  const chain = (...names: string[]): Buffer =>
    Buffer.concat(names.map((name, index) => renumbered((index === 0 ? a : b).get(name)!, index + 1)));
  const pages = pagesOf(opus);
  const changedLast = (samples: number): Buffer =>
    Buffer.concat([...pages.slice(0, -1), moved(pages.at(-1)!, samples)]);
  const head = (change: (packet: Buffer) => void): Buffer =>
    Buffer.concat([changedPage(pages[0]!, (copy) => change(copy.subarray(28))), ...pages.slice(1)]);
  const begins = (packet: string): Buffer =>
    page(9, lacingOf(packet.length), Buffer.from(packet, 'latin1'), 2);
  const names = ['a.opus', 'stereo.opus', '51.opus', 'vorbis.ogg', 'speex.ogg', 'flac.ogg', 'theora.ogv'];
  const forms: Form[] = [
    ...names.map((name) => ({ name, bytes: file(name) })),
    { name: 'two serial numbers', bytes: chain('a.opus', 'a.opus'), pcm: both },
    {
      name: 'one serial number',
      bytes: Buffer.concat([renumbered(opus, 7), renumbered(b.get('a.opus')!, 7)]),
      pcm: both,
    },
    { name: 'a second of stereo', bytes: chain('a.opus', 'stereo.opus'), pcm: both },
    { name: 'a second of Vorbis', bytes: chain('a.opus', 'vorbis.ogg'), pcm: both },
    { name: 'a second of six channels', bytes: chain('vorbis.ogg', '51.opus'), pcm: both, likeness: 0.8 },
    { name: 'two of Vorbis', bytes: chain('vorbis.ogg', 'vorbis.ogg'), pcm: both },
    { name: 'two of Speex', bytes: chain('speex.ogg', 'speex.ogg'), pcm: both, incomplete: /|damaged/ },
    {
      name: 'a second that is cut off',
      bytes: cutOff(chain('a.opus', 'a.opus'), 0.75),
      pcm: both.slice(0, Math.floor(both.length * 0.76)),
      within: 250,
      incomplete: /a page is cut off/,
    },
    {
      name: 'a first that is cut off',
      bytes: Buffer.concat([cutOff(renumbered(opus, 1), 0.9), renumbered(b.get('a.opus')!, 2)]),
      pcm: joined(one.slice(0, 42_400), other),
      within: 250,
      likeness: 0.5,
      incomplete: /a page is cut off/,
    },
    {
      name: 'a page of which bytes are missing',
      bytes: Buffer.concat([...pages.slice(0, 3), pages[3]!.subarray(0, -700), ...pages.slice(4)]),
      incomplete: /a page is cut off/,
      likeness: 0.5,
    },
    { name: 'an index beside', bytes: Buffer.concat([begins('fishead\0'), opus]) },
    { name: 'pictures beside', bytes: Buffer.concat([pages[0]!, begins('\x80theora'), ...pages.slice(1)]) },
    {
      name: 'two of Opus at once',
      bytes: Buffer.concat([pages[0]!, begins('OpusHead and so on'), ...pages.slice(1)]),
      refused: /several audio streams at once/,
    },
    {
      name: 'an unknown stream',
      bytes: Buffer.concat([begins('mystery'), opus]),
      refused: /no audio stream/,
    },
    {
      name: 'a second of pictures',
      bytes: Buffer.concat([opus, begins('\x80theora')]),
      refused: /no audio stream inside/,
    },
    { name: 'zeros behind', bytes: Buffer.concat([opus, Buffer.alloc(5000)]) },
    {
      name: 'bytes between pages',
      bytes: inserted(opus, opus.length - pages.at(-1)!.length, Buffer.alloc(999, 'Og')),
      incomplete: /bytes between its pages/,
    },
    {
      name: 'a page that is missing',
      bytes: Buffer.concat([...pages.slice(0, 3), ...pages.slice(4)]),
      incomplete: /pages are missing/,
      likeness: 0.1,
    },
    {
      name: 'cut off',
      bytes: cutOff(opus),
      likeness: 0.85,
      pcm: one.slice(0, 29_000),
      within: 200,
      incomplete: /a page is cut off/,
    },
    {
      name: 'positions of 16 kHz',
      bytes: Buffer.concat(
        pages.map((one) => moved(one, -Math.floor((Number(one.readBigInt64LE(6)) * 2) / 3))),
      ),
    },
    {
      name: 'positions from 10 h on',
      bytes: Buffer.concat(pages.map((one, index) => moved(one, index < 2 ? 0 : 1_728_000_000))),
    },
    { name: 'an end within the last page', bytes: changedLast(-24_000), pcm: one.slice(0, -8000) },
    { name: 'an end before the last page', bytes: changedLast(-96_000) },
    { name: 'a pause of 10 h', bytes: changedLast(1_728_000_000), refused: /too long/ },
    {
      name: 'a beginning that is not heard',
      bytes: head((packet) => packet.writeUInt16LE(24_000, 10)),
      pcm: one.slice(6720),
    },
    {
      name: 'ID3 before',
      bytes: Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\x0a'), Buffer.alloc(10), opus]),
    },
  ];
  await Promise.all(forms.map((form) => check(t, { pcm: one, ...form })));

  const loud = await stage(
    head((packet) => packet.writeInt16LE(12 * 256, 16)),
    'loud',
  );
  const soft = await stage(opus, 'soft');
  const volume = async (audio: StagedAudio): Promise<number> =>
    (await heard(audio)).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const gain = (await volume(loud)) / (await volume(soft));
  t.ok(gain > 2, `the gain of its head is heard: ${gain}`);
  await Promise.all([loud.close(), soft.close()]);
});
