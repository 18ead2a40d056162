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
 * Returns a function that sends questions over a message port. `answerQuestions` must serve the other end.
 *
 * Without `keepsAlive`, the port does not keep the thread alive. The caller owns and closes the port. After the close,
 * all awaited and later questions resolve with `unanswered`.
 * @param keepsAlive whether the port keeps the thread alive while an answer is awaited.
 * @returns a function that sends a question and resolves with the answer. The function transfers the memory in `moved`.
 * Its promise never rejects.
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

/** Answers the questions that arrive at a message port. @param answer returns the answer; must never reject */
export const answerQuestions = <Question, Answer>(
  port: MessagePort,
  answer: (question: Question) => Promise<Answer>,
): void => {
  port.on('message', ({ id, question }: Asked<Question>) => {
    void answer(question).then((given) => port.postMessage({ id, answer: given } satisfies Answered<Answer>));
  });
  port.unref();
};
