import type { IncomingMessage } from 'node:http';

/** Bytes of a body that is taken to its end although it is refused, so that clients that write before they read get the answer. */
const longestTaken = 8_388_608;
/** Bytes of another one that are still read, and ms for which its connection stays open. */
const longestRest = 1_048_576;
const lingering = 4000;

/**
 * Whether the rest of a refused body is taken to its end, and the connection stays open.
 * @param length as it was announced; undefined for a body whose length is not known.
 */
export const isTakenToEnd = (length: number | undefined): boolean =>
  length !== undefined && length <= longestTaken;

/**
 * Ends the connection of a request that is answered before its body has arrived. What is already on its way is read and dropped, because
 * a connection that is closed while bytes are unread is reset, and the reset may overtake the answer. Of a client that goes on sending
 * no more is read than that, so that it has to stop.
 */
export const endUnread = (message: IncomingMessage): void => {
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
    if (read > most) message.pause();
  });
  message.resume();
  const timer = setTimeout(() => socket.destroy(), lingering);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
};
