import {
  cut,
  isFiller,
  isFunctionWord,
  type Relevance,
  type SaidSegment,
  tokensOf,
} from '../language/index.js';

const reminder =
  /\b(remind me|don['’]?t forget|do not forget|remember to|note to self|(make|take) a note|set (a|an|the) (reminder|alarm|timer)|add (\w+ ){0,6}to (my|the) (\w+ )?(list|calendar|to-?dos?))\b/i;
/** Matches phrases that people say to test a microphone. */
const microphonePhrases =
  /\b(?:test(?:ing)?(?:[ ,.!]+(?:one|two|three|four|five|1|2|3|4|5|test(?:ing)?))+|(?:mic(?:rophone)?|sound|audio) (?:check|test)(?:[ ,.!]+(?:one|two|three|1|2|3))*|(?:can|do) (?:you|they|anyone|anybody|everyone|everybody) (?:all )?hear me(?: (?:now|okay|ok|all right|alright|well|clearly|there))?|check[ ,]+(?:one|1|check)(?:[ ,.!]+(?:one|two|three|1|2|3|check))*|is (?:this|the)(?: thing| mic| microphone)? (?:on|working|recording)|does (?:this|the) (?:mic(?:rophone)?|thing) work|am i (?:audible|on mute|muted))\b/gi;
/** Matches counting ("one, two, three"), which accompanies microphone tests. */
const counting = /\b(?:one|1)[ ,.]+(?:two|2)(?:[ ,.]+(?:three|four|five|3|4|5))*\b/gi;
const wideScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Maximum characters of a talk that the rules read. The rest of a longer talk is ignored. */
const longestRead = 50_000;
const substantialLength = 100;
const shortLength = 25;
const wideCharactersPerWord = 1.5;

// A capitalised word after a lower-case word is a name. At the start of a sentence a capital has no meaning.
const namesSomething = (text: string): boolean => /[\p{Ll},;:]\s+(?!I\b)\p{Lu}\p{Ll}+/u.test(text);

/** Whether a talk consists only of microphone tests. */
const onlyTriesMicrophone = (text: string): boolean => {
  const rest = text.replace(microphonePhrases, ' ');
  if (rest === text || namesSomething(text)) return false;
  return tokensOf(rest.replace(counting, ' ')).every((token) => isFiller(token) || isFunctionWord(token));
};

/**
 * Decides whether to keep a conversation, by the first rule that applies. If no rule applies, a language model may
 * decide. Without a model the conversation is kept.
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

  const digits = /\d/.test(text);
  if (onlyTriesMicrophone(text)) return { keep: false, reason: 'mic_check' };
  if (digits) return { keep: null, reason: 'has_number' };
  const empty = tokens.every((token) => isFiller(token) || isFunctionWord(token));
  if (tokens.length <= shortLength && empty && !namesSomething(text))
    return { keep: false, reason: 'no_content_words' };
  return { keep: null, reason: 'ambiguous' };
};
