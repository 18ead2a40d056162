import type { IncomingMessage } from 'node:http';

/**
 * Maximum size in bytes of a refused body that is read to its end. Some clients send the whole body before they read,
 * and thus still get the answer.
 */
const longestTaken = 8_388_608;
/** Maximum number of bytes that are read of a longer refused body. */
const longestRest = 1_048_576;
/** Number of ms for which a connection stays open while a refused body is read. */
const lingering = 4000;

/**
 * Checks whether a refused body is read to its end, so that the connection stays open.
 * @param length announced length in bytes; undefined if unknown.
 */
export const isTakenToEnd = (length: number | undefined): boolean =>
  length !== undefined && length <= longestTaken;

/**
 * Ends the connection of a request that was answered before its body arrived.
 *
 * Bytes that are already on their way are read and dropped. Otherwise closing would reset the connection because of
 * unread bytes, and the reset may overtake the answer. Reading stops after a fixed number of bytes, even if
 * the client continues to send.
 * @param stop called when reading must stop. It pauses the message.
 */
export const endUnread = (message: IncomingMessage, stop: () => void = () => void message.pause()): void => {
  const { socket } = message;
  if (socket.destroyed) return;
  socket.end();
  const announced = message.headers['content-length'];
  const most = isTakenToEnd(announced === undefined ? undefined : Number(announced))
    ? longestTaken
    : longestRest;
  let read = 0;
  message.on('data', (piece: Buffer) => {
    read += piece.length;
    if (read > most) stop();
  });
  message.resume();
  const timer = setTimeout(() => socket.destroy(), lingering);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
};
