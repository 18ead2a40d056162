import { isAlsoWord, isGivenName } from './given-names.js';
import { letters, start } from './letters.js';
import { isNoName } from './not-names.js';

/**
 * A phrase with which people introduce themselves, followed by a frequent given name. A name that is not an English
 * word also counts in lower case, because some recognisers write names in lower case. A name that is also a word, a
 * place or a day counts only if the introduction can hardly mean anything else.
 */
interface GivenForm {
  /**
   * Pattern of the phrase and its name. It is applied to the text in lower case, because with the flag `i` it would
   * take ten times as long to compile.
   */
  readonly said: RegExp;
  /**
   * Which words this form accepts as names. `never`: only given names that have no other meaning. `always`: also given
   * names that are English words, places or days. `marked`: like `always`, but without months and days. `any` and
   * `unlisted`: also words that are in no list of names.
   */
  readonly alsoWords: 'any' | 'unlisted' | 'always' | 'marked' | 'never';
  /**
   * Whether this form may also introduce another person. The name then does not count if the rest of the sentence
   * mentions another person ("This is Omar, he ...").
   */
  readonly ofOthers?: boolean;
}

const name = `(?<name>[${letters}][${letters}-]{1,30})(?![${letters}-])(?!['’]s\\b)`;
const pause = '(?:,?\\s+(?:uh|um|er|erm|well|actually|just|like)\\b,?)?,?\\s+';
const surname = `(?:\\s+(?!and\\b|from\\b|here\\b|i\\b)[${letters}][${letters}'’-]{1,30})?`;
const am = "(?:i['’]?m|i\\s+am)";
const closed = '(?=\\s*(?:$|[.!;…]))';
/** Pattern of words after a name that describe the speaker. */
const more = `(?=,?\\s+(?:and|from|with|the|your|but|so|by the way|btw|speaking|calling|here|again|nice|lovely|short for|pleased|glad|good to|great to|thanks|thank you|i|i['’]?m|i['’]ve|ive|i['’]ll|we|my|what['’]?s|who|how|at your|one of|in case|in 2|on behalf|also|a|an|this)(?![${letters}]))`;
/**
 * Pattern of words after a name that clearly describe the speaker. Before these words, a name that is also an English
 * word counts as a name.
 */
const clear = `(?=,?\\s+(?:(?:like|as in) (?:the|a|in)|by the way|btw|(?:nice|lovely) to meet|short for|pleased to|good to meet|great to meet|i\\s+(?:work|live|am|was born|grew up|called|just moved|moved|will|run|teach|study)|(?:and )?i\\s+(?:was born|grew up)|(?:and )?i['’]?(?:m|ll be|ll) (?:your|the|from|calling|a|an|here|new|one)|your (?:new )?(?:guide|neighbou?r|driver|waiter|waitress|teacher|host|instructor|nurse|trainer|server|cousin|sister|brother)|the new|and this is|what['’]s your name|what['’]s yours|believe it or not)(?![${letters}]))`;
const greeting =
  '(?:hi|hello|hey|hiya|yo|howdy|morning|evening|afternoon|good morning|good evening|good afternoon|yes|greetings|welcome)(?:,?\\s+(?:there|everyone|everybody|all|folks|guys|team|again|mum|mom|dad|love|darling|honey|sir|madam))?[,.!]?\\s+';
const comes = `(?=,?\\s+(?:from|calling(?!\\s+(?:it|him|her|them|this|that|out|in|a|an)\\b)|speaking|here|again(?!\\s+(?:on|in|at)\\b)|(?:can|could) you|open (?:the|up)|let me in|pick up|are you (?:there|home|in|up)|over at|at the|with the|we (?:met|spoke|talked|chatted|work|worked|were|go|went)|i['’]?(?:m|ve|ll)|i|your (?:new )?[${letters}]+|just calling|just checking)(?![${letters}]))`;

/** Pattern of words after a name in a greeting ("hey it's kirsten we met at the gym"). */
const greeted = `(?=,?\\s+(?:we|my|you|do you|did you|remember|the|just|on the (?:phone|line)|and|sorry|nice|good|how|what['’]?s|thanks|thank you|is this|long time|in the|by the way|btw|got a|have you)(?![${letters}]))`;

