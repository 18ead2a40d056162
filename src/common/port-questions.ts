import type { MessagePort, TransferListItem } from 'node:worker_threads';

interface Asked<Question> {
  readonly id: number;
  readonly question: Question;
}

interface Answered<Answer> {
  readonly id: number;
  readonly answer: Answer;
}

/**
 * The end of a port that asks; `answerQuestions` serves the other one. The port keeps no thread alive; the caller, who made it, closes it.
 * Then every awaited question resolves with `unanswered`, and so does every later one.
 * @param keepsAlive whether the port keeps the thread alive while an answer is awaited.
 * @returns asks a question. Its `moved` memory is transferred. Never rejects.
 */
export const askQuestions = <Question, Answer>(
  port: MessagePort,
  unanswered: Answer,
  keepsAlive = false,
): ((question: Question, moved?: readonly ArrayBufferLike[]) => Promise<Answer>) => {
  const awaited = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  let closed = false;
  const settle = ({ id, answer }: Answered<Answer>): void => {
    const resolve = awaited.get(id);
    awaited.delete(id);
    if (awaited.size === 0) port.unref();
    resolve?.(answer);
  };
  port.on('message', settle);
  port.on('close', () => {
    closed = true;
    for (const id of [...awaited.keys()]) settle({ id, answer: unanswered });
  });
  port.unref();
  return (question, moved = []) => {
    if (closed) return Promise.resolve(unanswered);
    return new Promise((resolve) => {
      const id = ++lastId;
      awaited.set(id, resolve);
      if (keepsAlive) port.ref();
      port.postMessage({ id, question } satisfies Asked<Question>, moved as TransferListItem[]);
    });
  };
};

/** Serves the other end of a port. @param answer never rejects. */
export const answerQuestions = <Question, Answer>(
  port: MessagePort,
  answer: (question: Question) => Promise<Answer>,
): void => {
  port.on('message', ({ id, question }: Asked<Question>) => {
    void answer(question).then((given) => port.postMessage({ id, answer: given } satisfies Answered<Answer>));
  });
  port.unref();
};
