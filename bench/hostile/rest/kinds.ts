/**
 * Kinds of hostile accounts that use REST. For each kind there are also ordinary accounts with requests to the same
 * routes.
 */
export const restKinds = [
  'search-text',
  'empty-ogg',
  'wide-audio',
  'slow-pages',
  'long-summaries',
  'many-jobs',
  'model-timeouts',
] as const;
export type RestKind = (typeof restKinds)[number];

/** How the accounts behave that send requests at the same time as the honest user. */
export const forms = ['ordinary', 'hostile'] as const;
export type Form = (typeof forms)[number];

export interface RestKindTraits {
  /** Format of the voice messages that the honest user sends; absent if it sends none. */
  readonly voice?: 'ogg' | 'mp3';
  /** Whether a language model is configured. */
  readonly model?: true;
  /** Whether the honest user also asks questions. */
  readonly questions?: true;
  /** Whether the duration of the honest user's jobs is judged. */
  readonly jobs?: true;
  /** Maximum ms that the other accounts wait for answers after a phase. Afterwards their connections are closed. */
  readonly drain: number;
}

/**
 * Ms to wait for an answer. The wait is longer than the product's time limit of a request, so that the client receives
 * the status 504.
 */
const untilTimeLimit = 33_000;

export const restKindTraits: Readonly<Record<RestKind, RestKindTraits>> = {
  'search-text': { drain: untilTimeLimit },
  'empty-ogg': { voice: 'ogg', drain: untilTimeLimit },
  // The accounts do not wait, because decoding all files of a phase takes minutes.
  'wide-audio': { voice: 'mp3', drain: 0 },
  'slow-pages': { drain: 0 },
  'long-summaries': { jobs: true, drain: untilTimeLimit },
  'many-jobs': { model: true, jobs: true, drain: untilTimeLimit },
  'model-timeouts': { model: true, questions: true, jobs: true, drain: untilTimeLimit },
};
