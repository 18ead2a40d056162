/** Generates `src/client/description.ts`: `node dist/test/support/texts/client-description.js > src/client/description.ts`. */
import openapiTS, { astToString } from 'openapi-typescript';
import { undeployedRoutes } from '../../../src/sidecar/authorization-page.js';
import { describeApi } from '../../../src/sidecar/frame/description.js';

/** Returns the TypeScript types of the API's description as source text. */
export const clientDescription = async (): Promise<string> => {
  const document = describeApi(undeployedRoutes(), 'http://127.0.0.1:8787');
  // Copies the document, because the generator modifies its input.
  const types = await openapiTS(structuredClone(document) as never);
  return `/** Made from the declared routes by test/support/texts/client-description.ts; a test keeps the two equal. */\n\n${astToString(types)}`;
};

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(await clientDescription());
