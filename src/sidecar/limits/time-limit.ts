import type { FastifyReply } from 'fastify';
import { CochleaError } from '../../errors/index.js';

/** Answers without a time limit. Such an answer may take until its client has read it. */
const lasting = new WeakSet<FastifyReply>();

/** Removes the time limit of a request when its answer begins. The front disconnects clients that read too slowly. */
export const letLast = (reply: FastifyReply): void => {
  lasting.add(reply);
};

const answerLate = (reply: FastifyReply): void => {
  if (reply.sent || lasting.has(reply)) return;
  // An answer in progress cannot become an error, so its connection is closed.
  if (reply.raw.headersSent) reply.raw.destroy();
  else reply.send(new CochleaError('request_timeout'));
};

/** A running request, in the list of requests with the same timeout. */
interface Deadline {
  readonly reply: FastifyReply;
  /** When the time limit is reached, in ms of the monotonic clock. */
  readonly end: number;
  earlier: Deadline | undefined;
  later: Deadline | undefined;
  isListed: boolean;
}

/**
 * Requests with the same timeout, in the order of their deadlines. They share one timer, which stays active after the
 * last answer. Setting and clearing a timer for each request would cost more. A linked list holds the requests, because
 * a Map would keep finished requests in memory. A Map replaces its table from time to time, and V8 links each replaced
 * table to the new one. So young collections cannot free what a replaced table in the old generation refers to.
 */
class Deadlines {
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly milliseconds: number) {}

  /**
   * Adds a deadline. @returns the argument for `remove`.
   */
  add(reply: FastifyReply): Deadline {
    const added: Deadline = {
      reply,
      end: performance.now() + this.milliseconds,
      earlier: this.#last,
      later: undefined,
      isListed: true,
    };
    if (this.#last === undefined) this.#first = added;
    else this.#last.later = added;
    this.#last = added;
    if (this.#timer === undefined) this.#wait(this.milliseconds);
    else if (this.#first === added) this.#timer.ref();
    return added;
  }

  /** Removes a deadline. Does nothing if it was already removed or reached. */
  remove(deadline: Deadline): void {
    if (!deadline.isListed) return;
    deadline.isListed = false;
    const { earlier, later } = deadline;
    if (earlier === undefined) this.#first = later;
    else earlier.later = later;
    if (later === undefined) this.#last = earlier;
    else later.earlier = earlier;
    // Clears the links, because a removed deadline must not keep others in memory.
    deadline.earlier = undefined;
    deadline.later = undefined;
    // Without requests the timer must not keep the process alive.
    if (this.#first === undefined) this.#timer?.unref();
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#look(), milliseconds);
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let first = this.#first; first !== undefined; first = this.#first) {
      // Waits again if the timer fired early. Timers may fire up to a millisecond early.
      if (first.end - now >= 1) {
        this.#wait(first.end - now);
        return;
      }
      this.remove(first);
      answerLate(first.reply);
    }
  }
}

/** Deadlines by timeout in ms. There is one entry for each different timeout that routes declare. */
const deadlines = new Map<number, Deadlines>();

const deadlinesOf = (milliseconds: number): Deadlines => {
  const known = deadlines.get(milliseconds);
  if (known) return known;
  const made = new Deadlines(milliseconds);
  deadlines.set(milliseconds, made);
  return made;
};

/**
 * Answers a request with `request_timeout` if it has no answer in time. Replaces Fastify's own option, which creates an AbortController for
 * each request and aborts it after every answer. That would take 5 % of a request's time.
 * @param milliseconds from now.
 */
export const limitTime = (reply: FastifyReply, milliseconds: number): void => {
  const list = deadlinesOf(milliseconds);
  const deadline = list.add(reply);
  // `close` occurs once: after the answer, or when the client leaves.
  reply.raw.on('close', () => list.remove(deadline));
};
