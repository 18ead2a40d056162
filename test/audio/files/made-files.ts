/**
 * Makes audio files in the formats of programs and devices: complete, truncated, damaged and concatenated. Some come from ffmpeg, others
 * are assembled here.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageChecksum, writeOggOpus } from '../../../src/audio/ogg/write.js';
import { lacingOf, page } from '../../support/texts/ogg-pages.js';

/** Output options of ffmpeg by file name. */
const coded: Readonly<Record<string, string>> = {
  'a.wav': '-c:a pcm_s16le',
  '24.wav': '-c:a pcm_s24le',
  'f32.wav': '-c:a pcm_f32le',
  'f64.wav': '-c:a pcm_f64le',
  'u8.wav': '-c:a pcm_u8',
  'mulaw.wav': '-c:a pcm_mulaw -ar 8000',
  'alaw.wav': '-c:a pcm_alaw -ar 8000',
  'ima.wav': '-c:a adpcm_ima_wav',
  'ms.wav': '-c:a adpcm_ms',
  'gsm.wav': '-c:a libgsm_ms -ar 8000',
  'aac.wav': '-c:a aac',
  'mp3.wav': '-c:a libmp3lame -f wav',
  'rf64.wav': '-c:a pcm_s16le -rf64 always',
  '96k.wav': '-c:a pcm_s16le -ar 96000',
  '6.wav': '-c:a pcm_s16le -ac 6',
  'a.w64': '-c:a pcm_s16le',
  'a.aiff': '-c:a pcm_s16be',
  'a.caf': '-c:a pcm_s16be',
  'le.caf': '-c:a pcm_s16le',
  'f32.caf': '-c:a pcm_f32be',
  'alaw.caf': '-c:a pcm_alaw -ar 8000',
  'ima.caf': '-c:a adpcm_ima_qt',
  'alac.caf': '-c:a alac',
  'a.au': '-c:a pcm_s16be',
  'a.flac': '-c:a flac',
  'a.aac': '-c:a aac',
  'a.mp3': '-c:a libmp3lame',
  'a.mp2': '-c:a mp2',
  '44.aac': '-c:a aac -ar 44100 -ac 2',
  '44.mp3': '-c:a libmp3lame -ar 44100 -ac 2',
  'mp2.wav': '-c:a mp2 -f wav',
  'a.m4a': '-c:a aac',
  'fast.m4a': '-c:a aac -movflags +faststart',
  'alac.m4a': '-c:a alac',
  'parts.mp4': '-c:a aac -movflags frag_keyframe+empty_moov -frag_duration 500000',
  'later.mp4': '-c:a aac -output_ts_offset 5',
  'a.mov': '-c:a pcm_s16le',
  'a.webm': '-c:a libopus',
  'live.webm': '-c:a libopus -live 1',
  // Drops one second from 1 s on, and delays the rest by 7 s.
  'paused.webm': "-af aselect='not(between(t,1,2))',asetpts=PTS+if(gt(T\\,1.5)\\,7/TB\\,0) -c:a libopus",
  'a.mka': '-c:a flac',
  'mp3.mka': '-c:a libmp3lame',
  'a.opus': '-c:a libopus -b:a 24k',
  'stereo.opus': '-c:a libopus -b:a 32k -ac 2',
  '51.opus': '-c:a libopus -ac 6',
  'vorbis.ogg': '-c:a libvorbis',
  'speex.ogg': '-c:a libspeex -f ogg',
  'flac.ogg': '-c:a flac -f ogg',
};

/** Names of files with pictures or with several tracks. */
const films: readonly string[] = [
  '-map 0:a -map 1:v -c:a libopus -c:v libvpx film.webm',
  '-map 1:v -c:v libtheora -map 0:a -c:a libvorbis theora.ogv',
  '-map 1:v -c:v libvpx silent.webm',
  '-map 0:a -map 0:a -c:a aac two.m4a',
];

/** Makes all files of one recording. @param wav path of the recording. @returns the bytes by file name. */
export const codedFiles = (folder: string, wav: string): ReadonlyMap<string, Buffer> => {
  const outputs = Object.entries(coded).flatMap(([name, words]) => [
    '-map',
    '0:a',
    ...words.split(' '),
    name,
  ]);
  const picture = ['-f', 'lavfi', '-t', '1', '-i', 'testsrc=s=32x32:r=5'];
  const words = ['-v', 'error', '-nostdin', '-y', '-i', wav, ...picture, ...outputs];
  execFileSync('ffmpeg', [...words, ...films.flatMap((film) => film.split(' '))], { cwd: folder });
  const names = [...Object.keys(coded), ...films.map((film) => film.split(' ').at(-1)!)];
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
};

/** Returns a changed copy. */
export const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};

export const inserted = (bytes: Buffer, at: number, piece: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);

