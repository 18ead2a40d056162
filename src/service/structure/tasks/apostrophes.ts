import { act } from './verbs.js';

/** Matches contractions that have no other meaning without their apostrophe ("dont"). */
const short =
  /\b(?:i(?:m|ve)|(?:do|does|did|is|are|was|were|has|have|had|wo|would|could|should|must|ca|need)nt|(?:you|they)(?:re|ve|ll)|weve|(?:he|she|that|what|there|here|who|where)s)\b/giu;
/**
 * Contractions that are other words without their apostrophe. Only the next word shows which word was meant ("ill
 * call", "id better", "were going to").
 */
const alsoWords = new RegExp(
  `(?<=^|[,.;!?] |\\b(?:and|so|but|because|then|okay|ok|yeah|anyway|think|guess) )(?:ill (?=(?:(?:also|just|probably|definitely|have to|need to|be|never|then|try to|make sure|remember|not) )*(?:${act}|be|do|make|get|take|try|have|need|go|see|let)\\b)|id (?=better|like|rather|love|prefer|appreciate)|were (?=(?:going to|gonna|supposed to|meant to|required to|not going to)\\b)|lets (?=(?:also |just |not |quickly |all )?(?:${act}|meet|go|make|get|do|not)\\b))`,
  'giu',
);

/** Restores apostrophes that recognisers omit ("i dont", "ive got to"). */
export const withApostrophes = (text: string): string =>
  text
    .replace(short, (word: string) =>
      /nt$/i.test(word)
        ? `${word.slice(0, -2)}n'${word.slice(-1)}`
        : word.replace(/(m|ve|re|ll|d|s)$/i, "'$1"),
    )
    .replace(alsoWords, (word: string) => word.replace(/(ll|d|re|s)(?= $)/i, "'$1"));

/** Returns a task in its original words, without the apostrophes that were added to the sentence. */
export const asSaid = (task: string, said: string): string =>
  task.replace(/[\p{L}]+'[\p{L}]{1,2}(?![\p{L}])/giu, (word) => {
    const bare = word.replace("'", '');
    return !said.includes(word) && new RegExp(`(?<!\\p{L})${bare}(?!\\p{L})`, 'iu').test(said) ? bare : word;
  });
