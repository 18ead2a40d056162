import { readFile, rename, writeFile } from 'node:fs/promises';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { endingFetch } from '../../common/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';

const stored = z.looseObject({ id_token: z.string().optional(), refresh_token: z.string().min(1) });
const answered = z.object({ id_token: z.string(), refresh_token: z.string() });

/** Timeout in ms for an answer of the issuer. */
const timeout = 30_000;
/** Minimum remaining lifetime in ms of a token for a new stream. */
const shortest = 60_000;

/**
 * A file with an answer of `/v1/auth/token`. A refresh token works only once, so each renewal replaces the file. Two
 * programs must not use the same file.
 */
export class CredentialsFile {
  #credentials: z.output<typeof stored>;
  #renewing: Promise<string> | undefined;

  private constructor(
    private readonly path: string,
    private readonly issuer: string,
    credentials: z.output<typeof stored>,
  ) {
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

  /** Returns an ID token with enough remaining lifetime: the file's token or a new token. @throws the errors of `renew` */
  async token(): Promise<string> {
    const { id_token: token } = this.#credentials;
    if (token !== undefined && (decodeJwt(token).exp ?? 0) * 1000 > Date.now() + shortest) return token;
    return this.renew();
  }

  /**
   * Renews the ID token and stores the whole answer in the file. Concurrent callers share one renewal, because using a refresh token
   * twice ends the sign-in.
   * @throws CochleaError `sign_in_refused` if the issuer refuses, `connection_failed` if it does not answer.
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
        { url: this.issuer, why: reasonOf(error) },
        { cause: error },
      );
    });
    this.#credentials = answer;
    const unfinished = `${this.path}.part`;
    await writeFile(unfinished, `${JSON.stringify(answer, null, 2)}\n`, { mode: 0o600 });
    await rename(unfinished, this.path);
    return answer.id_token;
  }

  async #ask(): Promise<z.output<typeof answered>> {
    const answer = await endingFetch(`${this.issuer}/v1/auth/token`, {
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
    // With these status codes, the issuer refuses the sign-in itself. Other failures may be temporary.
    if (answer.status === 400 || answer.status === 401 || answer.status === 403)
      throw new CochleaError('sign_in_refused', { why });
    throw new Error(why);
  }
}
