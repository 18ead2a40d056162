import { visibleLine } from '../../cli/output/index.js';
import { settings } from '../../config/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';

/** Ms that a failed command may take to close its resources before the process is ended. */
const grace = 2000;

const isSystemError = (
  error: unknown,
): error is NodeJS.ErrnoException & { port?: number; address?: string } =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';

/** Converts the system's errors for a used port and a full disk into registry errors; undefined for other errors. */
export const asCochleaError = (error: unknown): CochleaError | undefined => {
  if (error instanceof CochleaError) return error;
  if (!isSystemError(error)) return undefined;
  if (error.code === 'ENOSPC')
    return new CochleaError('disk_full', { path: error.path ?? 'the disk' }, { cause: error });
  if (error.code === 'EADDRINUSE') {
    const details = { port: error.port ?? 0, host: error.address ?? 'this host', setting: settings.port.env };
    return new CochleaError('port_taken', details, { cause: error });
  }
  return undefined;
};

/**
 * Returns the text of an error for a terminal: one line, or the stack in debug mode. Control characters are made
 * visible, because the text may quote answers of other servers.
 */
export const lineOf = (error: unknown): string => {
  const known = asCochleaError(error);
  if (known) return visibleLine(known.line);
  if (process.env.LOG_LEVEL === 'debug' && error instanceof Error) return error.stack ?? error.message;
  return `${visibleLine(reasonOf(error))}. Run again with LOG_LEVEL=debug to see where.`;
};

/** Wraps the action of a command. A thrown error becomes one line on stderr and exit code 1. */
export const action =
  <Arguments extends unknown[]>(run: (...args: Arguments) => Promise<void>) =>
  async (...args: Arguments): Promise<void> => {
    try {
      await run(...args);
    } catch (error) {
      process.stderr.write(`${lineOf(error)}\n`);
      process.exitCode = 1;
      setTimeout(() => process.exit(1), grace).unref();
    }
  };
