import type { StepName } from '../../wire/index.js';
import { actionItemsStep } from './action-items.js';
import { dailySummaryStep } from './daily-summary.js';
import { folderStep } from './folder.js';
import { goalProgressStep } from './goal-progress.js';
import { memoriesStep } from './memories.js';
import type { Step } from './step.js';
import { structureStep } from './structure.js';

/**
 * All steps by name. The types of input and result are declared where each step is defined. Here they are `unknown`.
 */
export const steps: Readonly<Record<StepName, Step<unknown, unknown>>> = {
  structure: structureStep as Step<unknown, unknown>,
  folder: folderStep as Step<unknown, unknown>,
  action_items: actionItemsStep as Step<unknown, unknown>,
  memories: memoriesStep as Step<unknown, unknown>,
  goal_progress: goalProgressStep as Step<unknown, unknown>,
  daily_summary: dailySummaryStep as Step<unknown, unknown>,
};
