/** Kinds of hostile accounts that use REST. Each kind has an ordinary form with requests to the same routes. */
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

/** The behaviour of an account beside the honest user: the ordinary or the hostile form of a kind. */
export const forms = ['ordinary', 'hostile'] as const;
export type Form = (typeof forms)[number];

export interface RestKindTraits {
  /** The honest user also sends voice messages, in this format. */
  readonly voice?: 'ogg' | 'mp3';
  /** A language model is configured. */
  readonly model?: true;
  /** The honest user also asks questions. */
  readonly questions?: true;
  /** The duration of the honest user's jobs is judged. */
  readonly jobs?: true;
  /** Ms after a phase in which other accounts may wait for their answers. Then their connections are cut. */
  readonly drain: number;
}

/** Longer than the product's time limit of a request, so that a 504 shows. */
const untilTimeLimit = 33_000;

export const restKindTraits: Readonly<Record<RestKind, RestKindTraits>> = {
  'search-text': { drain: untilTimeLimit },
  'empty-ogg': { voice: 'ogg', drain: untilTimeLimit },
  // No wait: decoding all files of a phase takes minutes.
  'wide-audio': { voice: 'mp3', drain: 0 },
  'slow-pages': { drain: 0 },
  'long-summaries': { jobs: true, drain: untilTimeLimit },
  'many-jobs': { model: true, jobs: true, drain: untilTimeLimit },
  'model-timeouts': { model: true, questions: true, jobs: true, drain: untilTimeLimit },
};
