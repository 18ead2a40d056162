import { readFile } from 'node:fs/promises';
import type { InferenceSession, Tensor, TensorConstructor } from 'onnxruntime-node';
import {
  inferenceRuntime,
  type ModelFiles,
  openInferenceSession,
  whisperTokens,
} from '../../models/index.js';
import type { SpeechModel } from '../../models/manifest/index.js';

/** Number of samples in a frame at 16 kHz, as in the model's training. */
const frameSamples = 400;
/** Number of samples from the start of one frame to the start of the next, as in the model's training. */
const hop = 160;
/**
 * Number of samples by which the first frame begins before the audio. The middle of that frame is half a hop after
 * the first sample.
 */
const lead = (frameSamples - hop) / 2;

/** Number of frames for each position of the encoder's output. */
const placeFrames = 2;

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
  /**
   * Number of tokens at the beginning that are certain; at least one. The others are guesses. The model's choices are
   * computed after the last certain token and after each guess.
   */
  readonly certain: number;
  /**
   * Tokens whose log probability is requested: one token for each choice of the model (see `certain`). Default: none.
   */
  readonly asked?: readonly number[];
  /**
   * Number of earlier tokens before the first of `tokens`. If `memory` contains more tokens, the additional ones are
   * ignored.
   */
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
  /** The model's choices: for the token after the certain ones, then for the token after each guess. */
  readonly chosen: readonly number[];
  /** Log probability of each of `chosen`, among the tokens that may follow; at most 0. */
  readonly likelihoods: ArrayLike<number>;
  /** Log probability of each of the tokens in `asked`, among the tokens that may follow there; at most 0. */
  readonly answers: ArrayLike<number>;
  /** Probability that the audio contains no speech; set only in the step with the start of a text. */
  readonly silence: number | undefined;
  /**
   * Probability of each language of the model, in the order of the manifest. Set together with `silence`, if the model
   * knows several languages. The sum is one.
   */
  readonly languages: Float32Array | undefined;
  readonly memory: Memory;
  readonly shares: Shares;
}

/**
 * Input that stands for a missing text, because the graph of a decoder for several texts needs all its inputs. The
 * token is part of a word, so it begins neither a text nor its words.
 */
const idle = { tokens: [0], place: 0 } as const;

/** Returns the names of a text's inputs and outputs, as set by the program that generates the graphs. */
const remembered = (layers: number, text: number): string[] =>
  Array.from({ length: layers }, (_, layer) => [`keys_${text}_${layer}`, `values_${text}_${layer}`]).flat();
