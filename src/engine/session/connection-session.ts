import type { Utterance } from '../../audio/interface/index.js';
import type { Finding } from '../../audio/readability/index.js';
import { within } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { Provider } from '../../stt/shared/index.js';
import { cutSegment } from '../../transcript/index.js';
import type { OpenRequest, StreamFormat } from '../../wire/index.js';
import {
  type ConversationOptions,
  conversationOptionsOf,
  type JoinedConversation,
  type Leaving,
  type LiveConversation,
  type Member,
} from '../conversation/index.js';
import { ClientImages } from '../images/index.js';
import type { StreamPositions } from '../positions/index.js';
import { TextedAudio } from '../readability/index.js';
import { type Address, ClientSender, events, SpeechActivity, separableSample } from '../shared/index.js';
import {
  beginningWith,
  failureMessage,
  mayBeTagged,
  type ProviderFailure,
  positionsOf,
  type StreamOrigin,
  soleVoice,
  type TranscriptionEvent,
} from '../transcription/index.js';
import type { VoicePiece } from '../voices/index.js';
import type { BacklogOwner } from './audio-backlogs.js';
import type { AudioLine } from './audio-line.js';
import { AudioNotices } from './audio-notices.js';
import { ChannelChoice, type ChannelUse } from './channel-choice.js';
import { ClientTexts } from './client-texts.js';
import { ClientWords } from './client-words.js';
import type { SessionContext } from './context.js';
import { tellStart } from './start-up.js';
import { StreamKeywords } from './stream-keywords.js';
import type { TextReader } from './text-turns.js';
import { createTracks, type Track } from './track.js';

/**
 * Maximum time in ms that an unused side of a call may take to end its connection to the provider. The time is short
 * because that side got no audio.
 */
const unusedTimeout = 5000;
/** Minimum time in ms between two messages about stored audio. */
const positionInterval = 1000;

/**
 * `starting`: the stream is accepted and takes audio, while the start-up messages are being sent. `streaming`:
 * `ready` was sent. `refused`: a close was sent, and all input is ignored until the socket is closed. `ending`: the
 * socket is closed or the shard drains, while the last speech is being stored. `ended`: all speech is stored and
 * all resources are freed.
 */
export type SessionState = 'starting' | 'streaming' | 'refused' | 'ending' | 'ended';

/**
 * Effect of the end of a session on its conversation. `as_told`: the conversation ends if the client sent `stop`,
 * otherwise it is released.
 */
export type SessionLeaving = Leaving | 'as_told';

/**
 * One socket on its shard. The session exists from the `open` record of the socket until all words are stored that
 * arrived before the `close` record.
 */
export class ConnectionSession implements Member, TextReader, BacklogOwner {
  readonly address: Address;
  /**
   * How the session reads a frame. `whole`: audio of the only track. `tagged`: the first byte names the track.
   * `sides`: stereo, with one track per side. `unknown`: the session is still examining the first frames of a call.
   */
  framing: 'whole' | 'tagged' | 'sides' | 'unknown';
  /** Stores the first frames while `framing` is `unknown`; otherwise null. */
  channelChoice: ChannelChoice | null = null;
  /** Tracks in order: one track, or the two sides of a call. */
  tracks: readonly Track[];
  readonly audioNotices: AudioNotices;
  /** Waiting frames of this session; null if no frame waits. Owned by the shard's `AudioBacklogs`. */
  backlog: AudioLine | null = null;
  readonly conversationOptions: ConversationOptions;
  /** Positions on the device's clock; null if the client does not use them. */
  readonly positions: StreamPositions | null;
  state: SessionState = 'starting';

  readonly #log: Logger;
  readonly #client: ClientSender;
  /** Tells the client about speech; null if the client did not ask for it. */
  readonly #activity: SpeechActivity | null;
  readonly #words: ClientWords;
  readonly #texts: ClientTexts;
  readonly #images: ClientImages;
  readonly #keywords: StreamKeywords;
  #conversation: LiveConversation | undefined;
  /** Resolves when the stream has joined its conversation. */
  #joined: Promise<JoinedConversation> | undefined;
  /** The languages that the speaker may use; undefined until a track asks for them. */
  #languages: Promise<readonly string[]> | undefined;
  #streamOpen = false;
  #started: Promise<void> = Promise.resolve();
  #slotReleased = false;
  #wasRefused = false;
  #positionToldAt = Number.NEGATIVE_INFINITY;
  /**
   * The running or successful attempt to record from which position the device sends; undefined before an attempt and
   * after a failed one. Never rejects.
   */
  #noting: Promise<void> | undefined;

