import { boundedAnswer } from '../common/index.js';
import { fixedLimits } from '../config/limits/index.js';
import { CochleaError } from '../errors/index.js';

/** Works like `fetch`, but reading the body of an answer fails if the body is too long. */
export const boundedFetch = async (address: string, options: RequestInit): Promise<Response> =>
  boundedAnswer(
    await fetch(address, options),
    fixedLimits.issuerAnswer.value,
    () => new CochleaError('issuer_refused', { why: 'its answer is too long' }),
  );
