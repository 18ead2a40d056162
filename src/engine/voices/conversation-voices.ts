import type { MetricsRow } from '../../metrics/index.js';
import {
  cutByVoice,
  joinVoice,
  knowVoices,
  type SpokenSegment,
  type VoiceMove,
  type VoiceRule,
  voiceOf,
} from '../../transcript/index.js';
import { speakerLabel } from '../../wire/index.js';
import type { VoiceWork } from './channel.js';
import { type PackedVoices, VoiceHistory } from './history.js';
import { endOf, joinPieces, type VoicePiece } from './pieces.js';
import { type RecognitionModel, type SpeakerVoice, VoiceRecognition } from './recognition.js';
import { newVoiceStream, restingVoiceStream, type VoiceStreamState } from './stream.js';

/** Pieces of a conversation that may wait, joined where they follow one another; of one more the voices are not told apart. */
const mostWaiting = 8;
/** Unsure windows at the end that may become a second voice. */
const suspicious = 2;

export interface VoicesContext extends VoiceWork {
  readonly rule: VoiceRule;
  /** Entries of a conversation's history at most. */
  readonly history: number;
  readonly metrics: MetricsRow;
  /** How voices are compared with those of known people; null where none are. */
  readonly recognition: RecognitionModel | null;
}

/**
 * Whose voice is whose in one conversation, as far as its audio has been looked at by the jobs pool. Pieces of it go there one after the
 * other, also of utterances that go on; words never wait for it. On the shard's thread only.
 */
export class ConversationVoices {
  /** Who the speakers are; null where that is not asked. */
  readonly recognition: VoiceRecognition | null;
  readonly #context: VoicesContext;
  readonly #first: number;
  readonly #waiting: VoicePiece[] = [];
  #state: VoiceStreamState;
  #moves: VoiceMove[] = [];
  #changed = false;
  #running: Promise<void> | undefined;
  /** Wall clock (ms) up to which speech has been looked at, or given up. */
  #until = 0;
  #history: VoiceHistory;
  /** Windows came since the voices were last decided anew. */
  #fresh = false;
  /** They were, and no window came since: all stretches that are kept have their final voice. */
  #final = false;

  /** @param first number of the first voice, above those that the conversation has. */
  constructor(first: number, context: VoicesContext) {
    this.#context = context;
    this.#first = first;
    this.recognition = context.recognition && new VoiceRecognition(context.recognition);
    this.#state = newVoiceStream(first, context.rule);
    this.#history = new VoiceHistory(context.history);
  }

  /** Whether stored segments may have to be labelled anew; the conversation sets this to false when it has looked through them. */
  get changed(): boolean {
    return this.#changed;
  }

  set changed(changed: boolean) {
    this.#changed = changed;
  }

  /** Takes voices that were found to be others; each is told once. */
  takeMoves(): readonly VoiceMove[] {
    const moves = this.#moves;
    this.#moves = [];
    return moves;
  }

  /** Takes audio whose voices are to be told apart. What waits is looked at together, so that a late jobs pool catches up. */
  listen(piece: VoicePiece): void {
    const last = this.#waiting.at(-1);
    const joined = last && joinPieces(last, piece);
    if (joined !== undefined) {
      this.#waiting[this.#waiting.length - 1] = joined;
      return;
    }
    if (this.#waiting.length >= mostWaiting) {
      this.#context.metrics.add('voices_skipped_total');
      return;
    }
    this.#waiting.push(piece);
    this.#running ??= this.#run();
  }