const form = (
  said: string,
  alsoWords: GivenForm['alsoWords'],
  more: Pick<GivenForm, 'ofOthers'> = {},
): GivenForm => ({ said: new RegExp(said, 'g'), alsoWords, ...more });

const forms: readonly GivenForm[] = [
  form(
    `${start}my\\s+(?:first\\s+|given\\s+|full\\s+|real\\s+|actual\\s+|good\\s+|middle\\s+|nick|own\\s+)?name(?:['’]?s|\\s+is)${pause}${name}(?!\\s+(?:tag|badge|list|is|was|has|days?)\\b)`,
    'always',
  ),
  form(`${start}${am}${pause}${name}${clear}`, 'always'),
  form(
    `${start}(?:my\\s+name\\s+is|${am}|this\\s+is)\\s+(?:mister|mr|mrs|ms|miss|doctor|dr|professor|detective|sergeant|inspector|officer|agent)\\.?\\s+${name}(?:${closed}|,|${more}|${comes})`,
    'any',
  ),
  form(`${start}(?:the\\s+)?name['’]?s\\s+${name}${closed}`, 'marked'),
  form(
    `${start}${greeting}(?:it['’]?s\\s+|this\\s+is\\s+|${am}\\s+)(?:me,?\\s+)?${name}(?:${closed}|${comes}|${clear}|${greeted})`,
    'marked',
  ),
  form(`${start}${am}${pause}${name}(?:(?=\\s*(?:$|[,.;:!…)—–-]))|${more}|${surname}${closed})`, 'never'),
  form(`${start}(?:it['’]?s|it\\s+is|this\\s+is)${pause}(?:me,?\\s+)?${name}${surname}${comes}`, 'never', {
    ofOthers: true,
  }),
  form(`${start}(?:it['’]s|it\\s+is)\\s+(?:only\\s+|just\\s+)?me,?\\s+${name}(?:${closed}|,)`, 'never'),
  form(
    `${start}(?:(?:most\\s+)?people|everyone|everybody|folks|they|(?:(?:all|most of)\\s+)?(?:my\\s+)?(?:friends|colleagues|family|coworkers|mates|parents|students|kids|mum|mom|mother|dad|father|grandma))(?:\\s+(?:here|around here|(?:at|in|from|on|back)\\s+[${letters}]{2,15}(?:\\s+[${letters}]{2,15})?))?\\s+(?:all\\s+|just\\s+|usually\\s+|mostly\\s+)?(?:calls?|named|know|knows)\\s+me\\s+(?:as\\s+)?${name}(?!\\s+(?:names|to|for)\\b)`,
    'marked',
  ),
  form(
    `${start}(?:please,?\\s+(?:just\\s+)?|just\\s+|but\\s+)?call\\s+me\\s+${name}(?:(?=\\s*(?:$|[,.;!]))|(?=\\s+(?:and|if you|but|instead|please|for short|though|everyone|everybody|i)\\b))`,
    'never',
  ),
  form(
    `${start}(?:you\\s+(?:can|may|could)\\s+(?:just\\s+)?|feel free to\\s+|(?:every(?:one|body)|people) can\\s+)call\\s+me\\s+${name}(?:(?=\\s*(?:$|[,.;!]))|(?=\\s+(?:and|if you|but|instead|please|for short|though|everyone|everybody|i)\\b))`,
    'marked',
  ),
  form(
    `${start}i\\s+(?:usually\\s+|mostly\\s+|just\\s+)?(?:go|went)\\s+by\\s+(?:the name\\s+)?${name}`,
    'never',
  ),
  form(`${start}my\\s+name,[^,.!?]{1,40},\\s+is\\s+${name}`, 'always'),
  // "im noura im your exchange student": a name that no list contains, followed directly by the speaker's role.
  form(
    `(?:^|[.!?]\\s+|${greeting})${am}\\s+${name}(?=,?\\s+(?:and\\s+)?${am}\\s+(?:(?:going to be|gonna be)\\s+)?(?:your|the)\\s+(?:new\\s+|other\\s+)?(?:[${letters}]{3,12}\\s+)?(?:student|guide|driver|waiter|waitress|server|tutor|teacher|nurse|trainer|instructor|host|neighbou?r|flatmate|roommate|housemate|landlord|landlady|colleague|buddy|assistant|agent|interpreter|translator|coordinator|midwife|doctor|physio|therapist|plumber|electrician|mechanic|intern|trainee|manager|cleaner|gardener|babysitter|nanny|au pair|captain|pilot|coach|barber|hairdresser|dentist|vet|lawyer|accountant|photographer|courier|receptionist|caretaker|technician)(?![${letters}]))`,
    'unlisted',
  ),
  form(
    `(?:^|[.!?,]\\s+|${start}(?:but|so|and|okay|ok|oh)\\s+)(?:you\\s+can\\s+just\\s+|please\\s+just\\s+|please\\s+|just\\s+)call\\s+me\\s+(?<name>[${letters}]{3,5})(?=\\s*(?:$|[.!;]))`,
    'unlisted',
  ),
  form(`${start}i\\s+answer\\s+to\\s+${name}`, 'never'),
  form(`${start}(?:i\\s+am|i['’]m|i\\s+was)\\s+(?:known\\s+as|called|named|christened)\\s+${name}`, 'never'),
  form(
    `(?:^|[.!?,]\\s+|${greeting})${name}(?:\\s+(?!(?:and|is|was|are|were|will|has|had|lives?|works?|in|out|over|right|up|down|be|been|not|sits?|stands?|stays?|comes?|came|goes|went|gets|got)\\b)[${letters}][${letters}'’-]{1,30})?(?:\\s+from\\s+[${letters}][${letters} ]{1,20})?\\s+(?:here|this side|again)(?=\\s*(?:$|[,.!;])|\\s+(?:can|how|just|from|calling|with|again|i|i['’]m|good|sorry|thanks|what|who|speaking|at|on)\\b)`,
    'marked',
  ),
  form(
    `(?:^|[.!?]\\s+|${greeting})${name}${surname}\\s+(?:speaking|calling(?=\\s+(?:from|about|on)\\b)|again here)`,
    'never',
  ),
  form(`(?:^|[.!?]\\s+|${greeting})(?:and\\s+)?myself\\s+${name}`, 'never'),
  form(
    `${start}you(?:['’]re|\\s+are)\\s+(?:speaking|talking|through)\\s+(?:to|with)\\s+${name}${surname}(?=\\s*(?:$|[,.!;])|\\s+(?:from|how|at|and|here)\\b)`,
    'never',
  ),
  form(`${start}you(?:['’]ve|\\s+have)\\s+reached\\s+${name}`, 'never'),
  form(
    `${start}${am}\\s+(?:your|the|one of the)\\s+(?:new\\s+)?[${letters}]{2,20}(?:\\s+[${letters}]{2,20})?,?\\s+${name}${surname}${closed}`,
    'never',
  ),
  form(
    `${start}this\\s+is\\s+your\\s+[${letters}]{2,20}(?:\\s+[${letters}]{2,20})?,?\\s+${name}${surname}(?=\\s*(?:$|[,.!;])|\\s+(?:speaking|calling)\\b)`,
    'never',
  ),
];

