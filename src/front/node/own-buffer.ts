import { Socket } from 'node:net';

/** Bytes read at a time. All sockets share this buffer: its content is passed on before the next read. */
const shared = Buffer.allocUnsafeSlow(65_536);

/** Node's internal state of a connection that `net` takes over in its constructor. */
interface Handle {
  readonly useUserBuffer: unknown;
}
interface Internals {
  _handle: Handle | null;
  /** Whether the end was already read. The system reports it once. */
  readonly _readableState: { readonly ended: boolean };
}

/**
 * Moves a connection to a socket that reads into one buffer for all (`onread` of `net`). Otherwise Node allocates 64
 * KiB for every read, returns most of it, and passes the rest through a stream. An audio frame arrives in a read of its
 * own, so this would be most of its cost. Ending either socket ends the other. The former socket must not be used
 * otherwise.
 * @param read receives the data; the next read reuses the memory when it returns.
 * @returns the new socket; the former one if it has already read data, or if this release of Node does not release a
 * connection.
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
