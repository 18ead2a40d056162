import { createRequire } from 'node:module';
import type { ItsHelpers, Model, WinkMethods } from 'wink-nlp';

/** A word with its part of speech (Universal Dependencies: NOUN, PROPN, VERB, ...) and its dictionary form. */
export interface TaggedWord {
  readonly text: string;
  readonly tag: string;
  readonly lemma: string;
}

type Tagger = (text: string) => TaggedWord[];

/** Maximum characters of a word. Longer words are cut, because the tagger's time grows with the square of a word's length. */
const longestWord = 40;
/**
 * The tagger stores some 100 bytes for every different word. So it is reloaded after this many characters, which takes
 * 0.1 s. Twenty hours of speech have about this many characters.
 */
const mostTagged = 1_000_000;
let tagger: Tagger | undefined;
/** Number of characters that were tagged since the last load. */
let tagged = 0;

/** Loads wink-nlp with its small English model. This takes 0.2 s and 40 MB, so it is done when the first transcript arrives. */
const load = (): Tagger => {
  const require = createRequire(import.meta.url);
  const wink = require('wink-nlp') as (model: Model, pipe: string[]) => WinkMethods;
  const nlp = wink(require('wink-eng-lite-web-model') as Model, ['pos']);
  const its: ItsHelpers = nlp.its;
  return (text) => {
    const tokens = nlp.readDoc(text.replace(/\S{40,}/gu, (word) => word.slice(0, longestWord))).tokens();
    const texts = tokens.out() as string[];
    const tags = tokens.out(its.pos) as string[];
    // `out` accepts `its.lemma`, but the declared type of `its.lemma` does not fit.
    const lemmas = tokens.out(its.lemma as unknown as typeof its.normal) as string[];
    return texts.map((word, index) => ({ text: word, tag: tags[index]!, lemma: lemmas[index]! }));
  };
};

/** Splits an English text into words with their parts of speech. */
export const taggedWords = (text: string): TaggedWord[] => {
  if (tagged > mostTagged) {
    tagger = undefined;
    tagged = 0;
  }
  tagged += text.length;
  tagger ??= load();
  return tagger(text);
};
