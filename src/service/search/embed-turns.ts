import { UserSums } from '../../common/index.js';

/** A part of a request that is embedded in one piece. */
interface Task {
  readonly texts: readonly string[];
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface EmbedTurnsOptions {
  /** Computes the vectors of a few texts. */
  readonly run: (texts: readonly string[]) => Promise<Float32Array[]>;
  /** Texts of one task: the shorter it is, the sooner another user has a turn. */
  readonly taskTexts: number;
  /** Tasks that are handed over at once, so that the thread finds the next one when it ends one. */
  readonly atOnce: number;
  /** Texts that may wait of all users, and of one. */
  readonly mostWaiting: number;
  readonly mostWaitingOfUser: number;
}

/**
 * Shares the model's thread among users: turns go round those that wait, and a turn is one task. Many questions of one user delay
 * another's search by one task of each user that waits, however many texts they have.
 */
export class EmbedTurns {
  readonly #options: EmbedTurnsOptions;
  /** Tasks that wait, by user, in the order of their next turns; one that comes, or has had a turn, is the last. */
  readonly #users = new Map<string, Task[]>();
  /** Texts that wait or are being worked out, by user. */
  readonly #texts = new UserSums();
  #running = 0;

  constructor(options: EmbedTurnsOptions) {
    this.#options = options;
  }

  /** Texts that wait or are being worked out. */
  get waiting(): number {
    return this.#texts.all;
  }

  /** The vector of each text. @returns undefined when too many texts wait. */
  async embed(user: string, texts: readonly string[]): Promise<Float32Array[] | undefined> {
    const { mostWaiting, mostWaitingOfUser, taskTexts } = this.#options;
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
    if (this.#running >= this.#options.atOnce) return;
    const [turn] = this.#users;
    if (!turn) return;
    const [user, line] = turn;
    const task = line.shift()!;
    this.#users.delete(user);
    if (line.length > 0) this.#users.set(user, line);
    this.#running++;
    this.#options
      .run(task.texts)
      .then(task.resolve, task.reject)
      .finally(() => {
        this.#running--;
        this.#next();
      });
  }
}
