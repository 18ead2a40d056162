import { UserSums } from '../../common/index.js';

/** A part of a request. Its texts are embedded together. */
interface Task {
  readonly texts: readonly string[];
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface EmbedTurnsOptions {
  /** Computes the vectors of several texts. */
  readonly run: (texts: readonly string[]) => Promise<Float32Array[]>;
  /** Texts of one task. Shorter tasks give other users a turn sooner. */
  readonly taskTexts: number;
  /** Tasks given to the thread at once, so that it never waits for the next one. */
  readonly atOnce: number;
  /** Maximum number of waiting texts: of all users, and of one user. */
  readonly mostWaiting: number;
  readonly mostWaitingOfUser: number;
}

/**
 * Shares the model's thread among users. Waiting users take turns, and a turn is one task. However many texts the others have, a search
 * waits for one task of each waiting user.
 */
export class EmbedTurns {
  /** Waiting tasks by user, in the order of the next turns. A new user, or one after a turn, is last. */
  readonly #users = new Map<string, Task[]>();
  /** Texts that wait or are being computed, by user. */
  readonly #texts = new UserSums();
  #running = 0;

  constructor(private readonly options: EmbedTurnsOptions) {}

  /** Texts that wait or are being computed. */
  get waiting(): number {
    return this.#texts.all;
  }

  /** The vector of each text. @returns undefined if too many texts wait. */
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
