import { givenNamesIn, matchesOf, tellsOfOther, tellsOfRole } from './given-forms.js';
import { capitals, letters, marks, smalls, start } from './letters.js';
import { isNoName } from './not-names.js';

const titles =
  'Dr|Mr|Mrs|Ms|Prof|Professor|Doctor|Miss|Nurse|Father|Sister|Brother|Captain|Officer|Chef|Coach|Pastor|Rabbi|Detective|Sergeant|Lieutenant|Inspector|Constable|Reverend|Judge|Colonel|Agent|Countess|Count|Lord|Lady|Princess|Prince|Senator|Uncle|Aunt|Auntie|nurse|doctor|professor|coach|captain|officer|chef|pastor|rabbi|detective|sergeant|sister|brother|father|uncle|aunt|auntie|reverend';
const title = `(?:(?:${titles})\\.?\\s+)?`;
const behindTitle = new RegExp(`(?<!\\p{L})(?:${titles})\\.?\\s+$`, 'u');
/** Pattern of a name, which a title may precede: a capitalised word of bounded length. */
const name = `${title}(?<name>[${capitals}][${letters}'’-]{0,48}[${letters}][${marks}]{0,4})(?![${letters}])`;
/**
 * Pattern of further names of the same person after the first name. Few particles may precede each, because "Mc" can be
 * both: "Mc Mc Mc ..." could otherwise be divided in countless ways.
 */
const surname = `(?:\\s+(?:(?:van|von|de|del|della|der|den|di|da|la|le|bin|al|Mc|O)\\s+){0,2}[${capitals}][${letters}'’.-]{0,48}){0,3}`;
const greeting = `(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|morning|evening|yes|yeah|yo|welcome)(?:[, ]+(?:there|everyone|everybody|all|folks|guys|team|again|sir|madam|doctor|mom|mum|dad|class|[${capitals}][${letters}]{1,20}))?[,.!]?\\s+(?:(?:um|uh|so|yes|yeah)[, ]+)?`;

/** Pattern of text that may follow a name: the end of its clause, or words that describe the person. */
const ends = `(?=\\s*(?:$|[,.;:!…)—–-]|["”](?!\\s*[${smalls}])))`;
const goesOn = `(?:(?=\\s*(?:$|[,.;:!…)—–]))|(?=\\s+(?:and|from|with|the|your|a|an|but|so|by|here|speaking|calling|nice|pleased|glad|happy|good|great|I|i|I’m|I'm|i'm|at|in|for|also|we|my|it|how|what|who|this|today|one|thanks|thank|born|by)(?![${letters}'’])))`;

interface Form {
  readonly said: RegExp;
  /** Whether this form (a phrase that introduces a name) counts only at the beginning of a clause. */
  readonly first: boolean;
  /**
   * Whether the name belongs to another person if the rest of the sentence mentions another person ("This is Tom from
   * accounting, he").
   */
  readonly ofOthers: boolean;
}
const form = (said: string, first = true, ofOthers = false): Form => ({
  said: new RegExp(said, 'g'),
  first,
  ofOthers,
});

const forms: readonly Form[] = [
  form(`${start}[Ii](?:['’]m|\\s+am)\\s+(?:called\\s+|known as\\s+)?${name}(?:${surname}${goesOn})`),
  form(
    `${start}[Mm]y\\s+(?:first\\s+|given\\s+|full\\s+)?name(?:['’]s|\\s+is)\\s+${name}(?!\\s+(?:tag|badge|list|is|was|has)\\b)`,
    false,
  ),
  form(
    `${start}[Ii](?:['’]m|\\s+am)\\s+(?:your|the)\\s+(?:[${smalls}]{2,20}\\s+){0,2}[${smalls}]{2,20},?\\s+(?:Dr|Mr|Mrs|Ms|Prof|Professor|Doctor|Miss)\\.?\\s+${name}${ends}`,
  ),
  form(`${start}(?:[Tt]he\\s+name|[Nn]ame)(?:['’]s|\\s+is)\\s+${name}${surname}${goesOn}`),
  form(`${start}${name}${surname}\\s+is\\s+my\\s+name${ends}`),
  form(`${start}[Ii]\\s+(?:go|went|usually go|mostly go)\\s+by\\s+${name}${surname}${goesOn}`),
  form(
    `${start}(?:[Yy]ou\\s+(?:can|may|could)\\s+(?:just\\s+|also\\s+)?|[Pp]lease,?\\s+(?:just\\s+)?|[Jj]ust\\s+|[Bb]ut\\s+)?[Cc]all\\s+me\\s+${name}${surname}(?:${ends}|(?=\\s+(?:and|if|but|instead|please|for short|though)\\b))`,
  ),
  form(
    `${start}(?:[Mm]ost\\s+people|[Ee]veryone|[Ee]verybody|[Pp]eople|[Ff]olks|[Tt]hey|(?:[Mm]y\\s+|[Aa]ll\\s+my\\s+)?(?:[Ff]riends|colleagues|family|coworkers|mates|kids|students|parents|mother|father|grandmother|mum|mom|dad|wife|husband))(?:\\s+(?:at|in|from|on|back)\\s+[${letters}]{2,15}(?:\\s+[${letters}]{2,15})?)?\\s+(?:just\\s+|usually\\s+|all\\s+|mostly\\s+|always\\s+)?(?:calls?\\s+me|named\\s+me|knows?\\s+me\\s+as)\\s+${name}${surname}(?:${goesOn}|(?=\\s+(?:around|because|since|when|ever|now|anyway|though|instead)\\b))`,
  ),
  form(
    `${start}[Tt]his\\s+is\\s+${name}${surname}(?=,?\\s+(?:speaking|calling(?!\\s+(?:it|him|her|them|this|that|out|in|a|an)\\b)|here|from|at the|over at|with the|again)\\b)`,
    true,
    true,
  ),
  form(
    `${start}(?:${greeting.replace('(?:hi', '(?:[Hh]i').replace('|hello|hey', '|[Hh]ello|[Hh]ey').replace('|good', '|[Gg]ood')})(?:this\\s+is|it['’]?s(?:\\s+me,?)?)\\s+${name}${surname}(?:${ends}|(?=\\s+(?:from|calling|speaking|again|here|and|with|I|I'm|your)\\b))`,
  ),
  form(
    `${start}(?:[Hh]i|[Hh]ello|[Hh]ey|[Yy]es)(?:\\s+(?:there|everyone|all|guys|team))?,?\\s+${name}${surname}\\s+here(?:${ends}|(?=\\s+(?:from|and|with|speaking|at|again)\\b))`,
  ),
  form(
    `${start}${name}${surname}\\s+(?:here|speaking)(?=\\s*(?:$|[,.!]\\s*(?:[Hh]ow|[Ww]hat|[Hh]i|[Hh]ello|[Gg]ood|[Ii]\\b|$))|\\s+(?:from|how|who)\\b)`,
  ),
];

