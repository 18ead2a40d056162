import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * The process's logger. Nothing logged may carry transcript text, audio, tokens or keys: values go in as structured
 * fields, and the paths below are removed even when somebody forgets.
 */
const redacted = ['token', 'key', 'authorization', 'text', 'transcript', 'password', 'headers.authorization'];

/**
 * Makes the root logger of a process or worker.
 * @param room which part of the product speaks, for example `front` or `shard-1`.
 * @param level one of pino's levels, or `silent`.
 */
export const createLogger = (room: string, level = process.env.LOG_LEVEL ?? 'info'): Logger =>
  pino(
    { name: 'cochlea', level, base: { room, pid: process.pid }, redact: { paths: redacted, remove: true } },
    pino.destination({ dest: 2, sync: true }),
  );
