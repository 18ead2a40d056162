import { encodeFrames } from '../../src/app/wearable/encode.js';
import { type AudioCore, batchStride, CoreEvent, eventStride } from '../../src/audio/interface/core.js';
import { loadCore } from '../../src/audio/load.js';
import { coreOptions } from '../../src/audio/options.js';
import type { Settings } from '../../src/config/settings.js';
import { FineGate } from '../../src/engine/voices/fine-gate.js';
import { VoiceHistory } from '../../src/engine/voices/history.js';
import type { JobsPool } from '../../src/engine/voices/jobs-pool.js';
import { type VoicePiece, VoicePieces } from '../../src/engine/voices/pieces.js';
import { newVoiceStream, within } from '../../src/engine/voices/stream.js';
import { speakerModel } from '../../src/models/speaker-model.js';
import { type LabelledWindow, windowAt } from '../../src/transcript/voice-spans.js';

/** A section of a conversation with its label: start in seconds, end in seconds, number of the speaker. */
export type Labelled = readonly [start: number, end: number, voice: number];

/**
 * The labels known at one moment: the seconds of audio that were sent by then, and the speaker number of each window in
 * order.
 */
export type Known = readonly [sent: number, voices: readonly number[]];

export interface LabelledConversation {
  /** Sections of the conversation with their final labels. */
  readonly stretches: readonly Labelled[];
  /** Sections of the conversation with the labels that were known when the section was shown. */
  readonly shown: readonly Labelled[];
  /** Middle of each window in seconds. */
  readonly middles: readonly number[];
  /** Final speaker number of each window. */
  readonly voices: readonly number[];
  readonly known: readonly Known[];
  /** Embeddings of the windows, concatenated in the order of `middles`. */
  readonly embeddings: Float32Array;
  /** Length of the processed speech in seconds. */
  readonly speech: number;
  /** CPU time of the diarization in ms. */
  readonly cpu: number;
}

const rate = 16_000;
const samplesPerMs = rate / 1000;
/** Maximum size of an encoded frame, in bytes. */
const longestFrame = 4096;

/**
 * Labels conversations in the steps of an engine: Opus, the core's decoder and gate, then the jobs pool. Processes one
 * piece of speech at a time.
 */
export class Labeller {
  readonly #pool: JobsPool;
  readonly #core: AudioCore;
  readonly #memory: Uint8Array;
  readonly #gate: FineGate;
  readonly #settings: Pick<Settings, 'speakerHistory'>;

  private constructor(
    pool: JobsPool,
    core: AudioCore,
    memory: Uint8Array,
    gate: FineGate,
    settings: Pick<Settings, 'speakerHistory'>,
  ) {
    this.#settings = settings;
    this.#pool = pool;
    this.#core = core;
    this.#memory = memory;
    this.#gate = gate;
  }

  static async start(settings: Settings, pool: JobsPool): Promise<Labeller> {
    const memory = new Uint8Array(longestFrame);
    const { budget: _unbounded, ...options } = coreOptions(settings, { maxStreams: 1, memory });
    const core = await loadCore(settings.core, options);
    return new Labeller(pool, core, memory, await FineGate.load(settings.core), settings);
  }

