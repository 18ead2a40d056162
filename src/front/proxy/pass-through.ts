import { Pool } from 'undici';
import { type Settings, schemeOf } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import {
  eventStreamPaths,
  isConsolePath,
  opensOlderStream,
  uploadPaths,
  voicePaths,
  voiceStreamPath,
} from '../../wire/index.js';
import { clientAddressReader, Quota, type ReadClientAddress, refuseForwarded } from '../clients/index.js';
import {
  answerServerOptions,
  BodyPace,
  descriptorsForClients,
  type HttpRequest,
  type HttpResponse,
  type ListenerApp,
} from '../listener/index.js';
import { CrowdedPlaces } from './crowded-places.js';
import { Exchange } from './exchange.js';
import type { HeldStreams } from './held-streams.js';
import { checkRequest, type ForwardedRequest, forwardedRequest, forwardedValue } from './proxy-headers.js';
import { RefusedBodies } from './refused-bodies.js';
import { routedPath } from './routed-path.js';

export interface PassThroughOptions {
  readonly settings: Settings;
  readonly metrics: MetricsRow;
  readonly target: { readonly host: string; readonly port: number };
  /** Holds the streams of events that the sidecar opens. The caller owns this object. */
  readonly held: HeldStreams;
  readonly log: Logger;
}

/**
 * Ms after which the front closes an idle connection to the sidecar. The sidecar's own timeout is longer, so a request
 * rarely meets a connection that the sidecar is closing.
 */
const idleUpstream = 4000;
/** Ms that the front waits for an answer after the sidecar's own timeout for a request. */
const answerMargin = 5000;
const connectTimeout = 5000;
const checkInterval = 1000;
/**
 * Event streams of the older MCP transport may use 1/8 of the descriptors for clients. Each of these streams needs a
 * second descriptor for its connection to the sidecar.
 */
const descriptorShare = 8;
/** Maximum number of requests for event streams that are sent to the sidecar at once. Further requests wait. */
const openingConnections = 16;
/** Kinds of requests, grouped by how long they take. Each kind has its own quota. */
type Kind = 'ordinary' | 'console' | 'upload' | 'voice' | 'opening' | 'toolStream';

/**
 * After this many ms, an incomplete body for the console may be ended to free its place for another request. The bodies
 * that pages of the console send are complete much sooner.
 */
const ordinaryBody = 1000;

/** The quota of one kind of requests, its connections to the sidecar, and its maximum body length in bytes. */
interface Way {
  readonly places: Quota;
  readonly upstream: Pool;
  readonly bodyLimit: number;
}

/**
 * Returns the kind of a request.
 * @param path decoded path, by which the sidecar chooses its route.
 * @param forwarded the request for the sidecar, without hop-by-hop headers.
 */
const kindOf = (path: string, { method, headers }: ForwardedRequest): Kind => {
  if (method === 'POST' && uploadPaths.has(path)) return 'upload';
  if (method === 'POST' && voicePaths.has(path)) return 'voice';
  if (isConsolePath(path)) return 'console';
  if (method !== 'GET' || !eventStreamPaths.has(path)) return 'ordinary';
  const isOlder = opensOlderStream(
    forwardedValue(headers, 'accept'),
    forwardedValue(headers, 'mcp-session-id'),
  );
  return isOlder ? 'toolStream' : 'opening';
};

/** Returns whether a request asks for the methods of the entire server (RFC 9110, section 9.3.7). */
const asksForServer = (request: HttpRequest): boolean =>
  request.getUrl() === '*' && request.getMethod().toUpperCase() === 'OPTIONS';

/**
 * Passes all requests except streams to the sidecar. Bodies are streamed in both directions, and a slow reader pauses
 * the sender. If the client disconnects, its request to the sidecar ends.
 *
 * undici manages the connections to the sidecar and validates the requests. It reuses a connection only after exactly
 * one complete answer to one complete request.
 */
