import { randomUUID } from 'node:crypto';
import pTimeout from 'p-timeout';
import { coreRate, type Utterance } from '../audio/core.js';
import { CochleaError } from '../errors/index.js';
import type { Journal } from '../journal/journal.js';
import type { Logger } from '../log/index.js';
import { ringAge } from '../ring/index.js';
import type { Provider } from '../stt/provider.js';
import { speakerLabel, speakerNumber } from '../wire/speaker-label.js';
import type { OpenRequest } from '../wire/stream.js';
import type { SuggestedSegment } from './client-message.js';
import type { TextLimits } from './client-text.js';
import { ClientTexts } from './client-texts.js';
import type { Leaving, LiveConversation, Member } from './conversation.js';
import { handleOf } from './handles.js';
import { type Address, type Outbox, refusalReason } from './outbox.js';
import { failureMessage, type ProviderFailure } from './provider-link.js';
import * as events from './server-events.js';
import type { TextReader } from './text-turns.js';
import { Track, type TrackContext } from './track.js';
import { isTagged, voicesOf } from './track-voices.js';
import type { TranscriptionEvent } from './transcription.js';

/** What a session needs of its shard. */
export interface SessionContext extends TrackContext {
  readonly journal: Journal;
  readonly outbox: Outbox;
  readonly log: Logger;
  readonly textLimits: TextLimits;
  /** Texts of this session wait: `readText` is to be called until none do. */
  textsWait(session: ConnectionSession): void;
  /** The conversation of this key on this shard, begun if there is none. */
  conversationOf(request: OpenRequest): LiveConversation;
  /** How many slots the shard has. */
  readonly slots: number;
  /** Ends a stream's open utterance and hands out every event that follows from it. */
  flushStream(handle: number): Promise<void>;
  /** The session has let go of its slot. */
  released(session: ConnectionSession): void;
  /** The session has stored all its segments. */
  ended(session: ConnectionSession): void;
}

/**
 * `starting`: accepted, the start-up messages are on their way; audio is already taken.
 * `streaming`: ready was sent. `refused`: a close was sent; what still comes is ignored until the socket is gone.
 * `ending`: the socket is gone, or the shard drains; what was said is being stored. `ended`: nothing is left.
 */
export type SessionState = 'starting' | 'streaming' | 'refused' | 'ending' | 'ended';

const samplesPerMillisecond = coreRate / 1000;
/** Ms without a frame over the budget after which the next one is told of again. */
const newBurstAfter = 10_000;

/** One socket on its shard, from the open record to the close record and until its last words are stored. */
export class ConnectionSession implements Member, TextReader {
  readonly request: OpenRequest;
  readonly address: Address;
  /** Whether frames begin with a byte that names their track. */
  readonly tagged: boolean;
  /** One, or the two sides of a call. */
  readonly tracks: readonly Track[];
  state: SessionState = 'starting';

  readonly #context: SessionContext;
  readonly #log: Logger;
  readonly #texts: ClientTexts;
  #conversation: LiveConversation | undefined;
  #streamOpen = false;
  /** Messages that must not overtake `ready`. */
  #early: string[] | null = [];
  #started: Promise<void> = Promise.resolve();
  #slotReleased = false;
  /** Ring clock of the last frame that was over the budget; -1 before the first. */
  #overBudgetAt = -1;

