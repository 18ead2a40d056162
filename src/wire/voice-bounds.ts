/** Bounds of the voices that are kept of one user: recordings of each person, and people with a recording. */
export const voiceBounds = { samples: 3, people: 100 } as const;
