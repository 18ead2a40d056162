/**
 * Processing steps after the end of a conversation or of a day. `once`: the record of the completed step is never
 * removed, so that the step is not repeated by mistake.
 */
const steps = {
  structure: {},
  memories: {},
  action_items: {},
  folder: {},
  goal_progress: { once: true },
  daily_summary: { once: true },
} as const;

export type StepName = keyof typeof steps;

export const stepNames = Object.keys(steps) as StepName[];

export const onceSteps = stepNames.filter((name) => 'once' in steps[name]);

/** Identifies one run of a step. */
export interface StepRun {
  readonly step: StepName;
  /** The conversation's id. For a step after a day: the user and the day. */
  readonly key: string;
  readonly run: number;
}
