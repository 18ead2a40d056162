import type { FastifyReply } from 'fastify';
import { CochleaError } from '../../errors/index.js';

/** Answers that take as long as their clients read. */
const lasting = new WeakSet<FastifyReply>();

/** Ends the time of a request whose answer begins now. The front cuts a client off that reads too slowly. */
export const letLast = (reply: FastifyReply): void => {
  lasting.add(reply);
};

const answerLate = (reply: FastifyReply): void => {
  if (reply.sent || lasting.has(reply)) return;
  // An answer whose beginning is sent can only be broken off.
  if (reply.raw.headersSent) reply.raw.destroy();
  else reply.send(new CochleaError('request_timeout'));
};

/** A request under way, in the list of those with the same time. */
interface Deadline {
  readonly reply: FastifyReply;
  /** When its time ends, ms of the monotonic clock. */
  readonly end: number;
  earlier: Deadline | undefined;
  later: Deadline | undefined;
  isListed: boolean;
}

/**
 * The requests that have the same time, in the order in which it ends. They share one timer, which stays when the last of them is
 * answered: to set and clear a timer for each request costs more than to look once whether one is late.
 *
 * They are a linked list and no Map: a Map makes a new table after some removals, to which V8 links the old one, with what was in it. Once
 * one table is old, all later ones outlive the collections of young objects, and with them a part of all requests.
 */
class Deadlines {
  readonly #milliseconds: number;
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** @returns what `remove` is given. */
  add(reply: FastifyReply): Deadline {
    const added: Deadline = {
      reply,
      end: performance.now() + this.#milliseconds,
      earlier: this.#last,
      later: undefined,
      isListed: true,
    };
    if (this.#last === undefined) this.#first = added;
    else this.#last.later = added;
    this.#last = added;
    if (this.#timer === undefined) this.#wait(this.#milliseconds);
    else if (this.#first === added) this.#timer.ref();
    return added;
  }

  /** One whose time has ended is removed already. */
  remove(deadline: Deadline): void {
    if (!deadline.isListed) return;
    deadline.isListed = false;
    const { earlier, later } = deadline;
    if (earlier === undefined) this.#first = later;
    else earlier.later = later;
    if (later === undefined) this.#last = earlier;
    else later.earlier = earlier;
    // One that is removed keeps no other alive.
    deadline.earlier = undefined;
    deadline.later = undefined;
    // Without requests the timer does not keep the process alive.
    if (this.#first === undefined) this.#timer?.unref();
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#look(), milliseconds);
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let first = this.#first; first !== undefined; first = this.#first) {
      // A timer may come up to a millisecond early.
      if (first.end - now >= 1) {
        this.#wait(first.end - now);
        return;
      }
      this.remove(first);
      answerLate(first.reply);
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
  const deadline = list.add(reply);
  // Comes once, after every answer, and when the client has left.
  reply.raw.on('close', () => list.remove(deadline));
};
