import { publicAddress, type Settings } from '../../config/index.js';

/** Returns the addresses by which clients reach the engine. They follow from the settings and the engine's port. */
export const engineAddresses = (
  settings: Pick<Settings, 'host' | 'publicUrl' | 'tlsCert'>,
  port: number,
): { readonly base: string; readonly stream: string } => {
  const base = publicAddress({ ...settings, port });
  return { base, stream: `${base.replace(/^http/, 'ws')}/v4/listen` };
};
