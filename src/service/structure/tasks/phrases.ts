import { act } from './verbs.js';

/**
 * The way in which a phrase states a task. `asked`: an explicit request, which counts despite any condition. `own`: a
 * commitment of the speaker. `plan`: a commitment that needs a date. `request`: a request to the listener. `passive`:
 * work that must be done on a thing.
 */
export type PhraseKind = 'asked' | 'own' | 'plan' | 'request' | 'passive';

export interface Phrase {
  readonly kind: PhraseKind;
  readonly said: RegExp;
  /** Whether the phrase states a task only if an action verb follows. */
  readonly acting?: boolean;
  /** Whether the phrase lacks a subject. It then counts only at the beginning of a clause. */
  readonly first?: boolean;
}

const phrase = (kind: PhraseKind, said: string, more: Omit<Phrase, 'kind' | 'said'> = {}): Phrase => ({
  kind,
  said: new RegExp(said, 'gi'),
  ...more,
});

const adverbs =
  '(?:(?:really|still|also|just|probably|definitely|actually|then|quickly|now|both|all|seriously|simply|certainly|absolutely|urgently|finally|maybe|kind of|sort of|desperately|first|soon|quick|honestly|obviously|basically|clearly|eventually|immediately|you know|like),? )*';
const i = '(?:i|we)';
const who = `\\b(?:(?:me|you|ann) and )?${i}`;
const duty =
  '(?:need to|have to|got to|gotta|must(?! have\\b(?! (?:the|my|our|this|that) \\w+ (?:\\w+ )?\\w+ed\\b))|ought to|oughta|hafta|needa)';
/** Pattern of a time between two commas: "I need to, before Friday, call Ann". */
const between = '(?:, (?<when>[^,.;!?]{1,40}),)?';
const request =
  '(?:please |maybe |also |just |kindly |possibly |perhaps |then |quickly |be so kind and |be so kind as to |go and )*';
/** Pattern of words for a time. The dots of "7 p.m." and "2.5 hours" do not end the time. */
const when = '(?<when>(?:[^.;!?]|(?<=\\b[ap])\\.(?=m\\b)|(?<=\\b[ap]\\.m)\\.|\\.(?=\\d)){0,80}?)';

