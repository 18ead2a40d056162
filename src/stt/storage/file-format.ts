import { createHash } from 'node:crypto';
import type { UtteranceRequest } from '../shared/index.js';
import { sealedGrowth } from './cipher.js';
import { packetBytes, packetsOf } from './packets.js';

/** Number of bytes in a disk block. File sizes are rounded up to whole blocks when they are added up. */
const block = 4096;
const roundUp = (bytes: number): number => Math.ceil(bytes / block) * block;

/** Maximum size in bytes of the metadata (`RetainedRecord`) of an utterance, together with the headers of its file. */
const headerBytes = 3072;

/** Returns the disk space in bytes of an encoded utterance with this number of samples, including its metadata. */
export const retainedBytes = (samples: number): number =>
  roundUp(headerBytes + sealedGrowth + packetsOf(samples) * (packetBytes + 2));

/** Returns the disk space in bytes of an unencoded utterance. */
const unencodedBytes = (samples: number): number => roundUp(headerBytes + sealedGrowth + 2 * samples);

/**
 * Returns the disk space in bytes of a first-release WAV file. The separate file with its description takes one more
 * block.
 */
const wavBytes = (samples: number): number => roundUp(44 + 2 * samples);

/** Returns a short hash that identifies a user without revealing the user id. */
export const ownerOf = (user: string): string => createHash('sha256').update(user).digest('hex').slice(0, 16);

export interface RetainedName {
  readonly owner: string;
  readonly samples: number;
  /** Time at which the audio was retained, ms since the epoch. */
  readonly at: number;
}

/** Format of a key: time, owner, number of samples, stream, process id and number. */
const keyShape =
  /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z_([\da-f]{16})_(\d{1,9})_[\w-]{0,64}_\d+-\d+$/;

/**
 * Creates the key under which an utterance is stored. It contains all values that are needed to add up sizes, so
 * listing the names is enough.
 * @param number unique in this process.
 */
export const retainedKey = ({ pcm, stream, user }: UtteranceRequest, at: Date, number: number): string => {
  const time = at.toISOString().replace(/[:.]/g, '-');
  const safe = stream.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return `${time}_${ownerOf(user)}_${pcm.length}_${safe}_${process.pid}-${number}`;
};

/** Parses a key. @returns undefined if it has an unknown format. */
export const parseRetainedKey = (key: string): RetainedName | undefined => {
  const parts = keyShape.exec(key);
  if (parts === null) return undefined;
  const [, hour, minute, second, millisecond, owner, samples] = parts;
  const at = Date.parse(`${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(at) ? undefined : { owner: owner!, samples: Number(samples), at };
};

/**
 * File formats: Opus in Ogg and unencoded PCM, each with or without encryption, and the two files of the first release.
 */
export type RetainedForm = 'opus' | 'opus.aes' | 'pcm' | 'pcm.aes' | 'wav' | 'json';

export interface RetainedFileName {
  readonly key: string;
  readonly form: RetainedForm;
  /**
   * `waiting`: waits for transcription. `failed`: given up, so it waits for an operator. `part`: being written, or
   * left by a killed process.
   */
  readonly state: 'waiting' | 'failed' | 'part';
}

const nameShape = /^(.*?)\.((?:opus|pcm)\.aes|opus|pcm|wav|json)(?:\.(failed|part))?$/;

/** Parses the name of a file. @returns undefined if the file does not belong to this store. */
export const parseRetainedName = (name: string): RetainedFileName | undefined => {
  const parts = nameShape.exec(name);
  if (parts === null) return undefined;
  const state = (parts[3] ?? 'waiting') as RetainedFileName['state'];
  return { key: parts[1]!, form: parts[2] as RetainedForm, state };
};

/**
 * Returns the number of bytes that a file counts for in the storage limits; undefined if its name has an unknown
 * format.
 */
export const bytesOfName = (name: string): number | undefined => {
  const parsed = parseRetainedName(name);
  const key = parsed && parseRetainedKey(parsed.key);
  if (key === undefined) return undefined;
  switch (parsed!.form) {
    case 'json':
      return block;
    case 'wav':
      return wavBytes(key.samples);
    case 'pcm':
    case 'pcm.aes':
      return unencodedBytes(key.samples);
    default:
      return retainedBytes(key.samples);
  }
};
