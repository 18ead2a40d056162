/** Every format of an audio file gives all of its audio, a part with a notice, or a refusal with the reason. */
import t from 'tap';
import { wavFile } from '../../support/texts/wav-file.js';
import { both, check, type Form, made, one, other, without } from './form.js';
import { joined } from './heard.js';
import { changed, chunk, cutOff, hollow, inserted, openCaf, rifx } from './made-files.js';

t.test('reads variants of WAV', { skip: without }, async (t) => {
  const [a, b] = [made(one), made(other)];
  const file = (name: string): Buffer => a.get(name)!;
  const plain = wavFile(one);
  const size = (value: number): Buffer => changed(plain, (copy) => copy.writeUInt32LE(value, 40));
  const list = Buffer.from('INFOISFT\x05\0\0\0abcd\0', 'latin1');
  const second = chunk('data', wavFile(other).subarray(44));
  const tag = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\x0a'), Buffer.alloc(10)]);
  const oldTag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 'x')]);
  const half = one.slice(0, one.length >> 1);
  const forms: Form[] = [
    ...[...a]
      .filter(([name]) => name.endsWith('.wav') && name !== 'aac.wav')
      .map(([name, bytes]) => ({ name, bytes })),
    { name: 'data of 0 bytes', bytes: size(0) },
    { name: 'data of 0xFFFFFFFF bytes', bytes: size(0xffffffff) },
    { name: 'data of 0x7FFFFFFF bytes', bytes: size(0x7fffffff) },
    { name: 'data of 0x80000000 bytes', bytes: size(0x80000000) },
    { name: 'a size of an earlier time', bytes: size(16_000) },
    {
      name: 'ADPCM with data of 0 bytes',
      bytes: changed(file('ima.wav'), (copy) => copy.writeUInt32LE(0, copy.indexOf('data') + 4)),
    },
    { name: 'cut off', bytes: cutOff(plain, 0.5), pcm: half, incomplete: /ends before its last sample/ },
    {
      name: 'ADPCM that is cut off',
      bytes: cutOff(file('ima.wav'), 0.5),
      pcm: half,
      incomplete: /ends before/,
    },
    { name: 'big-endian', bytes: rifx(plain) },
    { name: 'LIST of odd length', bytes: inserted(plain, 36, chunk('LIST', list)) },
    { name: 'LIST without padding', bytes: inserted(plain, 36, chunk('LIST', list, false)) },
    { name: 'JUNK of 300 KiB', bytes: inserted(plain, 36, chunk('JUNK', Buffer.alloc(307_200))) },
    { name: 'JUNK before ADPCM', bytes: inserted(file('ms.wav'), 12, chunk('JUNK', Buffer.alloc(307_200))) },
    { name: 'LIST behind', bytes: Buffer.concat([plain, chunk('LIST', list)]) },
    {
      name: 'ID3 behind',
      bytes: Buffer.concat([plain, Buffer.from('ID3\x03\0\0\0\0\0\x0a'), Buffer.alloc(10)]),
    },
    {
      name: 'ID3 before',
      bytes: Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\x0a'), Buffer.alloc(10), plain]),
    },
    {
      name: 'ID3 before ADPCM',
      bytes: Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\x0a'), Buffer.alloc(10), file('ima.wav')]),
    },
    {
      name: 'ID3 before both of two files',
      bytes: Buffer.concat([tag, plain, tag, wavFile(other)]),
      pcm: both,
    },
    { name: 'ID3 and zeros behind', bytes: Buffer.concat([plain, tag, Buffer.alloc(5000)]) },
    { name: 'an old tag behind', bytes: Buffer.concat([plain, oldTag, Buffer.alloc(2)]) },
    {
      name: 'an empty old tag behind',
      bytes: Buffer.concat([plain, Buffer.from('TAG '), Buffer.alloc(124)]),
    },
    { name: 'a chunk of ID3 behind', bytes: Buffer.concat([plain, chunk('ID3 ', tag)]) },
    ...['a.mp3', 'a.aac', 'a.flac', 'a.opus', 'a.caf', 'a.aiff', 'a.m4a', 'a.webm', '44.mp3'].flatMap(
      (name) => [
        {
          name: `${name} behind`,
          bytes: Buffer.concat([plain, b.get(name)!]),
          incomplete: /behind the audio were not read/,
        },
        {
          name: `tagged ${name} behind ADPCM`,
          bytes: Buffer.concat([file('ima.wav'), tag, b.get(name)!]),
          incomplete: /behind the audio were not read/,
        },
      ],
    ),
    {
      name: 'noise behind a tag',
      bytes: Buffer.concat([plain, tag, Buffer.alloc(999, 'abc')]),
      incomplete: /were not read/,
    },
    { name: 'an odd byte behind', bytes: Buffer.concat([plain, Buffer.alloc(1)]) },
    { name: 'two data chunks', bytes: Buffer.concat([plain, second]), pcm: both },
    { name: 'two files', bytes: Buffer.concat([plain, wavFile(other)]), pcm: both },
    {
      name: 'two files, the first without sizes',
      bytes: Buffer.concat([size(0), wavFile(other)]),
      pcm: both,
    },
    {
      name: '96 kHz with data of 0xFFFFFFFF bytes',
      bytes: changed(file('96k.wav'), (copy) => copy.writeUInt32LE(0xffffffff, copy.indexOf('data') + 4)),
    },
    {
      name: '96 kHz with a size of an earlier time',
      bytes: changed(file('96k.wav'), (copy) => copy.writeUInt32LE(96_000, copy.indexOf('data') + 4)),
    },
    {
      name: 'MP3 with data of 0xFFFFFFFF bytes',
      bytes: changed(file('mp3.wav'), (copy) => copy.writeUInt32LE(0xffffffff, copy.indexOf('data') + 4)),
    },
    { name: 'two files of 96 kHz', bytes: Buffer.concat([file('96k.wav'), b.get('96k.wav')!]), pcm: both },
    { name: 'two files of ADPCM', bytes: Buffer.concat([file('ima.wav'), b.get('ima.wav')!]), pcm: both },
    {
      name: 'files of two formats',
      bytes: Buffer.concat([plain, file('f32.wav')]),
      refused: /several formats/,
    },
    { name: 'aac.wav', bytes: file('aac.wav'), refused: /format 255 with 16 bits/ },
    { name: 'no samples', bytes: plain.subarray(0, 44), refused: /holds no audio/ },
    { name: 'no data', bytes: plain.subarray(0, 36), refused: /no samples/ },
    { name: '9 channels', bytes: changed(plain, (copy) => copy.writeUInt16LE(9, 22)), refused: /9 channels/ },
    {
      name: '192001 Hz',
      bytes: changed(plain, (copy) => copy.writeUInt32LE(192_001, 24)),
      refused: /192001 Hz/,
    },
    {
      name: 'an unknown codec',
      bytes: changed(file('ima.wav'), (copy) => copy.writeUInt16LE(0x7777, 20)),
      refused: /format 30583 with 4 bits/,
    },
  ];
  await Promise.all(forms.map((form) => check(t, { pcm: one, ...form })));
});

