import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CochleaError, reasonOf } from '../errors/index.js';
import { readConversation } from '../store/conversations.js';
import { connectDatabase, type Sql } from '../store/database.js';
import { isDatabaseAway } from '../store/failure.js';
import {
  beginConversation,
  commitChanges,
  endConversation,
  type Holder,
  lastCompletedConversation,
  releaseLease,
  renewLeases,
  type TakenConversation,
  takeConversation,
} from '../store/journal.js';
import type { BegunConversation, SpillEntry, SpilledChange } from '../wire/spill.js';
import { gatherChanges, leaseKey } from './changes.js';
import { CompletionWatch } from './completion-watch.js';
import type { JournalOptions } from './index.js';
import type {
  ConversationChange,
  Durability,
  Journal,
  Lease,
  OpenConversation,
  ResumedConversation,
} from './journal.js';
import { Limiter } from './limiter.js';
import { isEntryFault, type ReplayContext, replayBatch, setAside } from './replay.js';
import { Spill } from './spill.js';
import { SpillFolders } from './spill-folders.js';

/** Openings at once: streams reconnect by the thousand, and a commit must not wait behind them. */
const openLimit = 2;
/** Those, the commits, the renewals, one read. */
const connections = openLimit + 2;
/** Entries left in the spill at which writers wait for the rest: fewer than a tick adds would never be reached. */
const lastEntries = 8;
const pauses = { first: 100, longest: 2000 } as const;

class NoAnswer extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
  }
}

/**
 * The journal of one shard: to the database while it answers, to the spill while it does not.
 *
 * Writes run one after the other (`#serially`), so their order is the order of the calls. The first one the database
 * does not take in time goes to the spill, and so does everything after it until `#recover` has replayed the spill to
 * its end; that end is decided inside the same queue, so no write can slip past one that still waits in the spill. A
 * statement whose outcome is unknown is spilled too: revisions and epochs make the second writing harmless.
 *
 * While the database is away a stream that opens gets a conversation of its own, also when it could have continued
 * one; after the replay the two stay two.
 */
export class DurableJournal implements Journal {
  readonly #options: JournalOptions;
  readonly #holder: Holder;
  readonly #folders: SpillFolders;
  readonly #completions: CompletionWatch;
  readonly #openings = new Limiter(openLimit);
  readonly #closing = new AbortController();
  /** How the conversations behind the leases of this journal began. */
  readonly #conversations = new Map<string, BegunConversation>();
  #sql: Sql;
  #queue: Promise<unknown> = Promise.resolve();
  #spilling = false;
  #spill: Spill | undefined;
  #leftovers: string[] = [];
  #recovery: Promise<void> | undefined;

