import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import {
  type BucketSettings,
  ownerOf,
  parseRetainedKey,
  parseRetainedName,
  type RetainedCipher,
  type RetainedFiles,
  retainedBucket,
  retainedCipher,
  retainedFolder,
} from '../storage/index.js';
import { decodeRetained, type RetainedSpeech, readRetainedWav } from './codec.js';
import { readUnencoded } from './unencoded.js';

export type ArchiveSettings = BucketSettings & Pick<Settings, 'retainedKey' | 'retainedKeyFile'>;

/** An entry in a listing of retained audio. */
export interface RetainedEntry {
  readonly key: string;
  /** Owner part of the entry's name: a hash of the user. Undefined if the name has an unknown format. */
  readonly owner: string | undefined;
  /** `seconds` is the duration. `at` is the time of retention, ms since the epoch. */
  readonly seconds: number;
  readonly at: number | undefined;
  readonly bytes: number;
  /** Whether its transcription was given up, so that it waits for an operator. */
  readonly failed: boolean;
}

/** Gives transcription jobs and operators access to retained audio. Methods throw the errors of the storage. */
export interface RetainedArchive {
  /** Name of the storage, such as the path of the folder. */
  readonly place: string;
  /**
   * Whether removed audio may reappear at any later time. If an engine is killed while it moves a file to the
   * bucket, the file is still in its folder. The restarted engine moves it again.
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

/**
 * Opens the bucket that the settings name. Without a bucket it opens the folder.
 * @throws CochleaError setting_invalid for an invalid key.
 */
export const openArchive = async (settings: ArchiveSettings, folder: string): Promise<RetainedArchive> => {
  const files = settings.retainedBucket === '' ? retainedFolder(folder) : retainedBucket(settings);
  return archiveOf(files, settings.retainedBucket !== '', await retainedCipher(settings));
};

const archiveOf = (
  files: RetainedFiles,
  mayComeBack: boolean,
  cipher: RetainedCipher | undefined,
): RetainedArchive => {
  const namesOf = (key: string): string[] =>
    ['opus', 'opus.aes', 'pcm', 'pcm.aes', 'wav', 'json'].flatMap((form) => [
      `${key}.${form}`,
      `${key}.${form}${ending}`,
    ]);
  /** Reads the first file that exists, in the order of `names`. */
  const find = async (names: readonly string[]): Promise<Buffer | undefined> => {
    for (const name of names) {
      const bytes = await files.read(name);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  };
  const both = (name: string): string[] => [name, `${name}${ending}`];
  const decrypt = (bytes: Buffer, key: string): Buffer => {
    if (cipher !== undefined) return cipher.open(bytes, key);
    throw new CochleaError('retained_audio_unreadable', {
      path: key,
      why: 'it is encrypted, and no key is set',
    });
  };
  const readAny = async (key: string): Promise<RetainedSpeech | undefined> => {
    const plain = await find(both(`${key}.opus`));
    if (plain !== undefined) return decodeRetained(plain, key);
    const sealed = await find(both(`${key}.opus.aes`));
    if (sealed !== undefined) return decodeRetained(decrypt(sealed, key), key);
    const unencoded = await find(both(`${key}.pcm`));
    if (unencoded !== undefined) return readUnencoded(unencoded, key);
    const sealedUnencoded = await find(both(`${key}.pcm.aes`));
    if (sealedUnencoded !== undefined) return readUnencoded(decrypt(sealedUnencoded, key), key);
    const wav = await find(both(`${key}.wav`));
    const description = wav && (await find(both(`${key}.json`)));
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
      // Refuses audio of another user, because fair scheduling, user quotas and account deletion rely on the owner
      // in the name.
      if (speech !== undefined && owner !== undefined && owner !== ownerOf(speech.record.user)) {
        throw new CochleaError('retained_audio_unreadable', {
          path: key,
          why: 'its name belongs to another user',
        });
      }
      return speech;
    },
    // Removes the audio first. Other files without their audio are not listed.
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
