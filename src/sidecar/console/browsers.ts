import { z } from 'zod';
import { consoleBrowsersOf, endConsoleBrowser, endConsoleBrowsers } from '../../store/accounts/index.js';
import { isoUtc } from '../../store/record/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { consoleReads, consoleWrites } from './shared-routes.js';

const moment = z.iso.datetime();

const browsersAnswer = z.object({
  browsers: z.array(
    z
      .object({
        id: z.string(),
        created_at: moment,
        used_at: moment.meta({ description: 'Last request of the browser, accurate to a minute.' }),
        current: z.boolean().meta({ description: 'Whether this browser sends the request.' }),
      })
      .meta({ id: 'ConsoleBrowser' }),
  ),
});

const exampleBrowser = {
  id: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  created_at: '2026-03-01T10:00:00Z',
  used_at: '2026-03-01T11:30:00Z',
  current: true,
};

/** Returns the routes that list and end the browsers in which a user is signed in to the console. */
export const browserRoutes = ({ sql }: RouteContext): readonly Route[] => [
  route({
    ...consoleReads,
    method: 'GET',
    url: '/console/api/browsers',
    operationId: 'consoleListBrowsers',
    tag: 'Console',
    summary: 'Browsers in which the user is signed in to the console, last used first',
    answer: browsersAnswer,
    example: { answer: { browsers: [exampleBrowser] } },
    handle: async ({ caller: { uid, session } }) => ({
      browsers: (await consoleBrowsersOf(sql, uid)).map(({ id, hash, created_at, used_at }) => ({
        id,
        created_at: isoUtc(created_at),
        used_at: isoUtc(used_at),
        current: hash === session!.hash,
      })),
    }),
  }),

  route({
    ...consoleWrites,
    method: 'DELETE',
    url: '/console/api/browsers/{browser_id}',
    operationId: 'consoleEndBrowser',
    tag: 'Console',
    summary: 'Sign a browser out of the console',
    path: z.object({ browser_id: z.string().min(1).max(100) }),
    resource: { createdBy: null, parameter: 'browser_id', foreign: 204 },
    example: { path: { browser_id: exampleBrowser.id } },
    handle: ({ caller, path }) => endConsoleBrowser(sql, caller.uid, path.browser_id),
  }),

  route({
    ...consoleWrites,
    method: 'DELETE',
    url: '/console/api/browsers',
    operationId: 'consoleEndOtherBrowsers',
    tag: 'Console',
    summary: 'Sign all other browsers out of the console, and end links that would open it',
    handle: ({ caller: { uid, session } }) => endConsoleBrowsers(sql, uid, session!.hash),
  }),
];
