import { Socket } from 'node:net';

/** Bytes read at one time. All sockets share them: what was read is handed on before anything else is read. */
const shared = Buffer.allocUnsafeSlow(65_536);

/** What `net` keeps of a connection, and takes over in its constructor. */
interface Handle {
  readonly useUserBuffer: unknown;
}
interface Internals {
  _handle: Handle | null;
  /** Its end was read already, which the system tells once. */
  readonly _readableState: { readonly ended: boolean };
}

/**
 * Moves a connection to a socket that reads into one buffer for all (`onread` of `net`). Else Node makes 64 KiB for every read,
 * gives most of them back, and passes the rest through a stream; a frame of audio is read by itself, so that this is most of its cost.
 * The former socket is ended with the new one, and the other way around. It may not be used otherwise any more.
 * @param read gets what was read; the memory is the next reader's when it returns.
 * @returns the new socket; the former one where it has read something already, or where this release of Node does not let go of a
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
