/**
 * Languages of the multilingual models, in the order of their tokens. Codes of ISO 639-1, or of ISO 639-3 for
 * languages without an ISO 639-1 code.
 */
export const languages: readonly string[] = [
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy',
  'sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo',
  'uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jv su',
].flatMap((line) => line.split(' '));

/**
 * Tokens that Whisper's own decoder never chooses: punctuation that begins an annotation, music notes, speaker marks.
 * The English and the multilingual models have different vocabularies.
 */
export const suppressed = {
  english: [
    1, 2, 7, 8, 9, 10, 14, 25, 26, 27, 28, 29, 31, 58, 59, 60, 61, 62, 63, 90, 91, 92, 93, 357, 366, 438, 532,
    685, 705, 796, 930, 1058, 1220, 1267, 1279, 1303, 1343, 1377, 1391, 1635, 1782, 1875, 2162, 2361, 2488,
    3467, 4008, 4211, 4600, 4808, 5299, 5855, 6329, 7203, 9609, 9959, 10563, 10786, 11420, 11709, 11907,
    13163, 13697, 13700, 14808, 15306, 16410, 16791, 17992, 19203, 19510, 20724, 22305, 22935, 27007, 30109,
    30420, 33409, 34949, 40283, 40493, 40549, 47282, 49146,
  ],
  multilingual: [
    1, 2, 7, 8, 9, 10, 14, 25, 26, 27, 28, 29, 31, 58, 59, 60, 61, 62, 63, 90, 91, 92, 93, 359, 503, 522, 542,
    873, 893, 902, 918, 922, 931, 1350, 1853, 1982, 2460, 2627, 3246, 3253, 3268, 3536, 3846, 3961, 4183,
    4667, 6585, 6647, 7273, 9061, 9383, 10428, 10929, 11938, 12033, 12331, 12562, 13793, 14157, 14635, 15265,
    15618, 16553, 16604, 18362, 18956, 20075, 21675, 22520, 26130, 26161, 26435, 28279, 29464, 31650, 32302,
    32470, 36865, 42863, 47425, 49870, 50254,
  ],
};

const space = 220;

/** Control tokens of the English models. */
export const englishTokens = {
  space,
  end: 50_256,
  start: 50_257,
  firstLanguage: null,
  transcribe: null,
  noSpeech: 50_361,
  noTimestamps: 50_362,
  suppressed: suppressed.english,
};

/** Control tokens of a multilingual model. They follow the tokens of its languages. @param count of languages */
export const multilingualTokens = (count: number) => {
  const [end, start, firstLanguage] = [50_257, 50_258, 50_259];
  // Six tokens follow the languages: translate, transcribe, start of a language model, start of previous text, no
  // speech, no times.
  const translate = firstLanguage + count;
  return {
    space,
    end,
    start,
    firstLanguage,
    transcribe: translate + 1,
    noSpeech: translate + 4,
    noTimestamps: translate + 5,
    suppressed: suppressed.multilingual,
  };
};

/**
 * Number of tokens of a multilingual model. The last 1501 tokens are times from 0 to 30 s.
 * @param count of languages
 */
export const multilingualVocabulary = (count: number): number =>
  multilingualTokens(count).noTimestamps + 1502;
