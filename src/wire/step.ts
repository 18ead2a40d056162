/** The steps that follow the end of a conversation or of a day, in the order in which they are listed. */
export const stepNames = [
  'structure',
  'folder',
  'action_items',
  'memories',
  'goal_progress',
  'daily_summary',
] as const;

export type StepName = (typeof stepNames)[number];

/** Names one run of a step. */
export interface StepRun {
  readonly step: StepName;
  /** Of a conversation its id; of a day the user and the day. */
  readonly key: string;
  readonly run: number;
}
