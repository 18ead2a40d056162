/** Parses the answers on a connection strictly: any misplaced byte is an error. */

export interface HttpAnswer {
  readonly status: number;
  /** Headers by lower-case name. Values of a repeated header are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the end of the connection ended the body, because the head had no length. */
  readonly untilClose: boolean;
}

export interface ParsedAnswers {
  /** Final answers, without `100 Continue` and other interim answers. */
  readonly answers: readonly HttpAnswer[];
  /** Bytes after the last complete answer. They are the beginning of the next answer. */
  readonly rest: Buffer;
  /** Description of the first protocol violation, or null. */
  readonly fault: string | null;
}

const statusLine = /^HTTP\/1\.1 ([1-5]\d\d)( [\t\x20-\x7e\x80-\xff]*)?$/;
const headerLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;
const bodilessStatus = (status: number): boolean => status < 200 || status === 204 || status === 304;

class Fault extends Error {}

/** Parses the head at byte `at`: status, headers, and where the body starts. @returns null while the head is incomplete. */
const headAt = (
  bytes: Buffer,
  at: number,
): { status: number; headers: Record<string, string>; begin: number } | null => {
  const end = bytes.indexOf('\r\n\r\n', at);
  if (end < 0) return null;
  const [first, ...lines] = bytes.toString('latin1', at, end).split('\r\n');
  const status = statusLine.exec(first!);
  if (status === null) throw new Fault(`no status line: ${JSON.stringify(first!.slice(0, 80))}`);
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const found = headerLine.exec(line);
    if (found === null) throw new Fault(`no header: ${JSON.stringify(line.slice(0, 80))}`);
    const name = found[1]!.toLowerCase();
    if (name in headers && (name === 'content-length' || name === 'transfer-encoding')) {
      throw new Fault(`${name} twice`);
    }
    headers[name] = name in headers ? `${headers[name]},${found[2]}` : found[2]!;
  }
  return { status: Number(status[1]), headers, begin: end + 4 };
};

/** Parses a chunked body at byte `at`. @returns null while the body is incomplete. */
const chunkedAt = (bytes: Buffer, at: number): { body: Buffer; next: number } | null => {
  const parts: Buffer[] = [];
  for (let place = at; ; ) {
    const end = bytes.indexOf('\r\n', place);
    if (end < 0) return null;
    const size = bytes.toString('latin1', place, end);
    if (!/^[0-9a-fA-F]{1,8}$/.test(size)) throw new Fault(`no chunk size: ${JSON.stringify(size)}`);
    const length = Number.parseInt(size, 16);
    const begin = end + 2;
    if (bytes.length < begin + length + 2) return null;
    if (bytes.toString('latin1', begin + length, begin + length + 2) !== '\r\n') {
      throw new Fault('a chunk is longer than its size');
    }
    place = begin + length + 2;
    if (length === 0) return { body: Buffer.concat(parts), next: place };
    parts.push(bytes.subarray(begin, begin + length));
  }
};

/**
 * Splits the received bytes of a connection into answers.
 * @param methods methods of the requests in order, because an answer to HEAD has no body. Answers beyond this list are
 * parsed as answers to GET.
 * @param closed whether the connection has ended. Its end completes a body without a length.
 */
export const parseAnswers = (
  bytes: Buffer,
  methods: readonly string[] = [],
  closed = false,
): ParsedAnswers => {
  const answers: HttpAnswer[] = [];
  let at = 0;
  try {
    while (at < bytes.length) {
      const head = headAt(bytes, at);
      if (head === null) break;
      const { status, headers, begin } = head;
      const length = headers['content-length'];
      const encoding = headers['transfer-encoding'];
      if (length !== undefined && encoding !== undefined) throw new Fault('a length and an encoding');
      if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new Fault(`no length: ${length}`);
      if (encoding !== undefined && encoding !== 'chunked') throw new Fault(`encoding: ${encoding}`);
      let body: Buffer = Buffer.alloc(0);
      let next = begin;
      let untilClose = false;
      if (bodilessStatus(status) || methods[answers.length] === 'HEAD') {
        // This answer has no body, even if it has a length header.
      } else if (encoding !== undefined) {
        const chunked = chunkedAt(bytes, begin);
        if (chunked === null) break;
        ({ body, next } = chunked);
      } else if (length !== undefined) {
        next = begin + Number(length);
        if (bytes.length < next) break;
        body = bytes.subarray(begin, next);
      } else {
        if (headers.connection?.toLowerCase() !== 'close') throw new Fault('a body without an end');
        if (!closed) break;
        untilClose = true;
        body = bytes.subarray(begin);
        next = bytes.length;
      }
      at = next;
      if (status < 200 && status !== 101) continue;
      answers.push({ status, headers, body, untilClose });
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { answers, rest: bytes.subarray(at), fault: error.message };
  }
  return { answers, rest: bytes.subarray(at), fault: null };
};
