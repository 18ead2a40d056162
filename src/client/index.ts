/** The REST client with types generated from the API's description, and the scopes of a developer key. */
export { type ApiClient, createApiClient, type Schemas } from './api-client.js';
export { developerScopes } from './scopes.js';
