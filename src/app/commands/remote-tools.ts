import { z } from 'zod';
import { endingFetch } from '../../common/index.js';
import { release } from '../../config/process/index.js';

const revision = '2025-11-25';
const timeout = 60_000;

const answerShape = z.object({
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

/** An error answer of a tool server, with the JSON-RPC code of the error. */
export class RemoteError extends Error {
  readonly data: unknown;

  constructor(
    readonly code: number,
    message: string,
    data?: unknown,
  ) {
    super(message);
    this.data = data;
  }
}

/**
 * Client of a service's tool server, over HTTP. The first request initializes a session. If the server no longer knows
 * the session, the next request initializes a new session.
 */
export class RemoteTools {
  readonly #url: string;
  readonly #key: string;
  #session: Promise<string> | undefined;
  #id = 0;

  /** @param base address of the service. */
  constructor(base: string, key: string) {
    this.#url = `${base.replace(/\/+$/, '')}/v1/mcp/sse`;
    this.#key = key;
  }

  /** Sends a request and returns its result. @throws RemoteError */
  async ask(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Record<string, unknown>> {
    for (let attempt = 0; ; attempt++) {
      this.#session ??= this.#initialize();
      const opening = this.#session;
      const session = await opening.catch((error: unknown) => {
        if (this.#session === opening) this.#session = undefined;
        throw error;
      });
      const answer = await this.#post(method, params, session);
      // A concurrent request may have opened a new session already.
      if (answer.status === 404 && this.#session === opening) this.#session = undefined;
      if (answer.status === 404 && attempt === 0) continue;
      return resultOf(answer);
    }
  }

  async #initialize(): Promise<string> {
    const params = {
      protocolVersion: revision,
      capabilities: {},
      clientInfo: { name: 'cochlea', version: release },
    };
    const answer = await this.#post('initialize', params);
    await resultOf(answer.clone());
    return answer.headers.get('mcp-session-id') ?? '';
  }

  #post(method: string, params: object, session?: string): Promise<Response> {
    return endingFetch(this.#url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'mcp-protocol-version': revision,
        ...(session && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params }),
      signal: AbortSignal.timeout(timeout),
    }).catch((error: Error) => {
      const why = error.cause instanceof Error ? error.cause.message : error.message;
      throw new RemoteError(-32009, `The service cannot be reached: ${why}`);
    });
  }
}

const resultOf = async (answer: Response): Promise<Record<string, unknown>> => {
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) {
    const { detail } = (body ?? {}) as { detail?: unknown };
    const why = typeof detail === 'string' ? detail : `HTTP ${answer.status}`;
    throw new RemoteError(-32009, why);
  }
  const { result, error } = answerShape.parse(body);
  if (error) throw new RemoteError(error.code, error.message, error.data);
  return result ?? {};
};
