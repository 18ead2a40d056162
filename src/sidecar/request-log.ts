import type { FastifyBaseLogger } from 'fastify';

type Line = Parameters<FastifyBaseLogger['info']>;

/**
 * The logger of one request, whose lines carry the request's id. The child of the process's logger is made for the first line only:
 * most requests write none, and making one costs as much as a line.
 */
class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Readonly<Record<string, unknown>>;
  #child: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Readonly<Record<string, unknown>>) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#lines().child(...given);
  }

  trace(...line: Line): void {
    this.#lines().trace(...line);
  }

  debug(...line: Line): void {
    this.#lines().debug(...line);
  }

  info(...line: Line): void {
    this.#lines().info(...line);
  }

  warn(...line: Line): void {
    this.#lines().warn(...line);
  }

  error(...line: Line): void {
    this.#lines().error(...line);
  }

  fatal(...line: Line): void {
    this.#lines().fatal(...line);
  }

  silent(...line: Line): void {
    this.#lines().silent(...line);
  }

  #lines(): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings);
    return this.#child;
  }
}

/** Value of Fastify's option `childLoggerFactory`. */
export const requestLog = (
  parent: FastifyBaseLogger,
  bindings: Readonly<Record<string, unknown>>,
): FastifyBaseLogger => new RequestLog(parent, bindings) as FastifyBaseLogger;