  /** What is known of the voice of each speaker so far. */
  get speakers(): readonly SpeakerVoice[] {
    const { firstWindow, hop } = this.#context.rule;
    return this.#state.voices.voices.map(({ number, mean, windows }) => ({
      speakerId: number,
      embedding: mean,
      speech: firstWindow + (windows - 1) * hop,
    }));
  }

  /** Resolves when nothing waits. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /**
   * Decides anew whose voice all was that is kept, once nothing waits; stored segments may change by it, and voices may be found that were
   * taken for others. Does nothing where no window came since the last time.
   * @param named who voices are that a client has named: they stay.
   * @returns voices of whose windows some are others by now. Never rejects.
   */
  async revise(named: PackedVoices['named']): Promise<readonly number[]> {
    await this.settled();
    if (!this.#fresh) return [];
    this.#fresh = false;
    const packed = this.#history.pack(named, this.#state.voices.next);
    const before = packed.voices.slice();
    const voices = await this.#context.revise(packed);
    if (voices === undefined) {
      this.#fresh = true;
      this.#context.metrics.add('voices_unrevised_total');
      return [];
    }
    this.#context.metrics.add('voices_revised_total');
    // What was said meanwhile goes on from the voices of the time.
    if (this.#fresh || !this.#history.adopt(voices)) return [];
    this.#final = true;
    this.#changed = true;
    this.#joinVoices(before, voices);
    this.#knowVoices(voices);
    return [...new Set(before.filter((voice, index) => voice !== voices[index]))];
  }

  /** A voice of which nothing is left goes on as the one that has most of it, so that new speech is not labelled with it again. */
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

  /** A voice that was found among those of others is known from now on, and what is left of them without it. */
  #knowVoices(after: Int32Array): void {
    const { voices } = this.#state;
    if (after.every((number) => number < voices.next)) return;
    const labels = new Map(
      this.#history.around(voices.windows[0]?.at ?? 0, Infinity).map(({ at, voice }) => [at, voice]),
    );
    this.#state = {
      ...this.#state,
      voices: knowVoices(voices, this.#history.voices, (at) => labels.get(at), this.#context.rule),
    };
  }

  /** Entries of the history that are kept. */
  get kept(): number {
    return this.#history.length;
  }

  /** Leaves out all windows so far, for space; its labels stay as they are. */
  forgetHistory(): void {
    this.#history = new VoiceHistory(this.#context.history);
    this.#final = false;
  }

  /** Forgets all but the voices, and what the final labels come from: no one speaks for a while. */
  rest(): void {
    this.recognition?.rest();
    if (this.#running === undefined) this.#state = restingVoiceStream(this.#state, this.#context.rule);
  }

  /** A segment cut where its voice changes, and labelled; what was not looked at yet has the last voice. */
  label(segment: SpokenSegment): SpokenSegment[] {
    const near = this.#near(segment.from, segment.to);
    if (near.length > 0) return cutByVoice(segment, near);
    const voice = this.#state.voices.windows.at(-1)?.voice ?? this.#first;
    const { unlabelled: _labelled, ...rest } = segment;
    return [{ ...rest, speaker: speakerLabel(voice), speakerId: voice }];
  }

  /** Whose voice most of a stretch is (wall clock, ms); null where that is not known, or was decided for good. */
  numberOf(from: number, to: number): number | null {
    const { windows } = this.#state.voices;
    const { hop, window } = this.#context.rule;
    if (this.#final) {
      const reach = hop / 2;
      return voiceOf(this.#history.around(from - reach, to + reach), from, to, reach)?.voice ?? null;
    }
    if (windows.length === 0 || from < windows[0]!.at - window) return null;
    return voiceOf(windows, from, to, hop / 2)?.voice ?? null;
  }

  /** Whether a later label of a stretch may be another: then it is not joined with others. */
  unsure(from: number, to: number): boolean {
    const { voices, windows } = this.#state.voices;
    const { hop, window } = this.#context.rule;
    if (windows.length > 0 && to < windows[0]!.at - window) return false;
    if (this.#until < to) return this.#running !== undefined;
    if (voices.length < 2) return windows.slice(-suspicious).some(({ sure }) => !sure);
    return voiceOf(windows, from, to, hop / 2)?.sure !== true;
  }

  /** Whether the voice of a stretch was told, and will hardly be another one. */
  knows(from: number, to: number): boolean {
    return !this.unsure(from, to) && this.#near(from, to).length > 0;
  }

  /** Also windows that the state does not keep any more: an utterance may have more of them. */
  #near(from: number, to: number) {
    const { window } = this.#context.rule;
    return this.#history.around(from - window, to + window);
  }

  async #run(): Promise<void> {
    const { metrics, tell } = this.#context;
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