  constructor(slot: number, request: OpenRequest, context: SessionContext) {
    this.address = { slot, generation: request.generation };
    this.request = request;
    this.#context = context;
    this.#log = context.log.child({ stream: request.stream });
    this.#texts = new ClientTexts({
      limits: context.textLimits,
      clock: context.clock,
      metrics: context.metrics,
      log: this.#log,
      suggested: ({ segments, provider }) => {
        if (request.customStt) this.#suggested(segments, provider);
      },
      assigned: ({ speakerId, personId, segmentIds }) => {
        this.#conversation?.assign(speakerId, personId, segmentIds);
      },
      send: (text) => this.send(text),
    });
    const { uid: user, stream, language, sttService: wanted } = request;
    const emit = (event: TranscriptionEvent): void => this.#transcriptionEvent(event);
    this.tagged = isTagged(request);
    this.tracks = voicesOf(request).map((voice, track) => {
      const handle = handleOf({ slot, track }, context.slots);
      // Fairness is between streams, and the sides of a call are two.
      const name = track === 0 ? stream : `${stream}/${track}`;
      return new Track(
        { handle, user, stream: name, language, wanted, voice, log: this.#log, emit },
        context,
      );
    });
  }

  get stream(): string {
    return this.request.stream;
  }

  /** Utterances on their way through a provider. */
  get queued(): number {
    return this.tracks.reduce((sum, { queued }) => sum + queued, 0);
  }

  /** Whether an utterance is open. */
  get speaking(): boolean {
    return this.tracks.some(({ speaking }) => speaking);
  }

  get conversationOptions() {
    const { language, conversationTimeout: timeout, clientPlatform, customStt: usesCustomStt } = this.request;
    return { language, timeout, clientPlatform, usesCustomStt };
  }

  /** Whether what the client says still counts. */
  get #listening(): boolean {
    return this.state === 'starting' || this.state === 'streaming';
  }

  /** Whether frames of this slot go to the core. */
  get takesAudio(): boolean {
    return this.#streamOpen && this.#listening;
  }

  /** Begins: refuses what cannot be served, or starts the sequence that leads to `ready`. Audio may follow at once. */
  open(): void {
    const { choose } = this.#context;
    const { customStt, format, language, sttService } = this.request;
    try {
      for (const track of this.tracks) track.open(this.tagged ? { ...format, channels: 1 } : format);
      this.#streamOpen = true;
    } catch (thrown) {
      this.#refuse(thrown);
      return;
    }
    const provider = customStt ? null : choose(language, sttService, new Set());
    if (provider === null && !customStt) {
      this.#refuse(new CochleaError('language_unsupported', { language }));
      return;
    }
    this.#conversation = this.#context.conversationOf(this.request);
    this.#started = this.#start(this.#conversation, provider);
  }

  speechStarted(track: Track): void {
    track.speaking = true;
    this.#conversation?.wake();
  }

  speechEnded(track: Track): void {
    track.speaking = false;
    this.#conversation?.spoke();
  }

  /**
   * Frames were refused because the stream sends more audio than it may; told once for a burst.
   * @param now ring clock.
   */
  audioOverBudget(now: number): void {
    const first = this.#overBudgetAt < 0 || ringAge(this.#overBudgetAt, now) >= newBurstAfter;
    this.#overBudgetAt = now;
    if (!first) return;
    this.#log.warn('stream sends more audio than it may');
    this.send(events.audioOverBudget(this.#context.audioBudget));
  }

  /** Frames had to be dropped; told once for a burst. */
  audioDropped(frames: number, samples: number): void {
    this.#log.warn({ frames, samples }, 'frames of a stream were dropped; it was behind, or over its budget');
    this.send(events.audioDropped(frames, samples / samplesPerMillisecond));
  }

  utterance(track: Track, utterance: Utterance): void {
    if (!this.request.customStt) track.utterance(utterance);
  }

  /**
   * One text message; it is read after the audio of this pass, as far as the stream's allowance reaches.
   * @param bytes UTF-8; not kept.
   * @throws CochleaError text_too_large, texts_over_budget
   */
  text(bytes: Buffer): void {
    if (!this.#listening) return;
    this.#texts.add(bytes);
    this.#context.textsWait(this);
  }

  get textsWaiting(): number {
    return this.#texts.waiting;
  }

  readText(): boolean {
    try {
      return this.#texts.readOne();
    } catch (thrown) {
      if (thrown instanceof CochleaError) this.violated(thrown);
      else {
        this.#log.error({ err: thrown }, 'a text was not handled');
        this.fault(thrown);
      }
      return true;
    }
  }

  send(text: string): void {
    if (this.state === 'refused' || this.state === 'ended' || this.#slotReleased) return;
    if (this.#early !== null) this.#early.push(text);
    else this.#context.outbox.send(this.address, text);
  }

  fault(thrown: unknown): void {
    if (!this.#listening) return;
    this.#context.metrics.add('sessions_failed_total');
    this.#refuse(thrown);
  }

  /**
   * The socket is gone, or the shard drains: ends the open utterance, lets go of the slot, waits for what providers
   * still owe, and leaves the conversation. Never rejects.
   * @param timeout ms to wait for providers.
   * @param release whether the slot is free after this; a draining shard keeps it until the socket closes.
   */
  async end(leaving: Leaving, timeout: number, release: boolean): Promise<void> {
    if (this.state === 'ending' || this.state === 'ended') {
      if (release) this.releaseSlot();
      return;
    }
    this.state = 'ending';
    try {
      if (this.#streamOpen)
        await Promise.all(this.tracks.map(({ handle }) => this.#context.flushStream(handle)));
    } catch (thrown) {
      this.#log.error({ err: thrown }, 'last frames of a stream were not decoded');
    }
    if (release) this.releaseSlot();
    try {
      await this.#started;
      if (this.#texts.waiting > 0) {
        this.#context.textsWait(this);
        await pTimeout(this.#texts.finish(), { milliseconds: timeout || 1, message: false });
        // Nothing unless the timeout ran out, which only a drain of many full backlogs can make it do.
        if (this.#texts.waiting > 0)
          this.#log.warn({ texts: this.#texts.waiting }, 'texts were not read in time');
        this.#texts.clear();
      }
      await Promise.all(this.tracks.map((track) => track.finish(timeout)));
      await this.#conversation?.leave(this, leaving);
    } catch (thrown) {
      this.#log.error({ err: thrown }, 'last words of a stream are not stored yet; it is tried again');
    }
    this.state = 'ended';
    this.#context.ended(this);
  }

  /** Frees the stream and its slot. Harmless when that was done. */
  releaseSlot(): void {
    this.#streamOpen = false;
    for (const track of this.tracks) track.close();
    if (this.#slotReleased) return;
    this.#slotReleased = true;
    this.#context.released(this);
  }

  /**
   * Adds what the core did for this session since the last call to the shard's counters.
   * @returns bytes its tracks hold of speech that has not ended or was not taken.
   */
  account(): number {
    let speechBytes = 0;
    for (const track of this.tracks) speechBytes += track.account();
    return speechBytes;
  }

  async #start(conversation: LiveConversation, provider: Provider | null): Promise<void> {
    const { journal, outbox } = this.#context;
    const say = (text: string): void => {
      if (this.state === 'starting') outbox.send(this.address, text);
    };
    say(events.serviceStatus('initiating'));
    const connected = provider === null ? Promise.resolve(null) : this.#connect(provider);
    const last = journal.lastCompleted(this.request.uid).catch(() => null);
    const joined = conversation.join(this);
    joined.catch(() => undefined);
    try {
      const memory = await last;
      if (memory !== null) say(events.lastMemory(memory));
      say(events.serviceStatus('in_progress_conversations_processing'));
      say(events.conversationSession(await joined, this.stream));
      say(events.serviceStatus('stt_initiating'));
      const serving = await connected;
      if (provider !== null && serving === null) return;
      say(events.serviceReady(serving));
      if (this.state === 'starting') this.state = 'streaming';
      this.#releaseEarly();
    } catch (thrown) {
      this.fault(thrown);
    }
  }

  /** @returns the name of the provider that serves, null when a track has none. */
  async #connect(provider: Provider): Promise<string | null> {
    const names = await Promise.all(this.tracks.map((track) => track.connect(provider)));
    return names.includes(null) ? null : names[0]!;
  }

  #releaseEarly(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const text of early) this.send(text);
  }

  #transcriptionEvent(event: TranscriptionEvent): void {
    if (event.kind === 'failed') {
      this.#providerFailed(event.failure);
      return;
    }
    // Words that come after every timeout still belong to their conversation, which may have been given back by now.
    const conversation =
      this.state === 'ended' ? this.#context.conversationOf(this.request) : this.#conversation;
    conversation?.add(event.segment);
  }

  /** Tells the client that its speech is not transcribed, and closes it, so that it keeps its audio. */
  #providerFailed(failure: ProviderFailure): void {
    if (!this.#listening) return;
    this.#context.outbox.send(this.address, failureMessage(failure));
    this.#refuse(new CochleaError('transcription_unavailable'));
  }

  #suggested(list: readonly SuggestedSegment[], provider: string | null): void {
    const { clock } = this.#context;
    const conversation = this.#conversation;
    if (conversation === undefined || list.length === 0) return;
    // The client's own service counts from the first audio it was given, which is the first we were given.
    const origin = this.tracks[0]!.startedAt ?? this.request.acceptedAt;
    for (const { text, speaker = speakerLabel(0), speaker_id, start, end, is_user, person_id } of list) {
      const from = start === undefined ? clock.wall() : origin + start * 1000;
      conversation.add({
        id: randomUUID(),
        text,
        speaker,
        speakerId: speaker_id ?? speakerNumber(speaker),
        isUser: is_user ?? false,
        personId: person_id ?? null,
        provider,
        from,
        to: end === undefined ? from : Math.max(from, origin + end * 1000),
      });
    }
    conversation.wake();
    conversation.spoke();
  }

  /** @param violation whether the client broke a rule in a text, which counts against its opens. */
  #refuse(thrown: unknown, violation = false): void {
    const error = thrown instanceof CochleaError ? thrown : new CochleaError('internal');
    if (error !== thrown) this.#log.error({ err: thrown }, 'session failed');
    const code = error.entry.close ?? 1011;
    if (this.#listening) this.state = 'refused';
    this.#early = null;
    this.#texts.clear();
    this.#context.outbox.close(this.address, code, refusalReason(error), violation);
  }

  /** A rule the client broke in a text message. */
  violated(error: CochleaError): void {
    if (this.#listening) this.#refuse(error, true);
  }
}
