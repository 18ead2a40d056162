import { type ErrorCode, type ErrorEntry, errorRegistry } from './registry.js';

export { type ErrorCode, type ErrorEntry, errorRegistry } from './registry.js';

const brand = Symbol.for('cochlea.error');

export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

const fill = (template: string, details: ErrorDetails): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in details ? String(details[name]) : whole));

/**
 * An error from the registry. Recognised by a shared symbol, so that `instanceof` also holds across two copies of this
 * package; it crosses threads through `toJSON` and `fromJSON`.
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

  /** What the reader can do about it, with the details filled in. */
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

/** The text of anything that was thrown, for a log or for the `why` of a registry error. */
export const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
