import { OpusPace } from '../../audio/index.js';
import type { AudioBudget, AudioCore, Utterance } from '../../audio/interface/index.js';
import type { Finding } from '../../audio/readability/index.js';
import { TokenBucket } from '../../common/index.js';
import { ringAge } from '../../ring/index.js';
import type { Provider } from '../../stt/shared/index.js';
import type { AudioNeed, OpenRequest, StreamFormat } from '../../wire/index.js';
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

/** Frames a second of the shortest there are, 2.5 ms of Opus. More of them than a stream's audio may last are no audio. */
const mostFrames = 400;
/** Without audio for this long, an open utterance is ended: its client has stopped sending. */
const stalledAfter = 3000;

export interface TrackContext extends TranscriptionContext {
  readonly core: AudioCore;
  readonly clock: EngineClock;
  /** How much audio a stream may send; the core holds it to that, its number of frames is bounded here. */
  readonly audioBudget: AudioBudget;
  /** Looks whether streams are what they were opened with; absent where that is not done. */
  readonly readability?: StreamCheckContext | null;
}

export interface TrackOptions
  extends Omit<TranscriptionOptions, 'handOut' | 'watch' | 'openUtterance' | 'wallOf'> {
  /** Of the stream in the core. */
  readonly handle: number;
  /** Its audio is not what was declared. Absent where no one listens to it. */
  readonly unreadable?: ((declared: StreamFormat, finding: Finding) => void) | undefined;
}

/** One stream of audio of a session, all of it or one side of a call: its frames on their way in, its utterances on their way out. */
export class Track {
  /** Of the stream in the core. */
  readonly handle: number;
  speaking = false;
  readonly #transcription: Transcription;
  readonly #context: TrackContext;
  readonly #streamClock = new StreamClock();
  readonly #frames: TokenBucket;
  readonly #voice: TrackVoice;
  #need: AudioNeed = 'utterances';
  readonly #pieces = new PieceMemory();
  /** Of a stream whose small messages may be audio. */
  #pace: OpusPace | null = null;
  readonly #user: string;
  readonly #unreadable: TrackOptions['unreadable'];
  /** Until it is closed. */
  #check: StreamCheck | null = null;
  #open = false;
  #lastArrival = -1;
  #accounted = { decoded: 0, invalid: 0, dropped: 0, overBudget: 0, position: 0 };

