import { chosenMoment, type Mention, mentionsIn, type Said } from '../dates/index.js';
import { attributed, isHabit, isUnmeant, leadOf } from './context.js';
import { asMeant } from './corrections.js';
import { type Extent, extentsOf } from './extent.js';
import { type Phrase, type PhraseKind, passive, phrases } from './phrases.js';
import { asNoted, writtenTask } from './text.js';
import { idle, isAct } from './verbs.js';
import { type Word, wordsOf } from './words.js';

/** A task of a sentence. `due` in ms since the epoch. */
export interface FoundTask {
  readonly text: string;
  readonly due: number | null;
}

export interface Hearing extends Said {
  /** Whether what its speaker takes on is the user's. */
  readonly own: boolean;
  /** Whether what its speaker asks for is the user's. */
  readonly asked: boolean;
}

const mostWords = 40;
/** A sentence without one of these words has no phrase of a task. */
const hint =
  /\b(?:need|needs|have|has|got|gotta|hafta|must|should|ought|better|supposed|meant|required|obliged|remind|reminder|forget|remember|note|add|put|to-?do|todo|promised?|will|shall|can|could|would|going|gonna|let|please|mind|sure|favou?r|want|like)\b|'(?:ll|ve|m|re|s|d)\b/i;
const listed =
  /\b(?:add|put) (?<task>(?:(?!\b(?:add|put)\b).){2,300}?) (?:to|on|onto|in) (?:my|the|our) (?:[\w-]+ ){0,2}?(?:list|to-?dos?|calendar|agenda)\b/gi;

interface Anchor {
  readonly kind: PhraseKind;
  readonly phrase: Phrase | null;
  readonly index: number;
  /** Where the words of the task begin. */
  readonly from: number;
  readonly said: string;
  /** When it shall be, as said inside the phrase. */
  readonly when: string;
  /** The task itself where its words do not follow the phrase as they are. */
  readonly whole: string | null;
}

const anchorsIn = (text: string): Anchor[] => {
  const found: Anchor[] = [];
  for (const phrase of phrases) {
    for (const match of text.matchAll(phrase.said)) {
      found.push({
        kind: phrase.kind,
        phrase,
        index: match.index,
        from: match.index + match[0].length,
        said: match[0],
        when: match.groups?.when ?? '',
        whole: null,
      });
    }
  }
  for (const match of text.matchAll(listed)) {
    found.push({
      kind: 'asked',
      phrase: null,
      index: match.index,
      from: match.index + match[0].length,
      said: match[0],
      when: '',
      whole: match.groups!.task!,
    });
  }
  for (const match of text.matchAll(passive)) {
    const [{ lemma } = { lemma: '' }] = wordsOf(match.groups!.verb!, 'It was ');
    if (!isAct(lemma)) continue;
    found.push({
      kind: 'passive',
      phrase: null,
      index: match.index,
      from: match.index + match[0].length,
      said: match[0],
      when: '',
      whole: `${lemma} ${match.groups!.thing!.trim().replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())}`,
    });
  }
  found.sort((left, right) => left.index - right.index || right.from - left.from);
  // Where one phrase follows or overlaps another, the later one says what it is ("please remind me to").
  const kept: Anchor[] = [];
  for (const anchor of found) {
    const last = kept.at(-1);
    if (
      last &&
      anchor.index < last.from &&
      anchor.from <= last.from &&
      !(anchor.kind === 'asked' && last.kind !== 'asked' && !anchor.phrase?.first)
    )
      continue;
    if (last && anchor.index < last.from && anchor.phrase?.first) continue;
    if (last && anchor.index <= last.from) kept.pop();
    kept.push(anchor);
  }
  return kept;
};

const tags = /,?\s*(?:okay|ok|right|alright|all right|you know|yeah|yes|huh|please)\s*\?/i;

