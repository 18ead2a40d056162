import { constants, fstatSync, openSync } from 'node:fs';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const standardError = 2;
const shared = 'cochlea.log-descriptor';

/**
 * A descriptor for standard error on which a write returns at once, although whatever reads it has stopped.
 *
 * A pipe or a terminal is opened a second time without blocking, which leaves the flags of those who share the first
 * opening alone. A socket (journald) cannot be opened again: it is made non-blocking where it is, which happens when
 * Node sets up `process.stderr`, and holds for every process that shares it. A regular file has no reader to wait for.
 * Handing lines to libuv's threads instead would not do: a write that blocks takes one of four, and token verification
 * and file access wait for the same ones.
 *
 * The main thread decides, and its workers use the same descriptor; it is never closed.
 */
export const logDescriptor = (): number => {
  const known = getEnvironmentData(shared);
  if (typeof known === 'number') return known;
  const descriptor = openDescriptor();
  setEnvironmentData(shared, descriptor);
  return descriptor;
};

const openDescriptor = (): number => {
  try {
    const kind = fstatSync(standardError);
    if (kind.isFile()) return standardError;
    if (kind.isFIFO() || kind.isCharacterDevice()) {
      const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
      return openSync(`/proc/self/fd/${standardError}`, flags);
    }
  } catch {
    // No /proc, or the pipe belongs to another user.
  }
  if (isMainThread) void process.stderr;
  return standardError;
};