/** Matches a mention of another person in the rest of a sentence. */
const other =
  /^[^.!?]{0,60}(?<![\p{L}'’])(?:he|she|he['’]s|she['’]s|who|whom|that|his|her|they|them)(?![\p{L}'’])/iu;
/** Matches words that announce a caller or visitor: "it's Rosa on the phone for you", "it's Rosa at the door". */
const announced =
  /^(?:\s+(?:here|calling|again|on the (?:phone|line)|on line \w+|at the (?:front |back |side )?(?:door|gate|reception|desk|bell)|downstairs|outside|from \p{L}+(?: \p{L}+)?)(?![\p{L}'’])){0,4}?(?:\s+(?:for (?:you|us|him|her|them|me|mom|mum|dad)|wants?|wanting|asking|on the (?:phone|line)|at the (?:front |back |side )?(?:door|gate|reception|desk|bell))(?![\p{L}'’])|\s*\?)/iu;
/** Whether the rest of a sentence mentions another person, so that the name may be that person's. */
export const tellsOfOther = (rest: string): boolean => other.test(rest) || announced.test(rest);
/** Matches months and days, because they occur in the same phrases as names ("you can call me Friday"). */
const date =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)$/i;
/**
 * Matches text after a name that refers to a role or a possession: "Harry Potter for Halloween", "Tom from the
 * film".
 */
