/**
 * Provides minutes of real speech that are not in the repository. They come from Debian packages, downloaded once into `build/` if
 * downloads are allowed. The prompts of each asterisk package have one voice: 16 kHz in G.722, CC-BY-SA.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackedPackage } from '../../../bench/debian-package.js';

const cache = fileURLToPath(new URL('../../../../build/test-speech/', import.meta.url));

/** Bytes of G.722 per second. */
const codedRate = 8000;
/** Minimum length of a prompt in bytes. A shorter prompt is only a click. */
const shortest = codedRate / 2;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((file) => join(folder, file));

/** Reads prompts of a package. @returns samples at 16 kHz, or why they are missing. */
const prompts = (name: string, seconds: number): Int16Array | { missing: string } => {
  const found = unpackedPackage(name, cache);
  if ('missing' in found) return found;
  const parts: Buffer[] = [];
  let length = 0;
  for (const file of filesBelow(found.folder)) {
    if (length >= seconds * codedRate) break;
    if (!file.endsWith('.g722') || file.includes('/silence/')) continue;
    const coded = readFileSync(file);
    if (coded.length < shortest) continue;
    parts.push(coded);
    length += coded.length;
  }
  const { error, status, stdout } = spawnSync(
    'ffmpeg',
    ['-nostdin', '-v', 'error', '-f', 'g722', '-i', '-', '-f', 's16le', '-'],
    { input: Buffer.concat(parts), maxBuffer: 1 << 28 },
  );
  if (error || status !== 0) return { missing: error?.message ?? `ffmpeg ended with ${status}` };
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + (stdout.length & ~1)));
};

/** Returns all 16 kHz recordings of the package `pocketsphinx-testdata`. */
const recordings = (): Int16Array | { missing: string } => {
  const found = unpackedPackage('pocketsphinx-testdata', cache);
  if ('missing' in found) return found;
  const parts = filesBelow(found.folder)
    .filter((file) => /\.(wav|raw)$/.test(file) && !file.includes('tidigits'))
    .map((file) => readFileSync(file).subarray(file.endsWith('.wav') ? 44 : 0));
  const bytes = Buffer.concat(parts.map((part) => part.subarray(0, part.length & ~1)));
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
};

/**
 * Returns at least ten minutes of speech at 16 kHz, by two prompt voices and several people who read aloud. Otherwise returns why it is
 * missing.
 */
export const minutesOfSpeech = (): Int16Array | { missing: string } => {
  const parts: Int16Array[] = [];
  for (const make of [
    () => prompts('asterisk-core-sounds-en-g722', 330),
    () => prompts('asterisk-core-sounds-fr-g722', 330),
    recordings,
  ]) {
    const part = make();
    if ('missing' in part) return part;
    parts.push(part);
  }
  const speech = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    speech.set(part, at);
    at += part.length;
  }
  return speech;
};
