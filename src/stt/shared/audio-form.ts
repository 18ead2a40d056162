import { randomUUID } from 'node:crypto';

/** A form that is sent in one piece. */
export interface AudioForm {
  /** Of the header `Content-Type`. */
  readonly type: string;
  readonly body: Buffer<ArrayBuffer>;
}

/**
 * A form with a WAV file and fields of text, whose names and values hold no quotes and no line ends. It is written here and not by
 * `FormData`, because that wants a `Blob`: Node reads one in pieces of native memory, which kept a process growing by as much as it
 * had sent.
 *
 * Source of the layout: RFC 7578.
 * @param file only read; the form has a copy.
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
