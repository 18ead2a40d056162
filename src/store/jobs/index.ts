/** Statements for jobs, steps and used model tokens. Statements that take waiting work let users take turns. */
export {
  countJobs,
  countOpenJobs,
  type JobRow,
  type JobState,
  jobStates,
  listJobs,
  retryJobs,
} from './jobs.js';
export { correctTokens, sweepModelTokens, takeTokens } from './model-tokens.js';
export {
  areStepsEnded,
  type BegunStep,
  beginStep,
  endStep,
  postponeStep,
  recordStep,
  requestDay,
  requestSteps,
  type StepEnd,
  sweepSteps,
  takeDueSteps,
  type WantedDay,
  type WantedStep,
} from './steps.js';
export { postponeSummary, sweepOrphans, type TurnsTaken, takeWaitingConversations } from './sweep.js';
