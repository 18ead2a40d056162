import { type Settings, schemeOf } from '../config/index.js';

/** Addresses clients use, derived from the settings and the port that was really taken. */
export const engineAddresses = (
  settings: Pick<Settings, 'host' | 'publicUrl' | 'tlsCert'>,
  port: number,
): { readonly base: string; readonly stream: string } => {
  const anywhere = settings.host === '0.0.0.0' || settings.host === '::';
  const bare = anywhere ? '127.0.0.1' : settings.host;
  const host = bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare;
  const base = (settings.publicUrl || `${schemeOf(settings)}://${host}:${port}`).replace(/\/+$/, '');
  return { base, stream: `${base.replace(/^http/, 'ws')}/v4/listen` };
};
