import { type Mention, mentionsIn, type Said } from '../dates/index.js';
import type { Anchor } from './anchors.js';
import { isHabit } from './context.js';
import { isDate } from './corrections.js';
import { dueOf } from './due.js';
import type { Extent } from './extent.js';
import { asNoted, writtenTask } from './text.js';
import { isAct, isDoing, isIdle } from './verbs.js';
import type { Word } from './words.js';

/** A task in a sentence. `due` is in ms since the epoch; null without a due time. */
export interface FoundTask {
  readonly text: string;
  readonly due: number | null;
}

/** The time at which a sentence was said, and whether its tasks are the user's. */
export interface TaskContext extends Said {
  /** Whether a commitment of the sentence's speaker is a task of the user. */
  readonly own: boolean;
  /** Whether a request of the sentence's speaker is a task of the user. */
  readonly asked: boolean;
  /** The speaker's next sentence. It is used only if it consists only of a date. */
  readonly next?: string;
}

/** Maximum number of words of a task. A longer text does not fit into a list. */
const mostWords = 40;

const closedWords = /^(?:DET|PRON|ADP|CCONJ|PUNCT|NUM|SYM)$/;

/** Matches words after "remind me" that do not name anything to do. */
const nothing =
  /^(?:about )?(?:it|that|this|me|you|him|her|them|who|what|how|why|where)?(?:(?:^| )(?:later|again|soon|now|tomorrow|today|tonight|(?:on|at|in|next|this) .{1,30}))*$/i;

/** Matches recommendations to a listener: "you must try the dumplings". */
const recommended = {
  must: /^(?:try|see|watch|read|visit|taste|sample|meet|listen to|check [^,;]{0,40}?\bout|come|go|hear|look at|eat|experience)\b/i,
  need: /^(?:(?:try|taste|visit|experience|hear|listen to)\b|(?:see|watch|read) (?:this|that|these|those)\b|check [^,;]{0,40}?\bout\b)/i,
};
const isRecommended = (phrase: string, text: string): boolean => {
  const { must, need } = recommended;
  return /^you\b/i.test(phrase) && (/\bneed to\b/i.test(phrase) ? need : must).test(text);
};
/**
 * Matches words that announce news: "I have to let you know that we moved". The speaker then tells the news
 * immediately, so these words state no task.
 */
const toldAtOnce = /^let (?:you|you guys|you all) know (?:that|how|what|about|we|i|it)\b/i;

/** Whether words describe an action, so that they are a task after the phrase. */
const counts = (anchor: Anchor, text: string, first: Word, due: number | null): boolean => {
  const { kind, phrase } = anchor;
  const length = text.split(' ').length;
  if (length > mostWords || text === '') return false;
  const [, ...object] = text.split(' ');
  if (kind === 'asked') return !nothing.test(text) && (!phrase?.acting || isDoing(first.low, object));
  if (isIdle(text, kind === 'own' ? due : null) || /^not\b/i.test(text)) return false;
  if (kind === 'request' && due === null && isRecommended(anchor.said, text)) return false;
  const known = !closedWords.test(first.tag) || isAct(first.low);
  if (kind === 'plan') return due !== null && length > 1 && known && isDoing(first.low, object);
  if (kind === 'passive') return isAct(first.low) || due !== null;
  if (length < 2 && due === null) return false;
  if (length < 2) return isAct(first.low);
  if (phrase?.acting) return known && isDoing(first.low, object);
  return isAct(first.low) || (!closedWords.test(first.tag) && first.tag !== 'ADJ' && first.tag !== 'ADV');
};

/** The words that follow a phrase. */
export interface PhraseWords {
  readonly anchor: Anchor;
  /** The words that `body` consists of. */
  readonly words: readonly Word[];
  readonly body: string;
  readonly extents: readonly Extent[];
  /** Dates and times that the sentence names before the phrase. */
  readonly before: readonly Mention[];
  /** Whether a thing or a statement follows the phrase instead of an action. */
  readonly thing: boolean;
}

