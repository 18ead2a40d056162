import { jetstream, jetstreamManager, type StreamConfig, type StreamInfo } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { bucketSubjects, nodeBucket, nodeStream, nodeSubjects } from '../subjects/index.js';

/** Number of copies of the bucket if the cluster has as many servers. */
export const bucketReplicas = 3;

/**
 * Settings of the bucket that its readers rely on. `allow_rollup_hdrs` would let a writer remove the entries of others.
 * `allow_direct` would let a reader send stored bytes to the interface of JetStream, with all rights of the account.
 */
const required = {
  retention: 'limits',
  storage: 'file',
  max_msgs_per_subject: 1,
  max_age: nanos(fixedLimits.busNodeExpiry.value),
  max_bytes: 1_048_576,
  max_msg_size: 256,
  allow_direct: false,
  allow_rollup_hdrs: false,
  deny_delete: true,
  deny_purge: true,
} as const;

/** Features of streams that copy messages to other places or act on headers of a writer. No stream of a fleet has one. */
export const forbiddenFeatures = [
  'mirror',
  'sources',
  'republish',
  'subject_transform',
  'allow_msg_ttl',
  'allow_msg_schedules',
  'allow_msg_counter',
  'allow_atomic',
  'no_ack',
] as const;

const unfit = (why: string, cause?: unknown): CochleaError =>
  new CochleaError('bus_unfit', { why }, { cause });

/** Returns the setting of a bucket that differs from what readers rely on; undefined if there is none. */
const wrongSetting = (config: StreamConfig): string | undefined => {
  const given = config as unknown as Readonly<Record<string, unknown>>;
  if (config.subjects?.join() !== bucketSubjects) return 'subjects';
  const differs = Object.entries(required).find(([name, value]) => (given[name] ?? false) !== value);
  return differs?.[0] ?? forbiddenFeatures.find((name) => Boolean(given[name]));
};

/**
 * Reads the bucket of the node registry and the subjects of the engines in it.
 * @returns null if the bucket was not made yet.
 * @throws CochleaError `bus_unfit` if JetStream does not answer or the bucket has other settings.
 */
export const readNodeBucket = async (connection: NatsConnection): Promise<StreamInfo | null> => {
  let info: StreamInfo;
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    info = await manager.streams.info(nodeStream, { subjects_filter: nodeSubjects('engine') });
  } catch (thrown) {
    if (reasonOf(thrown).includes('stream not found')) return null;
    throw unfit(`the bucket ${nodeBucket} cannot be read (${reasonOf(thrown)})`, thrown);
  }
  const wrong = wrongSetting(info.config);
  if (wrong !== undefined) {
    throw unfit(
      `the bucket ${nodeBucket} has another "${wrong}"; delete it ("nats stream rm ${nodeStream}"), and a sidecar makes it again`,
    );
  }
  return info;
};

/** Opens the bucket for reading. Values come in JSON, so that a stored value is never the answer of a server itself. */
export const openNodeBucket = (connection: NatsConnection): Promise<KV> =>
  new Kvm(jetstream(connection)).open(nodeBucket, { allow_direct: false });

/** Makes the bucket unless it exists. In a cluster of three servers, it has three copies. @throws CochleaError `bus_unfit` */
export const makeNodeBucket = async (connection: NatsConnection, log: Logger): Promise<void> => {
  if ((await readNodeBucket(connection)) !== null) return;
  const clustered = connection.info?.cluster !== undefined;
  const num_replicas = clustered && connection.getServers().length >= bucketReplicas ? bucketReplicas : 1;
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await manager.streams.add({ name: nodeStream, subjects: [bucketSubjects], num_replicas, ...required });
  } catch (thrown) {
    throw unfit(`the bucket ${nodeBucket} cannot be made (${reasonOf(thrown)})`, thrown);
  }
  log.info({ bucket: nodeBucket, replicas: num_replicas }, 'made the bucket of the node registry');
};
