import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { UtteranceRequest } from './provider.js';
import { sampleRate } from './transcriber-messages.js';

/** Header of a RIFF/WAVE file of mono 16-bit PCM. */
const wavHeader = (bytes: number): Buffer => {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes, 40);
  return header;
};

const writeDurably = async (path: string, content: readonly Uint8Array[]): Promise<void> => {
  const part = `${path}.part`;
  const handle = await open(part, 'w', 0o600);
  try {
    for (const piece of content) await handle.appendFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, path);
};

/**
 * Writes an utterance that could not be transcribed to the audio store, as `KEY.wav` and `KEY.json`; the description
 * comes last, so a key whose description exists is whole. Only the owner can read either.
 * @param reason why it was not transcribed, one word.
 * @param number makes the key unique in this process.
 * @returns the key.
 */
export const retainUtterance = async (
  directory: string,
  request: UtteranceRequest,
  reason: string,
  number: number,
): Promise<string> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const now = new Date();
  const stream = request.stream.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  const key = `${now.toISOString().replace(/[:.]/g, '-')}_${stream}_${process.pid}-${number}`;
  const { pcm } = request;
  const samples = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  await writeDurably(join(directory, `${key}.wav`), [wavHeader(samples.length), samples]);
  const description = {
    stream: request.stream,
    start: request.start,
    end: request.end,
    language: request.language,
    reason,
    sample_rate: sampleRate,
    samples: pcm.length,
    retained_at: now.toISOString(),
  };
  await writeDurably(join(directory, `${key}.json`), [Buffer.from(`${JSON.stringify(description)}\n`)]);
  return key;
};
