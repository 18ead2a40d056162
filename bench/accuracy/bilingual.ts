import type { AddedText } from './server.js';
import { type Sentence, type SpokenLanguage, silenceAfter, type Talk, talkOf } from './talks.js';

/** Minimum length in ms of a block of one language, and number of blocks in a conversation. */
const block = { length: 120_000, count: 6 } as const;
/** Silence in ms between two blocks. It ends an utterance, so that no utterance has two languages. */
const between = 1500;
/** Ms at the beginning of a conversation that do not count as results. */
const firstPart = 10_000;

/** Number of recordings that are read at the same time. */
const readers = 8;

/** Returns the sentences with their samples in memory, because conversations use each sentence several times. */
const inMemory = async (sentences: readonly Sentence[]): Promise<Sentence[]> => {
  const kept: Sentence[] = [];
  const waiting = [...sentences.entries()];
  const readNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, sentence] = next;
      const pcm = await sentence.load();
      kept[index] = { ...sentence, load: () => Promise.resolve(pcm) };
    }
  };
  await Promise.all(Array.from({ length: readers }, readNext));
  return kept;
};

/**
 * Returns as many sentences as a block needs, from the index `place` on. After the last sentence it continues with the
 * first.
 */
const sentencesFrom = async (all: readonly Sentence[], place: number): Promise<readonly Sentence[]> => {
  const chosen: Sentence[] = [];
  for (let length = 0; length < block.length; ) {
    const sentence = all[(place + chosen.length) % all.length]!;
    length += (await sentence.load()).length / 16;
    chosen.push(sentence);
  }
  return chosen;
};

/**
 * Returns conversations that alternate between blocks of English and of French. Each block lasts about two minutes.
 * Every second conversation begins in French.
 */
export const bilingualTalks = async (
  sentences: Readonly<Record<SpokenLanguage, readonly Sentence[]>>,
  conversations: number,
): Promise<Talk[]> => {
  const kept = { en: await inMemory(sentences.en), fr: await inMemory(sentences.fr) };
  const place = { en: 0, fr: 0 };
  const talks: Talk[] = [];
  for (let talk = 0; talk < conversations; talk++) {
    const blocks = [];
    for (let index = 0; index < block.count; index++) {
      const language: SpokenLanguage = (index + talk) % 2 === 0 ? 'en' : 'fr';
      const chosen = await sentencesFrom(kept[language], place[language]);
      place[language] += chosen.length;
      const silence = index === block.count - 1 ? silenceAfter : between;
      blocks.push({ language, sentences: chosen, silence });
    }
    talks.push(await talkOf(`conversation ${talk + 1}`, blocks, talk + 1));
  }
  return talks;
};

/**
 * Returns how often a stream must change its language to follow a talk. A stream begins in English, the first language
 * of the server.
 */
export const changesOf = ({ sentences }: Pick<Talk, 'sentences'>): number =>
  sentences.filter(({ language }, index) => language !== (sentences[index - 1]?.language ?? 'en')).length;

/** Returns the language of a text, among English and French; undefined if it is too short or unclear. */
export type Detect = (text: string) => SpokenLanguage | undefined;

/** Seconds of speech whose text is in the right language, or in the wrong language. */
export interface LanguageShares {
  readonly right: number;
  readonly wrong: number;
  /** Seconds whose text is too short or unclear. */
  readonly unclear: number;
}

/**
 * Compares the language of received texts with the language of the sentences that were spoken at the same time.
 * @param added texts of the talk. Their times count from its first speech.
 */
export const languageShares = (
  { sentences }: Pick<Talk, 'sentences'>,
  added: readonly AddedText[],
  detect: Detect,
): LanguageShares => {
  const shares = { right: 0, wrong: 0, unclear: 0 };
  const origin = sentences[0]?.from ?? 0;
  for (const { text, from, to } of added) {
    const [begin, end] = [origin + 1000 * from, origin + 1000 * to];
    const overlap = { en: 0, fr: 0 };
    for (const one of sentences)
      overlap[one.language] += Math.max(0, Math.min(end, one.to) - Math.max(begin, one.from));
    if (begin < firstPart || overlap.en + overlap.fr === 0) continue;
    const spoken = overlap.en > overlap.fr ? 'en' : 'fr';
    const written = detect(text);
    const share = written === undefined ? 'unclear' : written === spoken ? 'right' : 'wrong';
    shares[share] += to - from;
  }
  return shares;
};

/** Minimum number of letters in a text whose language can be detected. */
const leastLetters = 12;

/** Loads the detector of text languages, which translations also use. */
export const loadDetect = async (): Promise<Detect> => {
  const { eld } = await import('eld/small');
  return (text) => {
    if (text.replace(/[^\p{L}]/gu, '').length < leastLetters) return undefined;
    const { en = 0, fr = 0 } = eld.detect(text).getScores();
    return en === fr ? undefined : en > fr ? 'en' : 'fr';
  };
};
