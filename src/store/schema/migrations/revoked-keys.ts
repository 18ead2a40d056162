/** Index that finds keys revoked long ago, so that they can be removed. */
export const revokedKeysSchema = `
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;
`;
