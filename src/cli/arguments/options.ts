import type { CreateOptions, ListOptions } from './arguments.js';

export interface State {
  readonly completed?: boolean;
  readonly open?: boolean;
}

export interface ActionItemListOptions extends ListOptions, State {
  readonly conversationId?: string;
  readonly startDate?: string;
  readonly since?: string;
  readonly endDate?: string;
}

export interface NewActionItem extends CreateOptions, State {
  readonly dueAt?: string;
}

export interface ActionItemChange extends State {
  readonly description?: string;
  readonly dueAt?: string;
  readonly clearDueAt?: boolean;
}

export interface AskOptions {
  readonly limit: number;
  readonly timezone?: string;
}

export interface LoginOptions {
  readonly browser?: boolean;
  readonly provider?: string;
  readonly apiKey?: string;
  readonly open: boolean;
}

export interface ChatOptions {
  readonly timezone?: string;
  readonly history?: boolean;
}

export interface ConversationListOptions extends ListOptions {
  readonly startDate?: string;
  readonly since?: string;
  readonly endDate?: string;
  readonly categories?: string;
  readonly folderId?: string;
  readonly starred?: boolean;
  readonly notStarred?: boolean;
  readonly includeTranscript?: boolean;
}

export interface Origin extends CreateOptions {
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly language: string;
}

export interface TextOptions extends Origin {
  readonly text?: string;
  readonly textSource: string;
  readonly textSourceSpec?: string;
}

export interface SegmentsOptions extends Origin {
  readonly source?: string;
}

export interface ConversationChange {
  readonly title?: string;
  readonly discarded?: boolean;
  readonly starred?: boolean;
  /** False takes it out of its folder. */
  readonly folder?: string | false;
}

export interface SummaryListOptions extends ListOptions {
  readonly startDate?: string;
  readonly endDate?: string;
}

export interface GoalListOptions extends ListOptions {
  readonly includeInactive?: boolean;
}

export interface GoalFields {
  readonly title?: string;
  readonly type?: string;
  readonly target?: number;
  readonly current?: number;
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  readonly clearUnit?: boolean;
  readonly whyItMatters?: string;
  readonly clearWhyItMatters?: boolean;
  readonly successCriterion?: readonly string[];
  readonly clearSuccessCriteria?: boolean;
  readonly horizonAt?: string;
  readonly clearHorizon?: boolean;
}

export type NewGoal = Omit<GoalFields, 'title'> & CreateOptions;

export interface MemoryListOptions extends ListOptions {
  readonly categories?: string;
  readonly since?: string;
}

export interface MemoryChange {
  readonly content?: string;
  readonly category?: string;
  readonly visibility?: string;
  readonly tag?: readonly string[];
}

export type NewMemory = MemoryChange & CreateOptions;
