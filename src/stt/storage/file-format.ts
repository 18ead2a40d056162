import { createHash } from 'node:crypto';
import type { UtteranceRequest } from '../shared/index.js';
import { sealedGrowth } from './cipher.js';
import { packetBytes, packetsOf } from './packets.js';

/** Bytes of a disk block. Accounting rounds sizes up to it. */
const block = 4096;
const roundUp = (bytes: number): number => Math.ceil(bytes / block) * block;

/** Most bytes of a record, and of the headers of a file. */
const headerBytes = 3072;

/** Disk space in bytes of an encoded utterance with this many samples, including its record. */
export const retainedBytes = (samples: number): number =>
  roundUp(headerBytes + sealedGrowth + packetsOf(samples) * (packetBytes + 2));

/** Disk space in bytes of an unencoded utterance. */
const unencodedBytes = (samples: number): number => roundUp(headerBytes + sealedGrowth + 2 * samples);

/** Disk space in bytes of a first-release WAV file. Its description takes another block. */
const wavBytes = (samples: number): number => roundUp(44 + 2 * samples);

/** A short hash that names a user without revealing the user id. */
export const ownerOf = (user: string): string => createHash('sha256').update(user).digest('hex').slice(0, 16);

export interface RetainedName {
  readonly owner: string;
  readonly samples: number;
  /** When the audio was retained, ms since the epoch. */
  readonly at: number;
}

/** A key consists of time, owner, number of samples, stream, process id and number. */
const keyShape =
  /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z_([\da-f]{16})_(\d{1,9})_[\w-]{0,64}_\d+-\d+$/;

/**
 * Makes the name that an utterance is stored under. It contains all values for accounting, so that listing names is
 * enough.
 * @param number unique in this process.
 */
export const retainedKey = ({ pcm, stream, user }: UtteranceRequest, at: Date, number: number): string => {
  const time = at.toISOString().replace(/[:.]/g, '-');
  const safe = stream.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return `${time}_${ownerOf(user)}_${pcm.length}_${safe}_${process.pid}-${number}`;
};

/** Parses a key; undefined when it has an unknown form. */
export const parseRetainedKey = (key: string): RetainedName | undefined => {
  const parts = keyShape.exec(key);
  if (parts === null) return undefined;
  const [, hour, minute, second, millisecond, owner, samples] = parts;
  const at = Date.parse(`${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(at) ? undefined : { owner: owner!, samples: Number(samples), at };
};

/** File formats: Opus in Ogg, unencoded PCM, both also encrypted, and the two files of the first release. */
export type RetainedForm = 'opus' | 'opus.aes' | 'pcm' | 'pcm.aes' | 'wav' | 'json';

export interface RetainedFileName {
  readonly key: string;
  readonly form: RetainedForm;
  /** `failed`: given up, waits for an operator. `part`: being written, or left by a dead process. */
  readonly state: 'waiting' | 'failed' | 'part';
}

const nameShape = /^(.*?)\.((?:opus|pcm)\.aes|opus|pcm|wav|json)(?:\.(failed|part))?$/;

/** Parses the name of a file; undefined when it does not belong to this store. */
export const parseRetainedName = (name: string): RetainedFileName | undefined => {
  const parts = nameShape.exec(name);
  if (parts === null) return undefined;
  const state = (parts[3] ?? 'waiting') as RetainedFileName['state'];
  return { key: parts[1]!, form: parts[2] as RetainedForm, state };
};

/** Bytes that a file counts for in accounting; undefined when its name has an unknown form. */
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
