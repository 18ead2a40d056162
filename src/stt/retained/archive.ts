import type { Settings } from '../../config/index.js';
import {
  type BucketSettings,
  bucketFiles,
  ownerOf,
  parseRetainedKey,
  parseRetainedName,
  type RetainedCipher,
  type RetainedFiles,
  retainedCipher,
  retainedFolder,
  unreadable,
} from '../storage/index.js';
import { decodeRetained, type RetainedSpeech, readRetainedWav } from './codec.js';
import { readUnencoded } from './unencoded.js';

export type ArchiveSettings = BucketSettings & Pick<Settings, 'retainedKey' | 'retainedKeyFile'>;

/** An entry in a listing of retained audio. */
export interface RetainedEntry {
  readonly key: string;
  /** Owner part of the entry's name: a hash of the user. Undefined if the name has an unknown format. */
  readonly owner: string | undefined;
  /** Duration of the audio in seconds. */
  readonly seconds: number;
  /** Time at which the audio was retained, ms since the epoch. Undefined if the name has an unknown format. */
  readonly at: number | undefined;
  readonly bytes: number;
  /** Whether the transcription of the audio was given up. Such audio waits for an operator. */
  readonly failed: boolean;
}

/** Gives transcription jobs and operators access to retained audio. Methods throw the errors of the storage. */
export interface RetainedArchive {
  /** Name of the storage, such as the path of the folder. */
  readonly place: string;
  /**
   * Whether removed audio may reappear at any later time. A file may be in both the bucket and an engine's folder, if
   * the bucket answered late or the engine was killed during a move. The engine later moves such a file to the bucket
   * again.
   */
  readonly mayComeBack: boolean;
  /** Lists complete audio, oldest first. Incomplete files are left out. */
  list(): Promise<RetainedEntry[]>;
  /**
   * Reads and decodes audio. @returns undefined if it does not exist.
   * @throws CochleaError retained_audio_unreadable when it is damaged or encrypted with another key.
   */
  read(key: string): Promise<RetainedSpeech | undefined>;
  remove(key: string): Promise<void>;
  /** Marks audio as given up. It still takes space, but its age no longer makes the engine refuse new streams. */
  giveUp(key: string): Promise<void>;
  /** Removes the mark of `giveUp`. */
  putBack(key: string): Promise<void>;
}

const ending = '.failed';
/** Readers of the file formats that this release writes. Files of these formats may be encrypted. */
const readers = [
  ['opus', decodeRetained],
  ['pcm', readUnencoded],
] as const;

/**
 * Opens the bucket that the settings name. Without a bucket it opens the folder.
 * @throws CochleaError setting_invalid for an invalid key.
 */
export const openArchive = async (settings: ArchiveSettings, folder: string): Promise<RetainedArchive> => {
  const files = settings.bucketUrl === '' ? retainedFolder(folder) : bucketFiles(settings);
  return archiveOf(files, settings.bucketUrl !== '', await retainedCipher(settings));
};

const archiveOf = (
  files: RetainedFiles,
  mayComeBack: boolean,
  cipher: RetainedCipher | undefined,
): RetainedArchive => {
  const both = (name: string): string[] => [name, `${name}${ending}`];
  const namesOf = (key: string): string[] =>
    ['opus', 'opus.aes', 'pcm', 'pcm.aes', 'wav', 'json'].flatMap((form) => both(`${key}.${form}`));
  /** Reads a file. If it does not exist, reads the same file with the mark of `giveUp`. */
  const find = async (file: string): Promise<Buffer | undefined> => {
    for (const name of both(file)) {
      const bytes = await files.read(name);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  };
  const decrypt = (bytes: Buffer, key: string): Buffer =>
    cipher === undefined ? unreadable(key, 'it is encrypted, and no key is set') : cipher.open(bytes, key);
  const readAny = async (key: string): Promise<RetainedSpeech | undefined> => {
    for (const [form, decode] of readers) {
      const plain = await find(`${key}.${form}`);
      if (plain !== undefined) return decode(plain, key);
      const sealed = await find(`${key}.${form}.aes`);
      if (sealed !== undefined) return decode(decrypt(sealed, key), key);
    }
    const wav = await find(`${key}.wav`);
    const description = wav && (await find(`${key}.json`));
    return wav && description && readRetainedWav(wav, description.toString(), key);
  };
  return {
    place: files.place,
    mayComeBack,
    list: async () => {
      const listed = await files.list();
      const names = new Set(listed.map(({ name }) => name));
      const entries = listed.flatMap(({ name, size }): RetainedEntry[] => {
        const file = parseRetainedName(name);
        if (file === undefined || file.state === 'part' || file.form === 'json') return [];
        // The description of a WAV file is written last. If it is missing, the audio is incomplete.
        if (file.form === 'wav' && !both(`${file.key}.json`).some((other) => names.has(other))) return [];
        const { owner, samples = 0, at } = parseRetainedKey(file.key) ?? {};
        const failed = file.state === 'failed';
        return [{ key: file.key, owner, seconds: samples / 16_000, at, bytes: size, failed }];
      });
      return entries.sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
    },
    read: async (key) => {
      const speech = await readAny(key);
      const owner = parseRetainedKey(key)?.owner;
      // Checks that the owner in the name is the user in the record. Fair scheduling, user quotas and account deletion
      // rely on the owner in the name.
      if (speech !== undefined && owner !== undefined && owner !== ownerOf(speech.record.user))
        unreadable(key, 'its name belongs to another user');
      return speech;
    },
    // Removes the audio first, because a description without its audio is not listed.
    remove: async (key) => {
      for (const name of namesOf(key)) await files.remove(name);
    },
    giveUp: async (key) => {
      for (const name of namesOf(key)) if (!name.endsWith(ending)) await files.move(name, `${name}${ending}`);
    },
    putBack: async (key) => {
      for (const name of namesOf(key)) {
        if (name.endsWith(ending)) await files.move(name, name.slice(0, -ending.length));
      }
    },
  };
};
