/** Index for keys that were revoked long ago. */
export const revokedKeysSchema = `
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;
`;
