import { exitCodes, type Outcome } from './exit-codes.js';

/** Error of a command that could not do its work. The message is for the person at the terminal. */
export class CommandFailure extends Error {
  /** Answer of the service, printed with `--json`. */
  readonly detail: unknown;

  constructor(
    readonly outcome: Outcome,
    message: string,
    detail?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'CommandFailure';
    this.detail = detail;
  }

  get exitCode(): number {
    return exitCodes[this.outcome].code;
  }
}

/** The failure of a command that cannot be executed as given. Nothing was sent or changed. */
export const refused = (message: string): CommandFailure => new CommandFailure('refused', message);
