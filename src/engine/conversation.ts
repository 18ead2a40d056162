import type {
  ConversationKey,
  Journal,
  Lease,
  ResumedConversation,
  StoredSegment,
} from '../journal/journal.js';
import {
  type Assignee,
  assignSpeaker,
  assignSpeakers,
  combineSegments,
  type IncomingSegment,
  silenceElapsed,
} from '../listen/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import type { LiveSegment } from '../wire/segment.js';
import type { EngineClock } from './clock.js';
import type { Committer } from './committer.js';
import type { Completions, Listener } from './completions.js';
import * as events from './server-events.js';

/** Segments that may wait to be stored; over it the oldest are dropped, counted and reported. */
export const segmentBuffer = 1000;
/** Stored segments of a conversation whose speaker can still be corrected from a socket. */
export const recentSegments = 128;
/** Decisions about voices kept for one conversation. */
const assignmentsKept = 1000;
/** A conversation may be taken over between opening and writing; more often in a row than this is left to the next tick. */
const fencedRetries = 3;

/** A segment in wall-clock time: it becomes relative once it is known which conversation it lands in. */
export interface HeardSegment {
  /** Given once, so that storing it again after a failure cannot double it. */
  readonly id: string;
  readonly text: string;
  readonly speaker: string;
  readonly speakerId: number;
  readonly isUser: boolean;
  readonly personId: string | null;
  readonly provider: string | null;
  /** Ms since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** A socket as its conversation sees it. */
export interface Member extends Listener {
  /** Names the recording in events. */
  readonly stream: string;
  /** Somebody speaks: an utterance is open. */
  readonly speaking: boolean;
  /** Utterances on their way through a provider. */
  readonly queued: number;
  /** What the next conversation of this key is opened with. */
  readonly wishes: ConversationWishes;
  /** What was heard cannot be stored: the client must not believe that it is. */
  fault(thrown: unknown): void;
}

export interface ConversationWishes {
  readonly language: string;
  /** Seconds of silence that end the conversation. */
  readonly timeout: number;
  readonly clientPlatform: string | null;
  readonly usesCustomStt: boolean;
}

export interface ConversationContext {
  readonly journal: Journal;
  readonly committer: Committer;
  readonly completions: Completions;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  readonly log: Logger;
}

/** How a socket leaves: the conversation waits for the next one, or ends now. */
export type Leaving = 'release' | 'finish';

/**
 * What the sockets of one user, source and device say, as one conversation after the other. Shared by the sessions of
 * that key on the shard; outlives a rollover and a takeover, which only change the lease underneath.
 *
 * Everything that reads or moves the lease runs in `#exclusive`, one after the other; adding what was heard does not.
 */
export class LiveConversation {
  readonly key: ConversationKey;
  readonly #context: ConversationContext;
  readonly #members = new Set<Member>();
  #chain: Promise<void> = Promise.resolve();
  #pendingTasks = 0;

  #wishes: ConversationWishes;
  #lease: Lease | null = null;
  #startedAt: number | null = null;
  #segmentCount = 0;
  #tail: StoredSegment | null = null;
  #recent = new Map<string, StoredSegment>();
  #bySegment = new Map<string, Assignee>();
  #bySpeaker = new Map<number, Assignee>();
  #corrections = new Set<string>();
  #reattribute = false;
  #heard: HeardSegment[] = [];
  /** Since the last tick: told once, however many there were. */
  #dropped = 0;
  #lastSpeechAt = 0;

  constructor(key: ConversationKey, wishes: ConversationWishes, context: ConversationContext) {
    this.key = key;
    this.#wishes = wishes;
    this.#context = context;
  }

  get lease(): Lease | null {
    return this.#lease;
  }

  get hasContent(): boolean {
    return this.#segmentCount > 0 || this.#heard.length > 0;
  }

  /** Nobody listens, nothing waits, nothing runs: the shard may forget it. */
  get idle(): boolean {
    return this.#members.size === 0 && this.#pendingTasks === 0 && this.#heard.length === 0;
  }

  /** Whether a tick has something to store. */
  get dirty(): boolean {
    return this.#heard.length > 0 || this.#reattribute;
  }

