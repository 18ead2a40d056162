import { dayBounds, localDay } from '../../service/rules/index.js';
import type { AfterSummary, Summary } from '../../store/conversations/index.js';
import type { ConversationInput } from '../input/index.js';
import type { StepContext } from '../work/index.js';

/** Characters of a transcript under which no memory is looked for in it. */
const shortestForMemories = 25;
/** Characters of an overview under which it says nothing about goals. */
const shortestForGoals = 10;
/** Ms after the end of a day until it is summarised, so that the last conversation of the day is in it. */
const afterDay = 15 * 60_000;

/** The steps that follow from the summary of a conversation, and the day whose summary it belongs to. */
export const followingOf = (
  { model }: StepContext,
  { owner, transcript, text }: ConversationInput,
  { structured, discarded }: Summary,
): Omit<AfterSummary, 'end'> => {
  if (discarded) return { steps: [], day: null };
  const steps: AfterSummary['steps'] = [
    { step: 'action_items', again: true },
    // Without a model the folder of the category is all there is, and the summary has it.
    ...(model === null ? [] : [{ step: 'folder' as const, again: true }]),
    ...(text.length < shortestForMemories ? [] : [{ step: 'memories' as const, again: true }]),
    // Progress is taken from a conversation once, whatever is found in it later.
    ...(structured.overview.length < shortestForGoals
      ? []
      : [{ step: 'goal_progress' as const, again: false }]),
  ];
  const day = localDay(transcript.startedAt, owner.timeZone);
  const due = new Date(Math.max(Date.now(), dayBounds(day, owner.timeZone).end.getTime() + afterDay));
  return { steps, day: { uid: owner.uid, day, due } };
};
