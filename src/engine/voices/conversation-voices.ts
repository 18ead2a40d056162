import type { MetricsRow } from '../../metrics/index.js';
import {
  cutByVoice,
  joinVoice,
  knowVoices,
  type SpokenSegment,
  type VoiceMove,
  type VoiceRule,
  type VoiceState,
  voiceOf,
} from '../../transcript/index.js';
import { speakerLabel } from '../../wire/index.js';
import type { VoiceWork } from './channel.js';
import { type PackedVoices, VoiceHistory } from './history.js';
import { endOf, joinPieces, type VoicePiece } from './pieces.js';
import { type RecognitionModel, type SpeakerVoice, VoiceRecognition } from './recognition.js';
import { newVoiceStream, restingVoiceStream, type VoiceStreamState } from './stream.js';
import { type HandedVoices, VoiceHandover } from './voice-handover.js';

/**
 * Maximum number of waiting pieces of a conversation. Adjacent pieces are joined first. Beyond this number a piece
 * is not diarized.
 */
const mostWaiting = 8;
/**
 * Number of newest windows that are checked while a conversation has one voice. If one of them is not similar to that
 * voice (`sure` is false), a second voice may follow.
 */
const suspicious = 2;

export interface VoicesContext extends VoiceWork {
  readonly rule: VoiceRule;
  /** Maximum number of entries in a conversation's history. */
  readonly history: number;
  readonly metrics: MetricsRow;
  /** Model for comparing voices with the voices of known people; null if recognition is disabled. */
  readonly recognition: RecognitionModel | null;
}

/**
 * Diarization of one conversation. Pieces of its audio are sent to the jobs pool one after the other. They include
 * pieces of open utterances. Words never wait for the result. Use it on the shard's thread only.
 */
export class ConversationVoices {
  /** Identifies the speakers; null if recognition is disabled. */
  readonly recognition: VoiceRecognition | null;
  /** Decides when the voices are stored; null if recognition is disabled, because voices must not be stored then. */
  readonly #handover: VoiceHandover | null;
  readonly #waiting: VoicePiece[] = [];
  #state: VoiceStreamState;
  #moves: VoiceMove[] = [];
  #changed = false;
  #running: Promise<void> | undefined;
  /** Wall-clock time (ms) of the end of the audio that was diarized or skipped. */
  #until = 0;
  #history: VoiceHistory;
  /** Whether windows were added since the last revision. */
  #fresh = false;
  /** Whether the last revision covered all stored windows, so that their voices are final. */
  #final = false;

  /**
   * @param first the speaker number for speech whose voice is not known yet. Without `restored`, the first voice also
   * gets this number, which is above all speaker numbers of the conversation.
   * @param restored voices that another engine stored.
   */
  constructor(
    private readonly first: number,
    private readonly context: VoicesContext,
    restored?: VoiceState,
  ) {
    this.recognition = context.recognition && new VoiceRecognition(context.recognition);
    this.#handover = context.recognition && new VoiceHandover(context.recognition);
    this.#state = newVoiceStream(first, context.rule);
    this.#history = new VoiceHistory(context.history);
    if (restored === undefined) return;
    this.#state = { ...this.#state, voices: restored };
    this.#handover?.restored(restored);
  }

  /** Gives new voices only numbers from `next` on, because other engines have used lower numbers meanwhile. */
  reserve(next: number): void {
    const { voices } = this.#state;
    if (next > voices.next) this.#state = { ...this.#state, voices: { ...voices, next } };
  }

  /**
   * Returns the voices to store for the engine that continues the conversation. Returns undefined if they are already
   * stored, or if voices must not be stored.
   * @param now current time in ms.
   * @param isReleased whether the conversation is released. If not, voices that were stored recently are not returned.
   */
  toStore(now: number, isReleased: boolean): HandedVoices | undefined {
    const { voices } = this.#state;
    return isReleased ? this.#handover?.changed(voices, now) : this.#handover?.due(voices, now);
  }

