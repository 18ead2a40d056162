import type { PhraseKind } from './phrases.js';

/** Matches the beginning of a clause: a punctuation mark, or a conjunction that begins another statement. */
const clauseEnd =
  /(?:[.;:!?…—–]["”')]?\s|,\s|\s-\s|(?:^|\s)(?:and(?! an? (?:half|quarter)\b| (?:[\w-]+ ){1,2}(?:seconds?|minutes?|hours?|days?|weeks?|months?)\b)|but|so|because|cause|'cause|cuz|(?<!back |since |until |by )then|plus|though|although|anyway|anyways|therefore|hence|okay|ok|well|also|however|yeah|yes|right)\s)/giu;

/** The words of a clause before a position, and the words of its sentence before that position. */
interface Lead {
  readonly clause: string;
  readonly sentence: string;
}

export const leadOf = (text: string, index: number): Lead => {
  const before = text.slice(0, index);
  let sentenceFrom = 0;
  // The full stops of "Dr. Smith" and "5 p.m." do not end a sentence.
  for (const match of before.matchAll(/(?<!\b(?:dr|mr|mrs|ms|st|prof|[ap]\.m))[.!?…]["”')]?\s+/giu))
    sentenceFrom = match.index + match[0].length;
  const sentence = before.slice(sentenceFrom);
  let from = 0;
  for (const match of sentence.matchAll(clauseEnd)) from = match.index + match[0].length;
  return { clause: sentence.slice(from), sentence };
};

const saying =
  "(?:said|says|say|saying|told|tells|tell|telling|thinks?|thought|claims?|claimed|insists?|insisted|believes?|heard|reckons?|asks?|asked|asking|wonders?|wondered|suggested|suggests|mentioned|swears?|swore|complains?|complained|goes|(?:was|is|were|are|be) like|'s like|'re like|went like|reads|wrote|writes|texted|texts|emailed|shouted|yelled|joked|jokes|replied|answered|repeated|repeats|dreamed|dreamt|remarked|announced|decided|feels?|felt|wants|wanted|hopes|sang|sings|quote|warns?|warned|reminds|reminded|promised|advised|recommended|recommends)";
/** Matches a phrase directly before a position that reports another person's words: "he said", "my boss told me that", "she was like". */
const reported = new RegExp(
  `\\b${saying}(?:,? and i quote)?(?: to)?(?: (?:the|my|our|his|her|their|a|an)(?: [\\p{L}'’-]+){1,3}?(?=[,:]))?(?: (?:me|us|him|her|them|you|everyone|everybody|people|\\p{Lu}\\p{L}+|yesterday|today|earlier|last \\w+|again|once|always|the other day|that day)(?: (?:at|in|from) (?:the |my |our |his |her |their )?[\\p{L}-]+(?=[,:]))?)*(?: that| if| whether| how| why)?[,:]? ?["“”'‘]?(?:oh|well|hey|look|listen|yeah|no|okay)?,? ?$`,
  'u',
);
const ownSaying =
  /\b(?:i|we)(?:'d|'ve| have| had| just| also| already| always)? (?:think|guess|believe|know|said|say|told|realized|realised|remembered|feel|reckon|decided|mentioned|noticed|swear|promised|wrote)\b[^,.;]*,?\s*$/iu;
const told = /\b(?:told|reminded|asked|advised|warned|texted|emailed|promised) (?:me|us)\b[^,.;]*$/iu;
const fiction =
  /\bin (?:the|this|that|a|an|my|one) (?:\w+ )?(?:movie|film|song|book|novel|story|play|show|game|dream|episode|series|joke|lyrics|poem|scene|chapter|script)\b/i;
const accordingTo = /\baccording to\b/i;

/** Matches a subordinate conjunction or question word directly before a position. The words after it belong to another clause. */
const governed =
  /(?:^|[\s,"“'])(?:if|unless|whether(?: or not)?|in case|when|whenever|before|after|until|till|once|while|what|whatever|which|who|whom|whose|where|wherever|how|how (?:much|many|often|long|soon)|why|than|as if|as though|(?:feel|feels|felt|act|acts|acting|talk|talks|behave|behaves|treat|treats|treated|live|lives) (?:\w+ )?like|lest|in order that|every time|each time|the (?:moment|minute|day|time)|because if|even if|without|the (?:reason|fact|idea|thought) (?:that|why)?|(?<!or )not)\s*$/iu;
const notGoverned =
  /\b(?:that's why|that is why|this is why|which is why|(?:looks|seems|sounds|feels|looked|seemed) like|so what|no matter what|you know what|guess what|say what)\s*$/i;

/** Matches words that make a clause a supposition. */
const supposes =
  /^(?:(?:and|but|so|or|well|okay|then|also) )*(?:just )?(?:imagine|suppose|supposing|assume|assuming|pretend|how about|what about|let's say|let us say|say(?=,| i )|picture|what if|hypothetically|in theory|theoretically)\b|\b(?:wish|as if|as though|would mean|would be if|what if|hypothetically)\b/i;
const doubts =
  /\b(?:maybe|perhaps|possibly|might|may|not sure|unsure|doubt|supposedly|allegedly|apparently not)\b/i;
/** Matches a denial that covers the following words: "there is no way", "I don't think". */
const denies =
  /\b(?:no|not (?:a|any|the)?) ?(?:single )?(?:way|reason|need|chance|point|law|rule|universe|world|evidence|indication|obligation)\b[^,;]*$|\b(?:\w+n't|not|never|no longer|hardly|nobody|no one|no-one|none|who|neither|nothing|dont|doesnt|didnt) (?:\w+ly |ever |really |even |have |has |had |ever |exactly |actually )*(?:think|thinks|believe|believes|say|said|says|saying|see|mean|feel|felt|know|want|wants|expect|expected|suppose|guess|agree|understand|reckon|sure|certain|convinced|like|the case|true|that|remember|recall|told|tell|tells|asked|because|as if|why|implied|mention|mentioned|heard|claim|claims|claimed)\b[^,;]*$|\b(?:doubt|deny|denied|refuse|forbid|isn't true|untrue|false|a lie|nonsense|ridiculous|rumou?r)\b[^,;]*$|\b(?:instead of|rather than|without)\b[^,;]*$/i;
const habit =
  /\b(?:always|usually|often|sometimes|normally|generally|constantly|typically|regularly|rarely|seldom|every (?:(?:\w+ )?(?:days|weeks|months|years|hours)|time|day|morning|evening|night|week|month|year|single|other|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|each (?:day|morning|time|week|year)|whenever|most (?:days|mornings|weeks)|all the time|(?<!one of )these days|back then|in those days|used to|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|on weekdays|(?:morning|evening|day|week|month|year) after (?:morning|evening|day|week|month|year))\b/i;
const gone =
  /^(?:\W|and |so |but |well |then )*(?:yesterday|last (?:week|month|year|night|time|\w+day)|back then|(?:\w+ )?\w+ (?:days|weeks|months|years|hours) ago|a (?:week|month|year|day|while) ago|in the past|as a (?:kid|child|teenager|boy|girl)|when (?:i|we) (?:was|were|had)\b[^,]*)[, ]*$/i;
const otherwise = /(?:^|[\s,])(?:otherwise|or else|or|in which case|in that case)[, ]*$/i;
/** Matches a verb before its subject. It makes a question even without a question mark. */
const asks =
  /^(?:(?:and|but|so|or|well|okay|then|also|wait|hey) )*(?:is|are|was|were|do|does|did|don't|doesn't|didn't|have|has|had|would|could|can|should|shall|will|am|isn't|aren't|won't|wouldn't|couldn't)\s(?:i|we|you|he|she|it|they|there|that|this|the|my|anyone|anybody|somebody|someone)\b/i;
const notAsking =
  /\b(?:did|have|can|could|may) (?:i|we|you) (?:tell|mention|told|mentioned|say|already (?:tell|mention))\b[^,;?]*$/i;
const inverted =
  /(?:^|[\s,])(?:do|does|did|don't|doesn't|didn't|am|are|is|should|shall|will|would|can|could|had|have|has|why|that|which|who)\s*$/i;

/** Matches a condition before a position, if there is no other statement between the condition and the position. */
const conditional =
  /(?:^|[,;:]\s*|\b(?:and|but|so|because|cause|that|then|well|okay)\s+)(?:only |or )?(?:if|unless|in case|supposing|assuming|provided|providing|imagine|suppose|let's say|say|what if)\b(?! not\b| so\b| nothing\b| memory serves| possible\b| necessary| needed| need be| you ask me| you must know| (?:i|we) (?:remember|recall|understand|understood|heard|read|got) (?:it |that |this |him |her |them )?(?:correctly|right)| i'm not|.{0,40}\bor not\b)(?<rest>[^.;!?]*)$/i;
const conditionEnds = /\b(?:but|because|anyway|either way|so)\b/i;

const oddQuotes = (text: string): boolean => {
  const curly = (text.match(/“/gu)?.length ?? 0) > (text.match(/”/gu)?.length ?? 0);
  return curly || (text.match(/"/g)?.length ?? 0) % 2 === 1;
};

const isConditional = (sentence: string): boolean => {
  const match = conditional.exec(sentence);
  if (!match || conditionEnds.test(match.groups!.rest!)) return false;
  return !/\beven $/i.test(sentence.slice(0, match.index + match[0].length - match.groups!.rest!.length - 2));
};

/**
 * Matches a clause that dismisses another person's words, such as "whatever he says". The words after this clause are
 * the speaker's own.
 */
const disregarded =
  /^.*\b(?:whatever|no matter (?:what|how|who)|regardless of what|(?:don't|do not|doesn't|didn't) (?:really )?(?:care|mind|matter|believe|buy) (?:a bit )?(?:what|how|who|if|whether|who says)|despite what|contrary to what|unlike what|forget what|never mind what|ignore what|like|as) [^.;!?]{1,60}?(?:say|says|said|think|thinks|thought|told (?:me|us|you|them|him|her)|claims?|wants?|promised|suggested|mentioned|warned)(?: \w+)?(?:,| but| so| and| because)\s*/iu;

/**
 * Whether words are reported from another person: "He said I need to". The speaker's own reports ("I think", "I told Ann") do not count.
 */
const isReported = ({ sentence: whole }: Lead): boolean => {
  // "Whatever he says, I must" is the speaker's own statement.
  const sentence = whole.replace(disregarded, '');
  if (fiction.test(sentence) || accordingTo.test(sentence)) return true;
  if (told.test(sentence) && reported.test(sentence)) return true;
  if (/\b(?:that|this|it|which) reminds me[,:]?\s*$/i.test(sentence)) return false;
  if (reported.test(sentence)) return !ownSaying.test(sentence);
  // "He said that it is late and that I need to leave" has a second reported clause.
  return (
    /\bthat\s*$/i.test(sentence) &&
    new RegExp(`\\b${saying}\\b`, 'i').test(sentence) &&
    !ownSaying.test(sentence)
  );
};

/** Matches words before "remind me" or "don't forget" that make them statements: "they remind me of", "I never forget". */
const notImperative =
  /\b(?:i|we|you|he|she|it|they|that|this|these|those|who|which|people|kids|everyone|somebody|someone|(?:he|she|it|they|that|this|who|\p{Lu}\p{L}+|people|kids) (?:always|will|would|can|could|should|might|may|must|has to|have to|had to|needs? to|did|does|do|used to)|i'll|i will|to|didn't|doesn't|don't|won't|wouldn't|couldn't|not|never|always|can|did|does|will|would|might|'d|stop|please stop|(?:the|my|your|his|her|their|those|these) \p{L}+|from)\s*$/iu;
const asking =
  /\b(?:can you|could you|will you|would you|can someone|can somebody|you(?:'ll)? (?:have to|need to|must|should|can|better)|you'd better|(?:i|we)(?:'d| would)? (?:need|want|like) you to|i need someone to|make sure to|be sure to|please|make sure you|want to|like to|remember to)(?: please| also| just| maybe)?\s*$/i;
const temporal =
  /\b(?:when|before|after|once|as soon as|if|until|while|at|on|in|by|this|next|tomorrow|today|tonight|later)\b/i;

/** Whether a phrase such as "remind me" is an imperative or a request in its context. */
const isAskedHere = (phrase: string, { clause }: Lead): boolean => {
  if (
    /^(?:can't|cannot|can not|mustn't|must not|shouldn't|should not|better not|had better not|don't want|do not want)/i.test(
      phrase,
    )
  )
    return /(?:\b(?:i|we|you|i'd)|^|\bi (?:really|just|definitely|absolutely))\s*$/i.test(clause.trimEnd());
  if (/^let(?:'s| me)/i.test(phrase) || clause.trim() === '' || asking.test(clause)) return true;
  if (
    /^(?:i |i'd |can i|could i|may i|give|send|set|create|add|make|schedule|put|take|note|to-?do)/i.test(
      phrase,
    )
  )
    return (
      !/\b(?:he|she|they|it|who|didn't|did|don't|never|already|just|to)\s*$/i.test(clause) ||
      /\b(?:need to|want to|like to|have to|let me|i'll)\s*$/i.test(clause)
    );
  if (/^(?:remember|make sure)/i.test(phrase))
    return /^(?:\W|and |so |also |then |please |just |but |okay |oh )*$/i.test(clause);
  return (
    !notImperative.test(clause) ||
    (temporal.test(clause) &&
      !/\b(?:i|we|he|she|they|it|to|not|never|always|will|would|n't)\s*$/i.test(clause))
  );
};

/** Matches a supposition such as "if you had to choose, would you". Does not match a request such as "if you had a minute, could you". */
const hypothetical =
  /\bif (?:i|you|we|he|she|they|it|money|time)(?:'d)? (?:had (?!(?:a (?:minute|moment|second|sec|chance)|time)\b)|were\b|was\b|won\b|could (?!(?:just|please)\b)|wanted\b|went\b|met\b|died\b|found\b|lost\b|got\b|knew\b)[^.;!?]*$/i;

/** Matches a clause of time, condition or reason. "Please" after such a clause begins the main clause. */
const opensWithTime =
  /^(?:and |so |but |then |okay )*(?:when|if|before|after|once|as soon as|since|because|by the time|next time)\b.* \S/i;

/** Whether the words before a phrase show that it does not state a task. */
export const isUnmeant = (kind: PhraseKind, phrase: string, lead: Lead, first: boolean): boolean => {
  const { clause, sentence } = lead;
  if (oddQuotes(sentence) || isReported(lead)) return true;
  if (kind === 'asked') return !isAskedHere(phrase, lead);
  if (
    first &&
    !/^(?:\W|and |so |also |then |but |oh |well |okay |ok |yeah |yes |right |hey |no |just |still |really |tomorrow |today |tonight |first |by the way |listen |look |honestly |basically |i think |i guess )*$/i.test(
      clause,
    ) &&
    !(/^please/i.test(phrase) && opensWithTime.test(clause))
  )
    return true;
  if (kind === 'request') {
    // "Do you have to pay" is a question. "Can you" is a request.
    if (/^you\b/i.test(phrase) && inverted.test(clause)) return true;
    return (
      governed.test(clause) ||
      denies.test(clause) ||
      supposes.test(clause) ||
      hypothetical.test(sentence) ||
      (isConditional(sentence) && !/^please/i.test(phrase) && !/^(?:can|could|would|will) you/i.test(phrase))
    );
  }
  if (governed.test(sentence) && !notGoverned.test(sentence)) return true;
  if (inverted.test(clause) && !/\bthat\s*$/i.test(clause) && !notGoverned.test(sentence)) return true;
  return (
    supposes.test(clause) ||
    doubts.test(clause) ||
    denies.test(clause) ||
    habit.test(`${clause} ${phrase}`) ||
    gone.test(clause) ||
    otherwise.test(sentence) ||
    (asks.test(clause) && !notAsking.test(clause)) ||
    isConditional(sentence)
  );
};

/** Matches words after a task that show that the task is a habit, or is another person's ("..., he said"). */
export const attributed =
  /[,"”]\s*(?:(?:he|she|they|who|mom|dad|\p{Lu}\p{L}+|(?:my|the|his|her) \p{L}+) (?:said|says|told (?:me|us|him|her|them)|kept saying|was saying|goes|asked|claimed|insisted|thought|complained|shouted|replied)|(?:said|says|asked|replied|shouted) (?:he|she|they|\p{Lu}\p{L}+|(?:my|the|his|her) \p{L}+))\b/iu;
export const isHabit = (text: string): boolean => habit.test(text);
