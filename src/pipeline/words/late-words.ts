import { randomUUID } from 'node:crypto';
import { finishInSlices } from '../../common/index.js';
import { speechIn, timeZoneOf } from '../../service/records/index.js';
import type { TransactionSql } from '../../store/client/index.js';
import { type LatePlace, mergeLateWords } from '../../store/conversations/index.js';
import { cutSegment, insertLate, placeSegment, type SpokenSegment } from '../../transcript/index.js';

/** Stores words that were transcribed after their stream had ended, with the rules of `mergeLateWords`. */
export const storeLateWords = (
  sql: TransactionSql,
  place: LatePlace,
  spoken: readonly SpokenSegment[],
): Promise<string | null | undefined> =>
  mergeLateWords(
    sql,
    {
      ...place,
      change: (stored, startedAt) =>
        finishInSlices(
          insertLate(
            stored,
            spoken.flatMap(cutSegment).map((segment) => placeSegment(segment, startedAt)),
          ),
        ),
      usage: async (...counted) => speechIn(...counted, await timeZoneOf(sql, place.uid)),
    },
    randomUUID(),
  );
