import { randomUUID } from 'node:crypto';

/** A multipart form in one buffer. */
export interface AudioForm {
  /** Value of the header `Content-Type`. */
  readonly type: string;
  readonly body: Buffer<ArrayBuffer>;
}

/**
 * Creates a form with a WAV file and text fields. Names and values must not contain quotes or line ends. `FormData`
 * is not used because it needs a `Blob`. Node reads a `Blob` in chunks of native memory, which made the process
 * grow by every byte sent.
 *
 * Source of the layout: RFC 7578.
 * @param file only read; the form contains a copy.
 */
export const audioForm = (
  fields: Readonly<Record<string, string>>,
  field: string,
  file: Uint8Array,
): AudioForm => {
  const boundary = `cochlea-${randomUUID()}`;
  const part = (name: string, more: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(name, '')}${value}\r\n`);
  const head = `${texts.join('')}${part(field, '; filename="audio.wav"\r\nContent-Type: audio/wav')}`;
  const tail = `\r\n--${boundary}--\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(tail)]),
  };
};
