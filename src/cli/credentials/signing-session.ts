import type { ApiClient } from '../../client/index.js';
import type { Credential } from '../api/index.js';
import type { Config, Profile } from '../config/index.js';

/** What credentials need of the session of a command. */
export interface SigningSession {
  /** The profile as the command started. */
  readonly profile: Profile;
  /** The base address of the service. */
  readonly base: string;
  readonly print: { debug(text: string): Promise<void> };
  /** Changes the profile in the configuration file, while no other process does. */
  change(change: (profile: Profile, config: Config) => Profile | Promise<Profile>): Promise<void>;
  /** A client with a credential that is not stored. */
  apiWith(credential: Credential): Promise<ApiClient>;
}
