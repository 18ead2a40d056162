import {
  at,
  contracted,
  copula,
  determiners,
  nominative,
  openings,
  type Place,
  pronouns,
  said,
  startsClause,
  startsDated,
  startsTask,
  subordinators,
  timeWord,
} from './clause-starts.js';
import type { PhraseKind } from './phrases.js';
import { asksWhether, isMoving, passesOn } from './verbs.js';
import type { Word } from './words.js';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const cutting = set(
  "but because cause 'cause cuz coz though although whereas otherwise however anyway anyways therefore nevertheless hence yet",
);
const cuttingBehindComma = set(
  'so since which who whose whom while as or-else except meaning right yes no okay ok thanks thank bye cheers yeah alright well seriously obviously honestly basically anyway hopefully huh hey oh like ideally preferably',
);
/**
 * What the boundary after a word means for the task. `on`: the task continues. `end`: it ends. `task`: another task
 * begins. `condition`: a condition begins.
 */
type Gap = 'on' | 'end' | 'task' | 'condition';

/** Whether a condition begins at a word. */
const startsCondition = (place: Place, index: number): boolean =>
  /^(?:if|unless|in case|only if)\b/.test(said(place, index, index + 2));

/** Whether a conjunction ends the task, because a reason, a purpose or a contrast follows. */
const cuts = (place: Place, index: number): boolean => {
  const before = at(place, index - 1)!.low;
  const { low } = at(place, index)!;
  const next = at(place, index + 1)?.low ?? '';
  if (low === 'even') return /^(?:if|though)$/.test(next);
  if (cutting.has(low)) return !(low === 'cause' && determiners.has(before));
  if (low === 'or') return next === 'else';
  if (low === 'so' && /^(?:be|not|look|feel|get|being)$/.test(before)) return false;
  if (low === 'so') return !/^(?:much|many|far|long|called)$/.test(next);
  if (low === 'since' || low === 'except') return startsClause(place, index + 1, true);
  if (low !== 'as' || !nominative.has(next)) return false;
  return !subordinators.has(before) && !/^(?:soon|well|long|much|far|many)$/.test(before);
};

/** Classifies the boundary between a word and the next one. */
const gapAfter = (place: Place, index: number, from: number): { gap: Gap; next: number } => {
  const word = at(place, index)!;
  const next = at(place, index + 1);
  const go = (gap: Gap, to = index + 1): { gap: Gap; next: number } => ({ gap, next: to });
  if (!next || /[.;:!?…—–]/.test(word.after)) return go('end');
  const comma = word.after.includes(',');
  const before = said(place, from, index + 1);
  const passed = passesOn.test(before) || asksWhether.test(before);
  const { low } = next;
  const second = at(place, index + 2);
  if (startsCondition(place, index + 1)) {
    if (asksWhether.test(before) && low === 'if' && !comma) return go('on');
    return go(place.kind === 'asked' || place.kind === 'request' ? 'on' : 'condition');
  }
  if (cuts(place, index + 1)) return go('end');
  if (/^(?:and|or|then|plus|&)$/.test(low)) {
    if (low === 'and' && /^and an? (?:half|quarter)$/.test(said(place, index + 1, index + 4)))
      return go('on');
    const behind = low === 'and' && second?.low === 'then' ? index + 3 : index + 2;
    const task = low === 'or' ? null : startsTask(place, behind);
    if (task === null && (startsClause(place, behind, true) || startsDated(place, behind))) return go('end');
    return task === null ? go('on') : go('task', task);
  }
  if (comma) {
    if (cuttingBehindComma.has(low)) return go('end');
    const task = startsTask(place, index + 1);
    if (task !== null) return go('task', task);
    return go(startsClause(place, index + 1, true) ? 'end' : 'on');
  }
  // A clause cannot describe a time, so a new statement begins after the time: "tonight I already", "tomorrow which is
  // important".
  if (
    timeWord.test(word.low) &&
    (nominative.has(low) ||
      contracted.test(low) ||
      low === 'which' ||
      (low === 'it' && copula.test(second?.low ?? '')))
  )
    return go('end');
  // The word directly after a verb is the verb's object.
  if (index === from && (place.kind !== 'asked' || !nominative.has(low))) return go('on');
  if (passed || subordinators.has(word.low) || word.low === 'and') {
    return go(
      !subordinators.has(word.low) &&
        openings.test(said(place, index + 1, index + 4)) &&
        !/^(?:what|how|why|please)/.test(low)
        ? 'end'
        : 'on',
    );
  }
  // "The thank you cards": after a determiner, the next word belongs to a noun.
  if (/^(?:what|how|why)$/.test(low) || /^(?:the|an?|my|our|your|his|her|their)$/.test(word.low))
    return go('on');
  return go(startsClause(place, index + 1, false) ? 'end' : 'on');
};

/** Whether a second task belongs to the first one, so that both are one task. */
const goesOn = (place: Place, first: { from: number; to: number }, from: number): boolean => {
  if (isMoving(said(place, first.from, first.to))) return true;
  // "Wash and iron my shirts" has one object for both verbs, so it is one task.
  if (first.to - first.from === 1) return true;
  const verb = at(place, from)!.low;
  const next = at(place, from + 1)?.low ?? '';
  if (
    /^(?:ask|tell|see|check)$/.test(verb) &&
    /^(?:about|if|whether|for|how|when|what|where|why|that|them|him|her|it)$/.test(next)
  )
    return true;
  for (let index = from + 1; index < from + 8; index++) {
    const word = at(place, index);
    if (!word) break;
    if (pronouns.has(word.low) && !(word.low === 'one' && at(place, index + 1)?.tag === 'NOUN')) return true;
    if (word.after !== '' || /^(?:and|or|then)$/.test(word.low)) break;
  }
  return false;
};

/** The words of one task: from index `from` up to, but excluding, index `to`. */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds where the tasks after a phrase begin and end. A task ends at another statement, a reason, a remark, or the verb of another task.
 * @returns the tasks, and whether a condition follows them ("I have to call him if it leaks").
 */
export const extentsOf = (
  words: readonly Word[],
  kind: PhraseKind,
): { readonly tasks: readonly Extent[]; readonly conditional: boolean } => {
  const place = { words, kind };
  const tasks: Extent[] = [];
  let from = 0;
  let conditional = false;
  for (let index = 0; index < words.length; index++) {
    const { gap, next } = gapAfter(place, index, from);
    if (gap === 'on') continue;
    if (gap === 'task') {
      if (goesOn(place, { from, to: index + 1 }, next)) continue;
      tasks.push({ from, to: index + 1 });
      from = next;
      index = next - 1;
      continue;
    }
    tasks.push({ from, to: index + 1 });
    conditional = gap === 'condition';
    break;
  }
  return { tasks, conditional };
};
