/** Tests that docs/evidence/authorization.md lists the declared routes, as its generator would write it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import {
  authorizationPage,
  undeployedConsole,
  undeployedRoutes,
} from '../../src/sidecar/authorization-page.js';

const routes = [...undeployedRoutes(), ...undeployedConsole()];

t.test('docs/evidence/authorization.md matches the declared routes', async (t) => {
  const page = readFileSync(join(packageDirectory(), 'docs', 'evidence', 'authorization.md'), 'utf8');
  t.equal(page, authorizationPage(routes));
});

t.test('a route with a resource in its path declares how the resource is created', async (t) => {
  for (const { path, operationId, resource } of routes) {
    if (path !== undefined) t.ok(resource, operationId);
  }
});