/** The phrases in order of priority. If several phrases begin at the same word, the first one in this list applies. */
export const phrases: readonly Phrase[] = [
  phrase(
    'asked',
    `\\bremind (?:me|us)(?:,)?(?: again| also| please| too)? (?:(?:that|to|about|of|regarding)(?: the fact that)? |(?=(?:i|i'm|i've|we|we're|we've|my|our|there's|there is)\\b)|(?=tomorrow|tonight|today|on |at |in |next |this |every |when |before |after |later|by |as soon as |once |first thing|around |an? |the day |half |one |two |three |four |five |six |seven |eight |nine |ten |eleven |twelve |noon\\b|midday\\b|midnight\\b|half |quarter |\\d|christmas|xmas|new year|halloween|valentine|boxing|easter|thanksgiving|sometime|no later |from |(?:in )?(?:january|february|march|april|may|june|july|august|september|october|november|december)\\b|if |(?:mon|tues|wednes|thurs|fri|satur|sun)day)${when},? (?:to|that|about) |(?!(?:how|what|who|when|where|why|which|of|about|that|to|politely)\\b)(?<when2>(?:[\\w'.-]+ ){1,4}?)to (?=${act}\\b))`,
  ),
  phrase(
    'asked',
    `\\b(?:set|create|add|make|schedule|put|give|send|i need|i want|i'd like|i would like|(?:can|could|may) i (?:have|get))(?: me)?(?: up)?(?: in)? (?:a|an|another|the) (?:new )?reminder,? (?:(?:to|that|about) |(?=(?:for|on|at|in|by|before|every|this|next|tomorrow|tonight|\\w+day) )${when},? (?:to|that|about) |for )`,
  ),
  phrase(
    'asked',
    `\\b(?:don't|dont|do not|don't you|never)(?: ever)? forget(?:[:,] ?| )(?:(?:that|about|to) )?|\\b(?:don't|do not) let me forget (?:(?:that|about|to) )?|\\b(?:can't|cannot|can not|mustn't|must not|shouldn't|should not|better not|had better not|let's not|let me not|don't want to|do not want to)(?: let me)? forget (?:(?:that|about|to) )?|\\b(?:can't|cannot|mustn't|must not) let (?:me|us) forget (?:(?:that|about|to) )?`,
  ),
  phrase('asked', `\\bremember to (?=\\w)`, { first: true }),
  phrase('asked', `\\bmake sure (?:that )?(?:i|we) (?:remember to |also )?`, { first: true, acting: true }),
  phrase('asked', `\\bnote to self(?:[,:.]| -| –)? (?:remember to |don't forget to |to |that )?`),
  phrase('asked', `\\b(?:make|take) (?:a|another) (?:mental )?note(?: to self)?(?: to|that| of| that|:)? `),
  phrase('asked', `\\bto-?do:? ?(?:list)?[:,] `),
  phrase(
    'own',
    `${who}(?:'ve| have| do)? ${adverbs}${duty}${between} ${adverbs}(?:remember to |make sure to |make sure i |be sure to )?`,
  ),
  phrase(
    'own',
    `${who}(?:'ll| will|'m going to| am going to|'re going to| are going to|'m gonna|'re gonna| am gonna| are gonna) ${adverbs}(?:need to|have to) ${adverbs}(?:remember to )?`,
  ),
  phrase('own', `${who}(?:'m| am|'re| are) ${adverbs}(?:supposed|meant|required|obliged) to `),
  phrase('own', `\\b(?:i am|i'm|we are|we're) to (?=${act}\\b)`),
  phrase('own', `${who}'ve ${adverbs}to (?=${act}\\b)`),
  phrase('own', `${who}(?:'d| had)? better (?!not\\b)`),
  phrase('own', `${who} ${adverbs}should ${adverbs}(?:remember to )?`, { acting: true }),
  phrase(
    'own',
    `\\b(?:i|we) ${adverbs}promised? (?:(?!to\\b|that\\b|i\\b|i'|we\\b)[\\w']+ ){0,3}(?:to |(?:that )?(?:i'll|i'd|i will|i would|we'll|we'd|we will) )`,
    { acting: true },
  ),
  phrase(
    'own',
    `\\b(?:what|all|the (?:only |one |first |next |last |main )?thing|one thing) (?:that )?(?:i|we) (?:still |really |just |also )?(?:need|have|must|ought|got) (?:to )?do(?<when>[^.;!?,]{0,40}?) is(?: to)? `,
  ),
  phrase(
    'own',
    `\\b(?:need|have|got) to (?:remember to )?|\\bgotta |\\bmust (?:remember to )?|\\bshould (?=${act}\\b)`,
    { first: true, acting: true },
  ),
  phrase(
    'plan',
    `\\b(?:i|we)(?:'ll| will| can| shall) ${adverbs}(?:make sure to |make sure i |remember to |be sure to )?`,
    { acting: true },
  ),
  phrase('plan', `\\b(?:i|we)(?:'m| am|'re| are) ${adverbs}(?:going to|gonna) ${adverbs}`, { acting: true }),
  phrase('plan', `\\b(?:let me|let's|let us) (?:also |just |quickly |please |all )?`, { acting: true }),
  phrase('plan', `\\b(?:i|we) (?:won't|will not) forget (?:to |about )`, { acting: true }),
  phrase(
    'request',
    `\\b(?:can|could|would|will) you${between} (?:guys |all |two )?${request}(?:remember to |make sure to |make sure you |be able to )?`,
    { acting: true },
  ),
  phrase(
    'request',
    `\\b(?:wondering if|(?:great|nice|good|awesome|lovely|wonderful|helpful|appreciate it|grateful|love it|kind) if|hoping|do you think|any chance|possible that|possible for) you (?:(?:could|can|would|to|'d be able to|might be able to) )?${request}`,
    { acting: true },
  ),
  phrase('request', `\\bif you (?:could|can|would) ${request}(?=[^.;!?]*\\b(?:would|'d) (?:be|really)\\b)`, {
    acting: true,
  }),
  phrase('request', `\\b(?:would|do) you mind (?=\\w+ing\\b)`),
  phrase('request', `\\b(?:could|can|would) i (?:ask|get|trouble) you to `, { acting: true }),
  phrase('request', `\\bplease,? (?:also |just |then |remember to |make sure to |make sure you )?`, {
    first: true,
    acting: true,
  }),
  phrase(
    'request',
    `\\byou(?:'ll)? (?:really |also |still |just |will )*(?:need to|have to|must|gotta|'ve got to|have got to|got to|ought to) (?:also |please |just |remember to )?`,
    { acting: true },
  ),
  phrase(
    'request',
    `\\b(?:i|we)(?:'d| would)? (?:really |also |still |just )?(?:need|want|like) you to (?:also |please )?`,
    { acting: true },
  ),
  phrase('request', `\\b(?:make sure|be sure) (?:you |to |that you |you guys )(?:also )?`, { acting: true }),
  phrase('request', `\\b(?:do|can you do) me a favou?r,? (?:and )?(?:please )?`, { acting: true }),
];

const noun =
  "(?:(?!\\p{L}+n't |(?:not|never|no|and|who|that|which|if|when|because|said|says|told|thinks?|thought|claims?|insists?|hopes?) )[\\p{L}\\d'’&-]+ )";
/** Matches a passive such as "the rent has to be paid": the thing, the verb as spoken, and the rest of the words. */
export const passive = new RegExp(
  `\\b(?<thing>(?:the|my|our|this|that|these|those|all the|both|all) ${noun}{1,6}?)(?:really |still |also |just )*(?:needs? to|has to|have to|has got to|must|should|'ll have to|will have to|will need to)(?: also| still| really)? (?:be|get) (?:re-)?(?<verb>\\p{L}+)(?=[ .,;!]|$)`,
  'giu',
);
