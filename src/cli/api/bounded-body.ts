import { CommandFailure } from '../terminal/index.js';

/** Maximum number of bytes in one uncompressed answer. A page of 25 conversations with complete transcripts is smaller. */
export const largestAnswer = 64 * 1024 * 1024;

/** Reads an answer as text. @throws CommandFailure `unavailable` if the answer is larger than `largestAnswer`. */
export const boundedText = async (answer: Response): Promise<string> => {
  if (answer.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > largestAnswer)
      throw new CommandFailure('unavailable', 'The answer is larger than 64 MiB. Ask for less with --limit.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
