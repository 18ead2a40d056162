import { jetstreamManager, type StreamConfig, type StreamInfo } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { spillStream, spillSubjects } from '../subjects/index.js';
import { bucketReplicas, forbiddenFeatures } from './node-bucket.js';

/** Bytes of a message beside the copy itself: how it is sealed, and the headers of the publisher. */
const messageOverhead = 1024;

/**
 * Settings of the stream that writers and readers rely on. A full stream refuses copies, because it must not remove others
 * that were acknowledged. `allow_direct` would let a reader send stored bytes to the interface of JetStream.
 */
const required = {
  retention: 'limits',
  storage: 'file',
  discard: 'new',
  max_age: nanos(fixedLimits.spillCopiesAge.value),
  max_msg_size: fixedLimits.spillCopy.value + messageOverhead,
  max_msgs: -1,
  max_msgs_per_subject: -1,
  max_consumers: -1,
  allow_direct: false,
  allow_rollup_hdrs: false,
} as const;

const unfit = (why: string, cause?: unknown): CochleaError =>
  new CochleaError('bus_unfit', { why }, { cause });

/** Returns the setting of a stream that differs from what its users rely on; undefined if there is none. */
const wrongSetting = (config: StreamConfig): string | undefined => {
  const given = config as unknown as Readonly<Record<string, unknown>>;
  if (config.subjects?.join() !== spillSubjects.join()) return 'subjects';
  const differs = Object.entries(required).find(([name, value]) => (given[name] ?? false) !== value);
  return differs?.[0] ?? forbiddenFeatures.find((name) => Boolean(given[name]));
};

/** Number of copies that the cluster of a connection should have. */
export const wantedReplicas = (connection: NatsConnection): number =>
  connection.info?.cluster !== undefined && connection.getServers().length >= bucketReplicas
    ? bucketReplicas
    : 1;

/**
 * Reads the stream of spilled entries.
 * @param filter subjects to count; by default none.
 * @returns null if the stream was not made yet.
 * @throws CochleaError `bus_unfit` if JetStream does not answer or the stream has other settings or too few copies.
 */
export const readSpillStream = async (
  connection: NatsConnection,
  filter?: string,
): Promise<StreamInfo | null> => {
  let info: StreamInfo;
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    info = await manager.streams.info(spillStream, filter === undefined ? {} : { subjects_filter: filter });
  } catch (thrown) {
    if (reasonOf(thrown).includes('stream not found')) return null;
    throw unfit(`the stream ${spillStream} cannot be read (${reasonOf(thrown)})`, thrown);
  }
  const wrong = wrongSetting(info.config);
  if (wrong !== undefined) {
    throw unfit(
      `the stream ${spillStream} has another "${wrong}"; while the database is available, delete it ("nats stream rm ${spillStream}"), and a sidecar makes it again`,
    );
  }
  const wanted = wantedReplicas(connection);
  if (info.config.num_replicas < wanted) {
    throw unfit(
      `the stream ${spillStream} has ${info.config.num_replicas} of ${wanted} copies; run "nats stream edit ${spillStream} --replicas ${wanted}"`,
    );
  }
  return info;
};

/** Makes the stream unless it exists. In a cluster of three servers, it has three copies. @throws CochleaError `bus_unfit` */
export const makeSpillStream = async (connection: NatsConnection, log: Logger): Promise<void> => {
  if ((await readSpillStream(connection)) !== null) return;
  const num_replicas = wantedReplicas(connection);
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const max_bytes = fixedLimits.spillCopiesSize.value;
    const subjects = [...spillSubjects];
    await manager.streams.add({ name: spillStream, subjects, num_replicas, max_bytes, ...required });
  } catch (thrown) {
    throw unfit(`the stream ${spillStream} cannot be made (${reasonOf(thrown)})`, thrown);
  }
  log.info({ stream: spillStream, replicas: num_replicas }, 'made the stream of spilled entries');
};