  async label(pcm: Int16Array): Promise<LabelledConversation> {
    const { voices: rule } = speakerModel('ge2e');
    const history = new VoiceHistory(this.#settings.speakerHistory);
    const known: Known[] = [];
    const windows = new Map<number, LabelledWindow>();
    const embeddings = new Map<number, Float32Array>();
    const parts: { readonly from: number; readonly to: number }[] = [];
    let state = newVoiceStream(0, rule);
    let cpu = 0;
    for (const { sent, piece } of await this.#pieces(pcm)) {
      for (const { from, to } of within(await this.#gate.speechIn(piece.pcm), piece.fresh)) {
        parts.push({ from: piece.from / 1000 + from / rate, to: piece.from / 1000 + to / rate });
      }
      const before = process.cpuUsage();
      const told = await this.#pool.tellVoices({ ...piece, state });
      const used = process.cpuUsage(before);
      cpu += (used.user + used.system) / 1000;
      if (told === undefined) throw new Error('the jobs pool took no piece');
      state = told.state;
      for (const { from, to } of told.moves) {
        history.move({ from, to });
        for (const [at, window] of windows)
          if (window.voice === from) windows.set(at, { ...window, voice: to });
      }
      for (const window of [...told.windows, ...state.voices.windows]) windows.set(window.at, window);
      for (const { at, embedding } of told.windows) embeddings.set(at, embedding);
      history.note([...told.windows, ...state.voices.windows]);
      known.push([sent / rate, [...windows.values()].map(({ voice }) => voice)]);
    }
    const before = process.cpuUsage();
    const final = await this.#pool.reviseVoices(history.pack([], state.voices.next));
    const used = process.cpuUsage(before);
    cpu += (used.user + used.system) / 1000;
    if (final === undefined) throw new Error('the jobs pool took no conversation');
    history.adopt(final);
    const last = history.around(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    const labelled = (by: readonly LabelledWindow[]) => parts.flatMap((part) => labelledStretches(part, by));
    return {
      stretches: labelled(last),
      shown: labelled([...windows.values()]),
      middles: [...windows.keys()].map((at) => at / 1000),
      voices: [...windows.keys()].map((at) => windowAt(last, at)!.voice),
      known,
      embeddings: Float32Array.from([...windows.keys()].flatMap((at) => [...embeddings.get(at)!])),
      speech: parts.reduce((sum, { from, to }) => sum + to - from, 0),
      cpu,
    };
  }

  /**
   * Returns the voice embedding of the main speaker of a recording, computed as in a stream. Undefined if the recording
   * has no speech.
   */
  async voice(pcm: Int16Array): Promise<Float32Array | undefined> {
    let state = newVoiceStream(0, speakerModel('ge2e').voices);
    for (const { piece } of await this.#pieces(pcm)) {
      const told = await this.#pool.tellVoices({ ...piece, state });
      if (told === undefined) throw new Error('the jobs pool took no piece');
      state = told.state;
    }
    const [most] = [...state.voices.voices].sort((one, other) => other.windows - one.windows);
    return most?.mean;
  }

  /** Returns the ranges of a recording's samples that contain detected speech. */
  async speechIn(pcm: Int16Array): Promise<readonly (readonly [number, number])[]> {
    return (await this.#gate.speechIn(pcm)).map(({ from, to }) => [from, to] as const);
  }

  destroy(): void {
    this.#core.destroy();
    this.#gate.destroy();
  }

  /**
   * Returns the pieces of speech that an engine would process, including those of open utterances. `sent` is the number
   * of samples that were sent before a piece was processed.
   */
  async #pieces(pcm: Int16Array): Promise<{ readonly sent: number; readonly piece: VoicePiece }[]> {
    const core = this.#core;
    const pieces = new VoicePieces();
    const found: { sent: number; piece: VoicePiece }[] = [];
    let sent = 0;
    const visit = (count: number): void => {
      for (let event = 0; event < count; event++) {
        const kind = core.events[event * eventStride + 1];
        const ended = kind === CoreEvent.utterance;
        if (!ended && kind !== CoreEvent.open) continue;
        const utterance = ended ? core.takeUtterance(0) : core.openUtterance(0);
        const piece = utterance && pieces.take(utterance, (utterance.start * 1000) / rate, ended);
        if (piece !== undefined) found.push({ sent, piece });
      }
    };
    core.open(0, { codec: 'opus', sampleRate: rate, channels: 1 });
    core.watch(0, true);
    const batch = new Uint32Array(batchStride);
    for (const frame of encodeFrames({ pcm, rate }, 'opus', rate)) {
      this.#memory.set(frame.bytes);
      batch.set([0, 0, frame.bytes.byteLength, 0]);
      core.push(batch, 1, 0);
      sent += frame.duration * samplesPerMs;
      visit(core.turn(0, true));
    }
    let count = core.flush(0, 0);
    do {
      visit(count);
      await core.settle();
      count = core.turn(0, true);
    } while (count > 0);
    core.close(0);
    return found;
  }
}

/** Splits a section of speech where the label of the nearest window changes. Times are in seconds. */
const labelledStretches = (
  { from, to }: { readonly from: number; readonly to: number },
  windows: readonly LabelledWindow[],
): Labelled[] => {
  const step = 0.01;
  const found: [number, number, number][] = [];
  for (let at = from; at < to; at += step) {
    const voice = windowAt(windows, 1000 * (at + step / 2))?.voice ?? 0;
    const last = found.at(-1);
    if (last?.[2] === voice) last[1] = Math.min(to, at + step);
    else found.push([at, Math.min(to, at + step), voice]);
  }
  return found;
};
