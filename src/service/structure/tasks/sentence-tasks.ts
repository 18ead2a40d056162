import { type Mention, mentionsIn, numberWord, type Said } from '../dates/index.js';
import { hiddenAbbreviations, shownAbbreviations } from '../language/index.js';
import { type Anchor, anchorsIn, hint } from './anchors.js';
import { asSaid, withApostrophes } from './apostrophes.js';
import { attributed, isUnmeant, leadOf } from './context.js';
import { asMeant, mayCorrect } from './corrections.js';
import { dueOf } from './due.js';
import { extentsOf } from './extent.js';
import { isRelative, timeBefore } from './lead-clause.js';
import type { PhraseKind } from './phrases.js';
import { writtenTask } from './text.js';
import { type Word, wordsOf } from './words.js';
import { type FoundTask, type TaskContext, writtenTasks } from './written-tasks.js';

const tags = /,?\s*(?:okay|ok|right|alright|all right|you know|yeah|yes|huh|please)\s*\?/i;

/** Whether the sentence around a position is a question. */
const isQuestion = (text: string, from: number): boolean => {
  const end = /[.!?](?=["”')]?(?:\s|$))/u.exec(text.slice(from));
  if (end?.[0] !== '?') return false;
  return !tags.test(text.slice(from, from + end.index + 1).slice(-14));
};

const behindPhrase: Readonly<Record<PhraseKind, string>> = {
  asked: 'I need to ',
  own: 'I need to ',
  plan: 'I will ',
  request: 'You need to ',
  passive: 'It was done ',
};

/** Whether the words after "remind me" or "don't forget" are a statement or a thing rather than an action. */
const isThing = (said: string): boolean =>
  !/\b(?:to|to-?do:?,?)\s*$|^note|note(?: to self)? $/i.test(said) || /\b(?:that|about|of) $/i.test(said);

const inner =
  /^(?:that )?(?:i|we)(?:'ve| have| really| still| also| just)* (?:need to|have to|got to|gotta|should|must|ought to) (?=\w)|^(?:to |i'll |i will )(?=\w)/i;

interface Found {
  readonly tasks: readonly FoundTask[];
  /** Position in the sentence at which the words of the last task end. */
  readonly end: number;
}

/** Returns the task that adds an item to a list, in the words that were spoken. */
const listedTask = (
  text: string,
  anchor: Anchor,
  before: readonly Mention[],
  context: TaskContext,
): FoundTask[] => {
  const said = anchor.whole!;
  const description = writtenTask(said, { thing: true });
  if (description === '' || /^(?:it|that|this|them)$/i.test(description)) return [];
  const [behind = ''] = text.slice(anchor.from).split(/[.;!?]/);
  const mentions = [...mentionsIn(said, context), ...mentionsIn(behind, context)];
  return [{ text: description, due: dueOf(before, mentions, context) }];
};

const asksForKnowledge = /^(?:what|who|how|why|where|whether|when (?:is|are|was|do|does|did|the|my|i|we))\b/i;

/**
 * Completes the time in "remind me in ten to call", which means ten minutes, and in "remind me for five to call", which
 * means five o'clock.
 */
const inMinutes = (when: string): string => when.replace(bareCount, '$& minutes').replace(forHour, 'at ');
const forHour = new RegExp(`^for (?=(?:${numberWord}|\\d{1,2})(?:$| (?:tomorrow|today|tonight|on)\\b))`, 'i');
const bareCount = new RegExp(`^in (?:about |like )?(?:${numberWord}|\\d{1,2})$`, 'i');

/** Returns the tasks that one phrase states, with their due times. */
const tasksAt = (text: string, anchor: Anchor, context: TaskContext): Found => {
  const none = { tasks: [], end: anchor.from };
  const { kind, said } = anchor;
  const lead = leadOf(text, anchor.index);
  const before = mentionsIn(
    `${timeBefore(lead.sentence, lead.clause)} ${inMinutes(anchor.when)}`.trim(),
    context,
  );
  if (anchor.phrase === null && kind === 'asked')
    return { tasks: listedTask(text, anchor, before, context), end: anchor.from };
  const rest = text.slice(anchor.from);
  const skipped = kind === 'asked' ? (inner.exec(rest)?.[0].length ?? 0) : 0;
  const thing = kind === 'asked' && skipped === 0 && isThing(said);
  const body = rest.slice(skipped);
  // If the passive ends here, the words after it do not belong to the task ("has to be paid, so").
  const ended = kind === 'passive' && /^\s*(?:[,;.:!?]|(?:so|because|but|although|and|since)\b)/i.test(body);
  const words = ended ? [] : wordsOf(body, thing ? '' : behindPhrase[kind]);
  if (words.length === 0 && kind !== 'passive') return none;
  // "Remind me what his name is" asks for an answer and is not a task.
  if (kind === 'asked' && isThing(said) && asksForKnowledge.test(body)) return none;
  if ((kind === 'own' || kind === 'plan') && isRelative(lead.clause, words, context)) return none;
  if (kind === 'passive' && words[0]?.low === 'by' && !namesDate(words[0], body, context)) return none;
  if (attributed.test(rest)) return none;
  const { tasks: extents, conditional } = extentsOf(words, kind);
  if (conditional && kind !== 'asked' && kind !== 'request') return none;
  return {
    tasks: writtenTasks({ anchor, words, extents, body, before, thing }, context),
    end: anchor.from + skipped + (words[(extents.at(-1)?.to ?? 1) - 1]?.end ?? 0),
  };
};

/** Whether the words after "by" are a date rather than a person. */
const namesDate = (by: Word, body: string, said: Said): boolean =>
  mentionsIn(body, said).some(({ index }) =>
    /^ (?:(?:the|end|of|about|around|early|late|next|this|start|beginning) )*$/i.test(
      body.slice(by.end, index),
    ),
  );

/** Matches words that end a sentence and cancel its task. */
const takenBack =
  /[,.;!?…—–-]\s*(?:(?:oh|no|wait|actually|ah|well|or|but),? )*(?:never ?mind|scratch that|forget (?:it|that)|cancel that|strike that|actually,? no|just kidding|kidding)[.!]*$/i;

/** Whether a phrase of this speaker states a task for the user. "Don't forget" may address the speaker and others. */
const isForUser = ({ kind, said }: Anchor, { own, asked }: TaskContext): boolean => {
  if (kind === 'request') return asked;
  return own || (kind === 'asked' && asked && /\b(?:forget|remember)\b/i.test(said));
};

/**
 * Matches the beginning of a request. A correction may follow it directly: "Remind me, not on Monday but on Tuesday,
 * to".
 */
const opensRequest = /\b(?:remind (?:me|us)|reminder)\b/i;

/** Returns the tasks of a sentence; null if it contains no phrase that can state a task. */
export const tasksIn = (words: string, context: TaskContext): FoundTask[] | null => {
  const said = hiddenAbbreviations(withApostrophes(words));
  if (!hint.test(said)) return null;
  if (anchorsIn(said).length === 0 && !(opensRequest.test(said) && mayCorrect(said))) return null;
  if (takenBack.test(said)) return [];
  const text = asMeant(said);
  const found: FoundTask[] = [];
  let done = 0;
  for (const anchor of anchorsIn(text)) {
    const { kind, index } = anchor;
    if (index < done) continue;
    if (!isForUser(anchor, context)) continue;
    const lead = leadOf(text, index);
    if (isUnmeant(kind, anchor.said, lead, anchor.phrase?.first === true)) continue;
    if (kind !== 'request' && kind !== 'asked' && isQuestion(text, index)) continue;
    const { tasks, end } = tasksAt(text, anchor, context);
    if (tasks.length === 0) continue;
    found.push(...tasks.map(({ text, due }) => ({ text: asSaid(shownAbbreviations(text), words), due })));
    done = end;
  }
  return found;
};