  static async open(options: JournalOptions): Promise<DurableJournal> {
    const journal = new DurableJournal(options);
    journal.#leftovers = await journal.#folders.claim();
    if (journal.#leftovers.length > 0) {
      options.log.info(
        { spills: journal.#leftovers.length },
        'replaying what an earlier run left in the spill',
      );
      await journal.#withinTimeout(journal.#startRecovery()).catch(() => {});
    }
    return journal;
  }

  private constructor(options: JournalOptions) {
    this.#options = options;
    this.#holder = { engine: `${options.engineId}/${options.shard}`, leaseDuration: options.leaseDuration };
    this.#folders = new SpillFolders(options.spillDir, options.engineId, options.shard);
    this.#sql = this.#connect();
    this.#completions = new CompletionWatch(options.databaseUrl, `journal ${options.shard}`);
  }

  async open(request: OpenConversation): Promise<ResumedConversation> {
    const begun: BegunConversation = {
      id: randomUUID(),
      uid: request.uid,
      source: request.source,
      deviceId: request.deviceId,
      clientPlatform: request.clientPlatform,
      language: request.language,
      timeout: request.timeout,
      usesCustomStt: request.usesCustomStt,
      createdAt: request.now,
    };
    const taken = (await this.#take(begun)) ?? (await this.#begin(begun));
    this.#conversations.set(leaseKey(taken.id, taken.epoch), taken.conversation);
    for (const id of taken.finished) this.#completions.expect(id);
    return {
      lease: { conversationId: taken.id, uid: request.uid, epoch: taken.epoch },
      resumed: taken.resumed,
      startedAt: taken.startedAt,
      lastSpeechAt: taken.lastSpeechAt,
      tail: taken.tail,
      segmentCount: taken.segmentCount,
    };
  }

  commit(changes: readonly ConversationChange[]): Promise<ReadonlyMap<string, Durability>> {
    if (changes.length === 0) return Promise.resolve(new Map());
    const gathered = gatherChanges(changes, (lease) => this.#conversationOf(lease));
    return this.#serially(async () => {
      const stored = await this.#directly(() => this.#commitDirectly(gathered));
      if (stored !== undefined) return this.#outcomes(gathered, stored);
      await this.#append({ kind: 'commit', changes: gathered });
      return new Map(gathered.map(({ conversation }) => [conversation.id, 'spill' as const]));
    });
  }

  async renew(leases: readonly Lease[]): Promise<readonly string[]> {
    if (leases.length === 0 || this.#spilling) return [];
    const pairs = leases.map(({ conversationId, epoch }) => ({ id: conversationId, epoch }));
    const held = await this.#directly(() => renewLeases(this.#sql, pairs, this.#holder));
    // What the database did not answer is not lost.
    if (held === undefined) return [];
    return pairs.filter(({ id, epoch }) => !held.has(leaseKey(id, epoch))).map(({ id }) => id);
  }

  finish(lease: Lease, finishedAt: number): Promise<'processing' | 'deleted' | 'fenced' | 'spill'> {
    const { conversationId: id, epoch } = lease;
    return this.#serially(async () => {
      this.#conversations.delete(leaseKey(id, epoch));
      // Before the answer: the pipeline may be faster.
      this.#completions.expect(id);
      const ended = await this.#directly(
        async () => (await endConversation(this.#sql, id, epoch, finishedAt)) ?? 'fenced',
      );
      if (ended === undefined) {
        await this.#append({ kind: 'finish', id, epoch, finishedAt });
        return 'spill';
      }
      if (ended !== 'processing') this.#completions.forget(id);
      if (ended === 'fenced') this.#options.metrics.add('leases_lost_total');
      return ended;
    });
  }

  release(lease: Lease): Promise<void> {
    const { conversationId: id, epoch } = lease;
    return this.#serially(async () => {
      this.#conversations.delete(leaseKey(id, epoch));
      const done = await this.#directly(async () => {
        await releaseLease(this.#sql, id, epoch);
        return true;
      });
      if (done === undefined) await this.#append({ kind: 'release', id, epoch });
    });
  }

  async conversation(id: string): Promise<Readonly<Record<string, unknown>> | null> {
    const record = await this.#read(() => readConversation(this.#sql, id, { transcript: true }));
    return record as Readonly<Record<string, unknown>> | null;
  }

  lastCompleted(uid: string): Promise<string | null> {
    return this.#read(() => lastCompletedConversation(this.#sql, uid));
  }

  onCompleted(listener: (conversationId: string) => void): void {
    this.#completions.onCompleted(listener);
  }

  async close(timeout: number): Promise<void> {
    await this.#queue;
    if (this.#recovery !== undefined) {
      await Promise.race([
        this.#recovery,
        pause(timeout, undefined, { signal: this.#closing.signal }).catch(() => {}),
      ]);
    }
    this.#closing.abort();
    await Promise.all([this.#sql.end({ timeout: 0 }), this.#completions.close()]);
    await this.#recovery;
    await this.#queue;
    await this.#spill?.close(this.#spill.depth === 0);
    this.#spill = undefined;
  }

  async #take(begun: BegunConversation): Promise<TakenConversation | undefined> {
    if (this.#spilling) return undefined;
    return this.#openings.run(async () => {
      const complete = await this.#leftoversReplayed();
      return complete ? this.#directly(() => takeConversation(this.#sql, begun, this.#holder)) : undefined;
    });
  }

  /** Begins a conversation of its own, whatever else the key has in progress. */
  async #begin(begun: BegunConversation): Promise<TakenConversation> {
    await this.#serially(async () => {
      const done = await this.#directly(async () => {
        await beginConversation(this.#sql, begun, this.#holder);
        return true;
      });
      if (done === undefined) await this.#append({ kind: 'begin', conversation: begun });
    });
    return {
      id: begun.id,
      epoch: 1,
      resumed: false,
      conversation: begun,
      startedAt: null,
      lastSpeechAt: begun.createdAt,
      tail: null,
      segmentCount: 0,
      finished: [],
    };
  }

  /** Whether stored conversations are complete: waits a while for other shards that replay an earlier run's spill. */
  async #leftoversReplayed(): Promise<boolean> {
    for (const deadline = this.#now() + this.#options.databaseTimeout; ; await pause(20)) {
      if (!(await this.#folders.leftoversRemain())) return true;
      if (this.#spilling || this.#closing.signal.aborted || this.#now() >= deadline) return false;
    }
  }

  /** The `id:epoch` of the changes that are in the database; a change the database can never take counts as stored. */
  async #commitDirectly(changes: readonly SpilledChange[]): Promise<ReadonlySet<string>> {
    try {
      const stored = await commitChanges(this.#sql, changes, this.#holder);
      this.#options.metrics.add('journal_commits_total');
      return stored;
    } catch (thrown) {
      if (!isEntryFault(thrown)) throw thrown;
      if (changes.length > 1) {
        const each: string[] = [];
        for (const change of changes) each.push(...(await this.#commitDirectly([change])));
        return new Set(each);
      }
      await setAside(this.#options.spillDir, { kind: 'commit', changes }, thrown, this.#options.log);
      return new Set(changes.map(({ conversation, epoch }) => leaseKey(conversation.id, epoch)));
    }
  }

  #outcomes(changes: readonly SpilledChange[], stored: ReadonlySet<string>): ReadonlyMap<string, Durability> {
    const outcomes = new Map<string, Durability>();
    for (const { conversation, epoch } of changes) {
      const held = stored.has(leaseKey(conversation.id, epoch));
      if (!held) this.#options.metrics.add('leases_lost_total');
      // With two leases of one conversation in a batch the caller must hear of the loss.
      if (outcomes.get(conversation.id) !== 'fenced')
        outcomes.set(conversation.id, held ? 'database' : 'fenced');
    }
    return outcomes;
  }

  #conversationOf({ conversationId, uid, epoch }: Lease): BegunConversation {
    const known = this.#conversations.get(leaseKey(conversationId, epoch));
    if (known !== undefined) return known;
    const now = this.#now();
    const nothing = { source: 'unknown', deviceId: null, clientPlatform: null, language: 'en' };
    return { ...nothing, id: conversationId, uid, timeout: 120, usesCustomStt: false, createdAt: now };
  }

  /**
   * Asks the database unless the journal is spilling. Undefined when it did not answer: the journal spills from now on.
   */
  async #directly<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#spilling) return undefined;
    try {
      return await this.#withinTimeout(work());
    } catch (thrown) {
      this.#databaseLost(thrown);
      return undefined;
    }
  }

  async #read<Result>(work: () => Promise<Result | null>): Promise<Result | null> {
    if (this.#spilling || this.#closing.signal.aborted) return null;
    return this.#withinTimeout(work()).catch((thrown: unknown) => {
      this.#options.log.debug({ why: reasonOf(thrown) }, 'journal read failed');
      return null;
    });
  }

  async #append(entry: SpillEntry): Promise<void> {
    this.#spill ??= await this.#openSpill(await this.#folders.create());
    await this.#spill.append(entry);
    this.#options.metrics.add('journal_spilled_total');
    this.#showDepth();
  }

  async #openSpill(path: string): Promise<Spill> {
    try {
      return new Spill(path, this.#options.spillSize);
    } catch (thrown) {
      throw new CochleaError('journal_spill_failed', { why: reasonOf(thrown) }, { cause: thrown });
    }
  }

  #databaseLost(thrown: unknown): void {
    if (this.#spilling) return;
    this.#spilling = true;
    this.#options.log.warn(
      { why: reasonOf(thrown) },
      'the database does not answer; the journal spills to disk',
    );
    this.#replacePool();
    void this.#startRecovery();
  }

  /** A connection that hangs would hang for the next statement too. */
  #replacePool(): void {
    const old = this.#sql;
    this.#sql = this.#connect();
    void old.end({ timeout: 0 }).catch(() => {});
  }

  #connect(): Sql {
    const { databaseUrl, databaseTimeout, shard } = this.#options;
    return connectDatabase(databaseUrl, {
      max: connections,
      timeoutMs: databaseTimeout,
      statementTimeoutMs: databaseTimeout,
      name: `journal ${shard}`,
    });
  }

  #startRecovery(): Promise<void> {
    this.#recovery ??= this.#recover().finally(() => {
      this.#recovery = undefined;
      // Lost again between the last write of the recovery and this line.
      if (this.#spilling && !this.#closing.signal.aborted) void this.#startRecovery();
    });
    return this.#recovery;
  }

  /** Waits for the database, replays what earlier runs left, then the own spill; ends when writes go direct again. */
  async #recover(): Promise<void> {
    const since = this.#now();
    for (
      let wait: number = pauses.first;
      !this.#closing.signal.aborted;
      wait = Math.min(pauses.longest, wait * 2)
    ) {
      try {
        await this.#withinTimeout(this.#sql`select 1`);
        await this.#replayLeftovers();
        while (this.#spill !== undefined && this.#spill.depth > lastEntries) await this.#replay(this.#spill);
        await this.#serially(() => this.#returnToDatabase());
        this.#options.log.info(
          { milliseconds: this.#now() - since },
          'the journal is level with the database',
        );
        return;
      } catch (thrown) {
        // A database that is away is known already; one that answers and refuses is news.
        const level = thrown instanceof NoAnswer || isDatabaseAway(thrown) ? 'debug' : 'error';
        this.#options.log[level]({ why: reasonOf(thrown) }, 'the journal cannot replay yet');
        if (thrown instanceof NoAnswer) this.#replacePool();
        const jittered = wait * (0.5 + Math.random() / 2);
        await pause(jittered, undefined, { signal: this.#closing.signal }).catch(() => {});
      }
    }
  }

  async #replayLeftovers(): Promise<void> {
    for (let path = this.#leftovers[0]; path !== undefined; path = this.#leftovers[0]) {
      const spill = new Spill(path, Number.POSITIVE_INFINITY);
      try {
        // The streams behind it are gone: whoever reconnects, or the sweep, may take the conversation at once.
        while ((await this.#replay(spill, { ...this.#holder, leaseDuration: 0 })) > 0);
      } finally {
        await spill.close(spill.depth === 0);
      }
      this.#leftovers.shift();
    }
  }

  /** Runs between two writes: nothing is added while the rest is replayed. */
  async #returnToDatabase(): Promise<void> {
    const spill = this.#spill;
    if (spill !== undefined) {
      while ((await this.#replay(spill)) > 0);
      this.#spill = undefined;
      await spill.close(true);
    }
    this.#spilling = false;
  }

  async #replay(spill: Spill, holder = this.#holder): Promise<number> {
    const context: ReplayContext = {
      sql: this.#sql,
      holder,
      log: this.#options.log,
      bounded: (work) => this.#withinTimeout(work()),
    };
    const replayed = await replayBatch(spill, context);
    this.#options.metrics.add('journal_replayed_total', replayed);
    this.#showDepth();
    return replayed;
  }

  #showDepth(): void {
    this.#options.metrics.set('journal_spill_depth', this.#spill?.depth ?? 0);
  }

  #serially<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  async #withinTimeout<Result>(work: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const { databaseTimeout } = this.#options;
      timer = setTimeout(() => reject(new NoAnswer(databaseTimeout)), databaseTimeout);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #now(): number {
    return (this.#options.clock ?? Date.now)();
  }
}
