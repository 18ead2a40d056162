import { setTimeout } from 'node:timers/promises';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import type { TokenVerifier } from '../identity/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { type FrameCopier, ringClock } from '../ring/index.js';
import type { ShardLink } from '../wire/index.js';
import { startAccountWatch } from './account-watch.js';
import { type FleetLimits, noFleet } from './clients/index.js';
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
  /** The shards, in the order of their numbers. */
  readonly shards: readonly ShardLink[];
  /** Maximum number of sessions on a shard. */
  readonly slotsPerShard: number;
  readonly verifier: TokenVerifier;
  /** The streams and opens at the other engines, for limits over the whole fleet. If absent, this engine is alone. */
  readonly fleet?: FleetLimits;
  /** The main thread's row of metrics. */
  readonly metrics: MetricsRow;
  /**
   * Returns a lag in ms: the largest lag that a shard or the transcriber reports. Streams are refused while this lag
   * exceeds `lagBudget`. They are also refused while the oldest record in a serving shard's ring is older than
   * `lagBudget`.
   */
  lag(): number;
  /** Address that receives all requests except streams. */
  readonly sidecar: { readonly host: string; readonly port: number };
  readonly log: Logger;
  /** Returns whether this engine accepts traffic. `/engine/health/ready` reports the result. */
  ready(): boolean | Promise<boolean>;
  /** The native function that copies frames; absent if the native core is not in use. */
  readonly copyFrame?: FrameCopier;
  /**
   * A listener that is already open. Without it, the front opens a listener when everything else is ready. The front
   * closes the listener in both cases.
   */
  readonly listener?: Listener;
}

export interface Front {
  /** The port of the listener. If the setting is 0, this is the free port that was chosen. */
  readonly port: number;
  /** Kind and build of the listener. */
  readonly listener: Pick<ListenerApp, 'kind' | 'build'>;
  /** Builds of uWebSockets.js that were tried and rejected before the choice of the listener. */
  readonly refusedBuilds: readonly RefusedBuild[];
  /** Returns the number of open sockets. */
  activeStreams(): number;
  /**
   * Checks account and token of one user at once, or of all users with open sockets if `uid` is absent. Closes sockets
   * whose account or token has ended.
   */
  checkAccounts(uid?: string): Promise<void>;
  /** Connects a new thread in place of a lost shard. */
  replaceShard(number: number, link: ShardLink): void;
  /** Refuses all further upgrades with 503. Open streams receive `service_status` draining; event streams end. */
  stopAccepting(): void;
  /** Makes every shard finish its sessions. Resolves when every shard has finished or is lost. */
  drain(): Promise<void>;
  /** Closes every socket with 1001. Resolves when the close frames have had time to arrive. */
  closeStreams(): Promise<void>;
  /** Closes the sockets that are still open, then the listener, the requests to the sidecar and the shards' ports. */
  close(): Promise<void>;
}

/** Ms that the front waits for close frames to reach their clients, before it ends the connections. */
const closeGrace = 200;
const drainingStatus = JSON.stringify({
  type: 'service_status',
  status: 'draining',
  status_text: 'Server Restarting',
});

/**
 * Returns the age in ms of the oldest record that waits for a serving shard. Records of lost shards do not count,
 * because they no longer delay any stream.
 */
const oldestWait = (channels: readonly ShardChannel[]): number => {
  const now = ringClock();
  let oldest = 0;
  for (const channel of channels) {
    if (channel.alive) oldest = Math.max(oldest, channel.progress(now).waiting);
  }
  return oldest;
};

/**
 * Starts the listener. Streams go to the shards, all other requests to the sidecar.
 * @throws CochleaError port_taken, setting_invalid, internal.
 */
export const startFront = async (options: FrontOptions): Promise<Front> => {
  const { settings, metrics, log } = options;
  // The listener may accept connections before routes are registered. Until then it closes every connection that sends
  // a request.
  const { app, refused } = options.listener ?? (await createListenerApp(settings, log));
  const onDead = (): void => log.error('a shard is gone: its streams close 1012');
  const channelOf = (link: ShardLink): ShardChannel =>
    new ShardChannel(link, options.slotsPerShard, settings, metrics, onDead, options.copyFrame);
  const channels = options.shards.map(channelOf);
  const lag = (): number => Math.max(options.lag(), oldestWait(channels));
  const fleet = options.fleet ?? noFleet;
  const admission = new Admission(settings, channels, lag, fleet);
  const shared = { settings, verifier: options.verifier, admission, fleet, metrics, log };
  const streams = new StreamServer(shared);
  const voices = new VoiceStreams({ ...shared, target: options.sidecar });
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
  const sockets = [streams.connections, voices.connections];
  const accounts = startAccountWatch({
    sockets,
    verifier: options.verifier,
    interval: settings.accountCheckInterval,
    log,
  });
  let closed = false;

  const closeStreams = async (): Promise<void> => {
    admission.drain();
    stopHeartbeat();
    watch.stop();
    accounts.stop();
    const hadStreams = streams.connections.size + voices.connections.size + held.count > 0;
    held.close();
    passThrough.endStreams();
    for (const open of sockets) for (const socket of open) socket.refuse(new CochleaError('shutdown'));
    // The front waits, because closing a connection while the client still sends data resets it. The client may then
    // lose the close frame.
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
      admission.drain();
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
      // Closes the listener and all remaining connections.
      app.close();
      for (const channel of channels) channel.close();
    },
  };
};
