/** Plays a case against a listener. Returns the outcome in short form. */
import { RecordKind } from '../../../src/ring/layout.js';
import type { OpenRequest } from '../../../src/wire/stream.js';
import { parseAnswers } from '../../attack/support/http-answers.js';
import { bytesOf, RawConnection } from '../../attack/support/raw-connection.js';
import type { Rig } from '../support.js';
import type { Case } from './case.js';
import { framesIn, Opcode, ping, type ServerFrame } from './frames.js';
import { accept, handshake } from './request-cases.js';

/** This text is sent after a case if the connection is still open. Its answer shows that the listener has read everything before. */
const marker = 'end of the case';
/** Timeout for an expected answer, in ms. */
const bound = 20_000;
const closeMark = /^connection: close$/im;

const headOf = (text: string): string => text.slice(0, text.indexOf('\r\n\r\n'));

/** Returns the frames after the answer to the handshake. */
const framesOf = (connection: RawConnection): ServerFrame[] => {
  const { received } = connection;
  const end = received.indexOf('\r\n\r\n');
  return end < 0 ? [] : framesIn(received.subarray(end + 4));
};

const isClosing = (connection: RawConnection): boolean =>
  connection.isClosed || framesOf(connection).some(({ opcode }) => opcode === Opcode.close);

/** Replaces equal consecutive words with one word and a count. */
const counted = (words: readonly string[]): string => {
  const runs: { word: string; times: number }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last?.word === word) last.times++;
    else runs.push({ word, times: 1 });
  }
  return runs.map(({ word, times }) => (times === 1 ? word : `${word} (${times} times)`)).join(', ');
};

const closeCode = ({ payload }: ServerFrame): string =>
  payload.length < 2 ? 'close none' : `close ${payload.readUInt16BE(0)}`;

/** Returns the messages that reached the shard and the client, in short form. */
const wordsOf = (rig: Rig, connection: RawConnection, uid: string): string => {
  const [shard] = rig.shards;
  shard!.read();
  const open = shard!.seen.find(
    ({ kind, bytes }) =>
      kind === RecordKind.open && (JSON.parse(bytes.toString()) as OpenRequest).uid === uid,
  );
  const frames = framesOf(connection);
  const pongs = frames
    .filter(({ opcode, payload }) => opcode === Opcode.pong && payload.toString() !== marker)
    .map(({ payload }) => `pong ${payload.length}`);
  const messages = shard!.seen
    .filter(({ slot }) => slot === open?.slot)
    .filter(({ kind }) => kind === RecordKind.audio || kind === RecordKind.text)
    .map(({ kind, bytes }) => `${kind === RecordKind.audio ? 'audio' : 'text'} ${bytes.length}`);
  const ends = frames.filter(({ opcode }) => opcode === Opcode.close).map(closeCode);
  // A reset of the connection can overtake earlier pongs.
  if (ends.length === 0 && connection.isClosed) return counted([...messages, 'cut']);
  return counted([...pongs, ...messages, ...ends]);
};

/** Time between two TCP segments, in ms. */
const gap = 2;

const sendCase = async (
  connection: RawConnection,
  { pieces, byteByByte }: Case,
  uid: string,
): Promise<void> => {
  const own = pieces.map((piece) => (typeof piece === 'string' ? as(uid, piece) : piece));
  const segments = byteByByte ? [...bytesOf(own[0]!)].map((byte) => Uint8Array.of(byte)) : own;
  await connection.sendPieces(segments, gap);
};

/** Replaces the user of a case. Every case has its own user, so that cases can run concurrently. */
const as = (uid: string, text: string): string =>
  text.replace('uid=ann', `uid=${uid}`).replace('token-ann', `token-${uid}`);

/** Plays frames after an accepted upgrade. */
export const playFrames = async (rig: Rig, one: Case, uid: string): Promise<string> => {
  const connection = await RawConnection.open(rig.front.port);
  try {
    connection.send(as(uid, handshake()));
    const opened = await connection.until(() => framesOf(connection).length > 0, bound);
    if (!opened) throw new Error(`not opened: ${connection.text}`);
    await sendCase(connection, one, uid);
    connection.send(ping(marker));
    const alive = (): boolean => framesOf(connection).some(({ payload }) => payload.toString() === marker);
    await connection.until(() => alive() || isClosing(connection), bound);
    // After a close frame, both ends must close the connection.
    if (!alive()) connection.halfClose();
    if (!alive()) await connection.closed(bound);
    if (!alive() && !connection.isClosed) throw new Error('neither alive nor closed');
    return wordsOf(rig, connection, uid);
  } finally {
    connection.destroy();
  }
};

const upgraded = async (rig: Rig, connection: RawConnection, uid: string): Promise<string> => {
  const head = headOf(connection.text);
  if (!head.includes(`\r\nSec-WebSocket-Accept: ${accept}`) && !/accept: /i.test(head)) throw new Error(head);
  const protocol = /^sec-websocket-protocol: (.*)$/im.exec(head)?.[1];
  const extensions = /^sec-websocket-extensions: (.*)$/im.exec(head)?.[1];
  connection.send(ping(marker));
  const alive = (): boolean => framesOf(connection).some(({ payload }) => payload.toString() === marker);
  await connection.until(alive, bound);
  const words = [
    `101${protocol === undefined ? '' : ` ${protocol}`}${extensions === undefined ? '' : ` ${extensions}`}`,
  ];
  const rest = wordsOf(rig, connection, uid);
  return [...words, ...(rest === '' ? [] : [rest])].join(', ');
};

/** Plays a complete request, possibly an upgrade. */
export const playRequest = async (rig: Rig, one: Case, uid: string): Promise<string> => {
  const connection = await RawConnection.open(rig.front.port);
  try {
    await sendCase(connection, one, uid);
    const wanted = one.answers ?? 1;
    const method = String(one.pieces[0]).startsWith('HEAD ') ? 'HEAD' : 'GET';
    const methods = Array.from({ length: wanted }, () => method);
    const answered = (): boolean => {
      if (/^HTTP\/1\.1 101 /.test(connection.text)) return connection.text.includes('\r\n\r\n');
      return parseAnswers(connection.received, methods, connection.isClosed).answers.length >= wanted;
    };
    await connection.until(answered, bound);
    if (/^HTTP\/1\.1 101 /.test(connection.text)) return await upgraded(rig, connection, uid);
    const { answers, fault } = parseAnswers(connection.received, methods, connection.isClosed);
    if (fault !== null) return `broken: ${fault}`;
    if (answers.length === 0) return 'cut';
    const statuses = answers.map(({ status }) => String(status));
    if (/^HTTP\/1\.1 100 /.test(connection.text)) statuses.unshift('100');
    if (one.endsConnection || closeMark.test(headOf(connection.text)) || connection.isClosed) {
      statuses.push((await connection.closed(bound)) ? 'closed' : 'left open');
    }
    return statuses.join(', ');
  } finally {
    connection.destroy();
  }
};