t.test('reads variants of other formats', { skip: without }, async (t) => {
  const [a, b] = [made(one), made(other)];
  const file = (name: string): Buffer => a.get(name)!;
  const twice = (name: string): Buffer => Buffer.concat([file(name), b.get(name)!]);
  const begun = (share: number): Int16Array => one.slice(0, Math.floor(one.length * share));
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x10\0'), Buffer.alloc(2048)]);
  const whole = [
    'a.w64',
    'a.aiff',
    'a.caf',
    'a.au',
    'a.flac',
    'a.aac',
    'a.mp3',
    'a.mp2',
    'a.m4a',
    'fast.m4a',
  ];
  const films = ['alac.m4a', 'parts.mp4', 'later.mp4', 'a.mov', 'a.webm', 'live.webm', 'a.mka', 'film.webm'];
  const cut = [
    ...[
      ['a.w64', 0.6],
      ['a.aiff', 0.6],
      ['a.caf', 0.6],
      ['a.au', 0.6],
      ['fast.m4a', 0.56],
      ['parts.mp4', 0.58],
    ],
    ...[
      ['a.mka', 0.54],
      ['a.flac', 0.53],
      ['a.webm', 0.58],
      ['live.webm', 0.58],
      ['a.aac', 0.58],
      ['a.mp3', 0.59],
    ],
  ] as const;
  const forms: Form[] = [
    ...[...whole, ...films].map((name) => ({ name, bytes: file(name) })),
    ...['a.w64', 'a.aiff', 'a.caf', 'a.flac', 'a.aac', 'a.mp3', 'a.m4a', 'a.webm', 'live.webm'].map(
      (name) => ({
        name: `two of ${name}`,
        bytes: twice(name),
        pcm: both,
        within: 200,
        // The first frame of the second MPEG file needs bits of earlier frames, which are missing.
        ...(name === 'a.mp3' && { incomplete: /a part of it is damaged/ }),
      }),
    ),
    ...cut.map(([name, share]) => ({
      name: `${name} that is cut off`,
      bytes: cutOff(file(name as string), 0.6),
      pcm: begun(share as number),
      incomplete: /cut off|damaged/,
      within: 200,
    })),
    {
      name: 'a pause of 8 s without packets',
      bytes: file('paused.webm'),
      pcm: joined(one.slice(0, 16_000), new Int16Array(128_000), one.slice(32_000)),
      within: 100,
      likeness: 0.6,
    },
    { name: 'ID3 before FLAC', bytes: Buffer.concat([tag, file('a.flac')]) },
    { name: 'ID3 before AAC', bytes: Buffer.concat([tag, file('a.aac')]) },
    { name: 'two tags before MP3', bytes: Buffer.concat([tag, tag, file('a.mp3')]) },
    {
      name: 'M4A that is cut off before its index',
      bytes: cutOff(file('a.m4a')),
      refused: /its index is missing/,
    },
    { name: 'several tracks', bytes: file('two.m4a'), refused: /several audio tracks/ },
    { name: 'a film without sound', bytes: file('silent.webm'), refused: /no audio/ },
    { name: 'an MP3 of nothing', bytes: Buffer.concat([tag, Buffer.alloc(9000)]), refused: /no audio/ },
    {
      name: 'a text',
      bytes: Buffer.from('Dear Ann, this is no audio.'),
      refused: /not an audio file of a known format/,
    },
  ];
  await Promise.all(forms.map((form) => check(t, { pcm: one, ...form })));
});

