import { constants, fstatSync, openSync } from 'node:fs';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const standardError = 2;
const shared = 'cochlea.log-descriptor';

/**
 * A descriptor for standard error on which a write returns at once, even when the process that reads it has stopped.
 *
 * A pipe or a terminal is opened a second time in non-blocking mode, so that other processes that share the first opening
 * keep their mode. A socket (journald) cannot be opened again: Node makes it non-blocking when it sets up
 * `process.stderr`, which applies to every process that shares the socket. A regular file has no reader to wait for.
 * Writing on libuv's threads is no alternative: a write that blocks would occupy one of four threads, which token
 * verification and file access need, too.
 *
 * The main thread opens the descriptor and its workers use the same one. It is never closed.
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
    // There is no /proc, or the pipe belongs to another user.
  }
  if (isMainThread) void process.stderr;
  return standardError;
};
