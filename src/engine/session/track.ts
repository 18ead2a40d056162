import { OpusPace } from '../../audio/index.js';
import type { AudioBudget, AudioCore, Utterance } from '../../audio/interface/index.js';
import type { Finding } from '../../audio/readability/index.js';
import { TokenBucket } from '../../common/index.js';
import { ringAge } from '../../ring/index.js';
import type { Provider } from '../../stt/shared/index.js';
import type { AudioNeed, OpenRequest, StreamFormat } from '../../wire/index.js';
import type { TrackPositions } from '../positions/index.js';
import { StreamCheck, type StreamCheckContext } from '../readability/index.js';
import { type EngineClock, handleOf, wallOfArrival } from '../shared/index.js';
import {
  type TrackVoice,
  Transcription,
  type TranscriptionContext,
  type TranscriptionOptions,
  voicesOf,
} from '../transcription/index.js';
import { PieceMemory } from './piece-memory.js';
import { reanchorAfter, StreamClock } from './stream-clock.js';

/**
 * Maximum number of frames per second of audio. The shortest frames, Opus with 2.5 ms, reach this number. More
 * frames per second cannot be audio.
 */
const mostFrames = 400;
/**
 * Length in ms of a pause in the incoming audio after which an open utterance is ended, because the client has
 * stopped sending.
 */
const stalledAfter = 3000;
/**
 * Number of samples of silence that the recogniser needs behind a word. If the incoming audio ends in at least this
 * much silence, the utterance can be ended without dividing a word.
 */
const safeSilence = 4800;
/**
 * Ms that are added to the idle timeout. The front therefore closes the socket of an unreachable client before the
 * track ends the open utterance.
 */
const idleMargin = 10_000;

export interface TrackContext extends TranscriptionContext {
  readonly core: AudioCore;
  readonly clock: EngineClock;
  /** Amount of audio that a stream may send. The core enforces this amount; the track limits the number of frames. */
  readonly audioBudget: AudioBudget;
  /** Ms without a message after which the front closes a stream. */
  readonly idleTimeout: number;
  /** Checks whether streams match their declared format; absent if the check is disabled. */
  readonly readability?: StreamCheckContext | null;
}

export interface TrackOptions
  extends Omit<
    TranscriptionOptions,
    'handOut' | 'watch' | 'linger' | 'openUtterance' | 'wallOf' | 'tellWall'
  > {
  /** Handle of the track's stream in the core. */
  readonly handle: number;
  /** Called when the audio does not match the declared format. Absent if the client transcribes its own audio. */
  readonly unreadable?: ((declared: StreamFormat, finding: Finding) => void) | undefined;
}

/** Counts of a stream that has no frames yet. */
const nothingAccounted = { decoded: 0, invalid: 0, dropped: 0, overBudget: 0, skipped: 0, position: 0 };

/**
 * One audio stream of a session: the only one, or one side of a call. It takes frames and passes utterances to a
 * provider.
 */
export class Track {
  /** Handle of the track's stream in the core. */
  readonly handle: number;
  speaking = false;
  readonly #transcription: Transcription;
  readonly #streamClock: StreamClock;
  readonly #frames: TokenBucket;
  readonly #voice: TrackVoice;
  /**
   * The audio that the transcription wants from the core. The track remembers it, because `reopen` opens a new stream
   * in the core.
   */
  #need: AudioNeed = 'utterances';
  #watched = false;
  #lingers = false;
  readonly #pieces = new PieceMemory();
  /** Distinguishes small Opus packets from keep-alive messages; null for other codecs. */
  #pace: OpusPace | null = null;
  readonly #user: string;
  readonly #unreadable: TrackOptions['unreadable'];
  /** Checks the audio format; null if the check is disabled or the stream is closed. */
  #check: StreamCheck | null = null;
  #open = false;
  #lastArrival = -1;
  /** Number of frames that have arrived but wait to be passed to the core, and the arrival of the newest one. */
  #waiting = { frames: 0, arrival: -1 };
  /** Whether the client uses positions. If true, it sends audio again if the words of the audio are not stored. */
  readonly #resends: boolean;
  /** Last arrival for which `#endsInSpeech` was determined; -1 if none. */
  #examined = -1;
  #endsInSpeech = false;
  /** Result of `bound` when the stream was closed. */
  #lastBound = 0;
  #accounted = nothingAccounted;

