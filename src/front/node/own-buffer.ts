import { Socket } from 'node:net';

/** Number of bytes read at a time. All sockets share this buffer, because its content is processed before the next read. */
const shared = Buffer.allocUnsafeSlow(65_536);

/** Node's internal object for a connection. `net` accepts it in the constructor of a socket. */
interface Handle {
  readonly useUserBuffer: unknown;
}
interface Internals {
  _handle: Handle | null;
  /**
   * Whether the end of the data was already read. The system reports this end only once. A connection whose end was
   * read therefore cannot be moved.
   */
  readonly _readableState: { readonly ended: boolean };
}

/**
 * Moves a connection to a new socket that reads into one buffer shared by all sockets (`onread` of `net`).
 *
 * Otherwise Node allocates 64 KiB for every read, returns most of it, and passes the rest through a stream. Each audio
 * frame arrives in a separate read, so this work would be most of the cost of a frame.
 *
 * Closing either socket closes the other socket, too. The former socket must not be used for anything else.
 * @param read receives the data. The next read reuses the memory.
 * @returns the new socket; or the former socket, if it has already read data or this version of Node cannot detach a
 *   connection.
 */
export const readIntoOwnBuffer = (former: Socket, read: (bytes: Buffer) => void): Socket => {
  const internals = former as unknown as Internals;
  const { _handle: handle } = internals;
  if (typeof handle?.useUserBuffer !== 'function') return former;
  if (former.readableLength > 0 || internals._readableState.ended) return former;
  former.setTimeout(0);
  internals._handle = null;
  const options = {
    handle,
    allowHalfOpen: true,
    onread: {
      buffer: shared,
      callback: (length: number): boolean => {
        read(shared.subarray(0, length));
        return true;
      },
    },
  };
  const socket = new Socket(options);
  socket.on('error', () => undefined);
  socket.once('close', () => former.destroy());
  former.once('close', () => socket.destroy());
  return socket;
};
