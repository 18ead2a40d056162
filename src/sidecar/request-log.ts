import type { FastifyBaseLogger } from 'fastify';

type Line = Parameters<FastifyBaseLogger['info']>;
type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/**
 * The logger of one request. Its lines have the request's id. Most requests write no line, or one line with fields. The id is added to
 * those fields. A child logger costs as much as a line, so it is created only for other lines.
 */
class RequestLog {
  #child: FastifyBaseLogger | undefined;

  constructor(
    private readonly parent: FastifyBaseLogger,
    private readonly bindings: Readonly<Record<string, unknown>>,
  ) {}

  get level(): string {
    return this.parent.level;
  }

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#lines().child(...given);
  }

  trace(...line: Line): void {
    this.#write('trace', line);
  }

  debug(...line: Line): void {
    this.#write('debug', line);
  }

  info(...line: Line): void {
    this.#write('info', line);
  }

  warn(...line: Line): void {
    this.#write('warn', line);
  }

  error(...line: Line): void {
    this.#write('error', line);
  }

  fatal(...line: Line): void {
    this.#write('fatal', line);
  }

  silent(...line: Line): void {
    this.#write('silent', line);
  }

  #write(level: Level, [fields, ...rest]: Line): void {
    const record = typeof fields === 'object' && fields !== null && !(fields instanceof Error);
    // Uses Object.assign instead of two spreads: for the second spread, V8 (Node 20) would create a hidden class per
    // field, for every line.
    if (record) this.parent[level](Object.assign({}, this.bindings, fields), ...rest);
    else this.#lines()[level](...([fields, ...rest] as Line));
  }

  #lines(): FastifyBaseLogger {
    this.#child ??= this.parent.child(this.bindings);
    return this.#child;
  }
}

/** Creates the logger of a request. For Fastify's option `childLoggerFactory`. */
export const requestLog = (
  parent: FastifyBaseLogger,
  bindings: Readonly<Record<string, unknown>>,
): FastifyBaseLogger => new RequestLog(parent, bindings) as FastifyBaseLogger;
