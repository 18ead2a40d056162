/** The parts of a file that the queue reads. */
export interface ImportedAudio {
  readonly name: string;
  readonly size: number;
}

/** Why the service refused a file, and what the user can do. */
export interface FileError {
  readonly message: string;
  readonly remedy: string;
}

/** The answer to a file that was sent. */
export interface Accepted {
  /** Id of the job; null if the file was refused. */
  readonly job_id: string | null;
  readonly poll_after_ms: number;
  readonly errors: readonly FileError[];
}

/** The progress of a job. */
export interface Progress extends Omit<Accepted, 'job_id'> {
  readonly status: 'queued' | 'processing' | 'completed' | 'partial_failure' | 'failed';
  /** Ids of new conversations. */
  readonly new_memories: readonly string[];
  /** Ids of earlier conversations that received words. */
  readonly updated_memories: readonly string[];
  /** Why audio of the file is missing. */
  readonly incomplete?: string | undefined;
}

/** State of a file in the queue. `sent` is the sent share of its bytes, 0 to 1. */
export type ImportState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly sent: number }
  | { readonly kind: 'transcribing'; readonly begun: boolean }
  | { readonly kind: 'done'; readonly conversations: readonly string[]; readonly incomplete: string | null }
  | { readonly kind: 'failed'; readonly why: string };

export interface ImportItem<File extends ImportedAudio> {
  readonly id: number;
  readonly file: File;
  /** When the recording began: ISO 8601. */
  readonly startedAt: string;
  readonly state: ImportState;
}

/**
 * Sends files to the service, and asks for the progress of their jobs. The page shows the messages of errors that the
 * methods throw.
 */
export interface Transport<File extends ImportedAudio> {
  /** @param sent is called with the sent share of the bytes. */
  send(file: File, startedAt: string, sent: (share: number) => void, signal: AbortSignal): Promise<Accepted>;
  progress(job: string): Promise<Progress>;
  /** Waits for some ms. Rejects if the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Whether an error of `progress` may be temporary. If so, the request is repeated. */
  isPassing(error: unknown): boolean;
}

/** If more than this many successive requests for a job's progress fail, the file counts as failed. */
const mostFailures = 20;
const retryAfter = 5000;

const failed = (errors: readonly FileError[]): ImportState => ({
  kind: 'failed',
  why:
    errors.length === 0
      ? 'The audio could not be transcribed.'
      : errors.map(({ message, remedy }) => `${message.replace(/\.$/, '')}. ${remedy}`).join(' '),
});

const sentence = (error: unknown): string => `${(error as Error).message.replace(/\.$/, '')}.`;

/**
 * Sends files one after another. While one file is transcribed, the next is sent. A file that was cancelled leaves the
 * queue.
 */
export class ImportQueue<File extends ImportedAudio> {
  #items: readonly ImportItem<File>[] = [];
  readonly #running = new Map<number, AbortController>();
  #next = 1;
  #sending = false;

  /** @param changed called with all files after each change. */
  constructor(
    private readonly transport: Transport<File>,
    private readonly changed: (items: readonly ImportItem<File>[]) => void,
  ) {}

  /** Whether a file waits or is being sent. Such a file is lost if the user leaves the page. */
  get isSending(): boolean {
    return this.#items.some(({ state: { kind } }) => kind === 'waiting' || kind === 'sending');
  }

  /** Adds files to the queue. @param files each with the time at which its recording began */
  add(files: readonly { readonly file: File; readonly startedAt: string }[]): void {
    const added = files.map((given) => ({ ...given, id: this.#next++, state: { kind: 'waiting' } as const }));
    this.#show([...this.#items, ...added]);
    void this.#run();
  }

  /** Sends a failed file again. */
  retry(id: number): void {
    if (this.#find(id)?.state.kind !== 'failed') return;
    this.#set(id, { kind: 'waiting' });
    void this.#run();
  }

  /**
   * Removes a file. If it is being sent, cancels the sending. If it is being transcribed, the service continues its
   * job.
   */
  remove(id: number): void {
    this.#running.get(id)?.abort();
    this.#show(this.#items.filter((item) => item.id !== id));
  }

  /** Cancels all files that wait or are being sent. */
  cancelUnsent(): void {
    for (const { id, state } of this.#items)
      if (state.kind === 'waiting' || state.kind === 'sending') this.remove(id);
  }

  #find(id: number): ImportItem<File> | undefined {
    return this.#items.find((item) => item.id === id);
  }

  #show(items: readonly ImportItem<File>[]): void {
    this.#items = items;
    this.changed(items);
  }

  #set(id: number, state: ImportState): void {
    if (this.#find(id)) this.#show(this.#items.map((item) => (item.id === id ? { ...item, state } : item)));
  }

  async #run(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    for (;;) {
      const next = this.#items.find(({ state }) => state.kind === 'waiting');
      if (next === undefined) break;
      await this.#send(next);
    }
    this.#sending = false;
  }

  async #send({ id, file, startedAt }: ImportItem<File>): Promise<void> {
    const leave = new AbortController();
    this.#running.set(id, leave);
    this.#set(id, { kind: 'sending', sent: 0 });
    try {
      const sent = (share: number): void => this.#set(id, { kind: 'sending', sent: share });
      const accepted = await this.transport.send(file, startedAt, sent, leave.signal);
      const { job_id: job, errors, poll_after_ms: pause } = accepted;
      if (job === null) this.#set(id, failed(errors));
      else {
        this.#set(id, { kind: 'transcribing', begun: false });
        void this.#follow(id, job, pause, leave.signal);
      }
    } catch (error) {
      this.#set(id, { kind: 'failed', why: sentence(error) });
    }
  }

  /** Asks for the progress of a job until it has ended. */
  async #follow(id: number, job: string, first: number, signal: AbortSignal): Promise<void> {
    let failures = 0;
    let pause = first;
    try {
      for (;;) {
        await this.transport.wait(pause, signal);
        let progress: Progress;
        try {
          progress = await this.transport.progress(job);
          failures = 0;
        } catch (error) {
          if (++failures > mostFailures || !this.transport.isPassing(error)) throw error;
          pause = retryAfter;
          continue;
        }
        const { status, new_memories, updated_memories, errors, incomplete = null } = progress;
        pause = progress.poll_after_ms;
        if (status === 'completed') {
          const conversations = [...new Set([...new_memories, ...updated_memories])];
          return this.#set(id, { kind: 'done', conversations, incomplete });
        }
        if (status !== 'queued' && status !== 'processing') return this.#set(id, failed(errors));
        this.#set(id, { kind: 'transcribing', begun: status === 'processing' });
      }
    } catch (error) {
      if (!signal.aborted) this.#set(id, { kind: 'failed', why: sentence(error) });
    } finally {
      this.#running.delete(id);
    }
  }
}
