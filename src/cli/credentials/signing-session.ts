import type { ApiClient } from '../../client/index.js';
import type { Credential } from '../api/index.js';
import type { Config, Profile } from '../config/index.js';

/** Parts of a command's session that credentials need. */
export interface SigningSession {
  /** Profile at the start of the command. */
  readonly profile: Profile;
  /** The base address of the service. */
  readonly base: string;
  readonly print: { debug(text: string): Promise<void> };
  /** Changes the profile in the configuration file under its lock. */
  change(change: (profile: Profile, config: Config) => Profile | Promise<Profile>): Promise<void>;
  /** Returns an API client that uses the given credential. The credential is not stored. */
  apiWith(credential: Credential): Promise<ApiClient>;
}