  constructor(
    options: TrackOptions,
    private readonly context: TrackContext,
  ) {
    this.handle = options.handle;
    this.#voice = options.voice;
    this.#user = options.user;
    this.#resends = options.positions !== undefined;
    this.#streamClock = new StreamClock(() => options.positions?.continued);
    this.#unreadable = options.unreadable;
    this.#transcription = new Transcription(
      {
        ...options,
        handOut: (need) => {
          this.#need = need;
          context.core.choose(options.handle, need);
        },
        watch: (on) => {
          this.#watched = on;
          context.core.watch(options.handle, on);
        },
        linger: (on) => {
          this.#lingers = on;
          context.core.linger(options.handle, on);
        },
        openUtterance: () => context.core.openUtterance(options.handle),
        wallOf: (sample) => {
          this.#followArrivals();
          return this.#streamClock.wallOf(sample, context.clock.wall());
        },
        tellWall: (sample) => {
          this.#followArrivals();
          return this.#streamClock.tell(sample, context.clock.wall());
        },
      },
      context,
    );
    const { pace, backlog } = context.audioBudget;
    this.#frames = new TokenBucket(pace * mostFrames, (backlog * mostFrames) / 1000);
  }

  /** Wall clock (ms) of the first frame; undefined before it. */
  get startedAt(): number | undefined {
    return this.#streamClock.startedAt;
  }

  /** Wall clock (ms) of a sample as it is known now; undefined before the first frame. */
  wallOf(sample: number): number | undefined {
    if (!this.#streamClock.running) return undefined;
    this.#followArrivals();
    return this.#streamClock.wallOf(sample, 0);
  }

  /** Length in ms of the audio that is kept in memory because its speech has no words yet. */
  get held(): number {
    return this.#transcription.held;
  }

  /** Number of utterances that have no words yet. */
  get queued(): number {
    return this.#transcription.queued;
  }

  /** Opens the track's stream in the core. @throws CochleaError if the core cannot decode the format. */
  open(format: StreamFormat): void {
    this.context.core.open(this.handle, format);
    this.#open = true;
    this.#pace = format.codec.startsWith('opus') ? new OpusPace() : null;
    this.#check = this.#startCheck(format);
  }

  /**
   * Reopens the track with another format before its first frame. Called when one side of a call becomes the whole
   * stream.
   * @param voice speaker of all later words.
   * @throws CochleaError if the core cannot decode the format.
   */
  reopen(format: StreamFormat, voice: TrackVoice): void {
    this.close();
    this.#accounted = nothingAccounted;
    this.open(format);
    const { core } = this.context;
    core.choose(this.handle, this.#need);
    core.watch(this.handle, this.#watched);
    core.linger(this.handle, this.#lingers);
    // Changes the object in place, because the transcription reads it whenever words arrive.
    Object.assign(this.#voice, voice);
  }

  /** Connects to a provider. @returns the name of the provider, or null if none is available. */
  connect(first: Provider): Promise<string | null> {
    return this.#transcription.connect(first);
  }

  /** Closes the track's stream in the core. Does nothing if the stream is not open. */
  close(): void {
    if (!this.#open) return;
    this.#lastBound = this.bound();
    this.#followArrivals();
    this.account();
    this.#check?.close();
    this.#check = null;
    this.#open = false;
    this.context.core.close(this.handle);
  }

  /**
   * Returns the number of audio frames to process after a message. It is 0 for a keep-alive. It is above 1 if this
   * message proves that earlier small Opus packets were audio. Called for every message, so it must be cheap.
   * @param data contains the message; only read.
   * @param arrival ring clock.
   */
  audioFrames(data: Uint8Array, offset: number, length: number, arrival: number): number {
    const frames = this.#pace?.counts(data[offset] ?? 0, data[offset + 1] ?? 0, length, arrival) ?? 1;
    if (frames > 0 && this.#check !== null) this.#check.add(data, offset, length, arrival);
    return frames;
  }

  /**
   * Number of frames of held packets that became audio in the last call of `audioFrames`. The caller sends `heldPacket`
   * once for each of these frames, before the message of that call.
   */
  get framesBefore(): number {
    return this.#pace?.before ?? 0;
  }

  /** A packet with one frame that stands for a packet that was held back. Valid while `framesBefore` is above 0. */
  get heldPacket(): Uint8Array {
    return this.#pace!.heldPacket;
  }

  /** Checks whether the audio matches the declared format; called every tick. @param now ring clock. */
  checkReadability(now: number): void {
    this.#check?.look(now);
  }

  /**
   * Counts a frame against the limit of frames per second. Called for every frame, so it must be cheap.
   * @param arrival ring clock.
   * @returns false if the stream sends too many frames. The caller must then drop this frame.
   */
  admits(arrival: number): boolean {
    return this.#frames.take(1, arrival);
  }

  /**
   * Updates the stream's clock for a frame that is passed to the core. Called for every frame, so it must be cheap.
   * @param arrival ring clock.
   */
  frameCame(arrival: number): void {
    const silent = this.#lastArrival < 0 || ringAge(this.#lastArrival, arrival) >= reanchorAfter;
    // Waiting frames came after the pause, so they belong to the next anchor.
    if (silent) this.#followArrivals(false);
    this.#lastArrival = arrival;
    if (this.#waiting.frames > 0) this.#waiting.frames--;
    if (!silent) return;
    const position = this.#streamClock.running ? this.context.core.status(this.handle).position : 0;
    this.#streamClock.anchor(position, wallOfArrival(this.context.clock, arrival));
  }

  /** Counts a frame that waits until it is passed to the core. Called for every such frame, so it must be cheap. */
  frameWaits(arrival: number): void {
    this.#waiting.frames++;
    this.#waiting.arrival = arrival;
  }

  /** Forgets the waiting frames, because they were dropped. */
  noFrameWaits(): void {
    this.#waiting.frames = 0;
  }

  /** Tells the stream's clock how much audio has arrived. @param withWaiting whether waiting frames count. */
  #followArrivals(withWaiting = true): void {
    if (!this.#open || !this.#streamClock.running) return;
    const { clock, core } = this.context;
    const { position, framesDecoded } = core.status(this.handle);
    const { frames, arrival } = this.#waiting;
    this.#streamClock.arrived(position, wallOfArrival(clock, this.#lastArrival));
    const counts = withWaiting && frames > 0 && framesDecoded > 0;
    if (!counts || ringAge(this.#lastArrival, arrival) >= reanchorAfter) return;
    this.#streamClock.arrived(position * (1 + frames / framesDecoded), wallOfArrival(clock, arrival));
  }

  /** Returns the position before which no speech is open or undetected; see `Transcription.bound`. */
  bound(): number {
    if (!this.#open) return this.#lastBound;
    return this.#transcription.bound(this.context.core.status(this.handle));
  }

  /** Gives up the speech that has no words yet; see `Transcription.abandon`. */
  abandon(): void {
    this.#transcription.abandon();
  }

  /**
   * Whether an utterance is open and must end, because no audio has arrived for `stalledAfter` ms. If a client that
   * uses positions stopped in a word, its connection is probably lost. The client then sends the whole word again on
   * the next connection. So the utterance stays open until the front has closed the socket of an unreachable client.
   * @param now ring clock.
   */
  stalled(now: number): boolean {
    if (!this.speaking || !this.#open) return false;
    const age = ringAge(this.#lastArrival, now);
    if (age < stalledAfter) return false;
    return !this.#resends || age >= this.context.idleTimeout + idleMargin || !this.#stoppedInSpeech();
  }

  /** Whether the audio that has arrived ends in speech. */
  #stoppedInSpeech(): boolean {
    if (this.#examined === this.#lastArrival) return this.#endsInSpeech;
    const utterance = this.context.core.openUtterance(this.handle);
    this.#examined = this.#lastArrival;
    this.#endsInSpeech =
      utterance !== undefined && utterance.start + utterance.pcm.length - utterance.speechEnd < safeSilence;
    return this.#endsInSpeech;
  }

  /** Handles the start of an utterance. @param position on the stream's clock, in samples. */
  speechStarted(position: number): void {
    this.speaking = true;
    this.#transcription.speechStarted(position);
  }

  speechEnded(position: number): void {
    this.speaking = false;
    this.#transcription.speechEnded(position);
  }

  /**
   * Sends a finished utterance to the provider. The words of a track's utterances reach the conversation in the order
   * of the utterances.
   */
  utterance(utterance: Utterance): void {
    this.#transcription.utterance(utterance);
  }

  /** Requests the words of the open utterance, because more speech or a pause has followed. */
  speechGoesOn(pauses: boolean): void {
    if (this.#open) this.#transcription.speechGoesOn(pauses);
  }

  /** Sends audio to the provider. @param pcm copied before this returns. */
  audio(position: number, pcm: Int16Array): void {
    this.#transcription.audio(position, this.#pieces.copy(pcm));
  }

  /**
   * Stops transcribing because the shard is about to end. Speech that has no words yet and all later speech are stored
   * as files of retained audio. If the client uses positions, nothing is stored, because the client sends this speech
   * again.
   */
  giveUp(reason: string): void {
    this.#transcription.giveUp(reason);
  }

  /** Checks whether the provider still responds; called every tick. */
  checkProvider(): void {
    this.#transcription.check();
  }

  /** Ends the track after its last utterance. Resolves when all words have arrived, or after `timeout` ms. Never rejects. */
  finish(timeout: number): Promise<void> {
    return this.#transcription.finish(timeout);
  }

  #startCheck(format: StreamFormat): StreamCheck | null {
    const { core, metrics, readability } = this.context;
    const unreadable = this.#unreadable;
    if (!readability || unreadable === undefined) return null;
    return new StreamCheck({
      ...readability,
      user: this.#user,
      format,
      status: () => core.status(this.handle),
      unreadable: (finding) => unreadable(format, finding),
      metrics,
    });
  }

  /**
   * Adds the core's counts since the last call to the shard's metrics.
   * @returns the number of bytes of the stream's speech in the core: the open utterance, and finished utterances that
   * the shard has not taken yet.
   */
  account(): number {
    if (!this.#open) return 0;
    const { core, metrics } = this.context;
    const status = core.status(this.handle);
    const { framesDecoded, framesInvalid, framesDropped, framesOverBudget, framesSkipped, position } = status;
    const before = this.#accounted;
    const skipped = framesSkipped - before.skipped;
    metrics.add('frames_decoded_total', framesDecoded - before.decoded - skipped);
    metrics.add('frames_skipped_total', skipped);
    metrics.add('frames_invalid_total', framesInvalid - before.invalid);
    metrics.add('frames_queue_dropped_total', framesDropped - before.dropped);
    metrics.add('frames_over_budget_total', framesOverBudget - before.overBudget);
    metrics.add('samples_decoded_total', position - before.position);
    this.#accounted = {
      decoded: framesDecoded,
      invalid: framesInvalid,
      dropped: framesDropped,
      overBudget: framesOverBudget,
      skipped: framesSkipped,
      position,
    };
    return status.speechBytes;
  }
}

/** Objects that the tracks of a session share. */
export interface TracksContext
  extends TrackContext,
    Pick<TrackOptions, 'candidates' | 'log' | 'emit' | 'origin' | 'listen' | 'unreadable' | 'keywords'> {
  /** Positions of each track; absent if the client does not use positions. */
  readonly positions?: readonly TrackPositions[] | undefined;
  /** Number of slots of the shard. */
  readonly slots: number;
}

/** Creates the tracks of a session, in order: one track, or the two sides of a call. */
export const createTracks = (slot: number, request: OpenRequest, context: TracksContext): Track[] => {
  const { uid: user, stream, language, sttService: wanted } = request;
  const { candidates, log, emit, origin, listen, unreadable, keywords, positions, slots } = context;
  return voicesOf(request).map((voice, track) => {
    const handle = handleOf({ slot, track }, slots);
    // The transcriber distinguishes streams by this name and serves them in turn. Each side of a call therefore counts
    // as a stream of its own.
    const name = track === 0 ? stream : `${stream}/${track}`;
    return new Track(
      {
        handle,
        user,
        stream: name,
        language,
        candidates,
        wanted,
        origin,
        listen,
        unreadable,
        keywords,
        positions: positions?.[track],
        voice,
        log,
        emit,
      },
      context,
    );
  });
};
