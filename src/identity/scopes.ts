/** What a developer key may be allowed to do. */
export const developerScopes = [
  'conversations:read',
  'conversations:write',
  'memories:read',
  'memories:write',
  'action_items:read',
  'action_items:write',
  'goals:read',
  'goals:write',
] as const;

export type DeveloperScope = (typeof developerScopes)[number];

/** A key made without naming scopes may read everything and write nothing. */
export const defaultScopes: readonly DeveloperScope[] = developerScopes.filter((scope) =>
  scope.endsWith(':read'),
);

export const isDeveloperScope = (value: string): value is DeveloperScope =>
  (developerScopes as readonly string[]).includes(value);