  constructor(options: TrackOptions, context: TrackContext) {
    this.handle = options.handle;
    this.#context = context;
    this.#voice = options.voice;
    this.#user = options.user;
    this.#unreadable = options.unreadable;
    this.#transcription = new Transcription(
      {
        ...options,
        handOut: (need) => {
          this.#need = need;
          context.core.choose(options.handle, need);
        },
        watch: (on) => context.core.watch(options.handle, on),
        openUtterance: () => context.core.openUtterance(options.handle),
        wallOf: (sample) => this.#streamClock.wallOf(sample, context.clock.wall()),
      },
      context,
    );
    const { pace, backlog } = context.audioBudget;
    this.#frames = new TokenBucket(pace * mostFrames, (backlog * mostFrames) / 1000);
  }

  /** Wall clock (ms) of the first frame, undefined before it. */
  get startedAt(): number | undefined {
    return this.#streamClock.startedAt;
  }

  /** Ms of audio that is kept because speech in it has no words yet. */
  get held(): number {
    return this.#transcription.held;
  }

  /** Utterances whose words are not here yet. */
  get queued(): number {
    return this.#transcription.queued;
  }

  /** @throws CochleaError when the core cannot decode this. */
  open(format: StreamFormat): void {
    this.#context.core.open(this.handle, format);
    this.#open = true;
    this.#pace = format.codec.startsWith('opus') ? new OpusPace() : null;
    this.#check = this.#startCheck(format);
  }

  /**
   * Begins anew with another format, before any frame: what was opened as one side of a call is a whole stream.
   * @param voice whose words come from now on.
   * @throws CochleaError when the core cannot decode this.
   */
  reopen(format: StreamFormat, voice: TrackVoice): void {
    this.close();
    this.#accounted = { decoded: 0, invalid: 0, dropped: 0, overBudget: 0, position: 0 };
    this.open(format);
    this.#context.core.choose(this.handle, this.#need);
    // The transcription reads it with each words.
    Object.assign(this.#voice, voice);
  }

  /** Connects to a provider. @returns the name of the one that serves, null when none does. */
  connect(first: Provider): Promise<string | null> {
    return this.#transcription.connect(first);
  }

  /** Frees the stream. Harmless when that was done, or when it never opened. */
  close(): void {
    if (!this.#open) return;
    this.account();
    this.#check?.close();
    this.#check = null;
    this.#open = false;
    this.#context.core.close(this.handle);
  }

  /**
   * How many frames like this message are audio: none for a keep-alive, several where small packets of Opus were held until it came. Cheap,
   * called for every message.
   * @param data holds the message; only read.
   * @param arrival ring clock.
   */
  audioFrames(data: Uint8Array, offset: number, length: number, arrival: number): number {
    const frames = this.#pace?.counts(data[offset] ?? 0, data[offset + 1] ?? 0, length, arrival) ?? 1;
    if (frames > 0 && this.#check !== null) this.#check.add(data, offset, length, arrival);
    return frames;
  }

  /** How many packets like `heldPacket` are audio before the message that was asked for last: small packets of Opus that were held. */
  get framesBefore(): number {
    return this.#pace?.before ?? 0;
  }

  /** Valid while `framesBefore` is above 0. */
  get heldPacket(): Uint8Array {
    return this.#pace!.heldPacket;
  }

  /** Looks whether the stream is what it was opened with; called every tick. @param now ring clock. */
  checkReadability(now: number): void {
    this.#check?.look(now);
  }

  /**
   * Counts a frame that came; cheap, called for every frame.
   * @param arrival ring clock.
   * @returns false when the stream sends more frames than it may: this one is not to be looked at.
   */
  admits(arrival: number): boolean {
    return this.#frames.take(1, arrival);
  }

  /**
   * Notes that a frame goes to the core; cheap, called for every frame.
   * @param arrival ring clock.
   */
  frameCame(arrival: number): void {
    const silent = this.#lastArrival < 0 || ringAge(this.#lastArrival, arrival) >= reanchorAfter;
    this.#lastArrival = arrival;
    if (!silent) return;
    const position = this.#streamClock.running ? this.#context.core.status(this.handle).position : 0;
    this.#streamClock.anchor(position, wallOfArrival(this.#context.clock, arrival));
  }

  /** Whether an utterance was open when the audio stopped coming. */
  stalled(now: number): boolean {
    return this.speaking && this.#open && ringAge(this.#lastArrival, now) >= stalledAfter;
  }

  /** @param position on the stream's clock, in samples. */
  speechStarted(position: number): void {
    this.speaking = true;
    this.#transcription.speechStarted(position);
  }

  speechEnded(position: number): void {
    this.speaking = false;
    this.#transcription.speechEnded(position);
  }

  /** Hands an utterance to the provider; its words arrive at the conversation in any order. */
  utterance(utterance: Utterance): void {
    this.#transcription.utterance(utterance);
  }

  /** Its open utterance has more speech, or pauses. */
  speechGoesOn(pauses: boolean): void {
    if (this.#open) this.#transcription.speechGoesOn(pauses);
  }

  /** Hands audio to the provider. @param pcm copied before this returns. */
  audio(position: number, pcm: Int16Array): void {
    this.#transcription.audio(position, this.#pieces.copy(pcm));
  }

  /** The shard is about to end: retains all speech that comes from now on, and what has no words yet. */
  giveUp(reason: string): void {
    this.#transcription.giveUp(reason);
  }

  /** Looks whether the provider still answers; called every tick. */
  checkProvider(): void {
    this.#transcription.check();
  }

  /** No more utterances follow. Resolves when all words are here, or after `timeout` ms; never rejects. */
  finish(timeout: number): Promise<void> {
    return this.#transcription.finish(timeout);
  }

  #startCheck(format: StreamFormat): StreamCheck | null {
    const { core, metrics, readability } = this.#context;
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
   * Adds what the core did for this stream since the last call to the shard's counters.
   * @returns bytes it holds of speech that has not ended or was not taken.
   */
  account(): number {
    if (!this.#open) return 0;
    const { core, metrics } = this.#context;
    const { framesDecoded, framesInvalid, framesDropped, framesOverBudget, position, speechBytes } =
      core.status(this.handle);
    const before = this.#accounted;
    metrics.add('frames_decoded_total', framesDecoded - before.decoded);
    metrics.add('frames_invalid_total', framesInvalid - before.invalid);
    metrics.add('frames_queue_dropped_total', framesDropped - before.dropped);
    metrics.add('frames_over_budget_total', framesOverBudget - before.overBudget);
    metrics.add('samples_decoded_total', position - before.position);
    this.#accounted = {
      decoded: framesDecoded,
      invalid: framesInvalid,
      dropped: framesDropped,
      overBudget: framesOverBudget,
      position,
    };
    return speechBytes;
  }
}

/** What the tracks of a session share. */
export interface TracksContext
  extends TrackContext,
    Pick<TrackOptions, 'log' | 'emit' | 'origin' | 'listen' | 'unreadable'> {
  /** How many slots the shard has. */
  readonly slots: number;
}

/** The tracks of a session, in their order: one, or the two sides of a call. */
export const createTracks = (slot: number, request: OpenRequest, context: TracksContext): Track[] => {
  const { uid: user, stream, language, sttService: wanted } = request;
  const { log, emit, origin, listen, unreadable, slots } = context;
  return voicesOf(request).map((voice, track) => {
    const handle = handleOf({ slot, track }, slots);
    // Fairness is between streams, and the sides of a call are two.
    const name = track === 0 ? stream : `${stream}/${track}`;
    return new Track(
      { handle, user, stream: name, language, wanted, origin, listen, unreadable, voice, log, emit },
      context,
    );
  });
};
