/** Content of the configuration file. Writing preserves tables and keys that this version does not know. */
export interface Config {
  active_profile?: string;
  profiles?: Record<string, Profile>;
}

/** A service with its credential. */
export interface Profile {
  api_base?: string;
  /**
   * The way in which the profile authenticates: `oauth` after a sign-in in a browser, `api_key` with a key. Absent: the
   * profile has no credential.
   */
  auth_method?: 'api_key' | 'oauth';
  /** Developer key for requests. If the user signs in, a key is created for the profile. */
  api_key?: string;
  /** Id of the key that a sign-in created, so that signing out can revoke the key. */
  api_key_id?: string;
  id_token?: string;
  refresh_token?: string;
  /** Expiry of `id_token`, in seconds since the epoch. */
  id_token_expires_at?: number;
  /** Base address of the service where the user signed in. Tokens are sent only to this service. */
  signed_in_at?: string;
}

/** Fields of a profile that form its credential. */
export const credentialKeys = [
  'auth_method',
  'api_key',
  'api_key_id',
  'id_token',
  'refresh_token',
  'id_token_expires_at',
  'signed_in_at',
] as const satisfies readonly (keyof Profile)[];

export const usualProfile = 'default';
export const usualBase = 'http://127.0.0.1:8787';

/** Checks a profile name. Valid names need no quotes in TOML and are not properties of JavaScript objects. */
export const isProfileName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);

export const profileOf = (config: Config, name: string): Profile => {
  const profiles = config.profiles ?? {};
  return Object.hasOwn(profiles, name) ? profiles[name]! : {};
};

/** Returns a copy of a profile without its credential. */
export const withoutCredential = (profile: Profile): Profile => {
  const rest = { ...profile };
  for (const key of credentialKeys) delete rest[key];
  return rest;
};
