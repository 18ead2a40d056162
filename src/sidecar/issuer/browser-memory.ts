import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicAddress, type Settings } from '../../config/index.js';
import { derivedKey, issuerSecret } from '../../identity/index.js';
import {
  canonicalEmail,
  type Issuer,
  interactionPath,
  knownBrowser,
  knownBrowserCookie,
  rememberedBrowser,
} from '../../issuer/index.js';

const { name, lifetime } = knownBrowserCookie;

/** Remembers in a cookie in which accounts a browser has signed in. The cookie outlives the browser's sessions. */
export class BrowserMemory {
  constructor(
    private readonly settings: Settings,
    private readonly issuer: Issuer,
  ) {}

  /** Returns this browser's id if the browser has signed in to the account before; null if it has not. */
  async known(request: FastifyRequest, reply: FastifyReply, given: string): Promise<string | null> {
    const email = canonicalEmail(given);
    if (email === null) return null;
    return knownBrowser(await this.#key(), (await this.#cookies(request, reply)).get(name), email, now());
  }

  /**
   * Records in the cookie that this browser signed in to an account, or set the password of an account.
   * @param email canonical.
   */
  async remember(request: FastifyRequest, reply: FastifyReply, email: string): Promise<void> {
    const cookies = await this.#cookies(request, reply);
    cookies.set(name, rememberedBrowser(await this.#key(), cookies.get(name), email, now()), {
      // Limits the cookie to the forms of the sign-in, because only they read it.
      path: interactionPath,
      httpOnly: true,
      sameSite: 'lax',
      secure: publicAddress(this.settings).startsWith('https:'),
      signed: false,
      overwrite: true,
      maxAge: lifetime * 1000,
    });
  }

  async #key(): Promise<Buffer> {
    return derivedKey(await issuerSecret(this.settings), 'known browsers');
  }

  async #cookies(request: FastifyRequest, reply: FastifyReply) {
    const provider = await this.issuer.provider();
    return provider.createContext(request.raw, reply.raw).cookies;
  }
}

const now = (): number => Math.floor(Date.now() / 1000);
