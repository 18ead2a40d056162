/** Texts of requests: ordinary speech, and text that is very expensive for PostgreSQL's parser. */

/** Strings that hostile texts repeat without blanks. PostgreSQL's text-search parser takes quadratic time for them. */
const quadraticRuns = ['1e@', '1@a', '11_', 'a_', 'a-1.', '~/', '/.'] as const;

/** Limits of requests: the number of segments (`segments`), and the number of characters in each other part. */
export const textBounds = {
  segments: 500,
  segment: 20_000,
  conversation: 100_000,
  memory: 500,
  query: 1000,
} as const;

/** Number of segments in a transcript of 1 MB. Each has 20,000 characters. */
const longSegments = 50;

const sentences = [
  'Good morning, did you get the draft of the garden plan that I sent on Monday?',
  'I think the beds along the wall should be half a metre wider.',
  'I need to call the nursery tomorrow at nine about the apple trees.',
  'We decided to put the pond on the shady side, where the hose reaches.',
  'I work as a nurse in Portland, so weekdays after six are the only time I have.',
  'Remind me to renew the insurance of the car before the end of the month.',
] as const;

/** Returns a statement about the speaker. All statements differ, so that each may become a memory. */
const statement = (index: number): string =>
  `My sister number ${index} and I, I'm sure, live in house ${index} and I work with my friend ${index}, and I like my job ${index}.`;

/** The language model stub never answers a prompt that contains this word. */
export const unansweredMarker = 'unansweredprompt';

/**
 * Returns a text that repeats one of the quadratic strings.
 * @param length number of characters.
 */
export const quadraticText = (index: number, length: number): string => {
  const run = quadraticRuns[index % quadraticRuns.length]!;
  return run.repeat(Math.ceil(length / run.length)).slice(0, length);
};

/** Returns an ordinary sentence. */
export const sentence = (index: number): string => sentences[index % sentences.length]!;

/**
 * Returns as many statements as fit into a total length.
 * @param length number of characters.
 */
export const statements = (length: number, first = 0): string => {
  const parts: string[] = [];
  for (let size = 0, index = first; ; index++) {
    const part = statement(index);
    size += part.length + 1;
    if (size > length) return parts.join(' ');
    parts.push(part);
  }
};

/** Returns the request body that creates a conversation from segments. @param texts texts of the segments. */
export const transcriptBody = (texts: readonly string[]): string =>
  JSON.stringify({
    transcript_segments: texts.map((text, index) => ({
      text,
      start: index * 4,
      end: index * 4 + 3.5,
      speaker_id: index % 2,
      is_user: index % 2 === 0,
    })),
  });

/** Returns a typical transcript of a dozen sentences. */
export const ordinaryTranscript = (index: number): string =>
  transcriptBody(Array.from({ length: 12 }, (_, place) => sentence(index + place)));

/** Returns a transcript of 1 MB whose segments have no blanks. */
export const quadraticTranscript = (index: number): string =>
  transcriptBody(
    Array.from({ length: longSegments }, (_, place) => quadraticText(index + place, textBounds.segment)),
  );

/** Returns the longest transcript of statements that fits into the 4 MB of a conversation. */
export const longTranscript = (index: number): string =>
  transcriptBody(
    Array.from({ length: textBounds.segments }, (_, place) => statements(6000, 1000 * index + 50 * place)),
  );