/** The words of a task, and its first word, which must be a verb. */
interface Draft {
  readonly task: string;
  readonly first: Word | undefined;
}

/**
 * Returns the first task after a phrase, and its verb. In "the rent has to be paid", the phrase itself contains the
 * verb. In "would you mind calling", the verb gets its base form.
 */
const drafted = (said: string, first: Word | undefined, anchor: Anchor): Draft => {
  if (anchor.whole !== null) {
    const [verb = ''] = said.split(' ');
    return {
      task: said,
      first: { text: verb, low: verb, tag: 'VERB', lemma: verb, index: 0, end: 0, after: '' },
    };
  }
  if (/\bmind $/i.test(anchor.said) && first)
    return { task: `${first.lemma}${said.slice(first.text.length)}`, first: { ...first, low: first.lemma } };
  return { task: said, first };
};

/**
 * Returns the word with which a written task begins. It may not be the first spoken word, because writing removes some
 * words.
 */
const firstVerb = (description: string, first: Word, words: readonly Word[]): Word => {
  const [word = ''] = description.toLowerCase().split(' ');
  if (first.low === word) return first;
  return words.find(({ low }) => low === word) ?? { ...first, low: word };
};

/** Maximum characters of a sentence that consists only of a date. */
const longestDate = 40;

/**
 * Returns the date in the next sentence ("I need to call the vet. Tomorrow at ten."). Returns no date if that sentence
 * contains anything else.
 */
const dateAlone = ({ next = '', ...said }: TaskContext): readonly Mention[] => {
  const words = next.replace(/[.!…]+$/u, '');
  return words !== '' && words.length <= longestDate && isDate(words) ? mentionsIn(words, said) : [];
};

/** Returns the tasks that follow a phrase, in written form and with their due times. */
export const writtenTasks = (
  { anchor, words, extents, body, before, thing }: PhraseWords,
  context: TaskContext,
): FoundTask[] => {
  const parts = extents.length > 0 ? extents : [{ from: 0, to: 0 }];
  const texts = parts.map(({ from, to }, index) => {
    const said = to > from ? body.slice(words[from]!.index, words[to - 1]!.end) : '';
    return index === 0 && anchor.whole !== null ? `${anchor.whole} ${said}`.trim() : said;
  });
  // Removes words before it searches dates, because a date must not include removed words ("on the 29th too").
  const cleaned = texts.map((said) => writtenTask(said, { thing }));
  const mentions = cleaned.map((text) => mentionsIn(text, context));
  const behind = dateAlone(context);
  const dues = mentions.map((inText) => dueOf(before, [...inText, ...behind], context));
  // If the last task ends in a date, this date also applies to the earlier tasks without a date.
  const last = mentions.at(-1)!.at(-1);
  const shared = last !== undefined && last.end >= cleaned.at(-1)!.length - 1 ? (dues.at(-1) ?? null) : null;
  const addressed = anchor.kind === 'request' || /\b(?:forget|sure|remember)\b/i.test(anchor.said);
  const asked = anchor.kind === 'asked' || anchor.kind === 'request';
  const found: FoundTask[] = [];
  for (const [index, said] of texts.entries()) {
    const { task, first } =
      index === 0 ? drafted(said, words[0], anchor) : { task: said, first: words[parts[index]!.from] };
    if (!first) break;
    const plain = writtenTask(task, { thing });
    const text = addressed ? plain : writtenTask(asNoted(plain, anchor.kind), { thing });
    const due = dues[index] ?? shared;
    const verb = thing ? first : firstVerb(text, first, words);
    const told = due === null && toldAtOnce.test(plain);
    const counted = !told && counts(anchor, text, verb, due) && (asked || !isHabit(said));
    if (counted) found.push({ text, due });
    else if (index === 0) break;
  }
  return found;
};
