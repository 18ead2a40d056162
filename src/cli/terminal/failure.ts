import { exitCodes, type Outcome } from './exit-codes.js';

/** Error of a command that failed. Its message is for the user at the terminal. */
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

/** Returns the failure of a command with invalid arguments or input. Such a command has sent and changed nothing. */
export const refused = (message: string): CommandFailure => new CommandFailure('refused', message);