const lookedUp = (layers: number, text?: number): string[] =>
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
  /** Number of layers of the decoder. */
  readonly #layers: number;
  /** Maximum number of frames for the encoder: 30 s. */
  readonly #mostFrames: number;

  private constructor(
    private readonly model: SpeechModel,

    /** Bytes of each text token, by token id. */
    readonly vocabulary: readonly Uint8Array[],
    private readonly encoder: InferenceSession,
    private readonly decoders: readonly { readonly texts: number; readonly session: InferenceSession }[],
    private readonly tensor: TensorConstructor,
  ) {
    const { heads, headWidth, decoderLayers, audioPlaces } = model.shape;
    this.#layers = decoderLayers;
    this.#mostFrames = audioPlaces * placeFrames;
    const pairs = (places: number): Tensor[] =>
      Array.from({ length: 2 * decoderLayers }, (_, index) => {
        const shape = index % 2 === 0 ? [heads, headWidth, places] : [heads, places, headWidth];
        return new tensor('float32', new Float32Array(heads * headWidth * places), shape);
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
    const vocabulary = whisperTokens(await readFile(files.files[model.vocabulary]!, 'utf8'), model);
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
   * Encodes audio. It appends the model's usual amount of silence, or as much as fits into 30 s if that is less.
   * @param samples mono, 16 kHz, from -1 to 1, at least one sample. Samples beyond 30 s are ignored. Only read.
   */
  async encode(samples: Float32Array): Promise<EncodedAudio> {
    const { framed, frames } = mirrored(samples.subarray(0, this.#mostFrames * hop));
    const outputs = await this.encoder.run({
      samples: new this.tensor('float32', framed, [1, 1, framed.length]),
      silence: this.#integers([Math.min(this.model.silence, this.#mostFrames - frames)]),
    });
    return { lookedUp: lookedUp(this.#layers).map((name) => outputs[name]!), frames };
  }

  /** Runs a decoder step. @param steps at least one, at most `most`. @returns results in the same order. */
  async step(steps: readonly Step[]): Promise<Stepped[]> {
    const { texts, session } = this.decoders.find((decoder) => decoder.texts >= steps.length)!;
    const needed = steps.map((step) => this.#neededRows(step));
    const outputs = await session.run(this.#feeds(steps, needed, texts));
    const of = <Data>(name: string): Data => outputs[name]!.data as Data;
    const chosen = Array.from(of<BigInt64Array>('chosen'), Number);
    const likelihoods = Array.from(of<Float32Array>('likelihoods'));
    const answers = Array.from(of<Float32Array>('answers'));
    const silences = of<Float32Array>('silence');
    const { languages, tokens: ids } = this.model;
    const probabilities = ids.firstLanguage === null ? undefined : of<Float32Array>('languages');
    let starts = 0;
    return steps.map(({ tokens, certain, asked = [] }, text) => {
      const shares = outputs[`shares_${text}`]!;
      const [heads, count, places] = shares.dims as [number, number, number];
      const choices = tokens.length - certain + 1;
      const own = <Value>(values: Value[]): Value[] => values.splice(0, needed[text]!.length).slice(-choices);
      // The outputs `silence` and `languages` have one row for each text that starts in this step.
      const start = tokens.includes(ids.start) ? starts++ : undefined;
      const row = start === undefined ? undefined : start * languages.length;
      return {
        chosen: own(chosen),
        likelihoods: own(likelihoods),
        answers: own(answers).slice(0, asked.length),
        silence: start === undefined ? undefined : silences[start],
        languages: row === undefined ? undefined : probabilities?.slice(row, row + languages.length),
        memory: remembered(this.#layers, text).map((name) => outputs[`new_${name}`]!),
        shares: { data: shares.data as Float32Array, heads, tokens: count, places },
      };
    });
  }

  /** Returns the rows of a step whose predictions are needed: start of a text, last certain token, guesses. */
  #neededRows({ tokens, certain }: Step): number[] {
    const start = tokens.indexOf(this.model.tokens.start);
    const rows = tokens.map((_, row) => row).slice(certain - 1);
    return start < 0 || start >= certain - 1 ? rows : [start, ...rows];
  }

  /**
   * Returns the inputs of a decoder for `texts` texts. If there are fewer steps, the other texts get the input `idle`.
   */
  #feeds(
    steps: readonly Step[],
    needed: readonly (readonly number[])[],
    texts: number,
  ): Record<string, Tensor> {
    const tokens: number[] = [];
    const places: number[] = [];
    const counts: number[] = [];
    const rows: number[] = [];
    const asked: number[] = [];
    const feeds: Record<string, Tensor> = {};
    for (let text = 0; text < texts; text++) {
      const step = steps[text];
      const own = step ?? idle;
      const predicted = needed[text] ?? [];
      for (const row of predicted) rows.push(tokens.length + row);
      // `asked` names one token for each of the last rows. The earlier rows get token 0, whose results are not used.
      const questions = step?.asked ?? [];
      asked.push(...predicted.slice(questions.length).map(() => 0), ...questions);
      tokens.push(...own.tokens);
      places.push(...own.tokens.map((_, index) => own.place + index));
      counts.push(own.tokens.length);
      feeds[`kept_${text}`] = this.#integers([own.place]);
      const memory = step?.memory ?? this.#nothing;
      for (const [index, name] of remembered(this.#layers, text).entries()) feeds[name] = memory[index]!;
      const audio = step?.audio ?? this.#silent;
      for (const [index, name] of lookedUp(this.#layers, text).entries())
        feeds[name] = audio.lookedUp[index]!;
    }
    if (texts > 1) feeds.counts = this.#integers(counts);
    return {
      ...feeds,
      tokens: this.#integers(tokens),
      places: this.#integers(places),
      needed: this.#integers(rows),
      asked: this.#integers(asked),
    };
  }

  #integers(values: readonly number[]): Tensor {
    return new this.tensor('int64', BigInt64Array.from(values, BigInt), [values.length]);
  }
}
