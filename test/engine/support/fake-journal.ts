import { randomUUID } from 'node:crypto';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import type { ConversationKey } from '../../../src/journal/feeds/conversation-key.js';
import type {
  AudioResume,
  ConfirmedAudio,
  ConversationChange,
  Durability,
  GivenPerson,
  Journal,
  Lease,
  OpenConversation,
  Replacement,
  ResumedConversation,
  StoredVoices,
  UserLanguages,
} from '../../../src/journal/journal.js';
import type { PhotoDescription } from '../../../src/store/conversations/photo-descriptions.js';
import type { NewPhoto, PhotoStored } from '../../../src/store/conversations/photos.js';
import type { ResolvedPerson } from '../../../src/store/records/people.js';
import type { KnownVoices, LearnedVoice, VoicePrint } from '../../../src/store/records/voice-profiles.js';
import type { SegmentQuestion } from '../../../src/store/segments/segments.js';
import type { StoredSegment } from '../../../src/wire/segment.js';
import type { SpokenTimes } from '../../../src/wire/spill/spill.js';
import type { AudioPosition } from '../../../src/wire/stream.js';

export interface StoredConversation {
  readonly id: string;
  readonly request: OpenConversation;
  status: 'in_progress' | 'processing' | 'completed' | 'failed' | 'deleted';
  epoch: number;
  leased: boolean;
  /** The journal that holds the conversation. null: the lease of its holder has expired. */
  holder?: FakeJournal | null;
  startedAt: number | null;
  lastSpeechAt: number;
  /** The newest languages that a change stored. */
  spoken?: SpokenTimes;
  /** The newest voices of the speakers. */
  voices?: StoredVoices;
  /** The newest position on a device's clock. */
  audio?: AudioPosition;
  readonly segments: Map<string, StoredSegment & { readonly deleted: boolean }>;
}

/** Returns the ms of each language in a conversation. If only one language was spoken, the segments give its time. */
const spokenBefore = (
  { request, spoken }: StoredConversation,
  segments: readonly StoredSegment[],
): Readonly<Record<string, number>> => {
  const { language, times } = spoken ?? { language: request.language, times: {} };
  if (Object.keys(times).length > 1) return times;
  const milliseconds = segments.reduce((sum, { segment: { start, end } }) => sum + 1000 * (end - start), 0);
  return milliseconds === 0 || language === 'multi' ? {} : { [language]: milliseconds };
};

/** Counts how often any journal opened a conversation. The count takes the place of the database's clock. */
let takeOvers = 0;

/** An in-memory journal with the rules of the real journal. The test can make it fail. */
export class FakeJournal implements Journal {
  readonly conversations: Map<string, StoredConversation>;
  /** For each clock: the positions from which a device began to send on its streams. */
  readonly resumes: Map<string, AudioResume[]>;
  /** Number of opened streams, by clock. */
  readonly streams: Map<string, number>;
  /** Number of times that an open conversation was taken over or resumed. */
  epochs = 0;

  /** @param shared journal of another engine on the same database. */
  constructor(shared?: FakeJournal) {
    this.conversations = shared?.conversations ?? new Map();
    this.resumes = shared?.resumes ?? new Map();
    this.streams = shared?.streams ?? new Map();
  }

  /** Journal events in order. */
  readonly log: string[] = [];
  readonly commits: (readonly ConversationChange[])[] = [];
  /**
   * `away`: the database is unreachable. Writes wait in the spill until `replay`. Streams that need a stream
   * number also wait until then.
   */
  mode: 'database' | 'spill' | 'away' | 'broken' | 'refusing' = 'database';
  last: string | null = null;
  renewals = 0;
  closed = false;
  #gate: Promise<void> | undefined;
  #openGate: () => void = () => undefined;
  #listeners: ((id: string) => void)[] = [];
  #spilled: (() => void)[] = [];
  /** Functions that wait for the database. They are called when the database returns. */
  #waiting: (() => void)[] = [];

