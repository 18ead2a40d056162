import { constants, fstatSync, openSync } from 'node:fs';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const standardError = 2;
const shared = 'cochlea.log-descriptor';

/**
 * Returns a descriptor of standard error with writes that never block, even if the reading process has stopped.
 *
 * A pipe or a terminal is opened a second time in non-blocking mode. So the mode does not change for other processes
 * that share the first descriptor. A socket (journald) cannot be reopened. Node makes the socket non-blocking when it
 * sets up `process.stderr`, for every process that shares the socket. Writes to a regular file never wait for a reader.
 *
 * Asynchronous writes would not help: a blocked write would occupy one of libuv's four threads, which token
 * verification and file access need.
 *
 * The main thread opens the descriptor and its workers share it. It is never closed.
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
    // The system has no /proc, or the pipe belongs to another user. In this case, standard error is used without a
    // change.
  }
  if (isMainThread) void process.stderr;
  return standardError;
};
