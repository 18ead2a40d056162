import { readFile } from 'node:fs/promises';
import type { InferenceSession, Tensor, TensorConstructor } from 'onnxruntime-node';
import {
  inferenceRuntime,
  type ModelEntry,
  type ModelFiles,
  openInferenceSession,
  whisperTokens,
} from '../../models/index.js';

/** The manifest's entry of a speech model. */
export type SpeechModel = NonNullable<ModelEntry['recogniser']>;

/**
 * Number of samples in a frame. `hop` is the number of samples from one frame to the next. Both are as in the
 * model's training at 16 kHz.
 */
const frameSamples = 400;
const hop = 160;
/**
 * Number of samples by which the first frame begins before the audio. The middle of that frame is half a hop after
 * the first sample.
 */
const lead = (frameSamples - hop) / 2;

/** Maximum number of frames for the encoder: 30 s. The encoder has one position for two frames. */
const mostFrames = 3000;

const layers = 4;
const heads = 6;
const width = 64;

/**
 * Keys and values of earlier tokens, which later tokens attend to. The runtime owns the tensors. They are never
 * changed.
 */
type Memory = readonly Tensor[];

/** Encoded audio: keys and values that every token attends to, and the number of frames of 10 ms. */
export interface EncodedAudio {
  readonly lookedUp: readonly Tensor[];
  readonly frames: number;
}

/** Input of a decoder step: the next tokens of a text, and the memory of its earlier tokens. */
export interface Step {
  readonly audio: EncodedAudio;
  readonly tokens: readonly number[];
  /** Number of tokens before these tokens. The memory may contain more tokens, which are then ignored. */
  readonly place: number;
  /** Memory of the previous step; undefined for the first step of a text. */
  readonly memory: Memory | undefined;
}

/**
 * Attention of a step's new tokens to the audio, with the shape `[heads, tokens, places]`. Each place is 20 ms
 * long.
 */
export interface Shares {
  readonly data: Float32Array;
  readonly heads: number;
  readonly tokens: number;
  readonly places: number;
}

export interface Stepped {
  /** The model's choice for the token after each new token. */
  readonly chosen: readonly number[];
  /** Probability that the audio contains no speech; set only in the first step of a text. */
  readonly silence: number | undefined;
  readonly memory: Memory;
  readonly shares: Shares;
}

/**
 * Input for unused positions of a decoder for several texts, because its graph needs all inputs. They are at place
 * 2, which begins neither a text nor its words.
 */
const idle = { tokens: [0], place: 0, first: 2 } as const;

/** Returns the names of a text's inputs and outputs, as set by the program that generates the graphs. */
const remembered = (text: number): string[] =>
  Array.from({ length: layers }, (_, layer) => [`keys_${text}_${layer}`, `values_${text}_${layer}`]).flat();
const lookedUp = (text?: number): string[] =>
  Array.from({ length: layers }, (_, layer) => {
    const of = text === undefined ? layer : `${text}_${layer}`;
    return [`cross_keys_${of}`, `cross_values_${of}`];
  }).flat();

/**
 * Pads the audio for the encoder's graph. Frames that extend beyond the first or last sample contain a mirror image
 * of the audio there.
 * @param samples at least one, from -1 to 1.
 */
const mirrored = (samples: Float32Array): { framed: Float32Array; frames: number } => {
  const { length } = samples;
  const frames = Math.floor((length + hop / 2) / hop);
  const framed = new Float32Array(Math.max(0, hop * (frames - 1)) + frameSamples);
  framed.set(samples.subarray(0, framed.length - lead), lead);
  for (let index = 0; index < framed.length; index++) {
    let source = index - lead;
    if (source >= 0 && source < length) continue;
    while (source < 0 || source >= length) source = source < 0 ? -source - 1 : 2 * length - 1 - source;
    framed[index] = samples[source]!;
  }
  return { framed, frames };
};

/**
 * A Whisper model in this thread. It has an encoder, a decoder for one text, and a decoder for several texts at
 * once. A run blocks the thread, which must not be ended meanwhile.
 */
export class WhisperNetwork {
  readonly #nothing: Memory;
  readonly #silent: EncodedAudio;

