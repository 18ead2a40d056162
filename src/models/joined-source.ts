import { Readable } from 'node:stream';
import { CochleaError, reasonOf } from '../errors/index.js';
import type { FilePart, SingleSource } from './manifest/index.js';

/**
 * Opens the parts of a file as one stream. A part is opened after the parts before it were read.
 * @param open opens the source of a part; `bytes` is the part's required size.
 * @returns a stream that fails if a part cannot be opened or has another size. It gives at most the bytes that the parts should have.
 */
export const openJoined = (
  parts: readonly FilePart[],
  open: (source: SingleSource, bytes: number) => Promise<Readable>,
): Readable => {
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for (const [index, { bytes, source }] of parts.entries()) {
      try {
        let received = 0;
        for await (const piece of await open(source, bytes)) {
          received += (piece as Buffer).length;
          if (received > bytes) throw new Error(`more than ${bytes} bytes`);
          yield piece as Buffer;
        }
        if (received !== bytes) throw new Error(`${received} of ${bytes} bytes`);
      } catch (thrown) {
        if (thrown instanceof CochleaError) throw thrown;
        throw new Error(`part ${index + 1}: ${reasonOf(thrown)}`, { cause: thrown });
      }
    }
  };
  return Readable.from(pieces(), { objectMode: false });
};
