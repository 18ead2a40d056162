import { exitCodes, type Outcome } from './exit-codes.js';

/** Why a command ends without having done what it was asked for. The message is for the person who typed the command. */
export class CommandFailure extends Error {
  readonly outcome: Outcome;
  /** What the service said, for `--json`. */
  readonly detail: unknown;

  constructor(outcome: Outcome, message: string, detail?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandFailure';
    this.outcome = outcome;
    this.detail = detail;
  }

  get exitCode(): number {
    return exitCodes[this.outcome].code;
  }
}
