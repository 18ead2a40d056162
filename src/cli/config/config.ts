/** What the configuration file holds. Tables and keys that this version does not know are kept when it is written. */
export interface Config {
  active_profile?: string;
  profiles?: Record<string, Profile>;
}

/** One service with the credential for it. */
export interface Profile {
  api_base?: string;
  /** `oauth` after a sign-in in a browser. Absent: nothing is set up. */
  auth_method?: 'api_key' | 'oauth';
  /** The developer key of all requests. After a sign-in it is one that was made for this profile. */
  api_key?: string;
  /** Its id, where it was made for this profile, so that signing out can revoke it. */
  api_key_id?: string;
  id_token?: string;
  refresh_token?: string;
  /** Seconds since 1970. */
  id_token_expires_at?: number;
  /** The service at which the person has signed in; tokens are sent to no other one. */
  signed_in_at?: string;
}

/** Keys of a profile that make it signed in. */
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

/** Names that need no quotes anywhere and are none of JavaScript's own. */
export const isProfileName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);

export const profileOf = (config: Config, name: string): Profile => {
  const profiles = config.profiles ?? {};
  return Object.hasOwn(profiles, name) ? profiles[name]! : {};
};

/** A copy of a profile without its credential. */
export const withoutCredential = (profile: Profile): Profile => {
  const rest = { ...profile };
  for (const key of credentialKeys) delete rest[key];
  return rest;
};
