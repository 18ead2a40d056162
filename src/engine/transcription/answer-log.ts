import type { Logger } from '../../log/index.js';
import type { UtteranceRequest, UtteranceResult } from '../../stt/shared/index.js';

/** Times of one transcription of an utterance. `answered` and `asked` are monotonic, in ms. */
export interface AnswerTimes {
  /** Time of the request. For a final text: time at which the gate reported the end of the utterance. */
  readonly asked: number;
  readonly answered: number;
  /** Time at which the words were used: later than `answered` if an earlier utterance of the stream had no words yet. */
  readonly used: number;
}

/**
 * Logs when a transcription was requested and answered, at the level debug. `bench words` computes from these lines what
 * a late word waited for. The line has only times and lengths, never text. `from` and `to` are the audio of the request
 * in ms of the stream. `reached` is the end of the last recognised word. `took` is the ms until the answer, and `held`
 * the ms from the answer until its use.
 */
export const logAnswer = (
  log: Logger,
  { start, end, interim }: Pick<UtteranceRequest, 'start' | 'end' | 'interim'>,
  { outcome, looped, waited, decoded, words = [] }: UtteranceResult,
  { asked, answered, used }: AnswerTimes,
): void => {
  const last = words.at(-1);
  const from = start * 1000;
  log.debug(
    {
      interim: interim === true,
      from: Math.round(from),
      to: Math.round(end * 1000),
      ...(last === undefined ? {} : { reached: Math.round(from + last.end) }),
      outcome,
      looped: looped === true,
      took: Math.round(answered - asked),
      waited: Math.round(waited),
      decoded: Math.round(decoded),
      held: Math.round(used - answered),
    },
    'speech transcribed',
  );
};

/** Logs the answer to a request about an open utterance as soon as it arrives. */
export const logInterim = (
  log: Logger,
  { start, end }: UtteranceRequest,
  result: Promise<UtteranceResult>,
  clock: { monotonic(): number },
): void => {
  const asked = clock.monotonic();
  result.then(
    (found) => {
      const answered = clock.monotonic();
      logAnswer(log, { start, end, interim: true }, found, { asked, answered, used: answered });
    },
    // The caller handles the error.
    () => undefined,
  );
};
