/**
 * The members of a browser's `WebSocket` that a live stream uses. Sockets of the package `ws` have the same members.
 */
export interface StreamSocket {
  binaryType: string;
  /** Bytes that were passed to the socket but have not left this machine. */
  readonly bufferedAmount: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
}

/** Clock and timer of a live stream. Tests replace them. */
export interface StreamTime {
  /** Milliseconds from any start; never goes back. */
  now(): number;
  /** Calls `action` once after `milliseconds`. @returns a function that cancels the call. */
  after(milliseconds: number, action: () => void): () => void;
}

/** The clock of this machine. */
export const machineTime: StreamTime = {
  now: () => performance.now(),
  after: (milliseconds, action) => {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