  private constructor(
    private readonly model: SpeechModel,

    /** Bytes of each text token, by token id. */
    readonly vocabulary: readonly Uint8Array[],
    private readonly encoder: InferenceSession,
    private readonly decoders: readonly { readonly texts: number; readonly session: InferenceSession }[],
    private readonly tensor: TensorConstructor,
  ) {
    const pairs = (places: number): Tensor[] =>
      Array.from({ length: 2 * layers }, (_, index) => {
        const shape = index % 2 === 0 ? [heads, width, places] : [heads, places, width];
        return new tensor('float32', new Float32Array(heads * width * places), shape);
      });
    this.#nothing = pairs(0);
    this.#silent = { lookedUp: pairs(1), frames: 0 };
  }

  /**
   * Loads a model.
   * @param files must have been verified, because the runtime does not check weights.
   * @throws Error when the runtime cannot load a graph.
   */
  static async load(model: SpeechModel, files: ModelFiles): Promise<WhisperNetwork> {
    const { Tensor } = await inferenceRuntime();
    const vocabulary = whisperTokens(await readFile(files.files[model.vocabulary]!, 'utf8'));
    const encoder = await openInferenceSession(model.encoder, files);
    const decoders: { texts: number; session: InferenceSession }[] = [];
    for (const { texts, graph } of model.decoders)
      decoders.push({ texts, session: await openInferenceSession(graph, files) });
    return new WhisperNetwork(model, vocabulary, encoder, decoders, Tensor);
  }

  /** Maximum number of texts in a step. */
  get most(): number {
    return this.decoders.at(-1)!.texts;
  }

  /**
   * Encodes audio. It appends the model's usual amount of silence, or less if less fits into 30 s.
   * @param samples mono, 16 kHz, from -1 to 1, at least one sample. Samples beyond 30 s are ignored. Only read.
   */
  async encode(samples: Float32Array): Promise<EncodedAudio> {
    const { framed, frames } = mirrored(samples.subarray(0, mostFrames * hop));
    const outputs = await this.encoder.run({
      samples: new this.tensor('float32', framed, [1, 1, framed.length]),
      silence: this.#integers([Math.min(this.model.silence, mostFrames - frames)]),
    });
    return { lookedUp: lookedUp().map((name) => outputs[name]!), frames };
  }

  /** Runs a decoder step. @param steps at least one, at most `most`. @returns results in the same order. */
  async step(steps: readonly Step[]): Promise<Stepped[]> {
    const { texts, session } = this.decoders.find((decoder) => decoder.texts >= steps.length)!;
    const tokens: number[] = [];
    const places: number[] = [];
    const counts: number[] = [];
    const feeds: Record<string, Tensor> = {};
    for (let text = 0; text < texts; text++) {
      const step = steps[text];
      const own = step ?? idle;
      const first = step === undefined ? idle.first : step.place;
      tokens.push(...own.tokens);
      places.push(...own.tokens.map((_, index) => first + index));
      counts.push(own.tokens.length);
      feeds[`kept_${text}`] = this.#integers([own.place]);
      const memory = step?.memory ?? this.#nothing;
      for (const [index, name] of remembered(text).entries()) feeds[name] = memory[index]!;
      const audio = step?.audio ?? this.#silent;
      for (const [index, name] of lookedUp(text).entries()) feeds[name] = audio.lookedUp[index]!;
    }
    const outputs = await session.run({
      ...feeds,
      tokens: this.#integers(tokens),
      places: this.#integers(places),
      ...(texts > 1 ? { counts: this.#integers(counts) } : {}),
    });
    const of = <Data>(name: string): Data => outputs[name]!.data as Data;
    const chosen = Array.from(of<BigInt64Array>('chosen'), Number);
    const silences = [...of<Float32Array>('silence')];
    let row = 0;
    return steps.map((step, text) => {
      const shares = outputs[`shares_${text}`]!;
      const [heads, count, places] = shares.dims as [number, number, number];
      const own = chosen.slice(row, row + count);
      row += count;
      return {
        chosen: own,
        silence: step.place === 0 ? silences.shift() : undefined,
        memory: remembered(text).map((name) => outputs[`new_${name}`]!),
        shares: { data: shares.data as Float32Array, heads, tokens: count, places },
      };
    });
  }

  #integers(values: readonly number[]): Tensor {
    return new this.tensor('int64', BigInt64Array.from(values, BigInt), [values.length]);
  }
}
