import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { until } from '../../support/until.js';
import { type Api, startApi } from '../support.js';

/** Assistants of the tests. `helper` is a public client with a redirect prefix, and `keeper` has a secret. */
export const assistants = [
  {
    id: 'helper',
    name: 'Helper',
    redirect_uris: ['https://helper.example/callback'],
    redirect_prefixes: ['https://helper.example/connector/'],
  },
  {
    id: 'keeper',
    name: 'Keeper',
    redirect_uris: ['https://keeper.example/callback'],
    secret_sha256: createHash('sha256').update('keepers secret').digest('hex'),
    scopes: ['memories.read'],
  },
] as const;

export interface SignInApi extends Api {
  readonly dataDir: string;
  /** Waits for a mail to the address, and returns the link in the newest one. */
  link(email: string): Promise<string>;
  /** Returns the number of mails that the address has received. */
  mails(email: string): Promise<number>;
  /** Requests a mail for the address, and returns its link. */
  linkFor(email: string): Promise<string>;
  /** Creates an account, or sets the password of an existing one. */
  account(email: string, password?: string): Promise<void>;
}

export const password = 'correct horse battery';

/** Returns the mails to an address in order. The sidecar writes each mail to a file in its data folder. */
const mailsTo = async (dataDir: string, email: string): Promise<string[]> => {
  const folder = join(dataDir, 'mail');
  const names = (await readdir(folder).catch(() => [])).sort();
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return mails.filter((mail) => mail.includes(`To: ${email}`) || mail.includes(`<${email}>`));
};

const newestLink = (dataDir: string, email: string): Promise<string> =>
  until(async () => {
    const mail = (await mailsTo(dataDir, email)).at(-1);
    return mail && /^http:\S+link=[\w-]{43}$/m.exec(mail)?.[0];
  }, `a mail to ${email}`);

const linkFor = async (base: string, dataDir: string, email: string): Promise<string> => {
  const before = (await mailsTo(dataDir, email)).length;
  await new Browser(base).post('/account/link', { email });
  await until(async () => (await mailsTo(dataDir, email)).length > before, `a mail to ${email}`);
  return newestLink(dataDir, email);
};

/** Creates an account, or sets the password of an existing one. `dataDir` is the data folder of the sidecar. */
export const signUp = async (
  base: string,
  dataDir: string,
  email: string,
  chosen = password,
): Promise<void> => {
  const link = (await linkFor(base, dataDir, email)).split('link=')[1]!;
  const set = await new Browser(base).post('/account/password', { link, password: chosen });
  if (set.status !== 200) throw new Error(`the password of ${email} was not set: ${set.status}`);
};

/** Starts a sidecar with sign-in pages and assistants. It writes mails to files in `dataDir`. */
export const startIssuer = async (
  t: Test,
  environment: Readonly<Record<string, string>> = {},
): Promise<SignInApi> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-issuer-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  const port = String(await freePort());
  const api = await startApi(t, {
    COCHLEA_DATA_DIR: dataDir,
    SIDECAR_PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OAUTH_CLIENTS: JSON.stringify(assistants),
    ...environment,
  });
  return {
    ...api,
    dataDir,
    link: (email) => newestLink(dataDir, email),
    linkFor: (email) => linkFor(api.base, dataDir, email),
    mails: async (email) => (await mailsTo(dataDir, email)).length,
    account: (email, chosen) => signUp(api.base, dataDir, email, chosen),
  };
};

export interface Page {
  readonly status: number;
  /** Address after all redirects within the service. */
  readonly url: string;
  readonly text: string;
  readonly headers: Headers;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
}

/**
 * Simulates the cookies, redirects and forms of a browser. A redirect to a different site is not followed. The page's
 * `url` is then the address of this redirect.
 */
export class Browser {
  readonly #base: string;
  readonly #client: string | undefined;
  readonly #cookies = new Map<string, Cookie>();

  /**
   * `client` is the client's address, which the browser sends in `X-Forwarded-For`. Default: this machine, which some
   * limits exempt.
   */
  constructor(base: string, client?: string) {
    this.#base = base;
    this.#client = client;
  }

  get cookies(): ReadonlyMap<string, Cookie> {
    return this.#cookies;
  }

  get(path: string): Promise<Page> {
    return this.#follow(new URL(path, this.#base), {});
  }

  post(
    path: string,
    fields: Readonly<Record<string, string>> | URLSearchParams,
    origin = this.#base,
    redirects: 'follow' | 'stay' = 'follow',
  ): Promise<Page> {
    return this.#follow(
      new URL(path, this.#base),
      {
        method: 'POST',
        body: new URLSearchParams(fields as Record<string, string>),
        headers: origin === '' ? {} : { origin },
      },
      redirects,
    );
  }

  /** Deletes the cookies with this name. */
  forget(name: string): void {
    for (const key of [...this.#cookies.keys()]) if (key.startsWith(`${name}@`)) this.#cookies.delete(key);
  }

  /** Submits the sign-in form of a page. */
  async signIn(at: Page, email: string, secret = password): Promise<Page> {
    return this.post(`${new URL(at.url).pathname}/sign-in`, { email, password: secret });
  }

  async #follow(url: URL, request: RequestInit, redirects = 'follow'): Promise<Page> {
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => url.pathname === path || path === '/' || url.pathname.startsWith(`${path}/`))
      .map(([name, { value }]) => `${name.split('@')[0]}=${value}`)
      .join('; ');
    const answer = await fetch(url, {
      ...request,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...request.headers,
        ...(cookie && { cookie }),
        ...(this.#client && { 'x-forwarded-for': this.#client }),
      },
    });
    for (const line of answer.headers.getSetCookie()) this.keep(line, url);
    const to = answer.headers.get('location');
    if (to !== null) {
      const next = new URL(to, url);
      if (next.origin === new URL(this.#base).origin && redirects === 'follow') return this.#follow(next, {});
      return { status: answer.status, url: next.href, text: '', headers: answer.headers };
    }
    return { status: answer.status, url: url.href, text: await answer.text(), headers: answer.headers };
  }

  /** Stores a cookie of an answer. @param line value of `Set-Cookie`. @param url address of the request. */
  keep(line: string, url: URL): void {
    const [pair, ...attributes] = line.split('; ');
    const [name, value] = [pair!.slice(0, pair!.indexOf('=')), pair!.slice(pair!.indexOf('=') + 1)];
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? url.pathname;
    const expires = attributes.find((one) => /^expires=/i.test(one))?.slice(8);
    // Cookies with the same name may have different paths.
    const key = `${name}@${path}`;
    if (value === '' || (expires && new Date(expires) < new Date())) this.#cookies.delete(key);
    else this.#cookies.set(key, { value, path });
  }
}
