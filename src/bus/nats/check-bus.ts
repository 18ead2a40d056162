import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { isLoopback, type Settings } from '../../config/index.js';
import { parseBusServers } from '../../config/lists/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import type { BusIdentity, BusRole } from '../subjects/index.js';
import { nodeBucket, nodeStream, spillStream } from '../subjects/index.js';
import { connectAs } from './connect-as.js';
import { fullReplicas } from './kept-stream.js';
import { readNodeBucket } from './node-bucket.js';
import { connectionOptions } from './options.js';
import { readSpillStream } from './spill-stream.js';

/** Oldest supported release of the NATS server, as major and minor version. */
const oldest = [2, 12] as const;
/** Number of servers that JetStream needs, so that no data is lost when one server fails. */
const replicas = 3;
/** Maximum ms for the answer of a monitoring page. */
const monitorTimeout = 3000;

const fault = (why: string): CochleaError => new CochleaError('bus_unfit', { why });

const checkVersion = (version: string): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
    throw fault(`a server has version ${version}, and ${oldest.join('.')} is the oldest that is supported`);
  }
};

const checkJetStream = async (connection: NatsConnection): Promise<void> => {
  try {
    await (await jetstreamManager(connection, { checkAPI: false })).getAccountInfo();
  } catch (thrown) {
    throw fault(`JetStream is not available to these credentials (${reasonOf(thrown)})`);
  }
};

/** Checks the bucket of the node registry. @returns a description of the bucket for an operator. */
const checkBucket = async (connection: NatsConnection, servers: number): Promise<string> => {
  const info = await readNodeBucket(connection);
  if (info === null) return `the bucket ${nodeBucket} does not exist yet: a sidecar makes it at its start`;
  const { num_replicas: found } = info.config;
  if (connection.info?.cluster !== undefined && servers >= fullReplicas && found < fullReplicas) {
    throw fault(
      `the bucket ${nodeBucket} has ${found} of ${fullReplicas} copies; run "nats stream edit ${nodeStream} --replicas ${fullReplicas}"`,
    );
  }
  return `the bucket ${nodeBucket} has ${found} ${found === 1 ? 'copy' : 'copies'}`;
};

/** Checks the stream of spilled entries. @returns a description of the stream for an operator. */
const checkSpill = async (connection: NatsConnection, { spillKey }: Settings): Promise<string> => {
  if (spillKey === '') return 'SPILL_KEY is empty, so spilled words are only on the disk of their engine';
  const info = await readSpillStream(connection);
  if (info === null) return `the stream ${spillStream} does not exist yet: a sidecar makes it at its start`;
  const { num_replicas: found } = info.config;
  return `the stream ${spillStream} has ${found} ${found === 1 ? 'copy' : 'copies'}`;
};

/**
 * Asks the monitoring page of a server whether the server syncs every message to its disk.
 * @returns undefined if the page does not contain this setting.
 */
const syncsAlways = async (monitor: string): Promise<boolean | undefined> => {
  const answer = await fetch(new URL('/jsz?config=true', monitor), {
    signal: AbortSignal.timeout(monitorTimeout),
  });
  const { config } = (await answer.json()) as { config?: { sync_always?: boolean } };
  return config === undefined ? undefined : config.sync_always === true;
};

const describeSync = async (monitors: readonly string[], servers: number): Promise<string> => {
  if (monitors.length === 0) {
    return '"sync_interval: always" cannot be seen by a client: name the monitoring pages in NATS_MONITORS';
  }
  for (const monitor of monitors) {
    const syncs = await syncsAlways(monitor).catch((thrown: unknown) => {
      throw fault(`the monitoring page ${monitor} does not answer (${reasonOf(thrown)})`);
    });
    if (syncs !== true)
      throw fault(`the server of ${monitor} has no "sync_interval: always" in its block jetstream`);
  }
  const rest =
    servers > monitors.length ? `; NATS_MONITORS names ${monitors.length} of ${servers} servers` : '';
  return `syncs always${rest}`;
};

const lookAs = async (settings: Settings, role: BusRole): Promise<string> => {
  const identity: BusIdentity = { role, name: settings.natsName || 'doctor' };
  const options = await connectionOptions(settings, identity);
  const connection = await connectAs(settings, identity, { ...options, reconnect: false });
  try {
    const { version = '0', cluster } = connection.info ?? {};
    checkVersion(version);
    await checkJetStream(connection);
    const known = connection.getServers().length;
    const local = parseBusServers(settings.natsUrl).every(({ hostname }) => isLoopback(hostname));
    if (!local && (cluster === undefined || known < replicas)) {
      throw fault(`JetStream needs ${replicas} servers in a cluster, and ${known} are known here`);
    }
    const size = cluster === undefined ? 'one server' : `${known} servers`;
    const bucket = await checkBucket(connection, known);
    const spill = await checkSpill(connection, settings);
    return `nats-server ${version}, ${size}, ${bucket}, ${spill}, ${await describeSync(settings.natsMonitors, known)}`;
  } finally {
    await connection.close();
  }
};

/**
 * Checks the TLS and the release of the servers, and the credentials of each role. The credentials must belong to
 * `NATS_NAME` and the role. JetStream must be available on three servers that sync every message. The node registry
 * must have three copies. Fewer servers and copies are permitted only on loopback addresses.
 * @returns a description of the bus for an operator.
 * @throws CochleaError `bus_refused`, `bus_unreachable`, `bus_unfit`, `setting_invalid`
 */
export const checkBus = async (settings: Settings): Promise<string> => {
  const { natsEngineCredentials, natsSidecarCredentials } = settings;
  const roles: BusRole[] = [];
  if (natsEngineCredentials !== '') roles.push('engine');
  if (natsSidecarCredentials !== '') roles.push('sidecar');
  const transport = parseBusServers(settings.natsUrl)[0]!.tls ? 'TLS' : 'plain, on this machine only';
  if (roles.length === 0) return `${await lookAs(settings, 'engine')}; ${transport}, without credentials`;
  let finding = '';
  for (const role of roles) finding = await lookAs(settings, role);
  return `${finding}; ${transport}, with credentials of ${roles.join(' and ')}`;
};
