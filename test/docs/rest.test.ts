/** docs/rest.md must print the limits that the routes declare. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import type { RouteContext } from '../../src/sidecar/frame/context.js';
import { policiesOf } from '../../src/sidecar/frame/route.js';
import { ratePolicies } from '../../src/sidecar/limits/rate-policies.js';
import { allRoutes } from '../../src/sidecar/routes.js';

/** Limits that do not count requests. The page names them where it explains their unit. */
const budgets: ReadonlySet<string> = new Set(['recordings:audio', 'voice:audio']);
const page = readFileSync(join(packageDirectory(), 'docs', 'rest.md'), 'utf8');
const routes = allRoutes({ settings: loadSettings({}).values } as RouteContext);
/** Converts a path to the page's notation. */
const shown = (url: string): string => url.replace(/\{\w+\}/g, 'ID');

interface Printed {
  readonly requests: string;
  /** Methods, each with its path. A row without a path has the paths of the row above. */
  readonly named: readonly { readonly method: string; readonly path: string }[];
  readonly limits: readonly number[];
}

const printedRows = (): Printed[] => {
  const rows: Printed[] = [];
  let before: string[] = [];
  for (const [, requests = '', numbers = ''] of page.matchAll(/^\| (`.*?) \|.*\| ([\d, ]+) \|$/gm)) {
    const named: { method: string; path: string }[] = [];
    let methods: string[] = [];
    let complete = false;
    for (const [, code = ''] of requests.matchAll(/`([^`]+)`/g)) {
      const [method] = /^[A-Z]+/.exec(code) ?? [];
      const [path] = /\/v[1-4]\S*/.exec(code) ?? [];
      if (method !== undefined) methods = complete ? [method] : [...methods, method];
      if (path !== undefined) named.push(...methods.map((name) => ({ method: name, path })));
      complete = path !== undefined;
    }
    if (named.length === 0)
      named.push(...before.flatMap((path) => methods.map((method) => ({ method, path }))));
    before = [...new Set(named.map(({ path }) => path))];
    rows.push({ requests, named, limits: numbers.split(', ').map(Number) });
  }
  return rows;
};

t.test('every row of the table prints the limits of its routes', async (t) => {
  const seen = new Set<string>();
  const rows = printedRows();
  for (const { requests, named, limits } of rows) {
    const declared = named.map(({ method, path }) => {
      const route = routes.find(
        // The front passes a WebSocket to the sidecar as a POST.
        (one) => one.method === method.replace('WS', 'POST') && [path, `${path}/ID`].includes(shown(one.url)),
      );
      if (!route) throw new Error(`${requests}: there is no ${method} ${path}`);
      for (const policy of policiesOf(route)) seen.add(policy);
      const always = route.limits.filter((limit) => typeof limit === 'string');
      return Math.min(...always.map((policy) => ratePolicies[policy].allowed));
    });
    t.same(limits, [...new Set(declared)], requests);
  }
  t.same(
    [...seen, ...budgets].sort(),
    // Requests of the console have separate policies, and are not in this table.
    Object.keys(ratePolicies)
      .filter((name) => !name.startsWith('console:'))
      .sort(),
    'every limit is of a route in the table',
  );
});

t.test('the limits that several requests share are printed below it', async (t) => {
  const [, together, transcripts] =
    /together are limited to (\d+), and reads with a transcript to (\d+)/.exec(page) ?? [];
  t.equal(Number(together), ratePolicies['dev:conversation_reads_total'].allowed);
  t.equal(Number(transcripts), ratePolicies['dev:conversation_transcript_read'].allowed);
  const hourly = Object.entries(ratePolicies).filter(([name]) => !budgets.has(name));
  t.ok(hourly.every(([, { seconds }]) => seconds === 3600));
  t.match(page, 'two hours of audio in a window of 24 hours (policy `voice:audio`');
  t.same(ratePolicies['voice:audio'], { allowed: 2 * 3600, seconds: 24 * 3600 });
  t.match(
    page,
    '72 hours of audio in a window of 24 hours, including imports of the console (policy `recordings:audio`',
  );
  t.same(ratePolicies['recordings:audio'], { allowed: 72 * 3600, seconds: 24 * 3600 });
});