  /** Records that voices are stored. */
  noteStored({ made }: HandedVoices): void {
    this.#handover?.stored(made);
    this.context.metrics.add('voices_stored_total');
  }

  /**
   * Whether stored segments may need new labels. The conversation sets this to false after it has checked the segments.
   */
  get changed(): boolean {
    return this.#changed;
  }

  set changed(changed: boolean) {
    this.#changed = changed;
  }

  /** Returns the merges of voices since the last call. */
  takeMoves(): readonly VoiceMove[] {
    const moves = this.#moves;
    this.#moves = [];
    return moves;
  }

  /**
   * Queues a piece for diarization. Adjacent waiting pieces are joined, which reduces the number of jobs for a slow
   * pool.
   */
  listen(piece: VoicePiece): void {
    const last = this.#waiting.at(-1);
    const joined = last && joinPieces(last, piece);
    if (joined !== undefined) {
      this.#waiting[this.#waiting.length - 1] = joined;
      return;
    }
    if (this.#waiting.length >= mostWaiting) {
      this.context.metrics.add('voices_skipped_total');
      return;
    }
    this.#waiting.push(piece);
    this.#running ??= this.#run();
  }

  /** The mean voice of each speaker so far. */
  get speakers(): readonly SpeakerVoice[] {
    const { firstWindow, hop } = this.context.rule;
    return this.#state.voices.voices.map(({ number, mean, windows }) => ({
      speakerId: number,
      embedding: mean,
      speech: firstWindow + (windows - 1) * hop,
    }));
  }

  /** Resolves when no piece is waiting or running. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /**
   * Waits for the last waiting piece, then reassigns speakers to all stored windows. This may change the labels of
   * stored segments, and may split one voice into two. Does nothing if no window was added since the last revision.
   * @param named voices to which a client assigned a person. The revision keeps them.
   * @returns voices that lost windows to other voices. Never rejects.
   */
  async revise(named: PackedVoices['named']): Promise<readonly number[]> {
    await this.settled();
    if (!this.#fresh) return [];
    this.#fresh = false;
    const packed = this.#history.pack(named, this.#state.voices.next);
    const before = packed.voices.slice();
    const voices = await this.context.revise(packed);
    if (voices === undefined) {
      this.#fresh = true;
      this.context.metrics.add('voices_unrevised_total');
      return [];
    }
    this.context.metrics.add('voices_revised_total');
    // Windows that arrived during the revision use the old voices, so the result of the revision is dropped.
    if (this.#fresh || !this.#history.adopt(voices)) return [];
    this.#final = true;
    this.#changed = true;
    this.#joinVoices(before, voices);
    this.#knowVoices(voices);
    return [...new Set(before.filter((voice, index) => voice !== voices[index]))];
  }

  /**
   * Maps each speaker that lost all windows in a revision to the speaker that got most of these windows. New speech
   * therefore never gets the old label.
   */
  #joinVoices(before: Int32Array, after: Int32Array): void {
    const left = new Set(after);
    for (const from of new Set(before)) {
      if (left.has(from)) continue;
      const counts = new Map<number, number>();
      before.forEach((voice, index) => {
        if (voice === from) counts.set(after[index]!, (counts.get(after[index]!) ?? 0) + 1);
      });
      const [[to]] = [...counts].sort(([, one], [, other]) => other - one) as [[number, number]];
      this.#state = { ...this.#state, voices: joinVoice(this.#state.voices, { from, to }) };
      this.#moves.push({ from, to });
    }
  }

  /** Adds the voices that the revision split off, and updates the voices from which they were split. */
  #knowVoices(after: Int32Array): void {
    const { voices } = this.#state;
    if (after.every((number) => number < voices.next)) return;
    const labels = new Map(
      this.#history.around(voices.windows[0]?.at ?? 0, Infinity).map(({ at, voice }) => [at, voice]),
    );
    const revised = this.#history.voices;
    const numbers = new Set(revised.map(({ number }) => number));
    // Voices that come from streams of another engine have no windows in this history.
    const unheard = voices.voices.filter(({ number }) => !numbers.has(number));
    const known = [...revised, ...unheard];
    this.#state = {
      ...this.#state,
      voices: knowVoices(voices, known, (at) => labels.get(at), this.context.rule),
    };
  }

  /** Number of history entries. */
  get kept(): number {
    return this.#history.length;
  }

  /** Drops the history to free memory. Stored segments keep their labels. */
  forgetHistory(): void {
    this.#history = new VoiceHistory(this.context.history);
    this.#final = false;
  }

  /**
   * Frees memory while no stream is connected. It keeps the voices, and the history that is needed for the final
   * labels.
   */
  rest(): void {
    this.recognition?.rest();
    if (this.#running === undefined) this.#state = restingVoiceStream(this.#state, this.context.rule);
  }

  /**
   * Splits a segment where its voice changes, and labels the parts. If its audio is not diarized yet, it gets the
   * last voice.
   */
  label(segment: SpokenSegment): SpokenSegment[] {
    const near = this.#near(segment.from, segment.to);
    if (near.length > 0) return cutByVoice(segment, near);
    const voice = this.#state.voices.windows.at(-1)?.voice ?? this.first;
    const { unlabelled: _labelled, ...rest } = segment;
    return [{ ...rest, speaker: speakerLabel(voice), speakerId: voice }];
  }

  /**
   * Returns the voice that spoke most between two times (wall clock, ms). Returns null if the voice is unknown. Also
   * returns null if the times lie before all windows whose voice may still change.
   */
  numberOf(from: number, to: number): number | null {
    const { windows } = this.#state.voices;
    const { hop, window } = this.context.rule;
    if (this.#final) {
      const reach = hop / 2;
      return voiceOf(this.#history.around(from - reach, to + reach), from, to, reach)?.voice ?? null;
    }
    if (windows.length === 0 || from < windows[0]!.at - window) return null;
    return voiceOf(windows, from, to, hop / 2)?.voice ?? null;
  }

  /**
   * Whether the label of the speech between two times may still change. A segment with such speech is not joined
   * with others.
   */
  unsure(from: number, to: number): boolean {
    const { voices, windows } = this.#state.voices;
    const { hop, window } = this.context.rule;
    if (windows.length > 0 && to < windows[0]!.at - window) return false;
    if (this.#until < to) return this.#running !== undefined;
    if (voices.length < 2) return windows.slice(-suspicious).some(({ sure }) => !sure);
    return voiceOf(windows, from, to, hop / 2)?.sure !== true;
  }

  /** Whether the speech between two times was diarized and its label is unlikely to change. */
  knows(from: number, to: number): boolean {
    return !this.unsure(from, to) && this.#near(from, to).length > 0;
  }

  /**
   * Returns the windows near two times. They come from the history, because the state may contain fewer windows
   * than an utterance has.
   */
  #near(from: number, to: number) {
    const { window } = this.context.rule;
    return this.#history.around(from - window, to + window);
  }

  async #run(): Promise<void> {
    const { metrics, tell } = this.context;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const until = endOf(next);
      const began = performance.now();
      const result = await tell({ ...next, state: this.#state });
      this.#until = Math.max(this.#until, until);
      this.#changed = true;
      if (result === undefined) metrics.add('voices_skipped_total');
      else {
        this.#state = result.state;
        this.#moves.push(...result.moves);
        for (const move of result.moves) this.#history.move(move);
        this.#history.note([...result.windows, ...result.state.voices.windows]);
        this.#fresh = true;
        this.#final = false;
        metrics.add('voices_told_total');
        metrics.add('voices_milliseconds_total', performance.now() - began);
      }
    }
    this.#running = undefined;
  }
}
