import { z } from 'zod';

/** The network's dimensions. The generator of the graphs derives the positions of all weights from them. */
const shapeSchema = z.object({
  /** Bands of the mel spectrum. */
  bands: z.number().int().positive(),
  /** Number of attention heads of every layer. */
  heads: z.number().int().positive(),
  /** Width of one attention head. Its product with the number of heads is the width of the network. */
  headWidth: z.number().int().positive(),
  encoderLayers: z.number().int().positive(),
  decoderLayers: z.number().int().positive(),
  /** Number of tokens, including control tokens. */
  vocabulary: z.number().int().positive(),
  /** Number of positions of the encoder, each 20 ms long. */
  audioPlaces: z.number().int().positive(),
  /** Number of positions of the decoder, one for each token. */
  textPlaces: z.number().int().positive(),
});

/** Ids of tokens with a role. */
const tokensSchema = z.object({
  /** A single space. A text does not begin with it. */
  space: z.number().int(),
  /** Ends a text. All tokens of text have smaller ids. */
  end: z.number().int(),
  /**
   * Starts a text. The prediction after this token contains the probability of no speech and the probability of each
   * language.
   */
  start: z.number().int(),
  /** First of the tokens of `languages`, which have consecutive ids. Null if the model knows one language only. */
  firstLanguage: z.number().int().nullable(),
  /** Selects transcription instead of translation. Null if the model does not translate. */
  transcribe: z.number().int().nullable(),
  /** The model predicts this token after `start` if there is no speech. */
  noSpeech: z.number().int(),
  /** Turns off time tokens. It is the last token before the words. */
  noTimestamps: z.number().int(),
  /** Tokens that no text contains: punctuation that begins an annotation, music notes, speaker marks. */
  suppressed: z.array(z.number().int()),
});

/**
 * Thresholds for dropping texts that a model invented for audio without speech. Each text has a probability of no
 * speech, which the model predicts after `start`.
 */
const inventedSchema = z.object({
  /** Above this probability of no speech, the text is empty. */
  certain: z.number().min(0).max(1),
  /**
   * Above this probability of no speech, the text is empty if its tokens are too improbable. It is also empty if
   * neither the first nor the second try ends properly (see `wordsOfPart` in `src/stt/whisper`).
   */
  doubtful: z.number().min(0).max(1),
  /** Minimum mean log probability (natural logarithm) of the tokens of a doubtful text. */
  likelihood: z.number().max(0),
  /**
   * Minimum mean log probability of the tokens of any text. It is needed because the model gives audio of nearly 30 s
   * too low a probability of no speech.
   */
  improbable: z.number().max(0),
  /** Above this probability of no speech, the text is empty if it consists of closing phrases of captions. */
  caption: z.number().min(0).max(1),
  /**
   * A text of more than `characters` characters is empty if the probability of no speech is above `silence` and the
   * mean log probability below `likelihood`. Null: not used.
   */
  long: z
    .object({
      characters: z.number().int().positive(),
      silence: z.number().min(0).max(1),
      likelihood: z.number().max(0),
    })
    .nullable(),
  /**
   * A text that repeats one word or a few letters is empty if the mean log probability is below this number. Null: not
   * used.
   */
  repeated: z.number().max(0).nullable(),
  /**
   * Each entry applies to audio in which the detector's mean probability of speech is below `detected`. The text is
   * empty if the probability of no speech is above `silence` and the mean log probability below `likelihood`.
   */
  faint: z.array(
    z.object({
      detected: z.number().min(0).max(1),
      silence: z.number().min(0).max(1),
      likelihood: z.number().max(0),
    }),
  ),
  /**
   * Applies to audio in which the detector's mean probability of speech is at least `detected`. A text without spaces
   * and with at most `characters` characters counts as a word. A word with a doubtful probability of no speech is kept
   * if its mean log probability is at least `likelihood`. An improbable text is kept if the probability of no speech is
   * at most `silence`. Null: not used.
   */
  clear: z
    .object({
      detected: z.number().min(0).max(1),
      characters: z.number().int().positive(),
      likelihood: z.number().max(0),
      silence: z.number().min(0).max(1),
    })
    .nullable(),
});

/** Parameters for running a Whisper model. Its graphs are made by `src/models/graphs/generate`. */
export const recogniserSchema = z
  .object({
    /** Codes of the languages (ISO 639-1, or ISO 639-3 without one), in the order of their tokens. */
    languages: z.array(z.string()).min(1),
    shape: shapeSchema,
    tokens: tokensSchema,
    /**
     * Layer and head of the decoder's attention heads that align text with audio in time. Source: the list of the
     * model's authors.
     */
    alignment: z.array(z.tuple([z.number().int(), z.number().int()])).min(1),
    /** File with the weights, in the format of CTranslate2. */
    weights: z.object({
      file: z.string(),
      /** Names of attributes that the converter's release stored in addition to those of older releases. */
      attributes: z.array(z.string()),
    }),
    /**
     * File with the model's tokens in GPT-2's byte spelling, by id. It has one token in each line. If its name ends in
     * `.json`, it is a JSON list.
     */
    vocabulary: z.string(),
    encoder: z.string(),
    /** Decoder graphs by batch size (number of texts), in ascending order. */
    decoders: z.array(z.object({ texts: z.number().int().positive(), graph: z.string() })).min(1),
    /** Number of frames (10 ms) of silence added after the audio. With fewer, the model misses the end of short speech. */
    silence: z.number().int(),
    invented: inventedSchema,
    /** Whether texts become better if utterances end only after the long silence (`VAD_LONG_SILENCE`). */
    longSilence: z.boolean(),
    /** Maximum number of tokens of a text per second of its audio. */
    tokensPerSecond: z.number().positive(),
    /** Maximum number of tokens of a text. */
    mostTokens: z.number().int().positive(),
  })
  .superRefine((value, context) => {
    const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
    const { shape, tokens, languages, alignment, mostTokens } = value;
    const { firstLanguage, suppressed, transcribe, ...ids } = tokens;
    const isMultilingual = firstLanguage !== null;
    if (isMultilingual !== languages.length > 1) refuse('several languages need tokens, one needs none');
    const lastLanguage = isMultilingual ? firstLanguage + languages.length - 1 : 0;
    const all = [...Object.values(ids), ...suppressed, firstLanguage ?? 0, lastLanguage, transcribe ?? 0];
    if (all.some((id) => id < 0 || id >= shape.vocabulary)) refuse('a token outside the vocabulary');
    if (alignment.some(([layer, head]) => layer >= shape.decoderLayers || head >= shape.heads))
      refuse('an attention head that does not exist');
    // At most four tokens precede a text: the start, the language, the task, and the token that turns off time tokens.
    if (4 + mostTokens > shape.textPlaces) refuse('more tokens than the decoder has places');
  });

/** The parameters of a Whisper model. */
export type SpeechModel = z.output<typeof recogniserSchema>;
