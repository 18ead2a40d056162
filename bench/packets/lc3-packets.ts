import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resample } from '../../src/app/wearable/resample.js';
import { checkout } from '../checkout.js';
import { type Material, materialOf } from './materials.js';
import { indexPackets, type Packets } from './packets.js';

export interface Lc3Shape {
  /** Sample rate in Hz. */
  readonly rate: number;
  /** Length of a 10 ms frame in bytes. */
  readonly bytes: number;
  /** Encoded sound; default `speech in noise`. */
  readonly material?: Material;
  /** Seconds of the sound; default 10. */
  readonly duration?: number;
}

/**
 * Encodes a sound with liblc3. The packets have no fixed hash, because the encoder's floating-point results
 * differ between compilers.
 * @param program path of the program built from bench/native/reference-codec.c
 * @returns the packets and the path of their file.
 * @throws Error when the program was built without liblc3.
 */
export const encodeLc3 = async (
  program: string,
  { rate, bytes, material = 'speech in noise', duration = 10 }: Lc3Shape,
): Promise<Packets & { readonly path: string }> => {
  const pcm = resample(await materialOf(material, duration), 16_000, rate);
  const coded = execFileSync(program, ['encode', 'lc3', String(rate), String(bytes)], {
    input: new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength),
    maxBuffer: 1 << 24,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const path = new URL(`build/bench/lc3-${rate}-${bytes}-${material.replaceAll(' ', '-')}.packets`, checkout)
    .pathname;
  writeFileSync(path, coded);
  return { name: 'lc3', rate, channels: 1, frameMs: 10, path, ...indexPackets(coded) };
};
