/**
 * Limits of the text that the search covers. They are part of `fixedLimits`, and the SQL functions of the search
 * contain the same values.
 */
export const searchLimits = {
  searchRun: {
    value: 100,
    unit: 'characters',
    bounds:
      'Maximum length of a text without a blank that the full-text parser of PostgreSQL reads as one run. Longer runs get blanks after some punctuation. Runs of only letters and digits are unlimited.',
    protects: 'the time of the database: the parser needs quadratic time for such a run',
    client: 'nothing; parts of a long address are found, but not the whole as one word',
  },
  searchTime: {
    value: 1000,
    unit: 'ms',
    bounds:
      'Maximum time in which a transaction indexes texts over 1,000 bytes. Further texts are stored and indexed in the background.',
    protects: 'the connections and the time of the database from one request',
    client: 'nothing; some texts are found by their words seconds later',
  },
} as const;
