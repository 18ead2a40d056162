import { z } from 'zod';
import { recogniserSchema } from './recogniser-schema.js';
import { sourceSchema } from './sources.js';

const fileSchema = z
  .object({
    /** Name of the file in the model's folder. It cannot contain a path, so no file is written outside that folder. */
    name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    bytes: z.number().int().positive(),
    /** Sources of the file, in order of preference. */
    sources: z.array(sourceSchema).min(1),
  })
  .refine(
    ({ bytes, sources }) =>
      sources.every(
        (source) =>
          source.kind !== 'joined' || source.parts.reduce((sum, part) => sum + part.bytes, 0) === bytes,
      ),
    'the parts have another size than the file',
  );

/** The input of a speaker model, and thresholds for its results. Durations in ms, similarities are cosines. */
const speakerSchema = z.object({
  /** Name of the file with the ONNX graph. */
  graph: z.string(),
  /** Name of the input, whose shape is [partials, frames, bands]. */
  input: z.string(),
  /** Name of the output, whose shape is [partials, dimensions]. */
  output: z.string(),
  dimensions: z.number().int().positive(),
  frontEnd: z.object({
    /** `power-mel` is the spectrum that `Analysis.melSpectrogram` computes. */
    kind: z.literal('power-mel'),
    bands: z.literal(40),
    /** Distance between two frames, in samples at 16 kHz. */
    hop: z.literal(160),
    /** RMS level to which speech is scaled, in dBFS. */
    level: z.number().negative(),
    /**
     * Number of frames in a partial, the piece of audio that the model embeds at once. The model was trained with
     * this number.
     */
    frames: z.number().int().positive(),
  }),
  rule: z.object({
    /** Minimum ms of speech for any decision. */
    minimumSpeech: z.number().positive(),
    /**
     * From this similarity on, two voices count as the same person, if at least `speech` ms of speech are known.
     * Ascending by `speech`.
     */
    thresholds: z.array(z.object({ speech: z.number(), similarity: z.number() })).min(1),
    /**
     * Minimum similarity for a hint. A hint suggests a person whose similarity is below the threshold for the same
     * person.
     */
    hint: z.number(),
    /** Minimum difference between the similarities of the best and the second-best person. */
    lead: z.number(),
    /** Number that is added to every threshold if the audio was sampled at 8 kHz. */
    narrowband: z.number(),
    /** Minimum ms of speech for a decision that updates a profile. */
    profileSpeech: z.number().positive(),
    learnSpeech: z.number().positive(),
  }),
  /** Parameters for diarization of a stream with this model, as in `VoiceRule`. */
  voices: z.object({
    window: z.number().int().positive(),
    hop: z.number().int().positive(),
    firstWindow: z.number().int().positive(),
    same: z.number(),
    evidence: z.number().int().positive(),
    merge: z.number(),
    small: z.number().int(),
    unseen: z.number().int(),
    decided: z.number().int().positive(),
    change: z.number(),
    changeAtPause: z.number(),
    weight: z.number().int().positive(),
    voices: z.number().int().positive(),
  }),
  /** Parameters for revising the speakers at the end of a conversation, as in `RevisionRule`. */
  revision: z.object({
    change: z.number(),
    hop: z.number().int().positive(),
    small: z.number().int(),
    coherence: z.number(),
    counted: z.number().int(),
    slope: z.number(),
    merge: z.number(),
    split: z.number(),
    mergeAlone: z.number(),
    splitAlone: z.number(),
    voices: z.number().int().positive(),
    rounds: z.number().int().positive(),
  }),
});

/** Parameters for running a sentence model, and for the steps that its tokenizer does not do. */
const sentenceSchema = z.object({
  /** Name of the ONNX graph's file. */
  graph: z.string(),
  /** Name of the graph's output [texts, dimensions]. Each output vector has length one. */
  output: z.string(),
  dimensions: z.number().int().positive(),
  /** Maximum number of tokens of a text. */
  tokens: z.number().int().positive(),
  /** Id of the token that ends every text. */
  endToken: z.number().int(),
  tokenizer: z.object({ model: z.string(), config: z.string() }),
});

export const modelSchema = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/),
  purpose: z.enum(['speech-recognition', 'voice-activity', 'speaker-embedding', 'sentence-embedding']),
  licence: z.string(),
  origin: z.string(),
  /** Whether set-up fetches the model. Other models are fetched on first use. */
  required: z.boolean(),
  files: z.array(fileSchema).min(1),
  recogniser: recogniserSchema.optional(),
  speaker: speakerSchema.optional(),
  sentence: sentenceSchema.optional(),
});

export const manifestSchema = z.array(modelSchema);

export type ModelFile = z.output<typeof fileSchema>;
export type ModelEntry = z.output<typeof modelSchema>;
