import type { Container } from './container.js';

/** Usual endings of the names of files, by container format. */
const endings: Readonly<Record<Container, readonly string[]>> = {
  wav: ['wav'],
  ogg: ['ogg', 'oga', 'opus'],
  w64: ['w64'],
  aiff: ['aif', 'aiff', 'aifc'],
  caf: ['caf'],
  au: ['au'],
  flac: ['flac'],
  amr: ['amr'],
  webm: ['webm', 'mka', 'mkv'],
  mp4: ['mp4', 'm4a', 'm4b', 'mov'],
  aac: ['aac'],
  mp3: ['mp3'],
};
/** Formats that the audio core decodes without ffmpeg. */
const native: ReadonlySet<Container> = new Set(['wav', 'ogg']);

/**
 * Returns the usual endings of the names of files that can be decoded, for people who choose a file. The first bytes of
 * a file determine its format, not its name.
 * @param hasFfmpeg whether ffmpeg is installed.
 */
export const acceptedEndings = (hasFfmpeg: boolean): readonly string[] =>
  (Object.keys(endings) as Container[])
    .filter((container) => hasFfmpeg || native.has(container))
    .flatMap((container) => endings[container]);
