import type { FixedLimit } from './fixed-limit.js';

/** Limits of splits and merges that users can undo. */
export const undoLimits = {
  undoFacts: {
    value: 4_194_304,
    unit: 'bytes',
    bounds:
      'Maximum size of what is stored to undo a split or a merge of conversations. It grows with the number of segments.',
    protects: 'the disk of the database, from one user',
    client: 'the answer has `"undo": null`',
  },
  undosPerUser: {
    value: 20,
    unit: 'changes',
    bounds:
      'Maximum number of splits and merges that one user can undo. A further change replaces the oldest.',
    protects: 'the disk of the database, from one user',
    client: 'HTTP 404 `undo_ended`',
  },
  undoAge: {
    value: 24,
    unit: 'hours',
    bounds: 'Time for which a split or a merge of conversations can be undone.',
    protects: 'the disk of the database, and the earlier summaries of users',
    client: 'HTTP 404 `undo_ended`',
  },
} as const satisfies Record<string, FixedLimit>;
