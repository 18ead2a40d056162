import { setTimeout } from 'node:timers/promises';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import type { TokenVerifier } from '../identity/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { type FrameCopier, ringClock } from '../ring/index.js';
import type { ShardLink } from '../wire/index.js';
import { startAccountWatch } from './account-watch.js';
import { startHeartbeat } from './heartbeat.js';
import type { ListenerApp } from './listener/index.js';
import { createListenerApp, type Listener } from './open-listener.js';
import { HeldStreams, PassThrough } from './proxy/index.js';
import { registerHealth } from './readiness.js';
import { ShardChannel, ShardWatch } from './shards/index.js';
import { Admission, StreamServer } from './streams/index.js';
import type { RefusedBuild } from './uws/index.js';
import { VoiceStreams } from './voice/index.js';

export interface FrontOptions {
  readonly settings: Settings;
  /** Shards by shard number. */
  readonly shards: readonly ShardLink[];
  /** Most sessions on a shard. */
  readonly slotsPerShard: number;
  readonly verifier: TokenVerifier;
  /** The main thread's row of metrics. */
  readonly metrics: MetricsRow;
  /**
   * The larger lag of shards (by their own reports) and transcriber, in ms. Streams are refused while it exceeds
   * `lagBudget`. The age of the oldest record in a serving shard's ring has the same limit.
   */
  lag(): number;
  /** Address for all requests that are not streams. */
  readonly sidecar: { readonly host: string; readonly port: number };
  readonly log: Logger;
  /** Whether this engine accepts traffic; answers `/engine/health/ready`. */
  ready(): boolean | Promise<boolean>;
  /** The native copier, if the core has one. */
  readonly copyFrame?: FrameCopier;
  /** A listener that is already open. Without it the front opens one when everything else is ready. The front closes both. */
  readonly listener?: Listener;
}

export interface Front {
  /** The port it listens on: the configured port, or the free port found for 0. */
  readonly port: number;
  /** Kind and build of the listener. */
  readonly listener: Pick<ListenerApp, 'kind' | 'build'>;
  /** Builds of other listeners that were tested before and rejected. */
  readonly refusedBuilds: readonly RefusedBuild[];
  /** Number of open sockets. */
  activeStreams(): number;
  /** Checks the account and token of a user, or of all users, at once and closes the sockets of ended ones. */
  checkAccounts(uid?: string): Promise<void>;
  /** Connects a new thread in place of a lost shard. */
  replaceShard(number: number, link: ShardLink): void;
  /** From now on upgrades are refused 503. Open streams receive `service_status` draining; streams of events end. */
  stopAccepting(): void;
  /** Makes every shard finish its sessions. Resolves when every shard has reported or is dead. */
  drain(): Promise<void>;
  /** Closes every socket 1001. Resolves when the close frames have had time to arrive. */
  closeStreams(): Promise<void>;
  /** Closes the sockets that are still open, then the listener, the passed-through requests and the shards' ports. */
  close(): Promise<void>;
}

/** Ms for close frames to reach their clients before the connections are cut. */
const closeGrace = 200;
const drainingStatus = JSON.stringify({
  type: 'service_status',
  status: 'draining',
  status_text: 'Server Restarting',
});

/** Age in ms of the oldest record that waits for a serving shard. A lost shard's ring no longer delays any stream. */
const oldestWait = (channels: readonly ShardChannel[]): number => {
  const now = ringClock();
  let oldest = 0;
  for (const channel of channels) {
    if (channel.alive) oldest = Math.max(oldest, channel.progress(now).waiting);
  }
  return oldest;
};

/**
 * Starts the listener: streams go to the shards, everything else to the sidecar.
 * @throws CochleaError port_taken, setting_invalid, internal.
 */
export const startFront = async (options: FrontOptions): Promise<Front> => {
  const { settings, metrics, log } = options;
  // The listener may accept connections before routes are registered. Until then it closes them without an answer.
  const { app, refused } = options.listener ?? (await createListenerApp(settings, log));
  const onDead = (): void => log.error('a shard is gone: its streams close 1012');
  const channelOf = (link: ShardLink): ShardChannel =>
    new ShardChannel(link, options.slotsPerShard, settings, metrics, onDead, options.copyFrame);
  const channels = options.shards.map(channelOf);
  const lag = (): number => Math.max(options.lag(), oldestWait(channels));
  const admission = new Admission(settings, channels, lag);
  const streams = new StreamServer({
    settings,
    verifier: options.verifier,
    admission,
    metrics,
    log,
  });
  const voices = new VoiceStreams({
    settings,
    verifier: options.verifier,
    admission,
    metrics,
    target: options.sidecar,
    log,
  });
  const held = new HeldStreams({ settings, metrics });
  const passThrough = new PassThrough({ settings, metrics, target: options.sidecar, held, log });
  streams.register(app);
  voices.register(app);
  registerHealth(app, { ready: options.ready, channels, isDraining: () => admission.draining });
  passThrough.register(app);
  const port =
    options.listener?.port ??
    (await app.listen().catch((error: unknown) => {
      for (const channel of channels) channel.close();
      passThrough.close();
      voices.close();
      app.close();
      throw error;
    }));
  const stopHeartbeat = startHeartbeat(streams.connections, settings);
  const watch = new ShardWatch(channels, settings.shardTimeout);
  watch.start();
  const accounts = startAccountWatch({
    sockets: [streams, voices],
    verifier: options.verifier,
    interval: settings.accountCheckInterval,
    log,
  });
  let closed = false;

  const closeStreams = async (): Promise<void> => {
    admission.draining = true;
    stopHeartbeat();
    watch.stop();
    accounts.stop();
    const hadStreams = streams.connections.size + voices.connections.size + held.count > 0;
    held.close();
    passThrough.endStreams();
    streams.closeAll(new CochleaError('shutdown'));
    voices.closeAll(new CochleaError('shutdown'));
    // Cutting a socket that still receives data resets it, and the reset may overtake the close frame.
    if (hadStreams) await setTimeout(closeGrace);
  };

  return {
    port,
    listener: { kind: app.kind, build: app.build },
    refusedBuilds: refused,
    activeStreams: () => streams.connections.size,
    checkAccounts: accounts.look,
    replaceShard(number, link) {
      channels[number]?.close();
      channels[number] = channelOf(link);
      if (closed) channels[number].close();
    },
    stopAccepting() {
      if (admission.draining) return;
      admission.draining = true;
      streams.broadcast(drainingStatus);
      held.close();
      passThrough.endStreams();
    },
    async drain() {
      await Promise.all(channels.map((channel) => channel.drain()));
    },
    closeStreams,
    async close() {
      if (closed) return;
      closed = true;
      await closeStreams();
      passThrough.close();
      voices.close();
      // Ends the listener and all remaining connections.
      app.close();
      for (const channel of channels) channel.close();
    },
  };
};
