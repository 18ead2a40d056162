import { cuesOf } from './cues.js';
import type { TranscriptWriter } from './formats.js';
import { plainLine, speakerOf } from './plain.js';
import { exactClockOf } from './times.js';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const webVttText = (text: string): string => text.replace(/[&<>]/g, (mark) => entities[mark]!);

/** Makes WebVTT. Each cue contains the speaker's name in a voice tag. */
export const webVtt = (): TranscriptWriter => ({
  head: () => 'WEBVTT\n',
  segment: (segment) => {
    // If a name ends with a hyphen, a blank is added between the name and the end of its tag. Without the blank,
    // hyphens and the end of the tag could form an arrow (`-->`). Players ignore the blank.
    const voice = webVttText(speakerOf(segment)).replace(/-$/, '- ');
    return cuesOf(plainLine(segment.text), segment.start, segment.end)
      .map(({ start, end, lines }) => {
        const text = lines.map(webVttText).join('\n');
        return `\n${exactClockOf(start, '.')} --> ${exactClockOf(end, '.')}\n<v ${voice}>${text}</v>\n`;
      })
      .join('');
  },
});

/**
 * Replaces characters that players would interpret as markup. SubRip has no escapes, so similar characters replace the
 * angle brackets of tags and arrows. A blank separates the two characters that begin a style.
 */
const subRipText = (text: string): string =>
  text.replaceAll('<', '‹').replaceAll('-->', '--›').replaceAll('{\\', '{ \\');

/** Makes SubRip. The first cue of a segment begins with the speaker's name. */
export const subRip = (): TranscriptWriter => {
  let number = 0;
  return {
    head: () => '',
    segment: (segment) => {
      const said = plainLine(segment.text);
      if (said === '') return '';
      const text = subRipText(`${speakerOf(segment)}: ${said}`);
      return cuesOf(text, segment.start, segment.end)
        .map(({ start, end, lines }) => {
          const times = `${exactClockOf(start, ',')} --> ${exactClockOf(end, ',')}`;
          return `${++number}\n${times}\n${lines.join('\n')}\n\n`;
        })
        .join('');
    },
  };
};
