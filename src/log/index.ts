import { type Logger, pino } from 'pino';
import type { Settings } from '../config/settings.js';
import { errorFields } from '../errors/error-fields.js';
import type { MetricsRow } from '../metrics/index.js';
import { logDescriptor } from './descriptor.js';
import { LogOutput } from './output.js';
import { Repeats } from './repeats.js';

export type { Logger } from 'pino';

export type LogSettings = Pick<Settings, 'logLevel' | 'logBuffer' | 'logRepeats'>;

/**
 * Nothing logged may carry transcript text, audio, tokens or keys: values go in as structured fields, and the paths
 * below are removed even where a call forgets that.
 */
const redacted = ['token', 'key', 'authorization', 'text', 'transcript', 'password', 'headers.authorization'];
/** Ms in which `LOG_REPEATS` lines of one kind pass. */
const repeatsWindow = 10_000;
const fatalLevel = 60;

type Losses = 'log_lines_dropped_total' | 'log_lines_suppressed_total';

/** This thread's losses until there is a row to count them in. */
const uncounted: Record<Losses, number> = { log_lines_dropped_total: 0, log_lines_suppressed_total: 0 };
let row: MetricsRow | undefined;
const count = (name: Losses, lines = 1): void => {
  if (row) row.add(name, lines);
  else uncounted[name] += lines;
};

/** Has this thread's dropped and suppressed log lines counted in its row, those of before included. */
export const countLogLosses = (metrics: MetricsRow): void => {
  row = metrics;
  for (const name of Object.keys(uncounted) as Losses[]) {
    row.add(name, uncounted[name]);
    uncounted[name] = 0;
  }
};

/** The one output of this thread, and the logger that says what it lost. */
let output: LogOutput | undefined;
let reporter: Logger | undefined;
/** Of this thread's loggers: what their last windows held back is told when the thread ends. */
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

/** Names whose values a serializer of the logger reduces itself. */
const serialized = new Set(['err', 'error']);

/** Fields as they are written: an error under any name is reduced to what may be said of it. */
const safeFields = (fields: Record<string, unknown>): Record<string, unknown> => {
  let safe = fields;
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Error && !serialized.has(name)) safe = { ...safe, [name]: errorFields(value) };
  }
  return safe;
};

/** Whether a line belongs to the trail of who read what: such a line is never held back for being like others. */
const isAudit = (first: unknown): boolean =>
  typeof first === 'object' && first !== null && (first as { audit?: unknown }).audit === true;

/** Arguments of a log call, so that no error's message stands in for a missing one or fills a placeholder. */
const safeArguments = (args: readonly unknown[]): unknown[] => {
  const [first, ...others] = args;
  const rest = others.map((value) => (value instanceof Error ? errorFields(value).type : value));
  if (first instanceof Error) {
    const [message = 'failed', ...values] = rest;
    return [{ err: first }, message, ...values];
  }
  const isFailure = typeof first === 'object' && first !== null && 'err' in first;
  return isFailure && rest[0] === undefined ? [first, 'failed'] : [first, ...rest];
};

/**
 * Makes the root logger of a process or worker. It writes to standard error without ever waiting for its reader: what
 * does not fit into `logBuffer` bytes is dropped, counted and told later. Of lines with the same level and message
 * `logRepeats` pass in 10 s, and one line says how many more there were; lines with `audit: true` all pass. Errors are logged
 * as `{ err }`.
 * @param room which part of the product speaks, for example `front` or `shard-1`.
 * @param settings or only the level: one of pino's, or `silent`. The first logger of a thread sets the buffer's size.
 * @param to replaces standard error.
 */
export const createLogger = (
  room: string,
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
      base: { room, pid: process.pid },
      redact: { paths: redacted, remove: true },
      serializers: {
        err: errorFields,
        error: (value: unknown) => (value instanceof Error ? errorFields(value) : value),
        // Fastify adds its own for these, which print addresses with their query.
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
