/** docs/evidence/authorization.md matches the declared routes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { authorizationPage, undeployedRoutes } from '../../src/sidecar/authorization-page.js';

const routes = undeployedRoutes();

t.test('docs/evidence/authorization.md is equal to the declared routes', async (t) => {
  const page = readFileSync(join(packageDirectory(), 'docs', 'evidence', 'authorization.md'), 'utf8');
  t.equal(page, authorizationPage(routes));
});

t.test(
  'a route whose path names a resource says who makes it and what another user is answered',
  async (t) => {
    for (const { path, operationId, resource } of routes) {
      if (path !== undefined) t.ok(resource, operationId);
    }
  },
);
