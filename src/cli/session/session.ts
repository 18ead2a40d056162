import { type ApiClient, createApiClient } from '../../client/index.js';
import { type Credential, fixedCredential, transport } from '../api/index.js';
import {
  baseAddress,
  type Config,
  changeConfig,
  configPath,
  developerKey,
  isExposed,
  isProfileName,
  type Profile,
  profileOf,
  readConfig,
  usualBase,
  usualProfile,
} from '../config/index.js';
import { IdTokenCredential, SignedInKey } from '../credentials/index.js';
import { Printer } from '../output/index.js';
import { CommandFailure, type Io, refused } from '../terminal/index.js';

/** The global options of a command. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly profile?: string;
  readonly apiBase?: string;
  readonly verbose?: boolean;
  readonly color?: boolean;
}

const nameOf = (given: string): string => {
  if (isProfileName(given)) return given;
  throw refused(
    `"${given}" is not a valid profile name: letters, digits, "_", "." and "-", at most 64, a letter or digit first`,
  );
};

/**
 * State of a running command: its configuration and its access to the service. Flags take precedence over environment
 * variables. Environment variables take precedence over the configuration file.
 */
export class Session {
  /** Path of the configuration file. */
  readonly path: string;
  readonly profileName: string;
  #warned = false;

  private constructor(
    readonly io: Io,
    private readonly options: GlobalOptions,
    readonly print: Printer,
    /** Configuration at the start of the command. Use `change` to change it. */
    readonly config: Config,
  ) {
    this.path = configPath(io.env);
    this.profileName = nameOf(
      options.profile ?? (io.env.COCHLEA_PROFILE || config.active_profile || usualProfile),
    );
  }

  /** Reads the configuration. An unreadable configuration file causes a warning and counts as empty. */
  static async open(io: Io, options: GlobalOptions): Promise<Session> {
    const { json = false, verbose = false, color = true } = options;
    const print = new Printer(io, { json, verbose, color });
    const path = configPath(io.env);
    const { config, problem, warning } = await readConfig(path);
    if (problem !== undefined) await print.warn(`${path} is not used: ${problem}`);
    else if (warning !== undefined) await print.warn(warning);
    return new Session(io, options, print, config);
  }

  get profile(): Profile {
    return profileOf(this.config, this.profileName);
  }

  /** The base address of the service. */
  get base(): string {
    const { apiBase } = this.options;
    return baseAddress(apiBase ?? (this.io.env.COCHLEA_API_BASE || this.profile.api_base || usualBase));
  }

  /** Developer key in the environment, if any. It takes precedence over the profile's key. */
  get environmentKey(): string | undefined {
    const { COCHLEA_API_KEY: given } = this.io.env;
    return given ? developerKey(given) : undefined;
  }

  /** Changes the profile in the configuration file under its lock. */
  change(change: (profile: Profile, config: Config) => Profile | Promise<Profile>): Promise<void> {
    return changeConfig(this.path, async (config) => {
      const profiles = config.profiles ?? {};
      profiles[this.profileName] = await change(profileOf(config, this.profileName), config);
      config.profiles = profiles;
    });
  }

  /** Returns an API client with the developer key. @throws CommandFailure `unauthorized` if there is none. */
  async api(timeout?: number): Promise<ApiClient> {
    return this.#client(await this.#developerCredential(), timeout);
  }

  /**
   * Returns an API client with the ID token of the signed-in user. @throws CommandFailure `unauthorized` if the user is
   * not signed in.
   */
  async ownApi(timeout?: number): Promise<ApiClient> {
    return this.#client(await this.idToken(), timeout);
  }

  /** Returns an API client that uses the given credential. The credential is not stored. */
  apiWith(credential: Credential): Promise<ApiClient> {
    return this.#client(credential);
  }

  async idToken(): Promise<IdTokenCredential> {
    const { auth_method: method, signed_in_at: at } = this.profile;
    if (method !== 'oauth') {
      throw new CommandFailure(
        'unauthorized',
        `This command needs a sign-in in a browser, and profile "${this.profileName}" has none. Run "auth login --browser".`,
      );
    }
    if (at !== this.base) {
      throw new CommandFailure(
        'unauthorized',
        `Profile "${this.profileName}" is signed in at ${at}, and its credential is sent nowhere else. Sign in at ${this.base} with another profile.`,
      );
    }
    await this.#warnIfExposed();
    return new IdTokenCredential(this);
  }

  async #developerCredential(): Promise<Credential> {
    const key = this.environmentKey;
    if (key !== undefined) return fixedCredential(key);
    const { auth_method: method, api_key: stored } = this.profile;
    if (method === 'oauth') return new SignedInKey(this, await this.idToken());
    if (stored) return fixedCredential(developerKey(stored));
    throw new CommandFailure(
      'unauthorized',
      `Not signed in: profile "${this.profileName}" has no credential. Run "auth login", or set COCHLEA_API_KEY.`,
    );
  }

  async #client(credential: Credential, timeout?: number): Promise<ApiClient> {
    await this.#warnIfExposed();
    const debug = (text: string): Promise<void> => this.print.debug(text);
    const warn = (text: string): Promise<void> => this.print.warn(text);
    return createApiClient({
      baseUrl: this.base,
      fetch: transport({
        credential,
        debug,
        warn,
        env: this.io.env,
        ...(timeout !== undefined && { timeout }),
      }),
    });
  }

  async #warnIfExposed(): Promise<void> {
    if (this.#warned || !isExposed(this.base)) return;
    this.#warned = true;
    await this.print.warn(
      `${this.base} is not encrypted: others on the network can read the credential and all answers. Use https://.`,
    );
  }
}
