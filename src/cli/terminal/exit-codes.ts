/** Exit codes by name, in the order of the table in docs/command-line.md. A test compares the table with this list. */
export const exitCodes = {
  done: { code: 0, meaning: 'done' },
  refused: {
    code: 1,
    meaning: 'wrong arguments, or a request that the service refuses as invalid (400, 402, 409, 422)',
  },
  unauthorized: {
    code: 2,
    meaning: 'not signed in, or the credential is refused or not sufficient (401, 403)',
  },
  unavailable: {
    code: 3,
    meaning: 'the service fails (5xx), does not answer, or answers something unreadable',
  },
  limited: { code: 4, meaning: 'a rate limit is reached (429)' },
  absent: { code: 5, meaning: 'the record does not exist (404)' },
  interrupted: {
    code: 130,
    meaning: 'the user interrupted the command with Ctrl-C, or answered a question with no',
  },
} as const;

export type Outcome = keyof typeof exitCodes;
