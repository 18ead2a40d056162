import type { FastifyReply } from 'fastify';
import { CochleaError } from '../errors/index.js';

const answerLate = (reply: FastifyReply): void => {
  if (reply.sent) return;
  // An answer whose beginning is sent can only be broken off.
  if (reply.raw.headersSent) reply.raw.destroy();
  else reply.send(new CochleaError('request_timeout'));
};

/**
 * The requests that have the same time, in the order in which it ends. They share one timer, which stays when the last of them is
 * answered: to set and clear a timer for each request costs more than to look once whether one is late.
 */
class Deadlines {
  readonly #milliseconds: number;
  /** When the time of each ends, ms of the monotonic clock. */
  readonly #ends = new Map<FastifyReply, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  add(reply: FastifyReply): void {
    this.#ends.set(reply, performance.now() + this.#milliseconds);
    if (this.#timer === undefined) this.#wait(this.#milliseconds);
    else if (this.#ends.size === 1) this.#timer.ref();
  }

  remove(reply: FastifyReply): void {
    // Without requests the timer does not keep the process alive.
    if (this.#ends.delete(reply) && this.#ends.size === 0) this.#timer?.unref();
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#look(), milliseconds);
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [reply, end] of this.#ends) {
      // A timer may come up to a millisecond early.
      if (end - now >= 1) {
        this.#wait(end - now);
        return;
      }
      this.#ends.delete(reply);
      answerLate(reply);
    }
  }
}

/** By their ms. There are as many as routes declare different times. */
const deadlines = new Map<number, Deadlines>();

const deadlinesOf = (milliseconds: number): Deadlines => {
  const known = deadlines.get(milliseconds);
  if (known) return known;
  const made = new Deadlines(milliseconds);
  deadlines.set(milliseconds, made);
  return made;
};

/**
 * Answers a request with `request_timeout` when it has no answer after some time. Fastify's own option does the same with an
 * AbortController for each request, which it aborts after every answer, too: a twentieth of what a request costs.
 * @param milliseconds from now.
 */
export const limitTime = (reply: FastifyReply, milliseconds: number): void => {
  const list = deadlinesOf(milliseconds);
  list.add(reply);
  // Comes once, after every answer, and when the client has left.
  reply.raw.on('close', () => list.remove(reply));
};
