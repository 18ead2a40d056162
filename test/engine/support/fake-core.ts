import {
  type AudioCore,
  batchStride,
  type CoreCapabilities,
  CoreEvent,
  eventStride,
  type StreamStatus,
  type Utterance,
} from '../../../src/audio/interface/core.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import type { AudioNeed, StreamFormat } from '../../../src/wire/stream.js';

/** Number of samples in one frame of the fake codec (20 ms). */
export const frameSamples = 320;
/** Mean probability of speech of every utterance, as the detector would find it. */
export const spokenProbability = 0.9;
const endSilence = 30 * frameSamples;
const longSilence = 50 * frameSamples;
/**
 * Samples of silence (200 ms) after which an open utterance is reported, if reports are enabled. It is also reported after every second of
 * speech.
 */
const openSilence = 10 * frameSamples;
const openStep = 50 * frameSamples;
/** Bytes of memory that the core reports for a stream with open speech. */
export const speechBytes = 1000;
const sampleRates = [8000, 16_000];

interface Stream {
  need: AudioNeed;
  watched: boolean;
  lingers: boolean;
  frames: { readonly speech: number; readonly arrival: number; readonly lost: number }[];
  /** Number of frames that were lost before they reached the core, since the last frame that arrived. */
  lost: number;
  position: number;
  speechStart: number;
  speechEnd: number;
  voice: number;
  speaking: boolean;
  utterances: Utterance[];
  decoded: number;
  invalid: number;
  overBudget: number;
}

/**
 * A fake core. Its codec has one byte per frame:
 * - 0: 20 ms of silence
 * - 255: undecodable
 * - 254: dropped frames
 * - 253: a frame over the budget
 * - other values: 20 ms of speech by the voice of that number
 *
 * An utterance ends after 600 ms of silence, or after 1000 ms while its stream waits for the long silence (`lingers`).
 * All samples of an utterance have the number of its voice as their value, so tests see where its words arrive. Every
 * frame counts as a window. Gated audio contains utterances with their final silence.
 */
export class FakeCore implements AudioCore {
  readonly capabilities: CoreCapabilities;
  readonly events = new Float64Array(8 * eventStride);
  readonly decided = new Uint32Array(1 + 4096);
  /** Audio of the events: one frame per event, at the event's position. */
  readonly audio = new Int16Array(8 * frameSamples);
  /** Maximum number of frames of one stream that have waited for a turn. */
  mostQueued = 0;
  readonly #memory: Uint8Array;
  readonly #onDecode: () => void;
  readonly #streams = new Map<number, Stream>();
  /** Frames that have not been processed yet. */
  #queue: number[][] = [];
  /** Processed frames. A turn returns them only after `settle`. */
  #unsettled: number[][] = [];
  #arrivals: number[] = [];

  constructor(memory: Uint8Array, options: { synchronous?: boolean; onDecode?: () => void } = {}) {
    this.#onDecode = options.onDecode ?? (() => undefined);
    this.#memory = memory;
    this.capabilities = {
      name: 'portable',
      codecs: ['pcm8', 'pcm16', 'opus'],
      synchronous: options.synchronous ?? true,
      concealment: false,
      isa: 'scalar',
      versions: {},
    };
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  open(handle: number, format: StreamFormat): void {
    if (this.#streams.has(handle)) throw new Error(`handle ${handle} is in use`);
    if (!this.capabilities.codecs.includes(format.codec)) {
      throw new CochleaError('codec_unavailable', { codec: format.codec, how: 'none' });
    }
    if (!sampleRates.includes(format.sampleRate)) {
      throw new CochleaError('sample_rate_unsupported', {
        codec: format.codec,
        rates: sampleRates.join(', '),
        rate: format.sampleRate,
      });
    }
    this.#streams.set(handle, {
      need: 'utterances',
      watched: false,
      lingers: false,
      frames: [],
      lost: 0,
      position: 0,
      speechStart: 0,
      speechEnd: 0,
      voice: 0,
      speaking: false,
      utterances: [],
      decoded: 0,
      invalid: 0,
      overBudget: 0,
    });
  }

  choose(handle: number, need: AudioNeed): void {
    const stream = this.#streams.get(handle);
    if (stream !== undefined) stream.need = need;
  }

  push(batch: Uint32Array, count: number, _now: number, memory = this.#memory): void {
    for (let entry = 0; entry < count; entry++) {
      const [handle, offset, , arrival] = batch.subarray(entry * batchStride);
      const stream = this.#streams.get(handle!);
      if (stream === undefined) throw new Error('frame for a stream that is not open');
      stream.frames.push({ speech: memory[offset!]!, arrival: arrival!, lost: stream.lost });
      stream.lost = 0;
      this.mostQueued = Math.max(this.mostQueued, stream.frames.length);
    }
  }

  lose(handle: number, frames: number): void {
    const stream = this.#streams.get(handle);
    if (stream !== undefined) stream.lost += frames;
  }

  watch(handle: number, on: boolean): void {
    const stream = this.#streams.get(handle);
    if (stream !== undefined) stream.watched = on;
  }

  linger(handle: number, on: boolean): void {
    const stream = this.#streams.get(handle);
    if (stream !== undefined) stream.lingers = on;
  }

