import { randomUUID } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { storableName, storableText } from '../common/index.js';
import { fixedLimits } from '../config/limits/index.js';
import { CochleaError } from '../errors/index.js';
import { codeOf, type Sql, treatmentOf } from '../store/client/index.js';
import {
  describedPhotos,
  lastCompletedConversations,
  type NewPhoto,
  type PhotoBounds,
  type PhotoDescription,
  type PhotoStored,
  readAnnounced,
  readConversation,
  storePhoto,
} from '../store/conversations/index.js';
import { areStepsEnded } from '../store/jobs/index.js';
import {
  beginConversation,
  type ConfirmedAudio,
  type ConversationRequest,
  commitChanges,
  commitFencedChange,
  type DeviceClock,
  endConversation,
  Gathered,
  hasNewerAudio,
  newlyTaken,
  noteAudioResumes,
  numberAudioStreams,
  type Replacement,
  readAudioConfirmed,
  releaseTogether,
  replacementOf,
  type TakenConversation,
  takeConversations,
  type WrittenVoices,
} from '../store/live/index.js';
import {
  type KnownVoices,
  type LearnedVoice,
  learnVoice,
  type ResolvedPerson,
  readKnownVoices,
  readUsersKeywords,
  readUsersSettings,
  resolvePerson,
  unlearnVoice,
  type VoicePrint,
} from '../store/records/index.js';
import { askedSegments, type SegmentQuestion } from '../store/segments/index.js';
import { conversationTimeout, type StoredSegment } from '../wire/index.js';
import {
  type BegunConversation,
  leaseKey,
  type SpillEntry,
  type SpilledChange,
} from '../wire/spill/index.js';
import { gatherChanges, voicesOf } from './changes.js';
import { CompletionWatch } from './completion-watch.js';
import { EngineLease } from './engine-lease.js';
import { type ConversationKey, openShardEvents, type ShardEvents } from './feeds/index.js';
import type {
  AudioResume,
  CommitOutcome,
  ConversationChange,
  GivenPerson,
  Journal,
  Lease,
  OpenConversation,
  ResumedConversation,
  UserLanguages,
  VoiceVectors,
} from './journal.js';
import type { JournalOptions } from './options.js';
import { shareUsed } from './spill-shares.js';
import { type Run, WritePath } from './write-path.js';

/**
 * Maximum number of statements that open conversations at the same time. Thousands of streams may reconnect at once,
 * and commits must not wait for all of them.
 */
const openLimit = 2;
/**
 * Maximum number of conversations that one transaction opens. All their rows stay locked until the transaction ends.
 */
const mostOpened = 50;
/**
 * Maximum number of concurrent reads for streams that open. Each stream makes several reads. Without this limit, many
 * reconnecting streams would use all connections. Streams that open at the same time share one statement for each kind
 * of read.
 */
const readLimit = 1;
/**
 * Default number of connections: `openLimit` for openings, one for commits, and one for statements that do not wait for
 * earlier writes.
 */
const usualConnections = openLimit + 2;

/** Returns a device and its clock in the form in which the database stores them. */
const clockOf = ({ uid, source, deviceId }: ConversationKey, clock: string): DeviceClock => ({
  uid,
  source: storableText(source),
  deviceId: storableName(deviceId),
  clock,
});

/** Converts a function that reads data of several users to the form that `Gathered` needs. */
const forUsers =
  <Answer>(ask: (sql: Sql, uids: readonly string[]) => Promise<readonly Answer[]>) =>
  (sql: Sql, asked: readonly { readonly uid: string }[]): Promise<readonly Answer[]> =>
    ask(
      sql,
      asked.map(({ uid }) => uid),
    );

/**
 * Stores the conversations of one shard in the database, or in the spill while the database is not reachable. While the
 * database is not reachable, a new stream gets a new conversation, even if a stored conversation of the same key is in
 * progress. The two conversations stay separate after the replay.
 */