t.test('reads files whose length field is open', { skip: without }, async (t) => {
  const [a, b] = [made(one), made(other)];
  const file = (name: string): Buffer => a.get(name)!;
  const open = (name: string): Buffer => openCaf(file(name));
  const begun = (share: number): Int16Array => one.slice(0, Math.floor(one.length * share));
  const sized = (name: string, mark: string, change: (copy: Buffer, at: number) => void): Buffer =>
    changed(file(name), (copy) => change(copy, copy.indexOf(mark)));
  const cafs = ['a.caf', 'le.caf', 'f32.caf', 'alaw.caf', 'ima.caf', 'alac.caf'];
  const aiff = (size: number): Buffer =>
    sized('a.aiff', 'SSND', (copy, at) => {
      copy.writeUInt32BE(size, at + 4);
      copy.writeUInt32BE(size, 4);
    });
  const rf64 = (size: bigint): Buffer =>
    sized('rf64.wav', 'ds64', (copy, at) => {
      copy.writeBigUInt64LE(size, at + 8);
      copy.writeBigUInt64LE(size, at + 16);
    });
  const forms: Form[] = [
    ...cafs.map((name) => ({ name: `${name} of length -1`, bytes: open(name) })),
    {
      name: 'two CAF files of length -1',
      bytes: Buffer.concat([open('le.caf'), openCaf(b.get('le.caf')!)]),
      pcm: both,
      within: 200,
    },
    {
      name: 'a CAF file of length -1, then one of another form',
      bytes: Buffer.concat([open('f32.caf'), openCaf(b.get('ima.caf')!)]),
      pcm: both,
      within: 200,
    },
    ...[1, 2, 3].map((bytes) => ({
      name: `f32.caf of length -1 that is cut off ${bytes} bytes within a sample`,
      bytes: open('f32.caf').subarray(0, -4 * 16_000 - bytes),
      pcm: one.slice(0, -16_000),
      incomplete: /a part of it is damaged/,
    })),
    {
      name: 'alac.caf of length -1 that is cut off',
      bytes: cutOff(open('alac.caf')),
      pcm: begun(0.57),
      within: 300,
      likeness: 0.7,
      incomplete: /it is cut off/,
    },
    ...[0xffffffff, 0x7fffffff, 0x80000000].map((size) => ({
      name: `AIFF of ${size} bytes`,
      bytes: aiff(size),
    })),
    ...[0n, 0xffffffffn, 2n ** 64n - 1n].map((size) => ({
      name: `RF64 of ${size} bytes`,
      bytes: rf64(size),
    })),
    {
      name: 'AU of 0xFFFFFFFF bytes',
      bytes: changed(file('a.au'), (copy) => copy.writeUInt32BE(0xffffffff, 8)),
    },
  ];
  await Promise.all(forms.map((form) => check(t, { pcm: one, ...form })));
});