const role =
  /^[^.!?]{0,30}?\s(?:for (?:halloween|carnival)|in (?:the|this|that) (?:light|mood|dress|outfit|wig|photo|picture|fight|play|film|movie|show|scene|game|musical)|(?<!,.{0,30}|\b(?:was|were|am|is|i['’]?m|got|being) )(?:based|born|certified|educated|only|bound|time)\b)/iu;

/** Whether the rest of a sentence shows that the name before it is a role or part of another word. */
export const tellsOfRole = (rest: string): boolean => role.test(rest);

/** A name in a text, with its start index and end index. */
export interface FoundName {
  readonly name: string;
  readonly index: number;
  readonly end: number;
}

/** Matches words after "just call me" and "I'm" that describe a person or a time and are not names. */
const feeling =
  /^(?:able|aged|asap|aunt|baby|bald|beat|blind|blue|blunt|boss|brave|busy|calm|champ|cheap|chief|civil|clean|coach|cool|corny|cruel|cute|daft|daddy|dense|doubtful|drained|dumb|dull|elated|evil|exhausted|extra|faint|fancy|fat|fool|freaky|frail|frank|fresh|fun|funky|furious|fussy|game|genius|giddy|goofy|green|gross|guy|handy|harsh|hasty|hater|hero|home|hurt|idiot|insane|jaded|joking|keen|kidding|kind|king|lame|lax|lean|livid|loud|loose|mean|meek|miffed|mild|moved|mum|nasty|naive|neat|nosey|numb|nuts|odd|overwhelmed|pale|petty|picky|plain|polite|posh|psychic|queen|quiet|rash|relaxed|rude|rusty|safe|sane|sassy|saint|sharp|silly|sly|smart|smug|soft|sore|sour|spent|stern|stiff|strict|swamped|sweet|tall|tense|thick|thin|tight|timid|tough|traitor|uncle|upset|uneasy|unwell|vague|vain|vegan|vile|wary|wasted|whiny|whatever|wild|wise|witty|woozy|worn|worse|asking|calling|one|two|three|four|five|six|seven|eight|nine|ten|noon|night|early|often|daily|every|after|before|during|next|when|via|cab|taxi|on|please|though|instead|mad|if|once|anything|something|both|either|ishmael)$/i;

const counts = ({ alsoWords }: GivenForm, found: string): boolean => {
  if (alsoWords === 'unlisted') return found.length > 2 && !feeling.test(found) && !isNoName(found);
  if (alsoWords === 'any') return found.length > 2 && !isNoName(found);
  if (isGivenName(found)) return true;
  if (alsoWords === 'never' || !isAlsoWord(found)) return false;
  return alsoWords === 'always' || !date.test(found);
};

/**
 * Yields the matches of a global pattern. `matchAll` would copy the pattern, and compiling the copy takes ten times as
 * long as the search.
 */
export function* matchesOf(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) yield match;
}

/** Yields the introductions with a frequent given name, one form after the other. */
export function* givenNamesIn(text: string): Generator<FoundName> {
  const lower = text.toLowerCase();
  // A few letters have a longer form in lower case, which would shift the positions of the names.
  const searched = lower.length === text.length ? lower : text;
  for (const one of forms) {
    for (const match of matchesOf(one.said, searched)) {
      const called = match.groups!.name!;
      const at = match.index + match[0].indexOf(called, match[0].lastIndexOf(' name ') + 1);
      const end = at + called.length;
      const found = text.slice(at, end);
      if (!counts(one, found)) continue;
      const rest = text.slice(end);
      if (role.test(rest) || (one.ofOthers && tellsOfOther(rest))) continue;
      yield { name: found, index: match.index, end };
    }
  }
}