  openUtterance(handle: number): Utterance | undefined {
    const stream = this.#streams.get(handle);
    if (!stream?.speaking) return undefined;
    const { speechStart, speechEnd, voice, position } = stream;
    const pcm = new Int16Array(position - speechStart).fill(voice);
    return { pcm, start: speechStart, speechStart, speechEnd, cut: false, probability: spokenProbability };
  }

  due(): number {
    if (this.#queue.length > 0) return 0;
    for (const stream of this.#streams.values()) if (stream.frames.length > 0) return 0;
    return Number.POSITIVE_INFINITY;
  }

  turn(): number {
    for (const [handle, stream] of this.#streams) this.#decode(handle, stream);
    return this.#deliver();
  }

  takeUtterance(handle: number): Utterance | undefined {
    return this.#streams.get(handle)?.utterances.shift();
  }

  flush(handle: number): number {
    const stream = this.#streams.get(handle);
    if (stream !== undefined) {
      this.#decode(handle, stream);
      if (stream.speaking) this.#endUtterance(handle, stream);
    }
    return this.#deliver();
  }

  async settle(): Promise<void> {
    this.#queue.push(...this.#unsettled);
    this.#unsettled = [];
  }

  close(handle: number): void {
    this.#streams.delete(handle);
  }

  status(handle: number): StreamStatus {
    const stream = this.#streams.get(handle)!;
    return {
      position: stream.position,
      decided: stream.position,
      needed: stream.speaking ? stream.speechStart : stream.position,
      speaking: stream.speaking,
      bytes: 0,
      speechBytes: stream.speaking ? speechBytes : 0,
      framesDecoded: stream.decoded,
      framesInvalid: stream.invalid,
      framesDropped: 0,
      framesOverBudget: stream.overBudget,
      framesSkipped: 0,
    };
  }

  destroy(): void {
    this.#streams.clear();
  }

  #decode(handle: number, stream: Stream): void {
    for (const { speech, arrival, lost } of stream.frames) {
      this.#onDecode();
      if (lost > 0) {
        this.#emit(handle, CoreEvent.dropped, lost, lost * frameSamples, stream.position);
        stream.position += lost * frameSamples;
      }
      if (speech === 255) {
        stream.invalid++;
        continue;
      }
      if (speech === 253) {
        stream.overBudget++;
        this.#emit(handle, CoreEvent.overBudget, 1);
        continue;
      }
      if (speech === 254) {
        this.#emit(handle, CoreEvent.dropped, 3, 3 * frameSamples, stream.position);
        stream.position += 3 * frameSamples;
        continue;
      }
      stream.decoded++;
      this.#arrivals.push(arrival);
      if (speech !== 0) {
        if (!stream.speaking) {
          stream.speaking = true;
          stream.speechStart = stream.position;
          this.#emit(handle, CoreEvent.speechStart, stream.position);
        }
        stream.voice = speech;
        stream.speechEnd = stream.position + frameSamples;
      }
      if (stream.need === 'everything' || (stream.need === 'gated' && stream.speaking))
        this.#emit(handle, CoreEvent.audio, stream.position, speech, frameSamples);
      stream.position += frameSamples;
      const silence = stream.position - stream.speechEnd;
      const spoken = stream.speechEnd - stream.speechStart;
      if (stream.speaking && stream.watched) {
        if (silence === openSilence)
          this.#emit(handle, CoreEvent.open, stream.speechStart, stream.position, 1);
        else if (silence === 0 && spoken % openStep === 0)
          this.#emit(handle, CoreEvent.open, stream.speechStart, stream.position, 0);
      }
      if (stream.speaking && silence >= (stream.lingers ? longSilence : endSilence)) {
        this.#endUtterance(handle, stream);
      }
    }
    stream.frames = [];
  }

  #endUtterance(handle: number, stream: Stream): void {
    const { speechStart, speechEnd, voice } = stream;
    stream.speaking = false;
    this.#emit(handle, CoreEvent.speechEnd, speechEnd);
    if (stream.need !== 'utterances') return;
    stream.utterances.push({
      pcm: new Int16Array(speechEnd - speechStart).fill(voice),
      start: speechStart,
      speechStart,
      speechEnd,
      cut: false,
      probability: spokenProbability,
    });
    this.#emit(handle, CoreEvent.utterance, speechStart, speechEnd, 0);
  }

  #emit(handle: number, kind: number, a = 0, b = 0, c = 0): void {
    (this.capabilities.synchronous ? this.#queue : this.#unsettled).push([handle, kind, a, b, c]);
  }

  #deliver(): number {
    const batch = this.#queue.splice(0, this.events.length / eventStride);
    for (const [index, event] of batch.entries()) {
      this.events.set(event, index * eventStride);
      if (event[1] !== CoreEvent.audio) continue;
      const from = index * frameSamples;
      this.audio.fill(event[3]!, from, from + frameSamples);
      this.events[index * eventStride + 3] = from;
    }
    this.decided[0] = this.#arrivals.length;
    this.decided.set(this.#arrivals.splice(0), 1);
    return batch.length;
  }
}
