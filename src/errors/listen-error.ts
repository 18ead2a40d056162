import { CochleaError, reasonOf } from './index.js';

/** Where a listener was to be opened. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Variable that names the port; the host's has HOST in its place. */
  readonly setting: string;
}

/**
 * What kept a listener from being opened, by the system's error: the port is taken (`port_taken`), or this user may not
 * have it, or the host is no address of this machine (`setting_invalid`). Anything else comes back as it was thrown.
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
        `${host} is no address of this machine (${reasonOf(thrown)})`,
      );
    default:
      return thrown;
  }
};
