import { type ErrorCode, type ErrorEntry, errorRegistry } from './registry.js';

const brand = Symbol.for('cochlea.error');

export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

const fill = (template: string, details: ErrorDetails): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in details ? String(details[name]) : whole));

/**
 * An error from the registry. A shared symbol identifies the class, so `instanceof` works even if a process loads two
 * copies of this package. With `toJSON` and `fromJSON`, an error can be sent to another thread or process.
 */
export class CochleaError extends Error {
  readonly [brand] = true;
  override readonly name = 'CochleaError';

  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
    options?: { cause?: unknown },
  ) {
    super(fill(errorRegistry[code].message, details), options);
  }

  get entry(): ErrorEntry {
    return errorRegistry[this.code];
  }

  /** Advice for the person who reads the error, with the details filled in. */
  get remedy(): string {
    return fill(this.entry.remedy, this.details);
  }

  /** One line for a terminal: the message and the remedy. */
  get line(): string {
    return `${this.message}. ${this.remedy}`;
  }

  toJSON(): { code: ErrorCode; details: ErrorDetails } {
    return { code: this.code, details: this.details };
  }

  static fromJSON(value: { code: ErrorCode; details: ErrorDetails }): CochleaError {
    return new CochleaError(value.code, value.details);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && (value as { [brand]?: boolean })[brand] === true;
  }
}

/**
 * SQLSTATE classes whose messages are only about the connection and the server: connection, authorisation, unknown
 * database, resources, operator intervention, system. Messages of all other classes may quote rows.
 */
const serverClasses = new Set(['08', '28', '3D', '53', '57', '58']);

/**
 * Returns the text of a thrown value, for the `why` of a registry error or an operator's terminal. Log lines contain
 * the error as `{ err }` instead. A PostgreSQL message that may quote a row is replaced by its code.
 */
export const reasonOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  const { code, severity } = thrown as { code?: unknown; severity?: unknown };
  const isDatabase = typeof severity === 'string' && typeof code === 'string' && code.length === 5;
  return isDatabase && !serverClasses.has(code.slice(0, 2)) ? `PostgreSQL error ${code}` : thrown.message;
};

/** Returns a registry error unchanged. Wraps anything else in the registry error `internal`. */
export const asError = (thrown: unknown): CochleaError =>
  thrown instanceof CochleaError ? thrown : new CochleaError('internal', {}, { cause: thrown });