  constructor(
    slot: number,
    readonly request: OpenRequest,
    private readonly context: SessionContext,
  ) {
    this.address = { slot, generation: request.generation };
    this.conversationOptions = conversationOptionsOf(request);
    this.#log = context.log.child({ stream: request.stream });
    this.#client = new ClientSender(context.outbox, this.address);
    const { audioBudget } = context;
    this.audioNotices = new AudioNotices({
      audioBudget,
      log: this.#log,
      client: this.#client,
      metrics: context.metrics,
    });
    const emit = (event: TranscriptionEvent): void => this.#transcriptionEvent(event);
    if (mayBeTagged(request)) {
      this.framing = 'unknown';
      this.channelChoice = new ChannelChoice(request.format.codec);
    } else this.framing = separableSample(request) > 0 ? 'sides' : 'whole';
    const { source, deviceId: device, clientPlatform: platform } = request;
    const origin = (): StreamOrigin => {
      const conversation = this.#conversation?.lease?.conversationId ?? null;
      return { conversation, source, device, platform };
    };
    // Only single-track streams are diarized by voice. A call needs no diarization, because it has a channel for each
    // side. A call whose stereo frames are mixed is not diarized either.
    const listens = context.tellsVoices && this.framing === 'whole' && !request.customStt;
    const listen = listens ? (piece: VoicePiece): void => this.#conversation?.listen(piece) : undefined;
    // If a client transcribes its own audio, the engine makes no words from that audio. The format of the audio is
    // therefore not checked.
    const unreadable = request.customStt
      ? undefined
      : (declared: StreamFormat, finding: Finding): void =>
          this.audioNotices.unreadable(declared, finding, context.clock.ring());
    // The languages are read only once for both sides of a call.
    const candidates = (): Promise<readonly string[]> => {
      this.#languages ??= this.#candidates();
      return this.#languages;
    };
    this.#keywords = new StreamKeywords(request.keywords ?? []);
    this.positions = positionsOf(
      request,
      () => this.tracks.map((track) => track.bound()),
      (sample) => this.tracks[0]?.wallOf(sample),
    );
    this.tracks = createTracks(slot, request, {
      ...context,
      candidates,
      log: this.#log,
      emit,
      origin,
      listen,
      unreadable,
      keywords: () => this.#keywords.all,
      positions: this.positions?.tracks,
    });
    this.#activity = request.activity === true ? this.#createActivity() : null;
    const { clock, metrics, textLimits: limits, unreadTexts: unread, sharedTexts: shared } = context;
    const log = this.#log;
    const client = this.#client;
    this.#words = new ClientWords({ request, firstTrack: this.tracks[0]!, clock, client });
    const imageMemory = context.heldImages.of(request.uid);
    this.#images = new ClientImages({
      uid: request.uid,
      memory: imageMemory,
      limit: context.maxImage,
      keeper: context.imageKeeper,
      photos: context.photoWatch,
      clock,
      metrics,
      log,
      client,
    });
    const textedAudio =
      unreadable &&
      new TextedAudio({
        hasAudio: () => this.tracks.some(({ startedAt }) => startedAt !== undefined),
        unreadable: (finding) => unreadable(request.format, finding),
      });
    this.#texts = new ClientTexts({
      textedAudio,
      images: this.#images,
      imageMemory,
      limits,
      clock,
      metrics,
      log,
      unread,
      shared,
      words: this.#words,
      keywords: this.#keywords,
      client,
    });
  }

  get stream(): string {
    return this.request.stream;
  }

  get proposedConversation(): string | null {
    return this.request.proposedConversation ?? null;
  }

  /**
   * Number of utterances that have no words yet. Unread texts count too if the client transcribes its own audio,
   * because they may contain its words.
   */
  get queued(): number {
    const unread = this.request.customStt ? this.#texts.waiting : 0;
    return this.tracks.reduce((sum, { queued }) => sum + queued, unread);
  }

  /** Whether an utterance is open. */
  get speaking(): boolean {
    return this.tracks.some(({ speaking }) => speaking);
  }

  /** Whether the session still accepts input of the client. */
  get #listening(): boolean {
    return this.state === 'starting' || this.state === 'streaming';
  }

  /** Whether new frames of this slot are passed to the core. */
  get takesAudio(): boolean {
    return this.#streamOpen && this.#listening;
  }

  /**
   * Whether waiting frames must still be decoded. This is also true after the socket has closed, for frames that
   * arrived before.
   */
  get takesWaiting(): boolean {
    return this.#streamOpen && !this.#wasRefused;
  }

  /**
   * Opens the stream: refuses it, or starts the sequence of messages that ends with `ready`. Audio may follow at once.
   */
  open(): void {
    const { choose } = this.context;
    const { customStt, format, language, sttService } = this.request;
    try {
      const sides = this.framing !== 'whole';
      for (const track of this.tracks) track.open(sides ? { ...format, channels: 1 } : format);
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
    this.#conversation = this.context.conversations.of(this.request);
    this.#words.conversation = this.#conversation;
    this.#images.conversation = this.#conversation;
    this.#started = this.#start(this.#conversation, provider);
  }

  /** Applies the channel use that was detected in the first frames. No frame has been passed to the core yet. */
  chooseChannels(use: ChannelUse): void {
    const { request } = this;
    this.channelChoice = null;
    if (use === 'tagged') this.framing = 'tagged';
    else this.framing = separableSample(request) > 0 ? 'sides' : 'whole';
    if (this.framing === 'whole') {
      const [whole, other] = this.tracks;
      this.tracks = [whole!];
      other!.close();
      void other!.finish(unusedTimeout);
      try {
        whole!.reopen(request.format, soleVoice());
      } catch (thrown) {
        this.#refuse(thrown);
        return;
      }
    }
    const told = { tagged: 'tagged', sides: 'separate', whole: 'stereo' } as const;
    this.#client.send(events.channelsChosen(told[this.framing]));
  }

  /**
   * Tells the client up to which position its audio is stored, if that position has advanced.
   * @param now whether to ignore `positionInterval`.
   */
  tellPosition(now = false): void {
    if (this.positions === null) return;
    this.#noteResume();
    const time = this.context.clock.monotonic();
    if (!now && time - this.#positionToldAt < positionInterval) return;
    const position = this.positions.news();
    if (position === undefined) return;
    this.#positionToldAt = time;
    this.#client.send(events.audioConfirmed(position));
  }

  /**
   * After the first audio, records from which position the device sends. If the database is not reachable, a later call
   * tries again.
   */
  #noteResume(): void {
    const conversation = this.#conversation;
    if (this.#noting !== undefined || this.positions?.stream === undefined || !conversation) return;
    if (this.state === 'ended' || this.tracks.every(({ startedAt }) => startedAt === undefined)) return;
    this.#noting = conversation.arrived(this).then((noted) => {
      if (!noted) this.#noting = undefined;
    });
  }

  /**
   * Handles audio that was not decoded. A client that uses positions sends it again after a reconnect.
   * @param samples length of the gap at 16 kHz.
   */
  audioDropped(frames: number, samples: number): void {
    this.audioNotices.dropped(frames, samples, this.context.clock.ring());
    if (this.positions === null) return;
    this.positions.freeze();
    if (this.#listening) this.#refuse(new CochleaError('overloaded'));
  }

  speechStarted(track: Track, position: number): void {
    track.speechStarted(position);
    this.#noteResume();
    this.#activity?.changed(true, position);
    this.#conversation?.wake();
  }

  /** Handles the end of an utterance. @param probability as in `CoreEvents.speechEnded`. */
  speechEnded(track: Track, position: number, probability: number): void {
    track.speechEnded(position);
    this.#activity?.changed(this.speaking, position);
    this.#conversation?.spoke(probability);
  }

  utterance(track: Track, utterance: Utterance): void {
    if (!this.request.customStt) track.utterance(utterance);
  }

  /**
   * Queues one text message. It is read after the audio of this pass, as soon as the stream's allowance covers it.
   * @param bytes UTF-8; copied, so the caller may reuse the buffer.
   * @throws CochleaError text_too_large, texts_over_budget
   */
  text(bytes: Buffer): void {
    if (this.#listening) this.#texts.add(bytes);
  }

  get textsWaiting(): number {
    return this.#texts.waiting;
  }

  get unreadBytes(): number {
    return this.#texts.unreadBytes;
  }

  /**
   * Drops the unread texts and refuses the session. When the shard has too much unread text, it calls this for the
   * stream with the most unread text.
   */
  shedTexts(): void {
    this.#texts.giveUp('the shard has too many unread texts');
    if (this.#listening) this.#refuse(new CochleaError('overloaded'));
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

  /** Sends a waiting message about speech, if there is one (see `SpeechActivity.tick`). */
  tellActivity(): void {
    this.#activity?.tick();
  }

  /** Drops unfinished images that have received no chunk for `imageTimeout` ms. */
  expireImages(): void {
    this.#images.expire();
  }

  send(text: string): void {
    this.#client.send(text);
  }

  fault(thrown: unknown): void {
    if (!this.#listening) return;
    const isReplaced = thrown instanceof CochleaError && thrown.code === 'stream_replaced';
    if (!isReplaced) this.context.metrics.add('sessions_failed_total');
    this.#refuse(thrown);
  }

  /**
   * Stops accepting input, because the socket is closed or the shard drains.
   * @returns false if the session was already ending.
   */
  beginEnding(): boolean {
    if (this.state === 'ending' || this.state === 'ended') return false;
    this.state = 'ending';
    return true;
  }

  /** Handles of the session's open streams in the core; empty after they are closed. */
  get openHandles(): readonly number[] {
    return this.#streamOpen ? this.tracks.map(({ handle }) => handle) : [];
  }

  /**
   * Gives up the open speech of a session whose client did not end its recording. Does nothing unless the client uses
   * positions, because only such a client sends that speech again.
   * @returns whether the speech was given up.
   */
  abandon(): boolean {
    if (this.positions === null) return false;
    for (const track of this.tracks) track.abandon();
    return true;
  }

  /** Frees the slot, and the session's streams in the core. @returns false if this was already done. */
  letGo(): boolean {
    this.#streamOpen = false;
    for (const track of this.tracks) track.close();
    this.#client.close();
    const first = !this.#slotReleased;
    this.#slotReleased = true;
    return first;
  }

  /**
   * Ends the session after `beginEnding`. Reads the remaining texts, waits for the last words of providers, then leaves
   * the conversation. Never rejects.
   * @param timeout maximum time in ms for each of these steps.
   */
  async finish(leaving: SessionLeaving, timeout: number): Promise<void> {
    try {
      await this.#started;
      if (this.#texts.waiting > 0) {
        await within(this.#texts.finish(), timeout, () => undefined);
        // Texts remain only if the timeout has passed. Reading takes that long only while many streams have full
        // backlogs of texts.
        if (this.#texts.waiting > 0) this.#texts.giveUp('the stream is closed and its timeout has passed');
      }
      this.#noteResume();
      await Promise.all(this.tracks.map((track) => track.finish(timeout)));
      if (this.#noting !== undefined) {
        await within(this.#noting, timeout, () => undefined);
        if (this.positions?.isHeld) this.positions.release(null);
      }
      await within(this.#images.settled(), timeout, () => undefined);
      // The last text may be a `stop`, so `stops` is read only after all texts were read.
      const stops = leaving === 'finish' || (leaving === 'as_told' && this.#texts.stops);
      await this.#conversation?.leave(this, stops ? 'finish' : 'release');
      this.tellPosition(true);
    } catch (thrown) {
      this.#log.error({ err: thrown }, 'last words of a stream are not stored yet; a later tick retries');
    }
    this.#texts.clear();
    this.#images.clear();
    this.state = 'ended';
    // Words that arrive later would be stored twice, because the client sends their audio again.
    this.positions?.freeze();
    this.#client.close();
  }

  /**
   * Adds the core's counts since the last call to the shard's metrics.
   * @returns the number of bytes of the session's speech in the core: open utterances, and finished utterances that the
   * shard has not taken yet.
   */
  account(): number {
    let speechBytes = 0;
    for (const track of this.tracks) speechBytes += track.account();
    return speechBytes;
  }

  #createActivity(): SpeechActivity {
    return new SpeechActivity({
      now: () => this.context.clock.monotonic(),
      tell: (speaking, at) => {
        const base = (this.positions?.base ?? 0) / 1000;
        this.#client.send(events.speechActivity(speaking, base + at));
      },
    });
  }

  async #start(conversation: LiveConversation, provider: Provider | null): Promise<void> {
    const { stream, request } = this;
    const say = (text: string): void => {
      if (this.state === 'starting') this.#client.sendAtOnce(text);
    };
    say(events.serviceStatus('initiating'));
    const { journal } = this.context;
    const joined = conversation.join(this);
    joined.catch(() => undefined);
    this.#joined = joined;
    const serving = provider === null ? Promise.resolve(null) : this.#connect(provider);
    const last = journal.lastCompleted(request.uid).catch(() => null);
    if (!request.customStt) void this.#learnKeywords();
    const recordOf = (id: string) => journal.announced(request.uid, id).catch(() => null);
    try {
      if (!(await tellStart({ stream, last, joined, recordOf, serving }, say))) return;
      if (this.state === 'starting') this.state = 'streaming';
      this.#client.ready();
    } catch (thrown) {
      this.fault(thrown);
    }
  }

  /**
   * Returns the languages that the speaker may use. The language of the conversation comes first, so that a stream
   * continues in that language after a reconnect. Waits until the stream has joined its conversation.
   */
  async #candidates(): Promise<readonly string[]> {
    const { journal, speakerLanguages } = this.context;
    const [user, joined] = await Promise.all([
      journal.languages(this.request.uid).catch(() => null),
      this.#joined?.catch(() => undefined),
    ]);
    return beginningWith(joined?.language, speakerLanguages(user));
  }

  /**
   * Reads the custom words of the user. Until they are known, and while the database is not reachable, only the words
   * of the client are used.
   */
  async #learnKeywords(): Promise<void> {
    const { journal } = this.context;
    const words = await journal.keywords(this.request.uid).catch(() => null);
    if (words !== null) this.#keywords.useOf(words);
  }

  /**
   * Connects all tracks to the provider. @returns the name of the provider, or undefined if a track could not
   * connect.
   */
  async #connect(provider: Provider): Promise<string | undefined> {
    const names = await Promise.all(this.tracks.map((track) => track.connect(provider)));
    return names.includes(null) ? undefined : names[0]!;
  }

  #transcriptionEvent(event: TranscriptionEvent): void {
    if (event.kind === 'failed') {
      this.#providerFailed(event.failure);
      return;
    }
    // Words may arrive after all timeouts, when the session no longer has its conversation. They are then added to
    // the current conversation of the same user, source and device.
    const conversation =
      this.state === 'ended' ? this.context.conversations.of(this.request) : this.#conversation;
    if (event.kind === 'withdrawn') conversation?.hide(event.id);
    else if (event.kind === 'provisional') conversation?.show(cutSegment(event.segment)[0]!);
    else {
      this.positions?.pass();
      conversation?.add(cutSegment(event.segment));
    }
  }

  /**
   * Informs the client that its speech is not transcribed, and closes the socket. The client then knows that it
   * must keep its audio.
   */
  #providerFailed(failure: ProviderFailure): void {
    if (!this.#listening) return;
    this.#client.sendAtOnce(failureMessage(failure));
    this.#refuse(new CochleaError('transcription_unavailable'));
  }

  /**
   * Closes the socket with an error. @param violation whether the client broke a rule in a text. Violations count
   * against the number of streams that the client may open.
   */
  #refuse(thrown: unknown, violation = false): void {
    const error = thrown instanceof CochleaError ? thrown : new CochleaError('internal');
    if (error !== thrown) this.#log.error({ err: thrown }, 'session failed');
    if (this.#listening) this.state = 'refused';
    this.#wasRefused = true;
    this.#texts.clear();
    this.#images.clear();
    this.tellPosition(true);
    this.#client.refuse(error, violation);
  }

  /** Refuses the session because the client broke a rule in a text message. */
  violated(error: CochleaError): void {
    if (this.#listening) this.#refuse(error, true);
  }
}
