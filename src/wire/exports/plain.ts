/** White space of any script, and the line end U+0085, which `\s` does not match. */
const whiteSpace = /[\s\u0085]+/g;
const controls = /\p{Cc}/gu;
/** Characters that change the direction of the text after them. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns a text on one line: white space becomes a blank, and a control character becomes U+FFFD. */
export const plainLine = (text: string): string =>
  text.toWellFormed().replace(whiteSpace, ' ').replace(controls, '\ufffd').trim();

/** Returns a name on one line, without characters that would change the direction of the text after it. */
export const plainName = (name: string): string => plainLine(name.replace(directions, ''));

/** Returns the name of a speaker on one line. If nothing of the name remains, returns the speaker's number. */
export const speakerOf = (segment: { readonly speaker_name: string; readonly speaker_id: number }): string =>
  plainName(segment.speaker_name) || `Speaker ${segment.speaker_id}`;