export class DurableJournal implements Journal {
  readonly #lease: EngineLease;
  readonly #path: WritePath;
  readonly #completions: CompletionWatch;
  readonly #events: ShardEvents | undefined;
  readonly #openings: LimitFunction;
  readonly #reads = pLimit(readLimit);
  readonly #releases = new Gathered(releaseTogether);
  readonly #numbers = new Gathered(numberAudioStreams);
  readonly #resumes = new Gathered(noteAudioResumes);
  readonly #confirmed = new Gathered(readAudioConfirmed);
  readonly #last = new Gathered(forUsers(lastCompletedConversations));
  readonly #settings = new Gathered(forUsers(readUsersSettings));
  readonly #keywords = new Gathered(forUsers(readUsersKeywords));
  readonly #takes = new Gathered<ConversationRequest, TakenConversation | null>(
    (sql, requests) => takeConversations(sql, requests, this.#lease.holder),
    mostOpened,
  );
  /** Initial data of the conversations on which this journal has a lease, by lease. */
  readonly #conversations = new Map<string, BegunConversation>();

  static async open(options: JournalOptions): Promise<DurableJournal> {
    const journal = new DurableJournal(options);
    await journal.#path.start();
    return journal;
  }

  private constructor(private readonly options: JournalOptions) {
    this.#lease = new EngineLease(options);
    const connections = options.connections ?? usualConnections;
    // If there are several connections, openings leave one free for commits.
    this.#openings = pLimit(Math.max(1, Math.min(openLimit, connections - 1)));
    this.#events = options.bus ? openShardEvents(options.engineId) : undefined;
    this.#path = new WritePath({ ...options, announcer: this.#events }, this.#lease, connections);
    this.#completions = new CompletionWatch(this.#path, {
      engineId: options.engineId,
      events: this.#events,
      ownConnectionTo: options.sharedCompletions === true ? undefined : options.databaseUrl,
    });
  }

  async open(request: OpenConversation): Promise<ResumedConversation> {
    const begun: BegunConversation = {
      id: randomUUID(),
      uid: request.uid,
      source: storableText(request.source),
      deviceId: storableName(request.deviceId),
      clientPlatform: storableName(request.clientPlatform),
      language: storableText(request.language),
      timeout: request.timeout,
      usesCustomStt: request.usesCustomStt,
      createdAt: request.now,
    };
    const taken = await this.#takeOrBegin(begun, request);
    const { id: conversationId, epoch, conversation, finished, ...resumed } = taken;
    this.#conversations.set(leaseKey(conversationId, epoch), conversation);
    for (const id of finished) this.#completions.expect(id);
    // If the processing was completed meanwhile, the next poll reports that.
    if (resumed.past?.status === 'processing') this.#completions.expect(resumed.past.id);
    return { lease: { conversationId, uid: request.uid, epoch }, ...resumed };
  }

  async commit(changes: readonly ConversationChange[]): Promise<ReadonlyMap<string, CommitOutcome>> {
    if (changes.length === 0) return new Map();
    const gathered = gatherChanges(changes, (lease) => this.#conversationOf(lease));
    const voices = voicesOf(changes);
    const rejected = new Set<string>();
    const { result: stored, spilled } = await this.#path.writeWords(
      (run) => this.#store(run, gathered, voices, rejected),
      gathered,
    );
    const outcomes = new Map<string, CommitOutcome>();
    if (stored === undefined) {
      for (const change of gathered) {
        const { id } = change.conversation;
        if (!spilled?.has(change)) outcomes.set(id, shareUsed());
        else if (!outcomes.has(id)) outcomes.set(id, 'spill');
      }
      return outcomes;
    }
    this.#path.acknowledger.stored(stored.size - rejected.size, rejected.size);
    for (const { conversation, epoch } of gathered) {
      const held = stored.has(leaseKey(conversation.id, epoch));
      if (!held) this.options.metrics.add('leases_lost_total');
      // A batch may contain two leases of one conversation. If one of them is lost, the result for the conversation
      // is `fenced`.
      if (outcomes.get(conversation.id) !== 'fenced')
        outcomes.set(conversation.id, held ? 'database' : 'fenced');
    }
    return outcomes;
  }

  async replacement(
    { conversationId: id, uid, epoch }: Lease,
    { source, deviceId }: ConversationKey,
    { held } = { held: false },
  ): Promise<Replacement | null> {
    const { holder } = this.#lease;
    const key = { source: storableText(source), deviceId: storableName(deviceId) };
    const found = await this.#path.read((sql) => replacementOf(sql, { id, uid, epoch, ...key }, holder));
    if (found === null && !held) this.#conversations.delete(leaseKey(id, epoch));
    return found;
  }

  async commitLate(change: ConversationChange): Promise<'database' | 'spill'> {
    const [late] = gatherChanges([change], (lease) => this.#conversationOf(lease));
    const entry = { kind: 'commit', changes: [late!] } as const;
    const { result, spilled } = await this.#path
      .writeWords(
        (run) =>
          run((sql) => sql.begin((transaction) => commitFencedChange(transaction, late!)).then(() => true)),
        entry.changes,
      )
      .catch(async (thrown: unknown) => {
        await this.#refuse(entry, thrown);
        this.#path.acknowledger.stored(0, 1);
        return { result: undefined, spilled: new Set(entry.changes) };
      });
    if (spilled !== undefined && !spilled.has(late!)) throw shareUsed();
    if (result !== undefined) this.#path.acknowledger.stored(1);
    return result === undefined ? 'spill' : 'database';
  }

  storePhoto(
    { conversationId: id, epoch }: Lease,
    photo: NewPhoto,
    bounds: PhotoBounds,
    seenAt: number,
  ): Promise<PhotoStored | null> {
    return this.#path.read((sql) => storePhoto(sql, { id, epoch }, photo, bounds, seenAt));
  }

  describedPhotos(ids: readonly string[]): Promise<readonly PhotoDescription[] | null> {
    return this.#path.read((sql) => describedPhotos(sql, ids));
  }

  async renew(): Promise<void> {
    await this.#path.ask((sql) => this.#lease.renew(sql));
  }

  async finish(lease: Lease, finishedAt: number): Promise<'processing' | 'deleted' | 'fenced' | 'spill'> {
    const { conversationId: id, epoch } = lease;
    this.#conversations.delete(leaseKey(id, epoch));
    // The conversation is registered before the statement runs, because its processing may be complete before the
    // response arrives.
    this.#completions.expect(id);
    const entry = { kind: 'finish', id, epoch, finishedAt } as const;
    const ended = await this.#path
      .write(
        (run) =>
          run(async (sql) => {
            const end = await sql.begin((transaction) => endConversation(transaction, id, epoch, finishedAt));
            return (end ?? 'fenced') as 'processing' | 'deleted' | 'fenced';
          }),
        entry,
      )
      .catch((thrown: unknown) => this.#refuse(entry, thrown));
    if (ended === undefined) return 'spill';
    if (ended !== 'processing') this.#completions.forget(id);
    if (ended === 'fenced') this.options.metrics.add('leases_lost_total');
    return ended;
  }

  async release(lease: Lease, voices?: Uint8Array): Promise<'database' | 'spill'> {
    const { conversationId: id, uid, epoch } = lease;
    this.#conversations.delete(leaseKey(id, epoch));
    const entry = { kind: 'release', id, epoch } as const;
    const release = { id, uid, epoch, voices };
    this.#releases.add(release);
    const released = await this.#path
      .write((run) => run((sql) => this.#releases.run(sql, release)), entry)
      .catch((thrown: unknown) => this.#refuse(entry, thrown))
      .finally(() => this.#releases.remove(release));
    return released === undefined ? 'spill' : 'database';
  }

  async conversation(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null> {
    const record = await this.#path.read((sql) => readConversation(sql, uid, id));
    return record as Readonly<Record<string, unknown>> | null;
  }

  async announced(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null> {
    const record = await this.#reads(() => this.#path.read((sql) => readAnnounced(sql, uid, id)));
    return record as Readonly<Record<string, unknown>> | null;
  }

  isFollowed(id: string): Promise<boolean | null> {
    return this.#path.read((sql) => areStepsEnded(sql, id, ['action_items', 'memories']));
  }

  lastCompleted(uid: string): Promise<string | null> {
    return this.#gather(this.#last, { uid }, 0);
  }

  earlierSegments(lease: Lease, question: SegmentQuestion): Promise<readonly StoredSegment[] | null> {
    return this.#path.read((sql) => askedSegments(sql, lease.conversationId, question));
  }

  async audioConfirmed(key: ConversationKey, clock: string): Promise<ConfirmedAudio | null> {
    return this.#gather(this.#confirmed, clockOf(key, clock), 0);
  }

  async numberStream(key: ConversationKey, clock: string): Promise<number | undefined> {
    if (this.options.bus !== true) return undefined;
    const found = await this.#gather(this.#numbers, clockOf(key, clock));
    return found?.stream ?? undefined;
  }

  hasNewerAudio(key: ConversationKey, clock: string, stream: number): Promise<boolean | null> {
    const asked = clockOf(key, clock);
    return this.#reads(() => this.#path.read((sql) => hasNewerAudio(sql, asked, stream)));
  }

  noteResume(key: ConversationKey, resume: AudioResume): Promise<readonly number[] | null> {
    return this.#gather(this.#resumes, { ...resume, ...clockOf(key, resume.clock) });
  }

  languages(uid: string): Promise<UserLanguages | null> {
    return this.#gather(this.#settings, { uid }, 0);
  }

  keywords(uid: string): Promise<readonly string[] | null> {
    return this.#gather(this.#keywords, { uid }, 0);
  }

  async person(uid: string, given: GivenPerson): Promise<ResolvedPerson | null> {
    const found = await this.#path
      .ask((sql) => resolvePerson(sql, uid, given))
      .catch((thrown: unknown): ResolvedPerson => {
        if (treatmentOf(thrown) !== 'reject') throw thrown;
        this.options.log.error({ err: thrown }, 'the database refuses a person');
        return { kind: 'unknown' };
      });
    return found ?? null;
  }

  knownVoices(uid: string, vectors: VoiceVectors): Promise<KnownVoices | null> {
    return this.#path.read((sql) => readKnownVoices(sql, uid, vectors, this.options.voiceBounds));
  }

  learnVoice(learned: LearnedVoice, voice: VoicePrint): Promise<boolean | null> {
    return this.#path.read((sql) => learnVoice(sql, learned, voice, this.options.voiceBounds));
  }

  unlearnVoice(learned: LearnedVoice): Promise<true | null> {
    return this.#path.read((sql) => unlearnVoice(sql, learned).then((): true => true));
  }

  onCompleted(listener: (conversationId: string) => void): void {
    this.#completions.onCompleted(listener);
  }

  async close(timeout: number): Promise<void> {
    await this.#completions.close();
    await this.#path.close(timeout);
    this.#events?.close();
    this.options.copies?.channel.close();
  }

  /**
   * Asks one question to the database together with the questions of other streams.
   * @param longest longest wait for an unavailable database in ms. By default, the wait ends when the outage has lasted
   *   for `clockWait`, because the stream may already have waited for its conversation during the outage.
   * @returns null if the database stays unavailable.
   */
  async #gather<Question, Answer>(
    gathered: Gathered<Question, Answer>,
    question: Question,
    longest?: number,
  ): Promise<Answer | null> {
    gathered.add(question);
    try {
      return await this.#patiently(
        () => this.#reads(() => this.#path.read((sql) => gathered.run(sql, question))),
        null,
        longest ?? this.#clockWait - this.#path.away,
      );
    } finally {
      gathered.remove(question);
    }
  }

  get #clockWait(): number {
    return this.options.clockWait ?? fixedLimits.clockWait.value;
  }

  /**
   * Repeats a question until the database answers.
   * @param away the result of `ask` while the database is not reachable.
   * @param longest longest wait in ms.
   */
  async #patiently<Answer>(
    ask: () => Promise<Answer>,
    away: Answer,
    longest = this.#clockWait,
  ): Promise<Answer> {
    const deadline = performance.now() + longest;
    for (;;) {
      const answer = await ask();
      const left = deadline - performance.now();
      if (answer !== away || left <= 0 || !(await this.#path.returns(left))) return answer;
    }
  }

  /**
   * Takes over the stored conversation of a key, or begins a new one.
   * @throws CochleaError `account_gone` if the account is deleted, `internal` if the database refuses this
   * conversation. Other streams are not affected.
   */
  async #takeOrBegin(begun: BegunConversation, request: OpenConversation): Promise<TakenConversation> {
    const { proposed = null, recognisesVoices: readsVoices = false } = request;
    const asked = { begun, proposed, readsVoices };
    this.#takes.add(asked);
    try {
      const take = () => this.#openings(() => this.#take(asked));
      const waits = this.options.bus === true && request.resends === true;
      const taken = await (waits ? this.#patiently(take, undefined) : take());
      if (taken === null) throw new CochleaError('account_gone');
      return taken ?? (await this.#begin(begun));
    } catch (thrown) {
      if (treatmentOf(thrown) !== 'reject') throw thrown;
      this.options.log.error({ err: thrown }, 'the database refuses a conversation');
      throw new CochleaError('internal', {}, { cause: thrown });
    } finally {
      this.#takes.remove(asked);
    }
  }

  /**
   * Continues a stored conversation or begins one in the database.
   * @returns undefined if the database is not reachable, null if the account is deleted.
   */
  async #take(asked: ConversationRequest): Promise<TakenConversation | null | undefined> {
    const known = this.#takes.answerOf(asked);
    if (known !== undefined) return known;
    if (!(await this.#path.leftoversReplayed())) return undefined;
    if (this.#lease.due) await this.renew();
    return this.#path.ask((sql) => this.#takes.run(sql, asked));
  }

  /**
   * Begins a new conversation with a generated id, even if the same user, source and device have another conversation
   * in progress. See `Journal.open` for the reason.
   */
  async #begin(begun: BegunConversation): Promise<TakenConversation> {
    await this.#path.write(
      (run) => run(async (sql) => beginConversation(sql, begun, this.#lease.holder).then(() => true)),
      { kind: 'begin', conversation: begun },
    );
    return newlyTaken(begun);
  }

  /**
   * Stores changes and returns the lease keys of the changes that are safe. A change that the database refuses
   * permanently is written to the folder of rejected entries and counts as safe. If the folder cannot take the change,
   * the change counts as fenced, so that no client believes that it is stored.
   * @param voices voices of the changes' conversations, and possibly of others, which are not written.
   * @param rejected gets the lease keys of the changes in the folder of rejected entries.
   */
  async #store(
    run: Run,
    changes: readonly SpilledChange[],
    voices: readonly WrittenVoices[],
    rejected: Set<string>,
  ): Promise<ReadonlySet<string>> {
    try {
      const stored = await run((sql) => commitChanges(sql, changes, this.#lease.holder, voices));
      this.options.metrics.add('journal_commits_total');
      return stored;
    } catch (thrown) {
      if (treatmentOf(thrown) !== 'reject') throw thrown;
      if (changes.length > 1) {
        // Bisection finds the refused change without a separate statement for each of the others.
        const half = changes.length >> 1;
        const first = await this.#store(run, changes.slice(0, half), voices, rejected);
        return new Set([...first, ...(await this.#store(run, changes.slice(half), voices, rejected))]);
      }
      const kept = await this.#path.rejected.add({ kind: 'commit', changes }, codeOf(thrown)!, false);
      if (!kept) return new Set();
      const keys = changes.map(({ conversation, epoch }) => leaseKey(conversation.id, epoch));
      for (const key of keys) rejected.add(key);
      return new Set(keys);
    }
  }

  /**
   * Writes an entry that the database refuses permanently to the folder of rejected entries. Returns
   * undefined, like `WritePath.write` for a spilled entry.
   */
  async #refuse(entry: SpillEntry, thrown: unknown): Promise<undefined> {
    if (treatmentOf(thrown) !== 'reject') throw thrown;
    await this.#path.rejected.add(entry, codeOf(thrown)!, true);
    return undefined;
  }

  #conversationOf({ conversationId, uid, epoch }: Lease): BegunConversation {
    const known = this.#conversations.get(leaseKey(conversationId, epoch));
    if (known?.uid === uid) return known;
    const now = (this.options.clock ?? Date.now)();
    const nothing = { source: 'unknown', deviceId: null, clientPlatform: null, language: 'en' };
    const timeout = conversationTimeout.default;
    return { ...nothing, id: conversationId, uid, timeout, usesCustomStt: false, createdAt: now };
  }
}
