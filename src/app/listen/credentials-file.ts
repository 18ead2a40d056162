import { readFile, rename, writeFile } from 'node:fs/promises';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { endingFetch } from '../../common/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';

const stored = z.looseObject({ id_token: z.string().optional(), refresh_token: z.string().min(1) });
const answered = z.object({ id_token: z.string(), refresh_token: z.string() });

/** Ms for an answer of the issuer. */
const timeout = 30_000;
/** Ms that a token has to last so that a stream may begin with it. */
const shortest = 60_000;

/**
 * A file with what `/v1/auth/token` answered. Refresh tokens are good once, so the file is replaced with each renewal; two programs
 * must not use one file.
 */
export class CredentialsFile {
  readonly #path: string;
  readonly #issuer: string;
  #credentials: z.output<typeof stored>;
  #renewing: Promise<string> | undefined;

  private constructor(path: string, issuer: string, credentials: z.output<typeof stored>) {
    this.#path = path;
    this.#issuer = issuer;
    this.#credentials = credentials;
  }

  /**
   * Reads a file.
   * @param issuer address of the service, `http://` or `https://`.
   * @throws CochleaError `file_unreadable`
   */
  static async open(path: string, issuer: string): Promise<CredentialsFile> {
    try {
      return new CredentialsFile(path, issuer, stored.parse(JSON.parse(await readFile(path, 'utf8'))));
    } catch (error) {
      const why =
        error instanceof z.ZodError || error instanceof SyntaxError
          ? 'it holds no refresh_token'
          : reasonOf(error);
      throw new CochleaError('file_unreadable', { path, why }, { cause: error });
    }
  }

  /** An ID token that lasts for a while: the one of the file, or a new one. @throws as `renew` */
  async token(): Promise<string> {
    const { id_token: token } = this.#credentials;
    if (token !== undefined && (decodeJwt(token).exp ?? 0) * 1000 > Date.now() + shortest) return token;
    return this.renew();
  }

  /**
   * Gets a new ID token, and keeps what it came with. Callers at the same time get the same one, because a refresh token that is sent
   * twice ends the sign-in.
   * @throws CochleaError `sign_in_refused` where the issuer refuses it, `connection_failed` where it does not answer.
   */
  renew(): Promise<string> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<string> {
    const answer = await this.#ask().catch((error: unknown) => {
      if (error instanceof CochleaError) throw error;
      throw new CochleaError(
        'connection_failed',
        { url: this.#issuer, why: reasonOf(error) },
        { cause: error },
      );
    });
    this.#credentials = answer;
    const unfinished = `${this.#path}.part`;
    await writeFile(unfinished, `${JSON.stringify(answer, null, 2)}\n`, { mode: 0o600 });
    await rename(unfinished, this.#path);
    return answer.id_token;
  }

  async #ask(): Promise<z.output<typeof answered>> {
    const answer = await endingFetch(`${this.#issuer}/v1/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: this.#credentials.refresh_token,
      }),
      signal: AbortSignal.timeout(timeout),
    });
    const body: unknown = await answer.json().catch(() => ({}));
    if (answer.ok) return answered.parse(body);
    const why = `HTTP ${answer.status} ${(body as { error?: string }).error ?? ''}`.trim();
    // The sign-in itself is refused; anything else may be over soon.
    if (answer.status === 400 || answer.status === 401 || answer.status === 403)
      throw new CochleaError('sign_in_refused', { why });
    throw new Error(why);
  }
}
