import { jetstream, type StreamInfo } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { fixedLimits } from '../../config/limits/index.js';
import type { Logger } from '../../log/index.js';
import { bucketSubjects, nodeBucket, nodeStream, nodeSubjects } from '../subjects/index.js';
import { type KeptStream, makeStream, readStream } from './kept-stream.js';

/**
 * Settings of the bucket that its readers rely on. With `allow_rollup_hdrs`, a writer could remove the entries of
 * others. With `allow_direct`, a reader could make the server send stored bytes to JetStream as a request, with all
 * rights of the account.
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

const bucket: KeptStream = {
  name: nodeStream,
  shown: `the bucket ${nodeBucket}`,
  subjects: [bucketSubjects],
  required,
  deletable: '',
};

/**
 * Reads the bucket of the node registry and the subjects of the engines in it.
 * @returns null if the bucket was not made yet.
 * @throws CochleaError `bus_unfit` if JetStream does not answer or the bucket has wrong settings.
 */
export const readNodeBucket = (connection: NatsConnection): Promise<StreamInfo | null> =>
  readStream(connection, bucket, nodeSubjects('engine'));

/**
 * Opens the bucket for reading. The servers return stored values inside JSON. So an answer of a server never consists
 * only of bytes that an engine has stored.
 */
export const openNodeBucket = (connection: NatsConnection): Promise<KV> =>
  new Kvm(jetstream(connection)).open(nodeBucket, { allow_direct: false });

/** Makes the bucket unless it exists. In a cluster of three servers, it has three copies. @throws CochleaError `bus_unfit` */
export const makeNodeBucket = async (connection: NatsConnection, log: Logger): Promise<void> => {
  if ((await readNodeBucket(connection)) !== null) return;
  const replicas = await makeStream(connection, bucket);
  log.info({ bucket: nodeBucket, replicas }, 'made the bucket of the node registry');
};
