import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { packageCache, unpackedPackage } from '../debian-package.js';
import { decodedSamples } from '../decoded-samples.js';
import { comparableWords } from './comparable-words.js';
import { type Sentence, silenceAfter, type Talk, talkOf } from './talks.js';

/**
 * Names of Debian packages: `texts` has the texts, `sounds` the recordings in G.722 (16 kHz, one Canadian voice, CC
 * BY-SA).
 */
const packages = { texts: 'asterisk-core-sounds-fr', sounds: 'asterisk-core-sounds-fr-g722' } as const;
const textFile = 'usr/share/doc/asterisk-core-sounds-fr/core-sounds-fr.txt.gz';
const soundFolder = 'usr/share/asterisk/sounds/fr_CA_f_June';

/** Minimum and maximum number of words in a prompt that is used. Shorter prompts are no sentences. */
const words = { least: 5, most: 60 } as const;
/** Number of talks among which the prompts are divided. */
const talks = 10;
/**
 * Reads the list of prompts, which has a line `NAME: TEXT` for each prompt. Omits prompts that are no sentences, and
 * texts that describe a sound in parentheses or brackets.
 */
export const sentencesOfList = (list: string): { readonly name: string; readonly text: string }[] =>
  list.split('\n').flatMap((line) => {
    const [, name, text] = /^([^;:]+):(.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined || /[[(]/.test(text)) return [];
    const { length } = comparableWords(text, ['fr']);
    return length < words.least || length > words.most ? [] : [{ name, text: text.trim() }];
  });

/** Returns the French telephone prompts that are sentences. Needs apt-get and ffmpeg. @returns undefined without them. */
export const frenchSentences = async (): Promise<readonly Sentence[] | undefined> => {
  const [texts, sounds] = [packages.texts, packages.sounds].map((name) =>
    unpackedPackage(name, packageCache),
  );
  if ('missing' in texts! || 'missing' in sounds!) return undefined;
  const list = gunzipSync(await readFile(join(texts!.folder, textFile))).toString();
  return sentencesOfList(list).flatMap(({ name, text }) => {
    const path = join(sounds!.folder, soundFolder, `${name}.g722`);
    return existsSync(path) ? [{ name, text, load: () => decodedSamples(path) }] : [];
  });
};

/** Divides the prompts into ten talks. */
export const talksOfPrompts = (prompts: readonly Sentence[]): Promise<Talk[]> =>
  Promise.all(
    Array.from({ length: talks }, (_, talk) =>
      talkOf(
        `prompts ${talk + 1}`,
        [
          {
            language: 'fr',
            sentences: prompts.filter((_, index) => index % talks === talk),
            silence: silenceAfter,
          },
        ],
        talk + 1,
      ),
    ),
  );
