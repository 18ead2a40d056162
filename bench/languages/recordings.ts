import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkout } from '../checkout.js';
import { fetchVoices } from '../speakers/voices.js';

const run = promisify(execFile);

/** A file with one spoken sentence, or a few. */
export interface RecordedSentence {
  readonly path: string;
  readonly voice: string;
}

/** Maximum size of the samples of a file, in bytes. */
const mostBytes = 2 * 16_000 * 120;

/** Returns the mono samples of an audio file at 16 kHz. */
export const samplesOf = async (path: string): Promise<Int16Array> => {
  const words = ['-nostdin', '-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', '16000', '-'];
  const { stdout } = await run('ffmpeg', words, { encoding: 'buffer', maxBuffer: mostBytes });
  return Int16Array.from({ length: stdout.length >> 1 }, (_, index) => stdout.readInt16LE(2 * index));
};

/** Downloads a Debian package and unpacks it, once. @returns the folder of its files. */
const unpacked = async (name: string): Promise<string> => {
  const folder = fileURLToPath(new URL(`build/bench/${name}`, checkout));
  if (existsSync(folder)) return folder;
  // The name is temporary until all files are unpacked, so that an interrupted run leaves no incomplete folder.
  const draft = `${folder}-${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    await run('apt-get', ['download', name], { cwd: draft });
    const archive = (await readdir(draft)).find((file) => file.endsWith('.deb'));
    if (archive === undefined) throw new Error(`apt-get download ${name} left no package`);
    await run('dpkg-deb', ['-x', archive, 'files'], { cwd: draft });
    await rename(join(draft, 'files'), folder);
    return folder;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

const filesBelow = async (folder: string, ending: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => join(folder, file));

/** Sentences of the game Fish Fillets. The name of a file tells whether the small or the big fish speaks. */
const fishes = async (name: string): Promise<RecordedSentence[]> =>
  (await filesBelow(await unpacked(name), '.ogg')).flatMap((path) => {
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
  (await filesBelow(await unpacked(name), '.g722')).map((path) => ({ path, voice: 'prompts' }));

/** Real speech in each language of the suite. The first use downloads it. */
export const recordings: Readonly<Record<string, () => Promise<RecordedSentence[]>>> = {
  en: readers,
  fr: () => prompts('asterisk-core-sounds-fr-g722'),
  nl: () => fishes('fillets-ng-data-nl'),
  cs: () => fishes('fillets-ng-data-cs'),
};