/** Pattern of a lower-case name after "my name is". Some recognisers write names in lower case. */
const small = new RegExp(
  `${start}my\\s+(?:(?:first|full|real|actual|given|good|own)\\s+)?name(?:['’]s|\\s+is)\\s+(?<name>[${smalls}][${letters}'’-]{1,30})(?=\\s*(?:$|[,.;!])|\\s+(?:and|from|i|i'm|i’m|nice|by|but|the|your|so|what)\\b|\\s+[${smalls}]+\\s*(?:$|[,.;!])|\\s+[${smalls}]+\\s+(?:and|i|i'm)\\b)`,
);
const noSmallName =
  /^(?:um|uh|er|erm|well|just|mister|mr|mrs|ms|miss|doctor|dr|professor|on|in|not|the|a|an|spelled|spelt|pronounced|misspelled|written|called|there|hard|too|so|very|really|my|like|mentioned|short|long|common|unusual|actually|also|no|at|what|pretty|rather|quite|missing|wrong|right|known|listed|printed|above|below|mud|this|that|already|still|different|easy|difficult|boring|weird|stupid|unique|rare|italian|irish|german|french|english|spanish|polish|russian|jewish|greek|indian)$/;

/**
 * Pattern of text that may precede an introduction: nothing, punctuation, a greeting, or a word that begins a clause.
 */
