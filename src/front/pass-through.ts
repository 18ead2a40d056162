import type uws from 'uWebSockets.js';
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Settings } from '../config/settings.js';
import { CochleaError, reasonOf } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { AnswerWriter } from './answer-writer.js';
import { type ForwardedRequest, forwardedRequest } from './proxy-headers.js';
import { answerError } from './responses.js';

export interface PassThroughOptions {
  readonly settings: Settings;
  readonly metrics: MetricsRow;
  readonly target: { readonly host: string; readonly port: number };
  readonly log: Logger;
}

const idleUpstream = 4000;
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Passes every request that is no stream to the sidecar, bodies streaming both ways. What one side does not read makes
 * the other wait; a client that goes away ends its request upstream.
 */
export class PassThrough {
  readonly #options: PassThroughOptions;
  // Idle connections end before the sidecar would end them, so that a request rarely meets a closing one.
  readonly #agent = new Agent({ keepAlive: true, timeout: 0, maxFreeSockets: 16 });
  readonly #running = new Set<Exchange>();
  #away = false;

  constructor(options: PassThroughOptions) {
    this.#options = options;
    this.#agent.on('free', (socket) => socket.setTimeout(idleUpstream));
  }

  register(app: uws.TemplatedApp): void {
    app.any('/*', (response, request) => this.#pass(response, request));
  }

  /** Ends everything under way. */
  close(): void {
    for (const exchange of this.#running) exchange.abandon();
    this.#agent.destroy();
  }

  #pass(response: uws.HttpResponse, request: uws.HttpRequest): void {
    const { settings, metrics, target } = this.#options;
    metrics.add('proxied_requests_total');
    const address = Buffer.from(response.getRemoteAddressAsText()).toString();
    const forwarded = forwardedRequest(request, address, settings.publicUrl);
    const refusal = this.#refusal(forwarded);
    if (refusal !== null) {
      response.onAborted(() => undefined);
      answerError(response, refusal);
      return;
    }
    const upstream = {
      host: target.host,
      port: target.port,
      agent: this.#agent,
      reached: (failure?: Error) => this.#reached(failure),
    };
    const exchange = new Exchange(response, forwarded, settings.maxProxiedBody, upstream);
    this.#running.add(exchange);
    exchange.start(() => this.#running.delete(exchange));
  }

  /** Says when it changes whether the sidecar answers: a line for every request would bury everything else. */
  #reached(failure?: Error): void {
    const { log } = this.#options;
    if (this.#away === (failure !== undefined)) return;
    this.#away = !this.#away;
    if (failure !== undefined) log.warn({ err: failure }, 'the sidecar does not answer');
    else log.info('the sidecar answers again');
  }

  #refusal({ announced }: ForwardedRequest): CochleaError | null {
    const { maxProxied, maxProxiedBody } = this.#options.settings;
    if (announced > maxProxiedBody) return new CochleaError('body_too_large', { limit: maxProxiedBody });
    return this.#running.size >= maxProxied ? new CochleaError('overloaded') : null;
  }
}

interface Upstream {
  readonly host: string;
  readonly port: number;
  readonly agent: Agent;
  /** Told with every request whether there was an answer, and if not, why. */
  readonly reached: (failure?: Error) => void;
}

/** One request on its way through. */
class Exchange {
  readonly #response: uws.HttpResponse;
  readonly #forwarded: ForwardedRequest;
  readonly #limit: number;
  readonly #upstream: Upstream;
  #request: ClientRequest | null = null;
  #received = 0;
  #paused = false;
  #bodyEnded = false;
  /** Nothing may be written to the client any more: it is gone, or it has its answer. */
  #settled = false;
  #retried = false;
  /** The sidecar's answer has begun; what goes wrong from here on is the answer writer's. */
  #answered = false;
  #onEnd: () => void = () => undefined;

  constructor(response: uws.HttpResponse, forwarded: ForwardedRequest, limit: number, upstream: Upstream) {
    this.#response = response;
    this.#forwarded = forwarded;
    this.#limit = limit;
    this.#upstream = upstream;
  }

  /** @param onEnd called once, when nothing of it is left. */
  start(onEnd: () => void): void {
    this.#onEnd = onEnd;
    this.#response.onAborted(() => this.abandon());
    this.#connect();
    this.#response.onData((chunk, isLast) => this.#body(chunk, isLast));
  }

  /** The client is gone, or the front closes. */
  abandon(): void {
    if (this.#settled) return;
    this.#settle();
    this.#request?.destroy();
  }

  #settle(): void {
    this.#settled = true;
    this.#onEnd();
  }

  #connect(): void {
    const { method, path, headers } = this.#forwarded;
    try {
      const { host, port, agent } = this.#upstream;
      const request = httpRequest({ host, port, agent, method, path, headers, setHost: false });
      this.#request = request;
      request.on('error', (error) => this.#failed(error, request));
      request.on('drain', () => this.#resume());
      request.on('response', (answer) => this.#answer(answer));
    } catch (error) {
      // Node refuses what cannot be a request (characters in the path or a header).
      this.#refuse(new CochleaError('bad_request', { why: reasonOf(error) }));
    }
  }

  #body(chunk: ArrayBuffer, isLast: boolean): void {
    this.#received += chunk.byteLength;
    if (isLast) this.#bodyEnded = true;
    if (this.#settled || this.#request === null) return;
    if (this.#received > this.#limit) {
      this.#request.destroy();
      this.#refuse(new CochleaError('body_too_large', { limit: this.#limit }));
      return;
    }
    // The chunk's memory is the listener's: it is gone after this handler.
    if (chunk.byteLength > 0 && !this.#request.write(Buffer.from(new Uint8Array(chunk))) && !isLast) {
      this.#paused = true;
      this.#response.pause();
    }
    if (isLast) this.#request.end();
  }

  #resume(): void {
    if (!this.#paused || this.#settled) return;
    this.#paused = false;
    this.#response.resume();
  }

  #answer(answer: IncomingMessage): void {
    this.#answered = true;
    this.#upstream.reached();
    if (this.#settled) {
      answer.destroy();
      return;
    }
    this.#resume();
    new AnswerWriter(this.#response, answer, this.#forwarded.method === 'HEAD', () => this.#settled).start(
      () => this.#settle(),
      // The answer began and broke off: only cutting the connection tells the client so.
      () => {
        this.#settle();
        this.#response.close();
      },
    );
  }

  #failed(error: Error, request: ClientRequest): void {
    if (this.#settled || request !== this.#request || this.#answered) return;
    const stale = request.reusedSocket && !this.#retried && this.#received === 0 && this.#bodyEnded;
    if (stale && repeatable.has(this.#forwarded.method)) {
      // The sidecar closed a kept connection just as this request took it.
      this.#retried = true;
      this.#connect();
      this.#request?.end();
      return;
    }
    this.#upstream.reached(error);
    this.#refuse(new CochleaError('upstream_unavailable'));
  }

  #refuse(error: CochleaError): void {
    if (this.#settled) return;
    if (this.#paused) this.#response.resume();
    this.#settle();
    answerError(this.#response, error);
  }
}
