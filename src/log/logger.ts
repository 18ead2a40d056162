import { type Logger, pino } from 'pino';
import type { Settings } from '../config/index.js';
import { errorFields } from '../errors/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { logDescriptor } from './descriptor.js';
import { LogOutput } from './output.js';
import { Repeats } from './repeats.js';

export type { Logger } from 'pino';

export type LogSettings = Pick<Settings, 'logLevel' | 'logBuffer' | 'logRepeats'>;

/**
 * Fields that are removed if a call logs them by mistake. Log lines must not contain transcript text, audio, tokens or
 * keys. All values are logged as structured fields.
 */
const redacted = ['token', 'key', 'authorization', 'text', 'transcript', 'password', 'headers.authorization'];
/** Length in ms of the window in which at most `LOG_REPEATS` lines of one kind are written. */
const repeatsWindow = 10_000;
const fatalLevel = 60;

type Losses = 'log_lines_dropped_total' | 'log_lines_suppressed_total';

/** Number of lines that this thread lost before `countLogLosses` provided a metrics row. */
const uncounted: Record<Losses, number> = { log_lines_dropped_total: 0, log_lines_suppressed_total: 0 };
let row: MetricsRow | undefined;
const count = (name: Losses, lines = 1): void => {
  if (row) row.add(name, lines);
  else uncounted[name] += lines;
};

/** Counts this thread's dropped and suppressed log lines in its metrics row, including earlier losses. */
export const countLogLosses = (metrics: MetricsRow): void => {
  row = metrics;
  for (const name of Object.keys(uncounted) as Losses[]) {
    row.add(name, uncounted[name]);
    uncounted[name] = 0;
  }
};

/** The output that all loggers of this thread share, and the logger that reports lost lines. */
let output: LogOutput | undefined;
let reporter: Logger | undefined;
/**
 * Limits of repeated lines, one for each logger of this thread. When the thread ends, each limit reports the lines
 * suppressed in its last window.
 */
const windows = new Set<Repeats>();

const outputOf = (capacity: number): LogOutput => {
  if (output) return output;
  const made = new LogOutput({
    descriptor: logDescriptor(),
    capacity,
    onDrop: () => count('log_lines_dropped_total'),
    onRecovered: (dropped) =>
      reporter?.warn({ dropped }, 'log lines were dropped: the reader of standard error was too slow'),
  });
  process.on('exit', () => {
    for (const repeats of windows) repeats.endWindow();
    made.flushAtExit();
  });
  output = made;
  return made;
};

/** Names of fields whose errors the logger's serializers already reduce to loggable fields. */
const serialized = new Set(['err', 'error']);

/** Reduces errors in fields with other names to their loggable fields. */
const safeFields = (fields: Record<string, unknown>): Record<string, unknown> => {
  let safe = fields;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value instanceof Error && !serialized.has(name)) safe = { ...safe, [name]: errorFields(value) };
  }
  return safe;
};

/** Checks whether a line belongs to the audit trail of data accesses. Such lines are never suppressed as repetitions. */
const isAudit = (first: unknown): boolean =>
  typeof first === 'object' && first !== null && (first as { audit?: unknown }).audit === true;

/**
 * Changes the arguments of a log call, so that pino never writes an error's message as the text of the line or in place
 * of a placeholder.
 */
const safeArguments = (args: readonly unknown[]): readonly unknown[] => {
  const [first, text] = args;
  if (args.length === 2 && typeof text === 'string' && !(first instanceof Error)) return args;
  const others = args.slice(1);
  const rest = others.map((value) => (value instanceof Error ? errorFields(value).type : value));
  if (first instanceof Error) {
    const [message = 'failed', ...values] = rest;
    return [{ err: first }, message, ...values];
  }
  const isFailure = typeof first === 'object' && first !== null && 'err' in first;
  return isFailure && rest[0] === undefined ? [first, 'failed'] : [first, ...rest];
};

/**
 * Creates the root logger of a process or worker. Errors are logged as `{ err }`.
 *
 * The logger writes to standard error and never waits for the reader. Lines that do not fit into `logBuffer` bytes are
 * dropped and counted. A later line reports their number. Of the lines with the same level and message, at most
 * `logRepeats` are written in 10 s; the others are suppressed, and one line reports their number. Lines with `audit:
 * true` are always written.
 * @param module part of the product that logs, for example `front` or `shard-1`.
 * @param settings the log settings, or only the level: one of pino's, or `silent`. The first logger of a thread sets
 *   the buffer size.
 * @param to stream that gets the lines instead of standard error.
 */
export const createLogger = (
  module: string,
  settings: LogSettings | string = process.env.LOG_LEVEL ?? 'info',
  to?: { write(line: string): void },
): Logger => {
  const {
    logLevel: level,
    logBuffer = 1_048_576,
    logRepeats = 20,
  } = typeof settings === 'string' ? { logLevel: settings } : settings;
  let summarising = false;
  const repeats = new Repeats({
    limit: logRepeats,
    window: repeatsWindow,
    now: () => performance.now(),
    summarise: (number, message, suppressed) => {
      summarising = true;
      const name = pino.levels.labels[number] as 'info';
      logger[name]({ suppressed, window_s: repeatsWindow / 1000 }, message);
      summarising = false;
    },
  });
  const logger = pino(
    {
      name: 'cochlea',
      level,
      base: { module, pid: process.pid },
      redact: { paths: redacted, remove: true },
      serializers: {
        err: errorFields,
        error: (value: unknown) => (value instanceof Error ? errorFields(value) : value),
        // These serializers replace those of Fastify, which would log addresses with their query.
        req: (request: { method?: unknown }) => ({ method: request.method }),
        res: (response: { statusCode?: unknown }) => ({ statusCode: response.statusCode }),
      },
      formatters: { log: safeFields },
      hooks: {
        logMethod(given, method, number) {
          const args = safeArguments(given) as Parameters<typeof method>;
          const message = args.find((value) => typeof value === 'string') ?? '';
          const always = summarising || number >= fatalLevel || isAudit(args[0]);
          if (always || repeats.admit(number, message)) {
            method.apply(this, args);
          } else count('log_lines_suppressed_total');
        },
      },
    },
    to ?? outputOf(logBuffer),
  );
  windows.add(repeats);
  reporter ??= logger;
  return logger;
};
