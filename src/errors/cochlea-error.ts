import { type ErrorCode, type ErrorEntry, errorRegistry } from './registry.js';

const brand = Symbol.for('cochlea.error');

export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

const fill = (template: string, details: ErrorDetails): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in details ? String(details[name]) : whole));

/**
 * An error from the registry. It is recognised by a shared symbol, so that `instanceof` also works across two copies of
 * this package. `toJSON` and `fromJSON` carry it from one thread or process to another.
 */
export class CochleaError extends Error {
  readonly [brand] = true;
  override readonly name = 'CochleaError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(fill(errorRegistry[code].message, details), options);
    this.code = code;
    this.details = details;
  }

  get entry(): ErrorEntry {
    return errorRegistry[this.code];
  }

  /** What the reader of the error can do about it, with the details filled in. */
  get remedy(): string {
    return fill(this.entry.remedy, this.details);
  }

  /** One line for a terminal: what is wrong and the remedy. */
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
 * SQLSTATE classes whose messages are about the connection and the server: connection, authorisation, unknown database,
 * resources, operator intervention, system. The messages of all other classes may quote rows.
 */
const serverClasses = new Set(['08', '28', '3D', '53', '57', '58']);

/**
 * The text of anything that was thrown, for the `why` of a registry error or for an operator's terminal. Log lines carry
 * the error itself as `{ err }` instead. PostgreSQL's message is left out where it may quote a row.
 */
export const reasonOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  const { code, severity } = thrown as { code?: unknown; severity?: unknown };
  const isDatabase = typeof severity === 'string' && typeof code === 'string' && code.length === 5;
  return isDatabase && !serverClasses.has(code.slice(0, 2)) ? `PostgreSQL error ${code}` : thrown.message;
};

/** Returns a registry error as it is, and wraps anything else that was thrown in the registry error `internal`. */
export const asError = (thrown: unknown): CochleaError =>
  thrown instanceof CochleaError ? thrown : new CochleaError('internal', {}, { cause: thrown });
