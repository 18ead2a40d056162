import { Pool } from 'undici';
import { schemeOf } from '../config/exposure.js';
import type { Settings } from '../config/settings.js';
import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { clientAddressReader, type ReadClientAddress } from './client-address.js';
import { Exchange } from './exchange.js';
import { refuseForwarded } from './forwarding-headers.js';
import type { HttpRequest, HttpResponse, ListenerApp } from './listener.js';
import { forwardedRequest } from './proxy-headers.js';
import { Quota } from './quota.js';
import { refuseRequest } from './responses.js';

export interface PassThroughOptions {
  readonly settings: Settings;
  readonly metrics: MetricsRow;
  readonly target: { readonly host: string; readonly port: number };
  readonly log: Logger;
}

/** Ms. Idle connections end before the sidecar would end them, so that a request rarely meets a closing one. */
const idleUpstream = 4000;
/** Ms that an answer may begin later than the sidecar's own limit for a request. */
const answerMargin = 5000;
const connectTimeout = 5000;
const checkInterval = 1000;

/**
 * Passes every request that is no stream to the sidecar, bodies streaming both ways. What one side does not read makes
 * the other wait; a client that goes away ends its request upstream.
 *
 * Connections to the sidecar are undici's: it validates what it sends, and it takes a connection again only after exactly
 * one whole answer to one whole request.
 */
export class PassThrough {
  readonly #options: PassThroughOptions;
  readonly #upstream: Pool;
  readonly #running = new Set<Exchange>();
  /** Places of the requests in `#running`. */
  readonly #places: Quota;
  readonly #clientOf: ReadClientAddress;
  readonly #timer: NodeJS.Timeout;
  #away = false;

  constructor(options: PassThroughOptions) {
    this.#options = options;
    const { settings, target } = options;
    const host = target.host.includes(':') ? `[${target.host}]` : target.host;
    this.#upstream = new Pool(`http://${host}:${target.port}`, {
      connections: settings.maxProxied,
      pipelining: 1,
      keepAliveTimeout: idleUpstream,
      keepAliveMaxTimeout: idleUpstream,
      headersTimeout: settings.requestTimeout + answerMargin,
      // A stream of events may be silent for long; a client that leaves ends it.
      bodyTimeout: 0,
      connect: { timeout: connectTimeout },
    });
    this.#clientOf = clientAddressReader(settings);
    this.#places = new Quota(settings.maxProxied, settings.maxProxiedPerAddress);
    this.#timer = setInterval(() => {
      const now = performance.now();
      for (const exchange of this.#running) exchange.check(now);
    }, checkInterval);
    this.#timer.unref();
  }

  register(app: ListenerApp): void {
    app.any('*', (response, request) => {
      let exchange: Exchange;
      try {
        exchange = this.#prepare(response, request);
      } catch (error) {
        this.#refuse(response, error);
        return;
      }
      exchange.start();
    });
  }

  /** Ends everything under way. */
  close(): void {
    clearInterval(this.#timer);
    for (const exchange of this.#running) exchange.abandon();
    void this.#upstream.destroy().catch(() => undefined);
  }

  /** @throws CochleaError for a request that is refused. */
  #prepare(response: HttpResponse, request: HttpRequest): Exchange {
    const { settings, metrics } = this.#options;
    metrics.add('proxied_requests_total');
    const refusal = refuseForwarded(request, settings);
    if (refusal !== null) throw refusal;
    const client = this.#clientOf(response, request);
    const forwarded = forwardedRequest(request, client, settings.publicUrl || `${schemeOf(settings)}:`);
    const { body } = forwarded;
    const { maxProxiedBody } = settings;
    if (body.kind === 'length' && body.bytes > maxProxiedBody) {
      throw new CochleaError('body_too_large', { limit: maxProxiedBody });
    }
    if (this.#places.isFull || this.#places.exhausted(client)) throw new CochleaError('overloaded');
    this.#places.enter(client);
    const exchange: Exchange = new Exchange({
      response,
      forwarded,
      upstream: this.#upstream,
      bodyLimit: settings.maxProxiedBody,
      bodyRate: settings.slowestBody,
      reached: (failure) => this.#reached(failure),
      ended: () => {
        if (this.#running.delete(exchange)) this.#places.leave(client);
      },
    });
    this.#running.add(exchange);
    return exchange;
  }

  /** Says when it changes whether the sidecar answers: a line for every request would bury everything else. */
  #reached(failure?: Error): void {
    const { log } = this.#options;
    if (this.#away === (failure !== undefined)) return;
    this.#away = !this.#away;
    if (failure !== undefined) log.warn({ err: failure }, 'the sidecar does not answer');
    else log.info('the sidecar answers again');
  }

  #refuse(response: HttpResponse, thrown: unknown): void {
    const { log, metrics } = this.#options;
    metrics.add('proxied_refused_total');
    if (thrown instanceof CochleaError) {
      refuseRequest(response, thrown);
      return;
    }
    log.error({ err: thrown }, 'a request could not be passed on');
    refuseRequest(response, new CochleaError('internal'));
  }
}
