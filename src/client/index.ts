/** The REST client, with types generated from the API's description. */
export { type ApiClient, createApiClient, type Schemas } from './api-client.js';
