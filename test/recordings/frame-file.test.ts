/** Tests which names and frames of recordings are accepted, and which are refused and why. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { FrameFile, frameDuration } from '../../src/audio/recording/frame-file.js';
import { parseRecordingName } from '../../src/audio/recording/recording-name.js';
import { openRecordingFiles } from '../../src/service/recordings/recording-files.js';
import { createRetainedCipher } from '../../src/stt/storage/cipher.js';
import { frameFile } from './frame-files.js';

const now = Date.UTC(2026, 5, 1);

t.test('names say codec, rate, channels, begin and source', async (t) => {
  const cases: [string, string, number, number, string][] = [
    ['audio_pendant_opus_16000_1_1767225600.bin', 'opus', 16_000, 1, 'sdcard'],
    ['audio_pendant_opus_16000_1_fs160_1767225600.bin', 'opus', 16_000, 1, 'sdcard'],
    ['audio_my_old_pendant_opus_16000_1_fs320_1767225600.5.bin', 'opus_fs320', 16_000, 1, 'sdcard'],
    ['audio_x_pcm16_44100_2_1767225600.bin', 'pcm16', 44_100, 2, 'sdcard'],
    ['audio_x_pcm8_1767225600.bin', 'pcm8', 8000, 1, 'sdcard'],
    ['audio_x_aac_48000_1_1767225600.bin', 'aac', 48_000, 1, 'sdcard'],
    ['audio_x_lc3_16000_1_fs1030_1767225600.bin', 'lc3_fs1030', 16_000, 1, 'sdcard'],
    ['audio_pcm16_opus_48000_2_1767225600.bin', 'opus', 48_000, 2, 'sdcard'],
    ['audio_limitless_opus_11025_1_1767225600.bin', 'opus', 16_000, 1, 'limitless'],
    ['audio_phonemic_1767225600.bin', 'opus', 16_000, 1, 'phone'],
    ['recording_1767225600.bin', 'opus', 16_000, 1, 'sdcard'],
  ];
  for (const [name, codec, sampleRate, channels, source] of cases) {
    const startedAt = name.includes('.5.bin') ? 1_767_225_600_500 : 1_767_225_600_000;
    t.strictSame(
      parseRecordingName(name, now),
      { startedAt, clock: 'device', format: { codec, sampleRate, channels }, source },
      name,
    );
  }
});

t.test('a time from before such wearables is no time', async (t) => {
  // The times are zero, seconds since boot, the epochs of FAT, GPS and clock chips, and the last second before 2024.
  for (const time of [
    '0',
    '1.25',
    '86400',
    '315532800',
    '315964800',
    '946684800',
    '1577836800',
    '1704067199',
  ]) {
    const name = parseRecordingName(`audio_pendant_opus_16000_1_${time}.bin`, now);
    t.match(name, { clock: 'upload', startedAt: Number(time) * 1000 }, time);
  }
  t.equal(parseRecordingName('audio_pendant_opus_16000_1_1704067200.bin', now).clock, 'device');
});

t.test('names that are refused', async (t) => {
  for (const [name, why] of [
    ['', /end with .bin/],
    ['audio_opus_1767225600.wav', /end with .bin/],
    ['../audio_opus_1767225600.bin', /plain file name/],
    ['C:\\audio_opus_1767225600.bin', /plain file name/],
    ['audio_\0_1767225600.bin', /plain file name/],
    [`audio_${'x'.repeat(200)}_1767225600.bin`, /plain file name/],
    ['1767225600.bin', /underscore/],
    ['audio_now.bin', /not a time/],
    ['audio_-1.bin', /not a time/],
    ['audio_1e9.bin', /not a time/],
    ['audio_1767225600000000.bin', /not a time/],
    ['audio_.bin', /not a time/],
    ['audio_1780272301.bin', /in the future/],
    ['audio_99999999999.bin', /in the future/],
  ] as const) {
    t.throws(() => parseRecordingName(name, now), { code: 'recording_name_invalid', message: why }, name);
  }
});

t.test('frames are the same however a file is cut', async () => {
  const frames = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 30 });
  const cuts = fc.array(fc.nat(10_000), { maxLength: 12 });
  fc.assert(
    fc.property(frames, cuts, (given, cuts) => {
      const whole = frameFile(given);
      const at = [
        0,
        ...cuts.map((cut) => cut % whole.length).sort((one, other) => one - other),
        whole.length,
      ];
      const file = new FrameFile();
      const read = at.slice(1).flatMap((end, index) => {
        const { bytes, frames } = file.read(whole.subarray(at[index], end));
        return Array.from({ length: frames.length / 2 }, (_, i) =>
          Buffer.from(bytes.subarray(frames[2 * i]!, frames[2 * i]! + frames[2 * i + 1]!)).toString('hex'),
        );
      });
      file.end();
      const sent = given.map((frame) => Buffer.from(frame).toString('hex'));
      return file.count === given.length && JSON.stringify(read) === JSON.stringify(sent);
    }),
  );
});

t.test('files that are refused', async (t) => {
  const good = frameFile([new Uint8Array(40), new Uint8Array(40)]);
  const length = (bytes: number): Buffer => {
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32LE(bytes);
    return prefix;
  };
  for (const [what, bytes, why] of [
    ['empty', Buffer.alloc(0), /no audio/],
    ['length 0', length(0), /length of a frame is 0 at byte 0/],
    ['length 65537', length(65_537), /length of a frame is 65537/],
    ['length of 4 GB behind a frame', Buffer.concat([good, length(0xffffffff)]), /4294967295 at byte 88/],
    ['half a length', Buffer.alloc(3, 1), /ends within a frame at byte 0/],
    ['half a frame', good.subarray(0, 43), /ends within a frame at byte 0/],
    ['a text', Buffer.from('<!doctype html><html>'), /length of a frame is/],
  ] as const) {
    const read = (): void => {
      const file = new FrameFile();
      file.read(bytes);
      file.end();
    };
    t.throws(read, { code: 'recording_invalid', message: why }, what);
  }
  const largest = new FrameFile();
  t.equal(largest.read(Buffer.concat([length(65_536), Buffer.alloc(65_536)])).frames.length, 2);
});

t.test('a file that is cut off or damaged gives its whole frames, and says where it ends', async (t) => {
  const frames = Array.from({ length: 12 }, (_, index) => new Uint8Array(40).fill(index + 1));
  const good = frameFile(frames);
  const lost = (byte: number): Buffer => Buffer.alloc(512, byte);
  for (const [what, bytes, count, why] of [
    ['whole', good, 12, null],
    ['half a length', Buffer.concat([good, Buffer.alloc(3, 1)]), 12, /ends within a frame at byte 528/],
    ['half a frame', good.subarray(0, -1), 11, /ends within a frame at byte 484/],
    ['half of the second frame', good.subarray(0, 60), 1, /ends within a frame at byte 44/],
    [
      'space that was never written',
      Buffer.concat([good, lost(0)]),
      12,
      /length of a frame is 0 at byte 528/,
    ],
    ['flash that was erased', Buffer.concat([good, lost(0xff)]), 12, /4294967295 at byte 528/],
    [
      'a sector without data in the middle',
      Buffer.concat([good.subarray(0, 400), lost(0), good]),
      9,
      /length of a frame is 0 at byte 440/,
    ],
  ] as const) {
    for (const size of [1, 7, bytes.length]) {
      const file = new FrameFile();
      let read = 0;
      for (let at = 0; at < bytes.length; at += size)
        read += file.read(bytes.subarray(at, at + size)).frames.length / 2;
      const incomplete = file.end();
      if (what.startsWith('a sector')) t.ok(read >= count && read <= count + 1, what);
      else t.equal(read, count, what);
      if (why === null) t.equal(incomplete, null, what);
      else t.match(incomplete, what.startsWith('a sector') ? /length of a frame is/ : why, what);
    }
  }
  fc.assert(
    fc.property(fc.nat(good.length), fc.integer({ min: 1, max: 64 }), (end, size) => {
      const file = new FrameFile();
      const bytes = good.subarray(0, end);
      for (let at = 0; at < end; at += size) file.read(bytes.subarray(at, Math.min(end, at + size)));
      const whole = Math.floor(end / 44);
      if (file.count !== whole) return false;
      if (whole === 0) return true;
      return (file.end() === null) === (end % 44 === 0);
    }),
  );
});

t.test('how long a frame lasts is told by its head', async (t) => {
  const pcm = { codec: 'pcm16', sampleRate: 16_000, channels: 1 } as const;
  t.equal(frameDuration(pcm, new Uint8Array(640)), 20);
  t.equal(frameDuration({ ...pcm, codec: 'pcm8', channels: 2 }, new Uint8Array(640)), 20);
  t.equal(
    frameDuration({ ...pcm, codec: 'opus' }, Uint8Array.of(0b00011_0_00)),
    60,
    'one byte is 60 ms of Opus',
  );
  t.equal(frameDuration({ ...pcm, codec: 'opus' }, Uint8Array.of(0b00011_0_11, 2)), 120);
});

t.test(
  'files are the same when they are read again, encrypted or not, and none can be changed',
  async (t) => {
    const cipher = createRetainedCipher(randomBytes(32));
    for (const [what, used] of [
      ['plain', undefined],
      ['encrypted', cipher],
    ] as const) {
      const folder = t.testdir();
      const files = await openRecordingFiles(folder, used);
      t.equal((await openRecordingFiles(folder, used)).place, files.place, 'the folder keeps its name');
      const read = async (id: string): Promise<Buffer> => {
        const pieces = [];
        for await (const piece of files.read(id)) pieces.push(piece);
        return Buffer.concat(pieces);
      };
      for (const sizes of [
        [1],
        [65_536],
        [65_536, 65_536],
        [65_537, 3],
        Array.from({ length: 700 }, () => 199),
      ]) {
        const writer = await files.create();
        const pieces = sizes.map((size) => randomBytes(size));
        for (const piece of pieces) await writer.write(piece);
        await writer.finish();
        t.ok((await read(writer.id)).equals(Buffer.concat(pieces)), `${what}: ${sizes.length} pieces`);
        const path = join(folder, `${writer.id}.${used === undefined ? 'bin' : 'aes'}`);
        t.equal(statSync(path).mode & 0o777, 0o600);
        if (used === undefined) continue;
        const stored = readFileSync(path);
        writeFileSync(path, stored.subarray(0, -1));
        await t.rejects(read(writer.id), { code: 'recording_unreadable' }, 'cut short');
        const first = 4 + stored.readUInt32LE();
        if (first < stored.length) {
          writeFileSync(path, stored.subarray(0, first));
          await t.rejects(read(writer.id), { code: 'recording_unreadable' }, 'without its last piece');
        }
        stored[stored.length - 20]! ^= 1;
        writeFileSync(path, stored);
        await t.rejects(read(writer.id), { code: 'recording_unreadable' }, 'changed');
      }
      const writer = await files.create();
      await writer.write(randomBytes(10));
      t.equal((await files.olderThan(Number.POSITIVE_INFINITY)).length, 5, 'an incomplete one is not listed');
      t.equal(await files.removeUnfinished(0), 0, 'an upload that may still run stays');
      const killed = await files.create();
      await killed.write(randomBytes(70_000));
      t.equal(await files.removeUnfinished(Number.POSITIVE_INFINITY), 2);
      await writer.discard();
      for (const id of await files.olderThan(Number.POSITIVE_INFINITY)) await files.remove(id);
      t.strictSame(await files.olderThan(Number.POSITIVE_INFINITY), []);
      await t.rejects(read(writer.id), { code: 'recording_unreadable' }, 'not there');
    }
  },
);
