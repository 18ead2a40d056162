import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { packageCache, unpackedPackage } from '../debian-package.js';
import { fetchVoices } from '../speakers/voices.js';

/** A file with one spoken sentence or a few spoken sentences. */
export interface RecordedSentence {
  readonly path: string;
  readonly voice: string;
}

/**
 * Downloads a Debian package and unpacks it, unless this was done before. @returns the folder of its files. @throws
 * Error if it is missing.
 */
const unpacked = (name: string): string => {
  const found = unpackedPackage(name, packageCache);
  if ('missing' in found) throw new Error(found.missing);
  return found.folder;
};

const filesBelow = async (folder: string, ending: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => join(folder, file));

/** Returns sentences of the game Fish Fillets. The name of a file shows whether the small or the big fish speaks. */
const fishes = async (name: string): Promise<RecordedSentence[]> =>
  (await filesBelow(unpacked(name), '.ogg')).flatMap((path) => {
    const voice = /-([mv])-/.exec(basename(path))?.[1];
    return voice === undefined ? [] : [{ path, voice }];
  });

/** Returns sentences of LibriSpeech, which has a folder for each reader. */
const readers = async (): Promise<RecordedSentence[]> => {
  const voices = await fetchVoices();
  if ('skipped' in voices) throw new Error(voices.skipped);
  const files = await filesBelow(voices.folder, '.flac');
  return files.map((path) => ({ path, voice: basename(path).split('-')[0]! }));
};

/** Returns telephone prompts. One voice speaks all of them. */
const prompts = async (name: string): Promise<RecordedSentence[]> =>
  (await filesBelow(unpacked(name), '.g722')).map((path) => ({ path, voice: 'prompts' }));

/** Functions that return real speech, by language of the suite. The first call downloads the speech. */
export const recordings: Readonly<Record<string, () => Promise<RecordedSentence[]>>> = {
  en: readers,
  fr: () => prompts('asterisk-core-sounds-fr-g722'),
  nl: () => fishes('fillets-ng-data-nl'),
  cs: () => fishes('fillets-ng-data-cs'),
};