const clauseStart =
  /(?:^|[.!?;:…—–,“"(]\s*|(?<![\p{L}])(?:hi|hello|hey|hiya|howdy|and|so|well|okay|ok|yes|yeah|yep|yo|oh|but|there|everyone|everybody|all|folks|guys|team|class|again|morning|afternoon|evening|day|um|uh|er|erm|hm|then|myself|you|thanks|welcome|sir|madam|no|nope|actually|anyway|sorry|right|great|cool|please|friends|ladies|gentlemen|name|now)\s+)$/iu;

const saying =
  /(?<![\p{L}])(?:said|says|say|saying|told|tells|tell|telling|asked|asks|goes|thinks?|thought|thinking|believes?|believed|assumed?|assumes|claims?|claimed|calls|called|named|named|titled|wrote|writes|reads|sings?|sang|singing|shouted|shouts|yelled|yells|screamed|whispered|replied|replies|answered|answers|insists?|insisted|introduces?|introduced|announces|announced|joked|jokes|pretends?|pretended|pretending|imagine|imagined|suppose|wish|dreamed|dreamt|quotes?|quoted|repeats?|repeated|whether|unless|mistook|mistakes|confuses?|confused|(?:was|were|is|are|be|been|being|'s|’s|'re|’re|just|all) (?:just |all |totally )?like|like|as if|as though|(?:famous|best|last|first|opening|that|his|her) line|lyrics?|song|movie|film|book|novel|play|scene|character|role|joke|episode|quote|heard|hear|guy|voice says|sign)(?![\p{L}])[^.!?]*$/iu;
const ownSaying =
  /(?:(?<![\p{L}])(?:as|like) i (?:said|mentioned|told you)[^.!?]*$|\b(?:i|i'd|i would|we)(?: should| could| just)? (?:like to |want to |should )?introduce (?:myself|ourselves)[^.!?]*$|(?:allow|let) me (?:to )?introduce myself[^.!?]*$|(?:i|we) (?:forgot|almost forgot|forgot) to say[^.!?]*$|(?:sorry[, ]+|apologies[, ]+|oh[, ]+)i (?:didn['’]?t|did not|haven['’]?t|never|should have|should['’]?ve) (?:even )?(?:say|said|mention(?:ed)?|tell you|told you|introduced?(?: myself)?)(?: (?:my name|who i am|before))?[,. ]*$|i would like to[^.!?]*$|\b(?:i|we|you) (?:don't|don’t|do not|haven't|haven’t|have not|may not|might not|never) (?:think |believe |actually |really )*(?:(?:we|you|i)(?:'ve|’ve| have)? )?(?:\w+ ){0,2}(?:met|know|introduced|seen|spoken|talked)[^.!?]*$)/iu;
const condition =
  /(?<![\p{L}])(?:if|when|whenever|because|since|that|until|before|after|while|not|never|don't|don’t|doesn't|doesn’t|didn't|did not|do not|won't|stop|nobody|no one|why|how|where|who)\s+(?:you\s+|ever\s+|to\s+)?$/iu;
const attributed =
  /^[^.!?]{0,30}?[,"”'’]{1,2}\s*(?:(?:he|she|they|it|who|\p{Lu}\p{L}+|(?:the|my|his|her|a) \p{L}+)\s+(?:said|says|told|goes|kept|keeps|replied|replies|asked|asks|shouted|shouts|yelled|whispered|announced|answered|claimed|joked|sang|sings|was|exclaimed)|(?:said|says|asked|replied|shouted|goes|whispered|quoth)\s+(?:he|she|they|\p{Lu}\p{L}+|the|my|a)\b)/u;

const insideQuotes = (before: string): boolean =>
  (before.match(/"/g)?.length ?? 0) % 2 === 1 ||
  (before.match(/“/gu)?.length ?? 0) > (before.match(/”/gu)?.length ?? 0) ||
  /(?<![\p{L}])['‘](?:\S[^'’.!?]*)?$/u.test(before);

const sentenceBefore = (before: string): string =>
  before.slice(Math.max(...[...'.!?'].map((mark) => before.lastIndexOf(mark))) + 1);

/** Matches the words before "call me" that report another person's action: "she wanted to call me Agatha". */
const calledByOther =
  /(?<![\p{L}'’])(?<!(?:feel free|(?:like|want|prefer|rather|ask|asking|happy for|fine for|invite) (?:you|people|everyone|everybody)|welcome|easier|easiest|best|better|simpler|fine|okay|ok) )(?:to|would|could|will|might|did|didn['’]?t|doesn['’]?t|always|never|often|sometimes|who|he|she|you|they)\s+$/iu;

/** Whether the introduction at an index is the speaker's own, and not quoted or conditional. */
const isOwn = (text: string, index: number, end: number, first: boolean): boolean => {
  const before = text.slice(0, index);
  if (insideQuotes(before) || condition.test(before)) return false;
  const sentence = sentenceBefore(before);
  if (saying.test(sentence) && !ownSaying.test(sentence)) return false;
  // "He said: ..." and "She was like. I'm Anna" also quote other people.
  if (/(?<![\p{L}])(?:said|says|like|goes|quote)\s*[.:,]\s*$/iu.test(before) && !ownSaying.test(sentence))
    return false;
  if (first && !clauseStart.test(before)) return false;
  const after = text.slice(end);
  return !/^\s*\?/.test(after) && !attributed.test(after);
};

/** Returns a lower-case name after "my name is", even if no list of names contains it; null if there is none. */
const smallName = (text: string): string | null => {
  const match = small.exec(text);
  const found = match?.groups?.name;
  if (!match || found === undefined || noSmallName.test(found) || isNoName(found)) return null;
  if (!isOwn(text, match.index, match.index + match[0].length, false)) return null;
  return found.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
};

/**
 * Returns the first name with which the speaker of an English text introduces himself or herself; null if there is
 * none.
 */
export const englishName = (text: string): string | null => {
  for (const { said, first, ofOthers } of forms) {
    for (const match of matchesOf(said, text)) {
      const found = match.groups!.name!;
      const nameAt = match.index + match[0].indexOf(found);
      const end = nameAt + found.length;
      const rest = text.slice(end);
      if (ofOthers && tellsOfOther(rest)) continue;
      if (/^i/i.test(match[0]) && (tellsOfRole(rest) || /^\s+speaking\b/.test(rest))) continue;
      const titled = behindTitle.test(text.slice(match.index, nameAt));
      if (isNoName(found, titled) || !isOwn(text, match.index, end, first)) continue;
      return found;
    }
  }
  const written = smallName(text);
  if (written !== null) return written;
  for (const { name: given, index, end } of givenNamesIn(text)) {
    if (!isOwn(text, index, end, false)) continue;
    if (/^call\b/i.test(text.slice(index, end)) && calledByOther.test(text.slice(0, index))) continue;
    return given.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  }
  return null;
};
