import type { StreamFormat } from '../../wire/index.js';
import { type Finding, isStreamed, type LikelyForm, titleOf } from './finding.js';

/** A file of frames whose name states a wrong format. */
export interface FileFinding {
  /** The actual content of the file, as a text that follows a colon. */
  readonly why: string;
  /** How to correct the file, as complete sentences. */
  readonly remedy: string;
}

const bytes = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);

/** Returns advice to give the file a name with the right format. */
const nameWith = ({ codec, sampleRate, channels }: LikelyForm): string => {
  const parts = [
    ...(codec === undefined ? [] : [`codec ${codec}`]),
    ...(sampleRate === undefined ? [] : [`rate ${sampleRate}`]),
    ...(channels === undefined ? [] : [`channels ${channels}`]),
  ];
  return `Give the file a name with ${parts.join(', ')}.`;
};

const ofCodec = ({ likely }: Finding, declared: StreamFormat): FileFinding => {
  const { codec, headerBytes, framesInMessage } = likely;
  const why = `its frames hold ${codec === undefined ? 'something else' : titleOf(codec)}, not ${declared.codec}`;
  if (codec === 'pdm') return { why, remedy: 'Filter and decimate them to pcm16, as a PDM interface does.' };
  if (codec !== undefined && !isStreamed(codec))
    return { why, remedy: 'Convert them to pcm16, which is signed, little-endian and of 16 bits.' };
  const also = [
    ...(headerBytes === undefined ? [] : [` Leave out the ${bytes(headerBytes)} before each frame.`]),
    ...(framesInMessage === undefined ? [] : [' Write one frame behind each length.']),
  ];
  return { why, remedy: nameWith(likely) + also.join('') };
};

const ofFraming = ({ likely: { headerBytes, framesInMessage } }: Finding): FileFinding => {
  const remedy = 'Write one whole frame behind each length.';
  if (headerBytes !== undefined)
    return { why: `each frame has a second length of ${bytes(headerBytes)} before it`, remedy };
  if (framesInMessage !== undefined)
    return { why: `each of its lengths counts ${framesInMessage} frames`, remedy };
  return { why: 'its lengths do not begin and end where frames do', remedy };
};

/**
 * Describes the finding about a file of frames.
 * @param declared format that the file's name states.
 */
export const findingOfFile = (finding: Finding, declared: StreamFormat): FileFinding => {
  const { cause, likely, hasOwnLengths = false } = finding;
  if (hasOwnLengths)
    return {
      why: 'its frames are Opus packets that have their own lengths within (self-delimiting form)',
      remedy: `${cause === 'codec' ? `${nameWith({ codec: 'opus' })} ` : ''}Write each packet without that length, behind a length of its own.`,
    };
  switch (cause) {
    case 'codec':
      return ofCodec(finding, declared);
    case 'sample_rate':
      return { why: `its audio has ${likely.sampleRate} Hz`, remedy: nameWith(likely) };
    case 'channels':
      return {
        why: `its audio has ${likely.channels === 2 ? 'two channels' : 'one channel'}`,
        remedy: nameWith(likely),
      };
    case 'header':
      return {
        why: `${bytes(likely.headerBytes ?? 0)} before each frame are not audio`,
        remedy: 'Leave them out.',
      };
    case 'framing':
      return ofFraming(finding);
    case 'container':
      return {
        why: `its frames hold ${likely.container === 'text' ? 'text' : `a file (${likely.container})`}`,
        remedy: 'Write the bytes of its audio alone, one frame behind each length.',
      };
    case 'unknown':
      return {
        why: `its frames are not ${declared.codec}`,
        remedy: 'Check the codec, the rate and the channels in its name.',
      };
  }
};
