export { type ApiClient, createApiClient, type Schemas } from './api-client.js';
