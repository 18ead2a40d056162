/** Limits of the words that are searched; entries of `fixedLimits`. The functions of the database have the same values. */
export const searchLimits = {
  searchRun: {
    value: 100,
    unit: 'characters',
    bounds:
      'Text without a blank that the full-text parser of PostgreSQL reads as one; in a longer run it reads a blank behind some of the punctuation. Letters and digits alone are not bounded.',
    protects: 'the time of the database: the parser takes time with the square of such a run',
    client: 'nothing; parts of a long address are found, not all of it as one word',
  },
  searchTime: {
    value: 1000,
    unit: 'ms',
    bounds:
      'Time in which a transaction reads the words of texts of more than 1,000 bytes. Later texts are stored, and their words read in the background.',
    protects: 'the connections and the time of the database from one request',
    client: 'nothing; some texts are found by their words seconds later',
  },
} as const;
