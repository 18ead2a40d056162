import { createRequire } from 'node:module';
import type { ItsHelpers, Model, WinkMethods } from 'wink-nlp';

/** A word with its part of speech (Universal Dependencies, such as NOUN, PROPN and VERB) and its dictionary form. */
export interface TaggedWord {
  readonly text: string;
  readonly tag: string;
  readonly lemma: string;
}

type Tagger = (text: string) => TaggedWord[];

/** The tagger's time grows with the square of a word's length, so what is no word is cut. */
const longestWord = 40;
/**
 * Characters after which the tagger is loaded again, which takes 0.1 s: it keeps every word that it has met, some 100 bytes each. Twenty hours
 * of speech have as many.
 */
const mostTagged = 1_000_000;
let tagger: Tagger | undefined;
/** Characters that it has tagged. */
let tagged = 0;

/** wink-nlp with its small English model, loaded with the first transcript: it takes 0.2 s and 40 MB. */
const load = (): Tagger => {
  const require = createRequire(import.meta.url);
  const wink = require('wink-nlp') as (model: Model, pipe: string[]) => WinkMethods;
  const nlp = wink(require('wink-eng-lite-web-model') as Model, ['pos']);
  const its: ItsHelpers = nlp.its;
  return (text) => {
    const tokens = nlp.readDoc(text.replace(/\S{40,}/gu, (word) => word.slice(0, longestWord))).tokens();
    const texts = tokens.out() as string[];
    const tags = tokens.out(its.pos) as string[];
    // The declared type of this helper does not fit that of `out`.
    const lemmas = tokens.out(its.lemma as unknown as typeof its.normal) as string[];
    return texts.map((word, index) => ({ text: word, tag: tags[index]!, lemma: lemmas[index]! }));
  };
};

/** The words of an English text with their parts of speech. */
export const taggedWords = (text: string): TaggedWord[] => {
  if (tagged > mostTagged) {
    tagger = undefined;
    tagged = 0;
  }
  tagged += text.length;
  tagger ??= load();
  return tagger(text);
};
