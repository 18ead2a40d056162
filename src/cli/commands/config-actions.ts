import {
  baseAddress,
  changeConfig,
  isProfileName,
  type Profile,
  profileOf,
  usualBase,
  usualProfile,
} from '../config/index.js';
import { masked } from '../output/index.js';
import type { Session } from '../session/index.js';
import { type CommandFailure, refused } from '../terminal/index.js';
import { confirmed } from './support.js';

const secret: readonly (keyof Profile)[] = ['api_key', 'id_token', 'refresh_token'];

const maskedProfile = (profile: Profile): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(profile).map(([key, value]) => [
      key,
      secret.includes(key as keyof Profile) ? masked(String(value)) : value,
    ]),
  );

const activeOf = ({ config }: Session): string => config.active_profile ?? usualProfile;

export const showConfig = async (session: Session): Promise<void> => {
  const profiles = Object.fromEntries(
    Object.entries(session.config.profiles ?? {}).map(([name, profile]) => [name, maskedProfile(profile)]),
  );
  const shown = { path: session.path, active_profile: activeOf(session), profiles };
  const fields = Object.entries(profiles).flatMap(([name, profile]) =>
    Object.entries(profile).map(([key, value]) => [`${name}.${key}`, value] as const),
  );
  await session.print.record(shown, {
    path: shown.path,
    active_profile: shown.active_profile,
    ...Object.fromEntries(fields),
  });
};

export const showPath = ({ print, path }: Session): Promise<void> => print.text(path, { path });

export const setValue = async (session: Session, key: string, value: string): Promise<void> => {
  if (key !== 'api_base') {
    throw refused(`"${key}" cannot be set. Only api_base can be set.`);
  }
  const base = baseAddress(value);
  await session.change((profile) => ({ ...profile, api_base: base }));
  await session.print.text(`api_base = ${base} (profile ${session.profileName})`, {
    profile: session.profileName,
    api_base: base,
  });
};

export const listProfiles = async (session: Session): Promise<void> => {
  const active = activeOf(session);
  const { profiles = {} } = session.config;
  const rows = [...new Set([active, ...Object.keys(profiles)])].sort().map((name) => {
    const { auth_method = null, api_base = usualBase } = profileOf(session.config, name);
    return { name, active: name === active, auth_method, api_base };
  });
  await session.print.list(rows, [
    { path: 'name' },
    { path: 'active', star: true },
    { path: 'auth_method', head: 'signed in with' },
    { path: 'api_base' },
  ]);
};

const checkedName = (name: string): string => {
  if (isProfileName(name)) return name;
  throw refused(`"${name}" is not a valid profile name.`);
};

export const useProfile = async (session: Session, given: string): Promise<void> => {
  const name = checkedName(given);
  await changeConfig(session.path, (config) => {
    config.active_profile = name;
    config.profiles = { ...config.profiles, [name]: profileOf(config, name) };
  });
  await session.print.text(`Profile ${name} is used from now on.`, { active_profile: name });
};

export const deleteProfile = async (
  session: Session,
  given: string,
  { yes }: { yes?: boolean },
): Promise<void> => {
  const name = checkedName(given);
  const unknown = (): CommandFailure => refused(`There is no profile "${name}".`);
  if (!Object.hasOwn(session.config.profiles ?? {}, name)) throw unknown();
  await confirmed(session, `Delete profile ${name} and its credential?`, yes);
  await changeConfig(session.path, (config) => {
    const { [name]: removed, ...rest } = config.profiles ?? {};
    if (removed === undefined) throw unknown();
    config.profiles = rest;
    if (config.active_profile === name) delete config.active_profile;
  });
  await session.print.deleted(`profile ${name}`, { deleted: name });
};
