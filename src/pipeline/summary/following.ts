import { dayBounds, localDay } from '../../service/rules/index.js';
import type { AfterSummary, Summary } from '../../store/conversations/index.js';
import { onceSteps, type StepName, stepNames } from '../../wire/index.js';
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
  const follow: Partial<Record<StepName, boolean>> = {
    action_items: true,
    // Without a model the folder of the category is all there is, and the summary has it.
    folder: model !== null,
    memories: text.length >= shortestForMemories,
    goal_progress: structured.overview.length >= shortestForGoals,
  };
  const steps = stepNames
    .filter((step) => follow[step])
    .map((step) => ({ step, again: !onceSteps.includes(step) }));
  const day = localDay(transcript.startedAt, owner.timeZone);
  const due = new Date(Math.max(Date.now(), dayBounds(day, owner.timeZone).end.getTime() + afterDay));
  return { steps, day: { uid: owner.uid, day, due } };
};
