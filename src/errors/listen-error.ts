import { CochleaError, reasonOf } from './cochlea-error.js';

/** The address of a listener that failed to open. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Environment variable of the port. The variable of the host has HOST in place of PORT. */
  readonly setting: string;
}

/**
 * Converts the system error of a listener that failed to open into a registry error.
 *
 * `port_taken`: the port is in use. `setting_invalid`: the system user may not use the port, or the host is not an
 * address of this machine. Other errors are returned unchanged.
 */
export const listenError = (thrown: unknown, { host, port, setting }: ListenAddress): unknown => {
  const invalid = (name: string, why: string): CochleaError =>
    new CochleaError('setting_invalid', { name, why }, { cause: thrown });
  switch ((thrown as NodeJS.ErrnoException | undefined)?.code) {
    case 'EADDRINUSE':
      return new CochleaError('port_taken', { port, host, setting }, { cause: thrown });
    case 'EACCES':
      return invalid(setting, `this user may not listen on port ${port}`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return invalid(
        setting.replace('PORT', 'HOST'),
        `${host} is not an address of this machine (${reasonOf(thrown)})`,
      );
    default:
      return thrown;
  }
};
