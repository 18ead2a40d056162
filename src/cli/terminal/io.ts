import type { Readable, Writable } from 'node:stream';

/** Streams and environment variables of a command. Tests pass substitutes. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/** Writes a text and waits until the stream has accepted it, so that output for a slow reader does not pile up in memory. */
export const write = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Maximum number of bytes read from standard input or a named file. The service accepts far less. */
const largestInput = 64 * 1024 * 1024;

/** Reads all of standard input as text. @throws RangeError for more than 64 MiB. */
export const readAll = async (stream: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > largestInput) throw new RangeError('standard input has more than 64 MiB');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
};