/** Returns the first part of a file. @param share length of the part, as a share of the file. */
export const cutOff = (bytes: Buffer, share = 0.6): Buffer =>
  bytes.subarray(0, Math.floor(bytes.length * share));

/** Returns a copy with zeros between two positions, given as shares of its length. */
export const hollow = (bytes: Buffer, from = 0.4, to = 0.6): Buffer =>
  changed(bytes, (copy) => copy.fill(0, Math.round(copy.length * from), Math.round(copy.length * to)));

/** Returns a chunk of a RIFF file. */
export const chunk = (name: string, body: Buffer, isPadded = true): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(isPadded ? body.length & 1 : 0)]);
};

/**
 * Returns a CAF file that ends with the chunk of samples, with the length -1. Programs write -1 if they do not know the length in advance.
 */
export const openCaf = (bytes: Buffer): Buffer => {
  const others: Buffer[] = [];
  let data: Buffer = Buffer.alloc(0);
  for (let at = 8; at < bytes.length; ) {
    const size = 12 + Number(bytes.readBigInt64BE(at + 4));
    const whole = bytes.subarray(at, at + size);
    if (whole.toString('latin1', 0, 4) === 'data') data = whole;
    else others.push(whole);
    at += size;
  }
  const open = changed(data, (copy) => copy.writeBigInt64BE(-1n, 4));
  return Buffer.concat([bytes.subarray(0, 8), ...others, open]);
};

/** Returns a 16-bit WAV file with big-endian numbers. */
export const rifx = (wav: Buffer): Buffer => {
  const copy = Buffer.from(wav.subarray(0, 44 + (wav.length - 44)));
  const dataAt = copy.indexOf('data');
  copy.write('RIFX', 0, 'latin1');
  copy.subarray(dataAt + 8).swap16();
  for (const at of [4, 16, 24, 28]) copy.writeUInt32BE(copy.readUInt32LE(at), at);
  for (const at of [20, 22, 32, 34]) copy.writeUInt16BE(copy.readUInt16LE(at), at);
  const rest = copy.subarray(dataAt);
  rest.writeUInt32BE(rest.readUInt32LE(4), 4);
  // Removes the chunk that names the program that wrote the file.
  return Buffer.concat([copy.subarray(0, 36), rest]);
};

/** Returns the pages of an Ogg file. */
export const pagesOf = (bytes: Buffer): Buffer[] => {
  const pages: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const head = 27 + bytes[at + 26]!;
    const end = bytes.subarray(at + 27, at + head).reduce((sum, value) => sum + value, at + head);
    pages.push(bytes.subarray(at, end));
    at = end;
  }
  return pages;
};

/** Returns a changed page with its new checksum. */
export const changedPage = (page: Buffer, change: (copy: Buffer) => void): Buffer =>
  changed(page, (copy) => {
    change(copy);
    copy.writeUInt32LE(0, 22);
    copy.writeUInt32LE(pageChecksum(copy), 22);
  });

/** Returns the same file with a different serial number. */
export const renumbered = (bytes: Buffer, serial: number): Buffer =>
  Buffer.concat(pagesOf(bytes).map((page) => changedPage(page, (copy) => copy.writeUInt32LE(serial, 14))));

/** Returns an Ogg Opus file of packets of 20 ms. */
export const opusFile = (packets: readonly Uint8Array[]): Buffer =>
  writeOggOpus({
    packets,
    packetLength: 960,
    preSkip: 312,
    length: packets.length * 960 - 312,
    inputRate: 16_000,
    comments: [],
  });

/** Returns a copy of a page with its position moved. @param samples distance in samples at 48 kHz. */
export const moved = (page: Buffer, samples: number): Buffer =>
  changedPage(page, (copy) => copy.writeBigInt64LE(copy.readBigInt64LE(6) + BigInt(samples), 6));

/** A packet of 20 ms and its start time in ms. */
export interface TimedPacket {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** Returns an Ogg file of Opus packets with the given start times. @param onPage number of packets per page. */
export const timedOpus = (packets: readonly TimedPacket[], onPage: number): Buffer => {
  const [head, tags] = pagesOf(opusFile([]));
  const pages = [head!, tags!];
  for (let at = 0; at < packets.length; at += onPage) {
    const some = packets.slice(at, at + onPage);
    const lacing = some.flatMap(({ bytes }) => lacingOf(bytes.length));
    const plain = page(1, lacing, Buffer.concat(some.map(({ bytes }) => bytes)));
    pages.push(
      changedPage(plain, (copy) => {
        copy.writeBigInt64LE(BigInt(Math.round((some.at(-1)!.at + 20) * 48)), 6);
        copy.writeUInt32LE(pages.length, 18);
      }),
    );
  }
  return Buffer.concat(pages);
};
