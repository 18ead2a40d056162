/** What the page of limits says about one limit. */
export interface LimitWords {
  /** What would suffer without it. */
  readonly protects: string;
  /** What a client sees when it exceeds the limit. */
  readonly client: string;
  /** The test file that exceeds it, from the checkout. */
  readonly test: string;
}

/** A limit that is a constant of the program rather than a setting. */
export interface FixedLimit extends LimitWords {
  readonly value: number;
  readonly unit: string;
  /** What is counted. */
  readonly bounds: string;
}

/**
 * Limits that an operator cannot change. The code that enforces one reads its value from here, so that `docs/limits.md`,
 * which is generated from this table and from the settings that carry `limit`, cannot say anything else.
 */
export const fixedLimits = {
  bodyGrace: {
    value: 10_000,
    unit: 'ms',
    bounds: 'Time before the rate of a request body is judged (`SLOWEST_BODY`).',
    protects: 'the places of other requests',
    client: 'HTTP 408 `body_too_slow`',
    test: 'test/front/exchange.test.ts',
  },
  answerStall: {
    value: 30_000,
    unit: 'ms',
    bounds: 'Time for which a client may read nothing of an answer.',
    protects: 'the places of other requests',
    client: 'the connection is cut',
    test: 'test/front/exchange.test.ts',
  },
  decoderFaults: {
    value: 6,
    unit: 'times in 10 minutes',
    bounds: 'utterances of a user that end or block the transcriber process',
    protects: 'the turns of other users, who wait for each restart',
    client:
      'nothing at once; further utterances of the user are retained on disk until the earliest is 10 minutes old',
    test: 'test/stt/decode-schedule.test.ts',
  },
} as const satisfies Record<string, FixedLimit>;
