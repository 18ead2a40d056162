import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { packageCache, unpackedPackage } from '../debian-package.js';
import { fetchVoices } from '../speakers/voices.js';

/** A file with one spoken sentence, or a few. */
export interface RecordedSentence {
  readonly path: string;
  readonly voice: string;
}

/** Downloads a Debian package and unpacks it, once. @returns the folder of its files. @throws Error if it is missing. */
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

/** Sentences of the game Fish Fillets. The name of a file tells whether the small or the big fish speaks. */
const fishes = async (name: string): Promise<RecordedSentence[]> =>
  (await filesBelow(unpacked(name), '.ogg')).flatMap((path) => {
    const voice = /-([mv])-/.exec(basename(path))?.[1];
    return voice === undefined ? [] : [{ path, voice }];
  });

/** Readers of LibriSpeech, a folder each. */
const readers = async (): Promise<RecordedSentence[]> => {
  const voices = await fetchVoices();
  if ('skipped' in voices) throw new Error(voices.skipped);
  const files = await filesBelow(voices.folder, '.flac');
  return files.map((path) => ({ path, voice: basename(path).split('-')[0]! }));
};

/** Telephone prompts, all of one voice. */
const prompts = async (name: string): Promise<RecordedSentence[]> =>
  (await filesBelow(unpacked(name), '.g722')).map((path) => ({ path, voice: 'prompts' }));

/** Real speech in each language of the suite. The first use downloads it. */
export const recordings: Readonly<Record<string, () => Promise<RecordedSentence[]>>> = {
  en: readers,
  fr: () => prompts('asterisk-core-sounds-fr-g722'),
  nl: () => fishes('fillets-ng-data-nl'),
  cs: () => fishes('fillets-ng-data-cs'),
};