  /** Makes commits wait until `resume`. */
  hold(): void {
    if (this.#gate !== undefined) return;
    this.#gate = new Promise((resolve) => {
      this.#openGate = resolve;
    });
  }

  resume(): void {
    this.#gate = undefined;
    this.#openGate();
  }

  /** Simulates another engine that takes over a conversation. */
  takeOver(id: string, status: StoredConversation['status'] = 'processing'): void {
    const conversation = this.conversations.get(id)!;
    conversation.epoch++;
    conversation.status = status;
    conversation.leased = false;
    conversation.holder = null;
  }

  /** Simulates a conversation that the pipeline failed to process. */
  fail(id: string): void {
    this.conversations.get(id)!.status = 'failed';
    this.complete(id);
  }

  /** Returns whether memories and tasks of a conversation are stored. */
  followed: () => boolean | null = () => true;

  complete(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  /** Returns the texts of a conversation in order, without deleted segments. */
  texts(id: string): string[] {
    return this.live(id).map(({ segment }) => segment.text);
  }

  live(id: string): StoredSegment[] {
    return [...this.conversations.get(id)!.segments.values()]
      .filter(({ deleted }) => !deleted)
      .sort((a, b) => a.position - b.position);
  }

  get inProgress(): StoredConversation[] {
    return [...this.conversations.values()].filter(({ status }) => status === 'in_progress');
  }

  /** Stored descriptions of images. */
  readonly descriptions: PhotoDescription[] = [];

  async describedPhotos(ids: readonly string[]): Promise<PhotoDescription[]> {
    return this.descriptions.filter(({ id }) => ids.includes(id));
  }

  /** The result that `storePhoto` returns. */
  photoAnswer: PhotoStored | null = 'stored';
  readonly photos: { readonly conversation: string; readonly photo: NewPhoto }[] = [];

  async storePhoto({ conversationId: conversation }: Lease, photo: NewPhoto): Promise<PhotoStored | null> {
    await Promise.resolve();
    if (this.photoAnswer === 'stored') this.photos.push({ conversation, photo });
    return this.photoAnswer;
  }

  /** Custom words of every user. Null simulates an unreachable database. */
  words: readonly string[] | null = [];

  async keywords(): Promise<readonly string[] | null> {
    await Promise.resolve();
    return this.words;
  }

  async open(request: OpenConversation): Promise<ResumedConversation> {
    await Promise.resolve();
    if (this.mode === 'broken' || this.mode === 'away')
      throw new CochleaError('journal_spill_failed', { why: 'test' });
    const { proposed = null } = request;
    const asked = proposed === null ? undefined : this.conversations.get(proposed);
    const found = this.inProgress.find(
      ({ id, request: { uid, source, deviceId }, lastSpeechAt }) =>
        (proposed === null || id === proposed) &&
        uid === request.uid &&
        source === request.source &&
        deviceId === request.deviceId &&
        request.now - lastSpeechAt < request.timeout * 1000,
    );
    const conversation: StoredConversation = found ?? {
      id: proposed !== null && asked === undefined ? proposed : randomUUID(),
      request,
      status: 'in_progress',
      epoch: 0,
      leased: true,
      startedAt: null,
      lastSpeechAt: request.now,
      segments: new Map(),
    };
    const isTailClosed = conversation.holder === null || (found?.leased === true && found.holder !== this);
    conversation.epoch++;
    conversation.leased = true;
    conversation.holder = this;
    if (found !== undefined) this.epochs++;
    this.conversations.set(conversation.id, conversation);
    this.log.push(found === undefined ? 'open' : 'resume');
    const live = this.live(conversation.id);
    return {
      lease: { conversationId: conversation.id, uid: request.uid, epoch: conversation.epoch },
      takenAt: ++takeOvers,
      resumed: found !== undefined,
      language: conversation.spoken?.language ?? conversation.request.language,
      spoken: spokenBefore(conversation, live),
      startedAt: conversation.startedAt,
      lastSpeechAt: conversation.lastSpeechAt,
      tail: live.at(-1) ?? null,
      isTailClosed,
      segmentCount: live.length,
      labels: [],
      voices: (request.recognisesVoices && conversation.voices) || null,
      past:
        asked === undefined || asked.status === 'in_progress' || asked.status === 'deleted'
          ? null
          : { id: asked.id, status: asked.status },
      nextSpeaker: 1 + Math.max(-1, ...live.map(({ segment }) => segment.speaker_id)),
      speakers: [...new Map(live.map(({ segment }) => [segment.speaker_id, segment])).values()]
        .filter(({ is_user, person_id }) => is_user || person_id !== null)
        .map(({ speaker_id: speakerId, is_user: isUser, person_id: personId }) => ({
          speakerId,
          isUser,
          personId,
        })),
      characters: live.reduce((sum, { segment }) => sum + segment.text.length + segment.speaker.length, 0),
    };
  }

  async commit(changes: readonly ConversationChange[]): Promise<ReadonlyMap<string, Durability>> {
    await this.#gate;
    if (this.mode === 'refusing') throw new CochleaError('durability_unmet');
    if (this.mode === 'broken') throw new CochleaError('journal_spill_failed', { why: 'test' });
    this.commits.push(changes);
    this.log.push('commit');
    if (this.mode === 'away') {
      for (const change of changes) this.#spilled.push(() => this.#replay(change));
      return new Map(changes.map((change) => [change.lease.conversationId, 'spill']));
    }
    return new Map(changes.map((change) => [change.lease.conversationId, this.#apply(change)]));
  }

  async audioConfirmed(
    { uid, source, deviceId }: ConversationKey,
    clock: string,
  ): Promise<ConfirmedAudio | null> {
    await Promise.resolve();
    const own = [...this.conversations.values()].findLast(
      ({ request, audio }) =>
        audio?.clock === clock &&
        request.uid === uid &&
        request.source === source &&
        request.deviceId === deviceId,
    );
    if (this.mode !== 'database' || !own?.audio) return null;
    const { confirmed, began = null } = own.audio;
    return { confirmed, began };
  }

  async numberStream(_key: ConversationKey, clock: string): Promise<number | undefined> {
    await this.#returned();
    if (this.mode !== 'database') return undefined;
    const stream = (this.streams.get(clock) ?? 0) + 1;
    this.streams.set(clock, stream);
    return stream;
  }

  async hasNewerAudio(_key: ConversationKey, clock: string, than: number): Promise<boolean | null> {
    await Promise.resolve();
    if (this.mode !== 'database') return null;
    return (this.resumes.get(clock) ?? []).some(({ stream }) => stream > than);
  }

  async noteResume(key: ConversationKey, resume: AudioResume): Promise<readonly number[] | null> {
    await this.#returned();
    if (this.mode !== 'database') return null;
    this.resumes.set(resume.clock, [...(this.resumes.get(resume.clock) ?? []), resume]);
    return (await this.audioConfirmed(key, resume.clock))?.confirmed ?? [];
  }

  /** Makes the database reachable again, and stores everything that waits in the spill. */
  replay(): void {
    this.mode = 'database';
    for (const replay of this.#spilled.splice(0)) replay();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #returned(): Promise<void> {
    if (this.mode === 'away') await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else await Promise.resolve();
  }

  #replay(change: ConversationChange): void {
    const { audio, lease } = change;
    const newest = audio?.newest;
    const isSentAgain = this.resumes
      .get(audio?.clock ?? '')
      ?.some(
        ({ stream, positions }) =>
          newest !== undefined &&
          stream > newest.stream &&
          positions.every((position, track) => newest.since[track]! >= position),
      );
    if (isSentAgain) return;
    if (this.#owns(lease)) {
      this.#write(change);
      return;
    }
    const conversation = this.conversations.get(lease.conversationId)!;
    const { audio: before } = conversation;
    const reaches =
      before?.clock === audio?.clock && newest?.after.every((at, track) => before!.confirmed[track]! >= at);
    const { audio: _, ...rest } = change;
    this.#write(before === undefined || reaches ? change : rest);
  }

  async replacement(
    { conversationId, epoch }: Lease,
    { uid, source, deviceId }: ConversationKey,
  ): Promise<Replacement | null> {
    await Promise.resolve();
    const taker = this.inProgress.find(
      ({ id, request, epoch: other, leased, holder }) =>
        request.uid === uid &&
        request.source === source &&
        request.deviceId === deviceId &&
        (id !== conversationId || other > epoch) &&
        leased &&
        holder &&
        holder !== this,
    );
    if (taker === undefined || this.mode !== 'database') return null;
    return {
      startedAt: this.conversations.get(conversationId)?.startedAt ?? null,
      position: this.live(conversationId).at(-1)?.position ?? -1,
    };
  }

  async commitLate(change: ConversationChange): Promise<'database' | 'spill'> {
    await this.#gate;
    if (this.mode === 'broken') throw new CochleaError('journal_spill_failed', { why: 'test' });
    this.log.push('late');
    this.#write(change);
    return this.mode === 'spill' ? 'spill' : 'database';
  }

  async renew(): Promise<void> {
    this.renewals++;
  }

  async finish(lease: Lease): Promise<'processing' | 'deleted' | 'fenced' | 'spill'> {
    await Promise.resolve();
    this.log.push('finish');
    if (this.mode === 'away') {
      this.#spilled.push(() => void this.finish(lease));
      return 'spill';
    }
    if (!this.#owns(lease)) return 'fenced';
    const conversation = this.conversations.get(lease.conversationId)!;
    conversation.leased = false;
    conversation.status = this.live(conversation.id).length > 0 ? 'processing' : 'deleted';
    return this.mode === 'spill' ? 'spill' : conversation.status;
  }

  async release(lease: Lease, voices?: Uint8Array): Promise<'database' | 'spill'> {
    await Promise.resolve();
    this.log.push(voices === undefined ? 'release' : 'release with voices');
    if (this.mode === 'away') {
      this.#spilled.push(() => void this.release(lease));
      return 'spill';
    }
    if (this.#owns(lease)) this.conversations.get(lease.conversationId)!.leased = false;
    if (this.mode !== 'database') return 'spill';
    this.#keep(lease, voices);
    return 'database';
  }

  #keep({ conversationId, epoch }: Lease, voices: Uint8Array | undefined): void {
    const conversation = this.conversations.get(conversationId);
    if (voices === undefined || conversation === undefined || epoch < (conversation.voices?.epoch ?? 0))
      return;
    conversation.voices = { epoch, voices };
  }

  async conversation(_uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null> {
    const found = this.conversations.get(id);
    return found === undefined || this.mode === 'spill' ? null : { id, status: found.status };
  }

  async announced(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null> {
    return this.conversation(uid, id);
  }

  async isFollowed(): Promise<boolean | null> {
    return this.followed();
  }

  async lastCompleted(): Promise<string | null> {
    return this.last;
  }

  async earlierSegments(
    { conversationId }: Lease,
    { segmentIds, speakerIds, after, limit }: SegmentQuestion,
  ): Promise<readonly StoredSegment[] | null> {
    if (this.mode !== 'database') return null;
    const asked = ({ segment }: StoredSegment) =>
      segmentIds.includes(segment.id) || speakerIds.includes(segment.speaker_id);
    return this.live(conversationId)
      .filter((stored) => stored.position > after && asked(stored))
      .slice(0, limit);
  }

  /** The languages in the settings of every user. */
  userLanguages: UserLanguages | null = null;

  async languages(): Promise<UserLanguages | null> {
    return this.mode === 'database' ? this.userLanguages : null;
  }

  /** Resolves a person. By default, every id belongs to the user. */
  people: (given: GivenPerson) => ResolvedPerson = ({ id }) => ({ kind: 'person', id });

  async person(_uid: string, given: GivenPerson): Promise<ResolvedPerson | null> {
    return this.mode === 'database' ? this.people(given) : null;
  }

  /** The known voices that the journal returns. */
  voices: KnownVoices = { allowed: true, voices: [] };
  /** Number of requests for the known voices. */
  voicesAsked = 0;
  /** Learned voices. Revoked voices are removed. */
  readonly learned = new Map<string, VoicePrint>();

  async knownVoices(): Promise<KnownVoices | null> {
    this.voicesAsked++;
    return this.mode === 'database' ? this.voices : null;
  }

  async learnVoice({ personId, conversationId }: LearnedVoice, voice: VoicePrint): Promise<boolean | null> {
    if (this.mode !== 'database') return null;
    this.learned.set(`${personId} ${conversationId}`, voice);
    return true;
  }

  async unlearnVoice({ personId, conversationId }: LearnedVoice): Promise<true | null> {
    if (this.mode !== 'database') return null;
    this.learned.delete(`${personId} ${conversationId}`);
    return true;
  }

  onCompleted(listener: (conversationId: string) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  #owns(lease: Lease): boolean {
    const conversation = this.conversations.get(lease.conversationId);
    return conversation?.status === 'in_progress' && conversation.epoch === lease.epoch;
  }

  #apply(change: ConversationChange): Durability {
    if (!this.#owns(change.lease)) return 'fenced';
    this.#write(change);
    if (this.mode === 'spill') return 'spill';
    this.#keep(change.lease, change.voices);
    return 'database';
  }

  #write(change: ConversationChange): void {
    const conversation = this.conversations.get(change.lease.conversationId)!;
    conversation.startedAt = change.startedAt ?? conversation.startedAt;
    conversation.lastSpeechAt = change.lastSpeechAt;
    conversation.spoken = change.spoken ?? conversation.spoken;
    if (change.audio !== undefined) conversation.audio = change.audio;
    for (const upsert of change.upserts) {
      const before = conversation.segments.get(upsert.segment.id);
      if (before === undefined || before.revision < upsert.revision) {
        conversation.segments.set(upsert.segment.id, { ...upsert, deleted: false });
      }
    }
    for (const { id, revision } of change.deletions) {
      const before = conversation.segments.get(id);
      if (before !== undefined && before.revision < revision) {
        conversation.segments.set(id, { ...before, revision, deleted: true });
      }
    }
  }
}
