import { type Sentence, silenceAfter, type Talk, talkOf } from './talks.js';

/** Returns a talk for each speaker. A sentence's name begins with the name of its speaker. */
export const talksOfSpeakers = (sentences: readonly Sentence[]): Promise<Talk[]> => {
  const speakerOf = ({ name }: Sentence): string => name.split('-')[0]!;
  const speakers = [...new Set(sentences.map(speakerOf))];
  return Promise.all(
    speakers.map((speaker, index) => {
      const own = sentences.filter((sentence) => speakerOf(sentence) === speaker);
      return talkOf(speaker, [{ language: 'en', sentences: own, silence: silenceAfter }], index + 1);
    }),
  );
};
