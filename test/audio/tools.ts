/** Encodes material with programs of the codec's authors. Tests that need a missing program print that. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf } from './support.js';

export const hasTool = (name: string, probe: string): boolean =>
  spawnSync(name, [probe], { stdio: 'ignore' }).error === undefined;

/** Encodes LC3 messages of 10 ms with the program `elc3`. A message contains one frame for each channel, each `frameBytes` long. */
export const encodeLc3 = (
  pcm: Int16Array,
  rate: number,
  channels: number,
  frameBytes: number,
): Uint8Array[] => {
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-lc3-'));
  try {
    const [wav, coded] = [join(folder, 'in.wav'), join(folder, 'out.lc3')];
    writeFileSync(wav, wavOf(pcm, rate, channels));
    run('elc3', ['-b', String(frameBytes * 800 * channels), wav, coded]);
    const file = readFileSync(coded);
    const messages: Uint8Array[] = [];
    for (let at = file.readUInt16LE(2); at < file.length; ) {
      const length = file.readUInt16LE(at);
      messages.push(file.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
    return messages;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * Encodes ADTS frames with the program `ffmpeg`. The first frame is dropped because it is as long as the encoder's delay. The others then
 * decode to their original positions.
 */
export const encodeAac = (pcm: Int16Array, rate: number, channels: number): Uint8Array[] => {
  const format = ['-f', 's16le', '-ar', String(rate), '-ac', String(channels)];
  const stream = run(
    'ffmpeg',
    ['-nostdin', ...format, '-i', '-', '-c:a', 'aac', '-b:a', '64k', '-f', 'adts', '-'],
    bytesOf(pcm),
  );
  const frames: Uint8Array[] = [];
  for (let at = 0; at + 7 <= stream.length; ) {
    const length = (stream.readUInt32BE(at + 2) >>> 5) & 0x1fff;
    frames.push(stream.subarray(at, at + length));
    at += length;
  }
  return frames.slice(1);
};

const run = (name: string, args: string[], input?: Uint8Array): Buffer => {
  const { status, stdout, stderr, error } = spawnSync(name, args, {
    maxBuffer: 1 << 28,
    ...(input ? { input } : {}),
  });
  if (status !== 0) throw new Error(`${name} failed: ${error?.message ?? stderr.toString().slice(-400)}`);
  return stdout;
};

const wavOf = (pcm: Int16Array, rate: number, channels: number): Buffer => {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + pcm.byteLength, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * 2, 28);
  header.writeUInt16LE(channels * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(pcm.byteLength, 40);
  return Buffer.concat([header, bytesOf(pcm)]);
};