  /** Nobody is left but something is: a store that failed is tried again, then the lease goes back. */
  get orphaned(): boolean {
    return this.#members.size === 0 && this.#pendingTasks === 0;
  }

  /**
   * Adds a socket; its wishes are the conversation's from now on. Resolves with the id once the conversation is there.
   * @throws CochleaError journal_spill_failed
   */
  join(member: Member): Promise<string> {
    this.#members.add(member);
    this.#wishes = {
      ...member.wishes,
      usesCustomStt: member.wishes.usesCustomStt || this.#wishes.usesCustomStt,
    };
    return this.#exclusive(async () => {
      // A silence that ran out while nobody looked ends the old conversation before anybody continues it.
      if (this.silent) await this.#finish();
      return (await this.#ensureLease(member)).conversationId;
    });
  }

  /** Removes a socket; the last one gives the conversation back, or ends it. What was heard is stored first. */
  leave(member: Member, leaving: Leaving): Promise<void> {
    this.#context.completions.forget(member);
    return this.#exclusive(async () => {
      // Still a member: a socket that only drains hears its last words.
      await this.#store().finally(() => this.#members.delete(member));
      if (this.#members.size > 0) return;
      if (leaving === 'finish' && this.#segmentCount > 0) await this.#finish();
      else await this.#release();
    });
  }

  /** Speech ended just now (or a client's own segments came): silence counts from here. */
  spoke(): void {
    this.#lastSpeechAt = this.#context.clock.wall();
  }

  /** Speech began after the conversation had ended: the next one is opened while the words are still being spoken. */
  wake(): void {
    if (this.#lease !== null || this.#pendingTasks > 0) return;
    void this.#attempt('open', async () => {
      await this.#ensureLease();
    });
  }

  /** Takes what a provider or a client heard. Stored, and only then sent, by the next tick. */
  hear(segment: HeardSegment): void {
    this.#heard.push(segment);
    if (this.#heard.length <= segmentBuffer) return;
    const excess = this.#heard.length - segmentBuffer;
    this.#heard.splice(0, excess);
    this.#dropped += excess;
    this.#context.metrics.add('segments_dropped_total', excess);
  }

  /**
   * A user said who somebody is. The named segments change whoever they belonged to before; other segments of that
   * speaker, stored lately or yet to come, change unless they already belong to somebody.
   */
  assign(speakerId: number, personId: string, segmentIds: readonly string[]): void {
    const assignee: Assignee = personId === 'user' ? { kind: 'user' } : { kind: 'person', personId };
    if (this.#bySpeaker.size < assignmentsKept) this.#bySpeaker.set(speakerId, assignee);
    for (const id of segmentIds) {
      if (this.#bySegment.size >= assignmentsKept) break;
      this.#bySegment.set(id, assignee);
      this.#corrections.add(id);
    }
    this.#reattribute = true;
  }

  /** Whether the silence has lasted long enough; never while somebody speaks or words are on their way. */
  get silent(): boolean {
    if (this.#lease === null) return false;
    let speaking = false;
    let queued = this.#heard.length;
    for (const member of this.#members) {
      speaking ||= member.speaking;
      queued += member.queued;
    }
    return silenceElapsed({
      now: this.#context.clock.wall(),
      lastSpeechAt: this.#lastSpeechAt,
      timeout: this.#wishes.timeout,
      speaking,
      queued,
    });
  }

  /** One tick: stores what was heard, ends what has fallen silent. Resolves when done; never rejects. */
  async tick(): Promise<void> {
    if (this.#dropped > 0) {
      this.#broadcast(events.segmentsDropped(this.#dropped));
      this.#dropped = 0;
    }
    // A store that takes longer than a tick is still running: what was heard since goes with the next one.
    if (this.#pendingTasks > 0) return;
    if (this.dirty) await this.#attempt('store', () => this.#store());
    if (this.#members.size > 0 && this.silent) {
      await this.#attempt('finish', async () => {
        if (this.silent) await this.#finish();
      });
    }
    if (this.orphaned && !this.dirty && this.#lease !== null) {
      await this.#attempt('release', () => this.#release());
    }
  }

  /** Stores and sends what was heard, behind whatever is running. @throws CochleaError journal_spill_failed */
  flush(): Promise<void> {
    return this.#exclusive(() => this.#store());
  }

  /** Another engine has it. The next words, or the next tick that has some, open it again. */
  lost(lease: Lease): void {
    if (this.#lease?.conversationId !== lease.conversationId || this.#lease.epoch !== lease.epoch) return;
    this.#context.metrics.add('leases_lost_total');
    this.#forgetLease();
  }

  #attempt(what: string, task: () => Promise<void>): Promise<void> {
    return this.#exclusive(task).catch((thrown: unknown) => {
      this.#context.log.error({ err: thrown, what }, 'conversation step failed; it is tried again');
      for (const member of this.#members) member.fault(thrown);
    });
  }

  #exclusive<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#pendingTasks++;
    const run = this.#chain.then(task).finally(() => {
      this.#pendingTasks--;
    });
    this.#chain = run.then(
      () => undefined,
      () => undefined,
    );
    return run;
  }

  #broadcast(text: string): void {
    for (const member of this.#members) member.send(text);
  }

  async #ensureLease(joining?: Member): Promise<Lease> {
    if (this.#lease !== null) return this.#lease;
    const { clock, journal, metrics } = this.#context;
    const opened = await journal.open({ ...this.key, ...this.#wishes, now: clock.wall() });
    metrics.add(opened.resumed ? 'conversations_resumed_total' : 'conversations_opened_total');
    this.#adopt(opened);
    for (const member of this.#members) {
      // A socket that is just joining hears of it at its place in the start-up sequence.
      if (member !== joining)
        member.send(events.conversationSession(opened.lease.conversationId, member.stream));
    }
    return opened.lease;
  }

  #adopt(opened: ResumedConversation): void {
    this.#lease = opened.lease;
    this.#startedAt = opened.startedAt;
    this.#segmentCount = opened.segmentCount;
    this.#tail = opened.tail;
    this.#recent = new Map(opened.tail === null ? [] : [[opened.tail.segment.id, opened.tail]]);
    // A takeover in mid-speech must not turn the clock of silence back.
    this.#lastSpeechAt = opened.resumed
      ? Math.max(this.#lastSpeechAt, opened.lastSpeechAt)
      : this.#context.clock.wall();
  }

  #forgetLease(): void {
    this.#lease = null;
    this.#startedAt = null;
    this.#segmentCount = 0;
    this.#tail = null;
    this.#recent.clear();
  }

  /** Makes what was heard durable, then sends it. A refused write goes to a conversation opened afresh. */
  async #store(): Promise<void> {
    for (let attempt = 0; attempt <= fencedRetries && this.dirty; attempt++) {
      if (this.#heard.length === 0 && this.#lease === null) {
        this.#reattribute = false;
        return;
      }
      const announced = this.#lease?.conversationId;
      const lease = await this.#ensureLease();
      const batch = this.#heard;
      this.#heard = [];
      const stored = await this.#write(lease, batch).catch((thrown: unknown) => {
        this.#heard = [...batch, ...this.#heard];
        throw thrown;
      });
      if (stored) continue;
      this.#heard = [...batch, ...this.#heard];
      this.#context.log.warn({ conversation: announced }, 'conversation was taken over; opening it again');
      this.#forgetLease();
    }
  }

  async #write(lease: Lease, batch: readonly HeardSegment[]): Promise<boolean> {
    const { committer, metrics } = this.#context;
    const startedAt = this.#startedAt ?? Math.min(...batch.map(({ from }) => from));
    const upserts = new Map<string, StoredSegment>();
    const reattributing = this.#reattribute;
    this.#reattribute = false;
    if (reattributing) for (const changed of this.#reattributed()) upserts.set(changed.segment.id, changed);

    const tail = this.#tail === null ? null : (upserts.get(this.#tail.segment.id) ?? this.#tail);
    const assignments = { bySegment: this.#bySegment, bySpeaker: this.#bySpeaker };
    const incoming = batch.map((heard) => assignSpeaker(place(heard, startedAt), assignments));
    const combined = combineSegments(tail, incoming, { protectedIds: new Set(this.#bySegment.keys()) });
    for (const upsert of combined.upserts) upserts.set(upsert.segment.id, upsert);
    for (const { id } of combined.deletions) upserts.delete(id);
    if (upserts.size === 0 && combined.deletions.length === 0) return true;

    const changes = [...upserts.values()];
    const durability = await committer
      .commit({
        lease,
        ...(this.#startedAt === null && batch.length > 0 ? { startedAt } : {}),
        lastSpeechAt: this.#lastSpeechAt,
        upserts: changes,
        deletions: combined.deletions,
      })
      .catch((thrown: unknown) => {
        this.#reattribute = reattributing;
        throw thrown;
      });
    if (durability === 'fenced') {
      this.#reattribute = reattributing;
      return false;
    }

    metrics.add('segments_committed_total', changes.length);
    if (batch.length > 0) this.#startedAt = startedAt;
    this.#segmentCount += changes.filter(({ revision }) => revision === 1).length - combined.deletions.length;
    this.#tail = combined.tail;
    this.#corrections.clear();
    this.#remember(changes, combined.deletions);
    if (combined.removed.length > 0) this.#broadcast(events.segmentsDeleted(combined.removed));
    if (changes.length > 0) {
      this.#broadcast(events.segments(changes.map(({ segment }) => segment)));
      metrics.add('segments_sent_total', changes.length * this.#members.size);
    }
    return true;
  }

  #reattributed(): StoredSegment[] {
    const corrected = new Map<string, StoredSegment>();
    for (const id of this.#corrections) {
      const stored = this.#recent.get(id);
      const assignee = this.#bySegment.get(id);
      if (stored === undefined || assignee === undefined) continue;
      const owner = assignee.kind === 'user';
      const person = assignee.kind === 'person' ? assignee.personId : null;
      if (stored.segment.is_user === owner && stored.segment.person_id === person) continue;
      const segment = { ...stored.segment, is_user: owner, person_id: person };
      corrected.set(id, { ...stored, segment, revision: stored.revision + 1 });
    }
    const others = [...this.#recent.values()].filter(({ segment }) => !corrected.has(segment.id));
    const assignments = { bySegment: this.#bySegment, bySpeaker: this.#bySpeaker };
    return [...corrected.values(), ...assignSpeakers(others, assignments)];
  }

  #remember(changes: readonly StoredSegment[], deletions: readonly { readonly id: string }[]): void {
    for (const change of changes) this.#recent.set(change.segment.id, change);
    for (const { id } of deletions) this.#recent.delete(id);
    for (const id of this.#recent.keys()) {
      if (this.#recent.size <= recentSegments) break;
      this.#recent.delete(id);
    }
  }

  async #finish(): Promise<void> {
    await this.#store();
    const lease = this.#lease;
    if (lease === null || this.#heard.length > 0) return;
    const { clock, completions, journal, log, metrics } = this.#context;
    const id = lease.conversationId;
    completions.expect(id, this.#members, clock.wall());
    const outcome = await journal.finish(lease, this.#lastSpeechAt).catch((thrown: unknown) => {
      completions.cancel(id);
      throw thrown;
    });
    const hadContent = this.#segmentCount > 0;
    this.#forgetLease();
    this.#bySegment.clear();
    this.#bySpeaker.clear();
    log.debug({ conversation: id, outcome }, 'conversation ended');
    if (outcome === 'processing' || (outcome === 'spill' && hadContent)) {
      metrics.add('conversations_finished_total');
      await completions.processing(id);
      return;
    }
    completions.cancel(id);
    if (outcome !== 'fenced') metrics.add('conversations_discarded_total');
  }

  async #release(): Promise<void> {
    const lease = this.#lease;
    if (lease === null) return;
    this.#forgetLease();
    await this.#context.journal.release(lease);
  }
}

const place = (heard: HeardSegment, startedAt: number): IncomingSegment & LiveSegment => {
  const start = Math.max(0, heard.from - startedAt) / 1000;
  const length = Math.max(0, heard.to - heard.from) / 1000;
  return {
    id: heard.id,
    text: heard.text,
    speaker: heard.speaker,
    speaker_id: heard.speakerId,
    is_user: heard.isUser,
    person_id: heard.personId,
    start: milliseconds(start),
    end: milliseconds(start + length),
    translations: [],
    speech_profile_processed: true,
    stt_provider: heard.provider,
  };
};

/** Times are kept to the millisecond: what lies below is noise of the clock. */
const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;
