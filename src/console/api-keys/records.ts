import { request } from '../shared/index.js';

/** The kind of a key: `developer` for a program that uses REST, `mcp` for an assistant that uses the tool server. */
export type Family = 'developer' | 'mcp';

/** A key without its secret. */
export interface ApiKey {
  readonly family: Family;
  readonly id: string;
  readonly name: string;
  readonly key_prefix: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** A scope: something that a key may do. */
export interface Scope {
  readonly scope: string;
  readonly sentence: string;
  /** Whether the scope is ticked when the form opens. */
  readonly usual: boolean;
}

export interface Keys {
  /** All keys of the user, the newest first. */
  readonly keys: readonly ApiKey[];
  readonly scopes: Readonly<Record<Family, readonly Scope[]>>;
}

const ofFamily = async (family: Family): Promise<readonly ApiKey[]> =>
  (await request<readonly Omit<ApiKey, 'family'>[]>(`keys/${family}`)).body.map((key) => ({
    ...key,
    family,
  }));

/** Reads the keys of the user and the scopes that keys can have. @throws Problem */
export const readKeys = async (): Promise<Keys> => {
  const [developer, mcp, scopes] = await Promise.all([
    ofFamily('developer'),
    ofFamily('mcp'),
    request<Keys['scopes']>('keys/scopes'),
  ]);
  const keys = [...developer, ...mcp].sort((one, other) => other.created_at.localeCompare(one.created_at));
  return { keys, scopes: scopes.body };
};

/** Makes a key. @returns the secret of the key, which the service shows only once. @throws Problem */
export const makeKey = async (family: Family, name: string, scopes: readonly string[]): Promise<string> =>
  (await request<{ key: string }>(`keys/${family}`, { method: 'POST', body: { name, scopes } })).body.key;

/** Revokes a key at once. @throws Problem */
export const revokeKey = async ({ family, id }: ApiKey): Promise<void> => {
  await request(`keys/${family}/${encodeURIComponent(id)}`, { method: 'DELETE' });
};
