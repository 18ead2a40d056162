import type { Relevance, SaidSegment } from './extractor.js';
import { cut, isFiller, isFunctionWord, tokensOf } from './words.js';

const reminder =
  /\b(remind me|don['’]?t forget|do not forget|remember to|note to self|(make|take) a note|set (a|an|the) (reminder|alarm|timer)|add (\w+ ){0,6}to (my|the) (\w+ )?(list|calendar|to-?dos?))\b/i;
const microphoneCheck =
  /\b(test(ing)?([ ,]+(one|two|three|1|2|3|test(ing)?))+|mic(rophone)? (check|test)|can you hear me|check[ ,]+one)\b/i;
const wideScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Characters of a talk that are read, which is enough to decide. */
const longestRead = 50_000;
const substantialLength = 100;
const shortLength = 25;
const microphoneCheckLength = 20;
const wideCharactersPerWord = 1.5;

// A capitalised word after a lower-case word is a name. At the start of a sentence a capital means nothing.
const namesSomething = (text: string): boolean => /[\p{Ll},;:]\s+(?!I\b)\p{Lu}\p{Ll}+/u.test(text);

/**
 * The deterministic part of the decision whether to keep a conversation. The first rule that applies decides. When none
 * applies, a language model may decide; without one the conversation is kept.
 */
export const relevanceOf = (segments: readonly Pick<SaidSegment, 'text'>[]): Relevance => {
  const text = cut(segments.map((segment) => segment.text).join('\n'), longestRead);
  const tokens = tokensOf(text);
  if (tokens.length === 0) return { keep: false, reason: 'empty_transcript' };
  if (reminder.test(text)) return { keep: true, reason: 'explicit_reminder' };
  if (tokens.every(isFiller)) return { keep: false, reason: 'filler_only' };

  const wide = text.match(wideScript)?.length ?? 0;
  const narrow = tokensOf(text.replace(wideScript, ' ')).length;
  if (narrow + wide / wideCharactersPerWord > substantialLength)
    return { keep: true, reason: 'substantial_length' };
  if (/[^\P{L}\p{Script=Latin}]/u.test(text)) return { keep: null, reason: 'non_latin_content' };

  const check = tokens.length <= microphoneCheckLength && microphoneCheck.test(text);
  const digits = /\d/.test(text);
  if (check && !namesSomething(text)) return { keep: false, reason: 'mic_check' };
  if (digits) return { keep: null, reason: 'has_number' };
  const empty = tokens.every((token) => isFiller(token) || isFunctionWord(token));
  if (tokens.length <= shortLength && empty && !namesSomething(text))
    return { keep: false, reason: 'no_content_words' };
  return { keep: null, reason: 'ambiguous' };
};