t.test('reads frames of MPEG audio', { skip: without }, async (t) => {
  const [a, b] = [made(one), made(other)];
  const file = (name: string): Buffer => a.get(name)!;
  const chain = (...names: string[]): Buffer =>
    Buffer.concat(names.map((name, index) => (index === 0 ? a : b).get(name)!));
  const ape = (flags: number): Buffer => {
    const head = Buffer.alloc(32);
    head.write('APETAGEX');
    for (const [index, value] of [2000, 47, 1, flags].entries()) head.writeUInt32LE(value, 8 + 4 * index);
    return head;
  };
  const item = Buffer.from('\x01\0\0\0\0\0\0\0Title\0x', 'latin1');
  const oldTag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 'x')]);
  const noise = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 197) % 251));
  const frames = file('a.aac');
  const cut = (name: string): Buffer => Buffer.concat([cutOff(file(name), 0.4), file(name).subarray(-8000)]);
  const forms: Form[] = [
    { name: '44.aac', bytes: file('44.aac') },
    { name: '44.mp3', bytes: file('44.mp3') },
    { name: 'mp2.wav', bytes: file('mp2.wav') },
    { name: 'AAC of 16 kHz, then of 44.1 kHz', bytes: chain('a.aac', '44.aac'), pcm: both, within: 200 },
    { name: 'AAC of 44.1 kHz, then of 16 kHz', bytes: chain('44.aac', 'a.aac'), pcm: both, within: 200 },
    { name: 'MP3 of 44.1 kHz, then of 16 kHz', bytes: chain('44.mp3', 'a.mp3'), pcm: both, within: 200 },
    { name: 'MP3 of 16 kHz, then of 44.1 kHz', bytes: chain('a.mp3', '44.mp3'), pcm: both, within: 200 },
    { name: 'MP3, then MP2', bytes: chain('44.mp3', 'a.mp2'), pcm: both, within: 200 },
    { name: 'AAC with an old tag behind', bytes: Buffer.concat([frames, oldTag]) },
    {
      name: 'MP3 with tags behind',
      bytes: Buffer.concat([file('a.mp3'), ape(0xa0000000), item, ape(0x80000000), oldTag]),
    },
    { name: 'MP3 with zeros behind', bytes: Buffer.concat([file('a.mp3'), Buffer.alloc(100_000)]) },
    ...['a.mp3', 'a.aac', 'a.mp2', 'mp2.wav', 'mp3.wav'].map((name) => ({
      name: `${name} with a hole`,
      bytes: hollow(file(name)),
      within: 800,
      likeness: -1,
      incomplete: /bytes \d+ to \d+ of it are damaged/,
    })),
    {
      name: 'AAC of which bytes are gone',
      bytes: cut('a.aac'),
      within: 2000,
      likeness: -1,
      incomplete: /damaged/,
    },
    {
      name: 'AAC with noise behind',
      bytes: Buffer.concat([frames, noise]),
      incomplete: /not readable audio/,
    },
  ];
  await Promise.all(forms.map((form) => check(t, { pcm: one, ...form })));
});

t.test('reads files with damaged parts', { skip: without }, async (t) => {
  const a = made(one);
  const noisy = (bytes: Buffer): Buffer =>
    changed(bytes, (copy) => {
      let value = 7;
      for (let at = Math.round(copy.length * 0.4); at < copy.length * 0.6; at++) {
        value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
        copy[at] = value >>> 24;
      }
    });
  const shortened = (bytes: Buffer): Buffer =>
    Buffer.concat([cutOff(bytes, 0.4), bytes.subarray(Math.round(bytes.length * 0.6))]);
  const webm = ['a.webm', 'live.webm', 'mp3.mka', 'a.mka'];
  const others = ['a.flac', 'fast.m4a', 'alac.m4a', 'parts.mp4'];
  const forms = [...webm, ...others].flatMap((name) => [
    { name: `${name} with zeros`, bytes: hollow(a.get(name)!) },
    { name: `${name} with noise`, bytes: noisy(a.get(name)!) },
    // In `alac.m4a`, the index comes after the audio. If bytes are missing, the reader does not find the index.
    ...(name === 'alac.m4a'
      ? []
      : [{ name: `${name} of which bytes are gone`, bytes: shortened(a.get(name)!) }]),
  ]);
  await Promise.all(
    forms.map((form) =>
      // The remaining audio keeps its time or moves to an earlier time.
      check(t, { pcm: one, within: 2000, likeness: -1, incomplete: /damaged|cut off/, ...form }),
    ),
  );
});
