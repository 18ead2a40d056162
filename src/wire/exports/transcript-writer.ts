import { markdown, plainText } from './documents.js';
import type { TextFormat, TranscriptWriter } from './formats.js';
import { subRip, webVtt } from './subtitles.js';

const writers: Readonly<Record<TextFormat, () => TranscriptWriter>> = {
  txt: plainText,
  md: markdown,
  srt: subRip,
  vtt: webVtt,
};

/** Creates the writer of one file. */
export const transcriptWriter = (format: TextFormat): TranscriptWriter => writers[format]();