export class PassThrough {
  readonly #ways: Readonly<Record<Kind, Way>>;
  readonly #running = new Set<Exchange>();
  readonly #refused = new RefusedBodies();
  readonly #pace = new BodyPace();
  readonly #streaming = new Set<Exchange>();
  readonly #uploads: CrowdedPlaces;
  readonly #console = new CrowdedPlaces((exchange, now) => exchange.bodyAge(now) > ordinaryBody);
  readonly #clientOf: ReadClientAddress;
  readonly #timer: NodeJS.Timeout;
  #away = false;
  #ending = false;

  constructor(private readonly options: PassThroughOptions) {
    const { settings, target } = options;
    const host = target.host.includes(':') ? `[${target.host}]` : target.host;
    const connect = (connections: number, answerTimeout = settings.requestTimeout): Pool =>
      new Pool(`http://${host}:${target.port}`, {
        connections,
        pipelining: 1,
        keepAliveTimeout: idleUpstream,
        keepAliveMaxTimeout: idleUpstream,
        headersTimeout: answerTimeout + answerMargin,
        // 0 means no timeout, because an answer may arrive slowly. The answer ends when the client disconnects.
        bodyTimeout: 0,
        connect: { timeout: connectTimeout },
      });
    this.#clientOf = clientAddressReader(settings);
    const { maxProxied, maxProxiedBody: bodyLimit, maxUploads, maxVoiceMessages } = settings;
    const openings = fixedLimits.eventStreamOpenings.value;
    const streams = Math.min(settings.maxToolStreams, Math.floor(descriptorsForClients() / descriptorShare));
    this.#ways = {
      ordinary: {
        places: new Quota(maxProxied, settings.maxProxiedPerAddress),
        upstream: connect(maxProxied),
        bodyLimit,
      },
      // A page causes many requests at once, and several people may share an address. There is a connection for each
      // place. Otherwise a request could wait until slow clients of other addresses free a connection.
      console: {
        places: new Quota(settings.maxConsoleRequests, settings.maxConsoleRequestsPerAddress),
        upstream: connect(settings.maxConsoleRequests),
        bodyLimit,
      },
      // Uploads take minutes, so they must not occupy the quota of ordinary requests.
      upload: {
        places: new Quota(maxUploads, settings.maxUploadsPerAddress),
        upstream: connect(maxUploads, settings.uploadTimeout),
        bodyLimit: settings.uploadSize,
      },
      // Voice requests also take minutes, while their clients wait for the text.
      voice: {
        places: new Quota(maxVoiceMessages, settings.maxVoiceMessagesPerAddress),
        upstream: connect(maxVoiceMessages, settings.voiceTimeout + answerMargin),
        bodyLimit: settings.voiceSize,
      },
      // Thousands of clients may reopen their streams at the same time, for example after a restart.
      opening: {
        places: new Quota(openings, Math.ceil(openings / 2)),
        upstream: connect(openingConnections),
        bodyLimit,
      },
      // Streams of the older MCP transport stay open for hours.
      toolStream: {
        places: new Quota(streams, settings.maxToolStreamsPerAddress),
        upstream: connect(Math.max(1, streams)),
        bodyLimit,
      },
    };
    this.#uploads = new CrowdedPlaces((exchange, now) => exchange.bodyPace(now) < settings.uploadRate);
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
        if (asksForServer(request)) {
          this.#serverOptions(response, request);
          return;
        }
        exchange = this.#prepare(response, request);
      } catch (error) {
        this.#refuse(response, error, request);
        return;
      }
      exchange.start();
    });
  }

  /** Ends the streams of the older MCP transport, and refuses new ones. */
  endStreams(): void {
    this.#ending = true;
    for (const exchange of this.#streaming) exchange.endAnswer();
  }

  /** Ends all requests in progress. */
  close(): void {
    clearInterval(this.#timer);
    for (const exchange of this.#running) exchange.abandon();
    this.#pace.close();
    for (const { upstream } of Object.values(this.#ways)) void upstream.destroy().catch(() => undefined);
  }

  /**
   * Answers `OPTIONS *`.
   * @throws CochleaError for a refused request.
   */
  #serverOptions(response: HttpResponse, request: HttpRequest): void {
    const refusal = refuseForwarded(request, this.options.settings);
    if (refusal !== null) throw refusal;
    checkRequest(request);
    answerServerOptions(response);
  }

  /**
   * Checks a request and creates its exchange.
   * @throws CochleaError for a refused request.
   */
  #prepare(response: HttpResponse, request: HttpRequest): Exchange {
    const { settings, metrics, held } = this.options;
    metrics.add('proxied_requests_total');
    const refusal = refuseForwarded(request, settings);
    if (refusal !== null) throw refusal;
    const client = this.#clientOf(response, request);
    const forwarded = forwardedRequest(request, client, settings.publicUrl || `${schemeOf(settings)}:`);
    const { body } = forwarded;
    const path = routedPath(request.getUrl());
    // Only the front may call the sidecar's route for voice streams.
    if (path === voiceStreamPath) throw new CochleaError('upgrade_required');
    const kind = kindOf(path, forwarded);
    const { places, upstream, bodyLimit } = this.#ways[kind];
    if (kind === 'toolStream' && this.#ending) throw new CochleaError('draining');
    if (body.kind === 'length' && body.bytes > bodyLimit) {
      throw new CochleaError('body_too_large', { limit: bodyLimit });
    }
    if (places.exhausted(client)) throw new CochleaError('overloaded');
    const isUpload = kind === 'upload';
    const isOfConsole = kind === 'console';
    if (places.isFull) {
      const now = performance.now();
      if (isOfConsole) this.#console.freePlace(client.group, now);
      if (isUpload && !this.#uploads.freePlace(client.group, now)) this.#endSlowest(now);
    }
    if (places.isFull) throw new CochleaError('overloaded');
    places.enter(client);
    const exchange: Exchange = new Exchange({
      response,
      forwarded,
      upstream,
      bodyLimit,
      bodyRate: settings.slowestBody,
      pace: this.#pace,
      client: client.group,
      ...(kind === 'opening' && {
        hold: (response, uid, headers) => held.hold(response, uid, client, headers),
      }),
      reached: (failure) => this.#reached(failure),
      ended: () => {
        this.#uploads.leave(client.group, exchange);
        this.#console.leave(client.group, exchange);
        this.#streaming.delete(exchange);
        if (this.#running.delete(exchange)) places.leave(client);
      },
    });
    this.#running.add(exchange);
    if (isUpload) this.#uploads.enter(client.group, exchange);
    if (isOfConsole) this.#console.enter(client.group, exchange);
    if (kind === 'toolStream') this.#streaming.add(exchange);
    return exchange;
  }

  /**
   * Ends the slowest upload to free its slot for a waiting upload. An upload is ended only if its rate is below the
   * minimum that applies while uploads wait.
   *
   * Does nothing while an upload has just begun, because its credential may still be refused. Requests without a valid
   * credential must not end uploads of users. `#uploads` ends uploads of clients with several slots without this delay.
   * Otherwise clients that begin slow uploads in turn could keep all slots.
   */
  #endSlowest(now: number): void {
    for (const exchange of this.#uploads.all()) if (exchange.isNew(now)) return;
    let least = this.options.settings.uploadRate;
    let slowest: Exchange | undefined;
    for (const exchange of this.#uploads.all()) {
      const pace = exchange.bodyPace(now);
      if (pace >= least) continue;
      least = pace;
      slowest = exchange;
    }
    slowest?.giveWay();
  }

  /**
   * Logs when the sidecar stops answering and when it answers again. A line for each failed request would hide all
   * other lines.
   */
  #reached(failure?: Error): void {
    const { log } = this.options;
    if (this.#away === (failure !== undefined)) return;
    this.#away = !this.#away;
    if (failure !== undefined) log.warn({ err: failure }, 'the sidecar does not answer');
    else log.info('the sidecar answers again');
  }

  #refuse(response: HttpResponse, thrown: unknown, request: HttpRequest): void {
    const { log, metrics } = this.options;
    metrics.add('proxied_refused_total');
    if (thrown instanceof CochleaError) {
      this.#refused.refuse(response, request, thrown);
      return;
    }
    log.error({ err: thrown }, 'a request could not be passed on');
    this.#refused.refuse(response, request, new CochleaError('internal'));
  }
}
