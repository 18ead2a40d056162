import { dayBounds, localDay } from '../../common/local-time/index.js';
import type { AfterSummary, Summary } from '../../store/conversations/index.js';
import { onceSteps, type StepName, stepNames } from '../../wire/index.js';
import type { ConversationInput } from '../input/index.js';
import type { StepContext } from '../work/index.js';

/** Minimum characters of a transcript that is searched for memories. */
const shortestForMemories = 25;
/** Minimum characters of an overview whose conversation is searched for goal progress. */
const shortestForGoals = 10;
/** Ms between the end of a day and its summary. They give the last conversation of the day time to end. */
const afterDay = 15 * 60_000;

/** Returns the steps that follow the summary of a conversation, and the day for which a daily summary follows. */
export const followingOf = (
  { model }: StepContext,
  { owner, transcript, text }: ConversationInput,
  { structured, discarded }: Summary,
): Omit<AfterSummary, 'end'> => {
  if (discarded) return { steps: [], day: null };
  const follow: Partial<Record<StepName, boolean>> = {
    action_items: true,
    // Without a model, the category alone determines the folder, and the summary already has that folder.
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
