import { UserSums } from '../../common/index.js';

/** A part of one call of `embed`. Its texts are embedded together. */
interface Task {
  readonly texts: readonly string[];
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface EmbedTurnsOptions {
  /** Computes the vectors of several texts. */
  readonly run: (texts: readonly string[]) => Promise<Float32Array[]>;
  /** Maximum number of texts in one task. With shorter tasks, other users get their turn sooner. */
  readonly taskTexts: number;
  /** Number of tasks that the thread gets at once, so that it does not have to wait for its next task. */
  readonly atOnce: number;
  /** Maximum number of waiting texts of all users together. */
  readonly mostWaiting: number;
  /** Maximum number of waiting texts of one user. */
  readonly mostWaitingOfUser: number;
}

/**
 * Shares the model's thread among users. Waiting users take turns, and each turn computes one task. So a search waits
 * for at most one task of each other waiting user, even if those users have many texts.
 */
export class EmbedTurns {
  /** Waiting tasks by user, in the order of the users' next turns. A new user, or a user after a turn, is last. */
  readonly #users = new Map<string, Task[]>();
  /** Number of texts that wait or are being computed, by user. */
  readonly #texts = new UserSums();
  #running = 0;

  constructor(private readonly options: EmbedTurnsOptions) {}

  /** Number of texts that wait or are being computed. */
  get waiting(): number {
    return this.#texts.all;
  }

  /** Computes the vector of each text. @returns undefined if too many texts wait. */
  async embed(user: string, texts: readonly string[]): Promise<Float32Array[] | undefined> {
    const { mostWaiting, mostWaitingOfUser, taskTexts } = this.options;
    const own = this.#texts.of(user) + texts.length;
    if (own > mostWaitingOfUser || this.#texts.all + texts.length > mostWaiting) return undefined;
    this.#texts.add(user, texts.length);
    const tasks: Promise<Float32Array[]>[] = [];
    for (let at = 0; at < texts.length; at += taskTexts) {
      tasks.push(this.#enqueue(user, texts.slice(at, at + taskTexts)));
    }
    try {
      return (await Promise.all(tasks)).flat();
    } finally {
      this.#texts.add(user, -texts.length);
    }
  }

  #enqueue(user: string, texts: readonly string[]): Promise<Float32Array[]> {
    return new Promise((resolve, reject) => {
      const task = { texts, resolve, reject };
      const line = this.#users.get(user);
      if (line) line.push(task);
      else this.#users.set(user, [task]);
      this.#next();
    });
  }

  #next(): void {
    if (this.#running >= this.options.atOnce) return;
    const [turn] = this.#users;
    if (!turn) return;
    const [user, line] = turn;
    const task = line.shift()!;
    this.#users.delete(user);
    if (line.length > 0) this.#users.set(user, line);
    this.#running++;
    this.options
      .run(task.texts)
      .then(task.resolve, task.reject)
      .finally(() => {
        this.#running--;
        this.#next();
      });
  }
}
