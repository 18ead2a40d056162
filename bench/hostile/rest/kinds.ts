/** Kinds of hostile accounts that use REST. Each kind has an ordinary form with the same requests. */
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

/** What an account beside the honest user sends: the ordinary or the hostile form of a kind. */
export const forms = ['ordinary', 'hostile'] as const;
export type Form = (typeof forms)[number];

export interface RestKindTraits {
  /** Voice messages that the honest user sends, too. */
  readonly voice?: 'ogg' | 'mp3';
  /** A language model is configured. */
  readonly model?: true;
  /** The honest user asks questions, too. */
  readonly questions?: true;
  /** The time until the honest user's jobs are done is judged. */
  readonly jobs?: true;
  /** Ms after a phase in which other accounts may wait for their answers; then their connections are cut. */
  readonly drain: number;
}

/** Longer than the product lets a request run, so that a 504 is seen. */
const untilTimeLimit = 33_000;

export const restKindTraits: Readonly<Record<RestKind, RestKindTraits>> = {
  'search-text': { drain: untilTimeLimit },
  'empty-ogg': { voice: 'ogg', drain: untilTimeLimit },
  // Decoding all files of a phase takes minutes.
  'wide-audio': { voice: 'mp3', drain: 0 },
  'slow-pages': { drain: 0 },
  'long-summaries': { jobs: true, drain: untilTimeLimit },
  'many-jobs': { model: true, jobs: true, drain: untilTimeLimit },
  'model-timeouts': { model: true, questions: true, jobs: true, drain: untilTimeLimit },
};