/** Whether the sentence around a place is a question. */
const isQuestion = (text: string, from: number): boolean => {
  const end = /[.!?](?=["”')]?(?:\s|$))/u.exec(text.slice(from));
  if (end?.[0] !== '?') return false;
  return !tags.test(text.slice(from, from + end.index + 1).slice(-14));
};

const opensClause =
  /^(?:\W|and |so |but |well |also |then |okay |oh )*(?:when|whenever|if|before|after|once|as soon as|until|while|by the time|the next time|next time|on|at|in|by)\b/i;
const thinks = /\b(?:i|we) (?:think|guess|believe|know|suppose|feel like|reckon)\b(?: that)?/i;

/** What is said of the time before a phrase: in its clause, or in a clause of time or condition in front of it. */
const timeBefore = (sentence: string, clause: string): string => {
  const bare = clause.replace(thinks, ' ');
  const front = sentence.slice(0, sentence.length - clause.length);
  const condition =
    /(?:^|[,;]\s*)((?:[^,;]*?\b)?(?:when|if|before|after|once|as soon as|until|by the time|on|at|in|tomorrow|today|tonight|next|this|\w+day)\b[^,;]*),\s*$/i.exec(
      front,
    )?.[1] ?? '';
  const asFront = condition !== '' && (opensClause.test(condition) || !hasVerb(condition)) ? condition : '';
  if (bare.trim() === '') return asFront;
  return opensClause.test(bare) || !hasVerb(bare) ? `${asFront} ${bare}` : asFront;
};

const hasVerb = (text: string): boolean =>
  wordsOf(text).some(
    ({ tag, low }) => (tag === 'VERB' || tag === 'AUX') && !/day$|^(?:coming|following)$/.test(low),
  );

/** Whether a phrase only describes the noun before it: "the bill that I have to pay". */
const isRelative = (clause: string, words: readonly Word[], said: Said): boolean => {
  if (
    !/\p{L}$/u.test(clause.trimEnd()) ||
    (/^(?:after|before|at|during|in|on|until|for|by|this|next)\b/i.test(clause) && !hasVerb(clause))
  )
    return false;
  const bare = clause.trimEnd();
  const last = wordsOf(bare).at(-1);
  if (
    !last ||
    !(
      ['NOUN', 'PROPN', 'PRON'].includes(last.tag) ||
      /^(?:that|which|who|everything|all|something|anything|thing|stuff|things)$/.test(last.low)
    )
  )
    return false;
  if (mentionsIn(bare, said).some(({ end }) => end >= bare.length)) return false;
  const object = words[1] && /^(?:up|off|out|back|down|over|in)$/.test(words[1].low) ? words[2] : words[1];
  const gap =
    !object ||
    words[0]!.after !== '' ||
    /^(?:ADP|CCONJ|SCONJ|AUX|VERB)$/.test(object.tag) ||
    /^(?:to|by|before|today|tomorrow|tonight|on|next|this|is|are|was|has|have|first|now|soon|and|but|never|always|usually|rarely|all)$/.test(
      object.low,
    );
  return gap;
};

/** The due time: what is said before the phrase counts first, and is completed by the words of the task. */
const dueOf = (before: readonly Mention[], inText: readonly Mention[], said: Said): number | null => {
  const meant = before.filter((mention) => chosenMoment([mention], said) !== null);
  if (meant.length === 0) return chosenMoment(inText, said);
  if (meant.some(({ moment }) => moment !== null)) return chosenMoment(meant, said);
  const hasDay = meant.some(({ date, part }) => date !== null || part?.today);
  const hasTime = meant.some(({ time }) => time !== null);
  const more = inText.filter(({ date, time, moment }) =>
    moment !== null
      ? false
      : hasDay
        ? !hasTime && date === null
        : hasTime
          ? date !== null && time === null
          : date !== null || time !== null,
  );
  return chosenMoment([...meant, ...more], said);
};

const closedWords = /^(?:DET|PRON|ADP|CCONJ|PUNCT|NUM|SYM)$/;

/** Whether words are something to do that the phrase makes a task. */
const counts = (anchor: Anchor, text: string, first: Word, due: number | null): boolean => {
  const { kind, phrase } = anchor;
  const length = text.split(' ').length;
  if (length > mostWords || text === '') return false;
  if (kind === 'asked')
    return !/^(?:it|that|this|me|you|him|her|them|about it|who|what|how|why|where|later|again|tomorrow|soon)$/i.test(
      text,
    );
  if (idle.test(text) || /^not\b/i.test(text)) return false;
  if (kind === 'plan') return due !== null && isAct(first.low) && length > 1;
  if (length < 2 && due === null) return false;
  if (length < 2) return isAct(first.low);
  if (phrase?.acting) return isAct(first.low);
  return isAct(first.low) || (!closedWords.test(first.tag) && first.tag !== 'ADJ' && first.tag !== 'ADV');
};

const behindPhrase: Readonly<Record<PhraseKind, string>> = {
  asked: 'I need to ',
  own: 'I need to ',
  plan: 'I will ',
  request: 'You need to ',
  passive: 'It was done ',
};

/** Words that begin a statement or a thing behind "remind me" and "don't forget". */
const isThing = (said: string): boolean =>
  !/\b(?:to|to-?do:?,?)\s*$|^note|note(?: to self)? $/i.test(said) || /\b(?:that|about|of) $/i.test(said);

const inner =
  /^(?:that )?(?:i|we)(?:'ve| have| really| still| also| just)* (?:need to|have to|got to|gotta|should|must|ought to) (?=\w)|^(?:to |i'll |i will )(?=\w)/i;

/** Each task behind one phrase, with its due time. */
const tasksAt = (text: string, anchor: Anchor, hearing: Hearing): { tasks: FoundTask[]; end: number } => {
  const none = { tasks: [], end: anchor.from };
  const lead = leadOf(text, anchor.index);
  const before = mentionsIn(`${timeBefore(lead.sentence, lead.clause)} ${anchor.when}`, hearing);
  const rest = text.slice(anchor.from);
  if (anchor.phrase === null && anchor.kind === 'asked') {
    const description = writtenTask(anchor.whole!, { thing: true });
    const behind = mentionsIn(rest.split(/[.;!?]/)[0]!, hearing);
    const due = dueOf(before, [...mentionsIn(anchor.whole!, hearing), ...behind], hearing);
    return description.split(' ').length >= 1 &&
      description !== '' &&
      !/^(?:it|that|this|them)$/i.test(description)
      ? { tasks: [{ text: description, due }], end: anchor.from }
      : none;
  }
  const skipped = anchor.kind === 'asked' ? (inner.exec(rest)?.[0].length ?? 0) : 0;
  const thing = anchor.kind === 'asked' && skipped === 0 && isThing(anchor.said);
  const body = rest.slice(skipped);
  const words = wordsOf(body, thing ? '' : behindPhrase[anchor.kind]);
  if (words.length === 0 && anchor.kind !== 'passive') return none;
  if (
    anchor.kind === 'asked' &&
    /^(?:what|who|how|why|where|whether|when(?= (?:is|are|was|do|does|did|the|my|i|we)\b))$/.test(
      words[0]?.low ?? '',
    ) &&
    isThing(anchor.said)
  )
    return none;
  if ((anchor.kind === 'own' || anchor.kind === 'plan') && isRelative(lead.clause, words, hearing))
    return none;
  if (anchor.kind === 'passive' && words[0]?.low === 'by' && !namesDate(words[0], body, hearing)) return none;
  if (attributed.test(text.slice(anchor.from))) return none;
  const { tasks: extents, conditional } = extentsOf(words, anchor.kind);
  if (conditional && anchor.kind !== 'asked' && anchor.kind !== 'request') return none;
  return {
    tasks: written(anchor, words, extents, body, before, hearing, thing),
    end: anchor.from + skipped + (words[(extents.at(-1)?.to ?? 1) - 1]?.end ?? 0),
  };
};

/** Whether the words behind "by" are a date, and nobody who does something. */
const namesDate = (by: Word, body: string, said: Said): boolean =>
  mentionsIn(body, said).some(({ index }) => index <= by.end + ' the end of '.length);

const written = (
  anchor: Anchor,
  words: readonly Word[],
  extents: readonly Extent[],
  body: string,
  before: readonly Mention[],
  hearing: Hearing,
  thing: boolean,
): FoundTask[] => {
  const parts = extents.length > 0 ? extents : [{ from: 0, to: 0 }];
  const texts = parts.map(({ from, to }, index) => {
    const said = to > from ? body.slice(words[from]!.index, words[to - 1]!.end) : '';
    return index === 0 && anchor.whole !== null ? `${anchor.whole} ${said}`.trim() : said;
  });
  const dues = texts.map((said) => dueOf(before, mentionsIn(said, hearing), hearing));
  // A date at the very end counts for those before it that have none.
  const shared = dues.at(-1) ?? null;
  const last = mentionsIn(texts.at(-1)!, hearing).at(-1);
  const atEnd = last !== undefined && last.end >= texts.at(-1)!.length - 1;
  const found: FoundTask[] = [];
  for (const [index, said] of texts.entries()) {
    const { from } = parts[index]!;
    let first = words[from];
    let task = said;
    if (index === 0 && anchor.whole !== null)
      first = {
        ...(first ?? { text: '', index: 0, end: 0, after: '' }),
        low: task.split(' ')[0]!,
        tag: 'VERB',
        lemma: '',
      } as Word;
    else if (index === 0 && /\bmind $/i.test(anchor.said) && first) {
      task = `${first.lemma}${said.slice(first.text.length)}`;
      first = { ...first, low: first.lemma };
    }
    const plain = writtenTask(task, { thing });
    const polite = anchor.kind === 'request' || /\b(?:forget|sure|remember)\b/i.test(anchor.said);
    const description = polite ? plain : writtenTask(asNoted(plain), { thing });
    const due = dues[index] ?? (index < texts.length - 1 && atEnd ? shared : null);
    const verb = thing ? first : firstVerb(description, first, words);
    if (
      verb &&
      counts(anchor, description, verb, due) &&
      !(anchor.kind !== 'asked' && anchor.kind !== 'request' && isHabit(said))
    )
      found.push({ text: description, due });
    else if (index === 0) break;
  }
  return found;
};

const firstVerb = (
  description: string,
  first: Word | undefined,
  words: readonly Word[],
): Word | undefined => {
  const [word = ''] = description.toLowerCase().split(' ');
  return first?.low === word
    ? first
    : (words.find(({ low }) => low === word) ?? (first && { ...first, low: word }));
};

/** Words at the end of a sentence with which it is taken back. */
const takenBack =
  /[,.;!?…—–-]\s*(?:(?:oh|no|wait|actually|ah|well|or|but),? )*(?:never ?mind|scratch that|forget (?:it|that)|cancel that|strike that|actually,? no|just kidding|kidding)[.!]*$/i;

/** Whether a phrase makes a task of the user, whoever says it. "Don't forget" is said to oneself and to others. */
const isForUser = ({ kind, said }: Anchor, { own, asked }: Hearing): boolean => {
  if (kind === 'request') return asked;
  return own || (kind === 'asked' && asked && /\b(?:forget|remember)\b/i.test(said));
};

/** The tasks of a sentence; null where it has no phrase that could make one. */
export const tasksIn = (said: string, hearing: Hearing): FoundTask[] | null => {
  if (!hint.test(said)) return null;
  if (anchorsIn(said).length === 0) return null;
  if (takenBack.test(said)) return [];
  const text = asMeant(said);
  const found: FoundTask[] = [];
  let done = 0;
  for (const anchor of anchorsIn(text)) {
    const { kind, index } = anchor;
    if (index < done) continue;
    if (!isForUser(anchor, hearing)) continue;
    const lead = leadOf(text, index);
    if (isUnmeant(kind, anchor.said, lead, anchor.phrase?.first === true)) continue;
    if (kind !== 'request' && kind !== 'asked' && isQuestion(text, index)) continue;
    const { tasks, end } = tasksAt(text, anchor, hearing);
    if (tasks.length === 0) continue;
    found.push(...tasks);
    done = end;
  }
  return found;
};
