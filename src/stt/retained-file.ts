import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
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

/** Bytes of a disk block, to which sizes are rounded up in the accounting. */
const block = 4096;
const roundUp = (bytes: number): number => Math.ceil(bytes / block) * block;

/** Disk space in bytes that an utterance of this many samples takes, its description included. */
export const retainedBytes = (samples: number): number => roundUp(wavHeader(0).length + 2 * samples) + block;

/** A short hash that names a user without revealing the user id. */
export const ownerOf = (user: string): string => createHash('sha256').update(user).digest('hex').slice(0, 16);

export interface RetainedName {
  readonly owner: string;
  readonly samples: number;
}

/** A key consists of time, owner, number of samples, stream, process id and number. */
const keyShape = /^\d{4}-[\dTZ-]+_([\da-f]{16})_(\d{1,9})_[\w-]{0,64}_\d+-\d+$/;

/**
 * The name under which an utterance is stored. It contains what the accounting needs, so that listing the folder is enough.
 * @param number unique in this process.
 */
export const retainedKey = ({ pcm, stream, user }: UtteranceRequest, at: Date, number: number): string => {
  const time = at.toISOString().replace(/[:.]/g, '-');
  const safe = stream.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return `${time}_${ownerOf(user)}_${pcm.length}_${safe}_${process.pid}-${number}`;
};

/** Reads a key; undefined when it is none. */
export const parseRetainedKey = (key: string): RetainedName | undefined => {
  const parts = keyShape.exec(key);
  return parts === null ? undefined : { owner: parts[1]!, samples: Number(parts[2]) };
};

const writeDurably = async (path: string, content: readonly Uint8Array[]): Promise<void> => {
  const part = `${path}.part`;
  try {
    const handle = await open(part, 'wx', 0o600);
    try {
      for (const piece of content) await handle.appendFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, path);
  } catch (thrown) {
    await rm(part, { force: true }).catch(() => undefined);
    throw thrown;
  }
};

const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * Writes an utterance that could not be transcribed as `KEY.wav` and `KEY.json`. The description is written last, so that its
 * existence shows that the audio is complete. Only the user of the process can read the files. Resolves when both would
 * survive a power cut.
 * @param reason why it was not transcribed, one word.
 */
export const writeRetained = async (
  directory: string,
  key: string,
  request: UtteranceRequest,
  reason: string,
  at: Date,
): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { pcm } = request;
  const samples = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const wav = join(directory, `${key}.wav`);
  await writeDurably(wav, [wavHeader(samples.length), samples]);
  const description = {
    user: request.user,
    stream: request.stream,
    start: request.start,
    end: request.end,
    language: request.language,
    reason,
    sample_rate: sampleRate,
    samples: pcm.length,
    retained_at: at.toISOString(),
  };
  try {
    await writeDurably(join(directory, `${key}.json`), [Buffer.from(`${JSON.stringify(description)}\n`)]);
  } catch (thrown) {
    await rm(wav, { force: true }).catch(() => undefined);
    throw thrown;
  }
  await syncDirectory(directory);
};
