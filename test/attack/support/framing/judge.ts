/** Sends a variant and reports which rules its outcome breaks. */
import { parseAnswers } from '../http-answers.js';
import type { AttackTarget } from '../target.js';
import { type Variant, Verdict } from './variant.js';

export interface Outcome {
  readonly received: Buffer;
  readonly closed: boolean;
}

/** Status codes that refuse a request for its framing or size, before a resource handles it. */
const refusals = new Set([400, 408, 411, 413, 414, 417, 431, 501, 505]);
/**
 * Timeout in ms for the first answer or the close. It is long because other checks load the machine. After a bare CR, the newer
 * uWebSockets.js also waits up to 16 s for the LF.
 */
const answerBound = 40_000;
/** If no answer is outstanding and no byte arrives for this time in ms, the exchange is complete. */
const quiet = 150;
/** Time in ms to wait for an answer to an incomplete request, which may stay unanswered. */
const silentBound = 400;

export const play = async (target: AttackTarget, variant: Variant, from: string): Promise<Outcome> => {
  const connection = await target.connect({ from });
  try {
    await connection.sendPieces(variant.pieces, 2);
    const answered = (): boolean => {
      const { answers, fault } = parseAnswers(connection.received, variant.methods, connection.isClosed);
      return fault !== null || answers.length > 0;
    };
    const bound = variant.incomplete ? silentBound : answerBound;
    await connection.until(answered, bound);
    await connection.settled(quiet, 1000);
    // On a busy machine the connection can close some time after the answer that announces the close.
    const { answers } = parseAnswers(connection.received, variant.methods, connection.isClosed);
    const ends = answers.some(({ headers }) => headers.connection?.toLowerCase() === 'close');
    if (ends || (variant.verdict === Verdict.refused && !variant.incomplete)) {
      await connection.closed(answerBound);
    }
    return { received: connection.received, closed: connection.isClosed };
  } finally {
    connection.destroy();
  }
};

const validationFaults = (body: Buffer): string[] => {
  const { detail } = JSON.parse(body.toString()) as { detail: unknown };
  if (!Array.isArray(detail)) return ['a 422 without a list of findings'];
  return detail.flatMap((finding) => {
    const members = Object.keys(finding).sort().join(',');
    return members === 'loc,msg,type' ? [] : [`a 422 with ${members}`];
  });
};

/** @returns the faults. Each line starts with the name of the variant. */
export const judge = (variant: Variant, outcome: Outcome, target: AttackTarget): string[] => {
  const { received, closed } = outcome;
  const { verdict, most = 1, methods, innerAllowed, incomplete } = variant;
  const { answers, rest, fault } = parseAnswers(received, methods, closed);
  const found: string[] = [];
  const text = received.toString('latin1');
  const { victim, attacker } = target;
  for (const secret of [victim.marker, victim.key, victim.token, victim.conversation]) {
    if (text.includes(secret)) found.push('received what belongs to the victim');
  }
  if (!innerAllowed && text.includes(attacker.marker)) found.push('the hidden request was answered');
  if (fault !== null) found.push(`no proper answer: ${fault}`);
  else if (rest.length > 0 && !closed)
    found.push(`half an answer: ${JSON.stringify(rest.toString('latin1').slice(0, 80))}`);
  if (answers.length > most) found.push(`${answers.length} answers`);
  const [first] = answers;
  const isRefusal = first === undefined ? closed : refusals.has(first.status);
  if (verdict === Verdict.served && (first === undefined || isRefusal)) {
    found.push(`not served: ${first?.status ?? (closed ? 'closed' : 'no answer')}`);
  }
  const isLast = answers.findIndex(({ headers }) => headers.connection?.toLowerCase() === 'close');
  if (isLast >= 0 && isLast < answers.length - 1) found.push('an answer behind one that closes');
  if (isLast >= 0 && !closed) found.push('left open by an answer that closes');
  if (verdict === Verdict.refused && !isRefusal) found.push(`not refused: ${first?.status ?? 'no answer'}`);
  if (verdict === Verdict.refused && !closed) found.push('left open after a refusal');
  if (verdict === Verdict.either && !incomplete && first === undefined && !closed) {
    found.push('neither an answer nor a close');
  }
  if (answers.some(({ status }) => status >= 500 && !refusals.has(status)))
    found.push(`status ${first?.status}`);
  for (const { status, body } of answers) if (status === 422) found.push(...validationFaults(body));
  return found.map((line) => `${variant.name}: ${line}`);
};
