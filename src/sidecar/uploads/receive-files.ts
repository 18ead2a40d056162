import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { Busboy, type BusboyConfig, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { CochleaError } from '../../errors/index.js';
import { keywordBounds } from '../../wire/index.js';

export interface UploadBounds {
  /** Maximum bytes of the complete body. */
  readonly bytes: number;
  readonly files: number;
}

/** Maximum bytes of a character in UTF-8. */
const characterBytes = 4;
/** Maximum bytes of a field. The longest field is a list of custom words, separated by commas. */
const fieldSize = keywordBounds.words * (keywordBounds.length * characterBytes + 1);

/** Limits of form parts that are not files. Field names are short, and only few fields have a meaning. */
const partBounds = {
  fieldNameSize: 100,
  fieldSize,
  fields: 10,
  headerPairs: 20,
  headerSize: 4096,
} as const;

/**
 * Maximum bytes that the parser gets at once. One piece of data from the socket may contain a thousand parts of the
 * form.
 */
const sliceSize = 4096;

/** Returns a stream that divides pieces into slices. A stream that is unpiped passes no further slices on. */
const slicing = (): Transform =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      for (let at = 0; at < piece.length; at += sliceSize) this.push(piece.subarray(at, at + sliceSize));
      done();
    },
  });

const invalid = (why: string): CochleaError => new CochleaError('multipart_invalid', { why });

/**
 * Whether a part is a file. Every part with a file name is a file, even an empty one, and is never parsed as a field.
 */
const isFile: BusboyConfig['isPartAFile'] = (_field, type, name) =>
  name !== undefined || type === 'application/octet-stream';

/**
 * Reads a multipart form. Processes files one after the other as they arrive. Only `take` stores data, and the client
 * sends no faster than `take` reads. Reads nothing before the call.
 * @param take reads a file to its end. If `take` throws, the form ends. `name` is the client's name for the file and
 * can be any text.
 * @returns the result of `take` for each file, and the other fields. If a field is repeated, the last value counts.
 * @throws CochleaError multipart_invalid, body_too_large; errors of `take`
 */
export const receiveFiles = async <Taken>(
  request: IncomingMessage,
  bounds: UploadBounds,
  take: (name: string, pieces: AsyncIterable<Uint8Array>) => Promise<Taken>,
): Promise<{ readonly taken: Taken[]; readonly fields: ReadonlyMap<string, string> }> => {
  const { 'content-type': type = '', 'content-length': declared } = request.headers;
  if (!/^multipart\/form-data\s*;/i.test(type)) throw invalid('it is not multipart/form-data');
  const tooLarge = (): CochleaError => new CochleaError('body_too_large', { limit: bounds.bytes });
  if (Number(declared ?? 0) > bounds.bytes) throw tooLarge();
  // The client may have left while the request was admitted. No event reports that afterwards.
  if (request.destroyed && !request.complete) throw invalid('it broke off');
  const parser = parserOf(request, bounds);
  const slices = slicing();
  const fields = new Map<string, string>();
  const taken: Taken[] = [];
  return new Promise((resolve, reject) => {
    let settled = false;
    const open = new Set<BusboyFileStream>();
    /** Resolves when the current file is processed. */
    let taking: Promise<void> = Promise.resolve();
    const fail = (error: unknown): void => {
      if (settled) return;
      settled = true;
      request.unpipe(slices);
      slices.unpipe(parser);
      // The rest of the body is read and dropped, so that the answer reaches the client.
      request.resume();
      parser.destroy();
      // The current file ends with an error, and `take` removes its data.
      for (const stream of open) stream.destroy(invalid('it broke off'));
      void taking.finally(() => reject(error));
    };
    let received = 0;
    request.on('data', (piece: Buffer) => {
      received += piece.length;
      if (received > bounds.bytes) fail(tooLarge());
    });
    request.once('error', () => fail(invalid('it broke off')));
    request.once('close', () => {
      if (!request.complete) fail(invalid('it broke off'));
    });
    parser.on('file', (_field: string, stream: BusboyFileStream, name: string | undefined) => {
      // The error reaches the stream's reader. This listener prevents a crash if there is no reader.
      stream.on('error', () => undefined);
      open.add(stream);
      stream.once('close', () => open.delete(stream));
      if (settled) return void stream.resume();
      const before = taking;
      taking = (async () => {
        await before;
        if (settled) return;
        if (!name) throw invalid('a file has no name');
        taken.push(await take(name, piecesOf(stream)));
      })().catch(fail);
    });
    parser.on('field', (name: string, value: string, nameTruncated: boolean, valueTruncated: boolean) => {
      if (nameTruncated || valueTruncated) fail(invalid('a field is too long'));
      else fields.set(name, value);
    });
    for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
      parser.on(limit, () => fail(invalid('it has too many parts')));
    }
    parser.on('error', (error: Error) => fail(invalid(error.message)));
    parser.on('finish', () => {
      void taking.then(() => {
        if (settled) return;
        settled = true;
        resolve({ taken, fields });
      });
    });
    request.pipe(slices).pipe(parser);
  });
};

async function* piecesOf(stream: BusboyFileStream): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    throw error instanceof CochleaError ? error : invalid((error as Error).message);
  }
}

const parserOf = (request: IncomingMessage, { files }: UploadBounds) => {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      isPartAFile: isFile,
      // Keeps folders in file names, so that `take` refuses such a name instead of getting a shortened one.
      preservePath: true,
      limits: { ...partBounds, files, parts: files + partBounds.fields },
    });
  } catch (error) {
    throw invalid((error as Error).message);
  }
};
