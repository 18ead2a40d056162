import type { StreamInfo } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { fixedLimits } from '../../config/limits/index.js';
import type { Logger } from '../../log/index.js';
import { spillStream, spillSubjects } from '../subjects/index.js';
import { type KeptStream, makeStream, readStream, unfit, wantedReplicas } from './kept-stream.js';

/** Number of bytes that a message has in addition to the copied entry, for the seal and the headers. */
const messageOverhead = 1024;

/**
 * Settings of the stream that writers and readers rely on. A full stream refuses new copies, because it must not remove
 * copies that were acknowledged. With `allow_direct`, a reader could make the server send stored bytes to JetStream as
 * a request.
 */
const required = {
  retention: 'limits',
  storage: 'file',
  discard: 'new',
  max_age: nanos(fixedLimits.spillCopiesAge.value),
  max_msg_size: fixedLimits.spillCopy.value + messageOverhead,
  max_msgs_per_subject: -1,
  max_consumers: -1,
  allow_direct: false,
  allow_rollup_hdrs: false,
} as const;

const copies: KeptStream = {
  name: spillStream,
  shown: `the stream ${spillStream}`,
  subjects: spillSubjects,
  required,
  deletable: 'while the database is available, ',
};

/**
 * Reads the settings and the size of the stream of spilled entries.
 * @returns null if the stream was not made yet.
 * @throws CochleaError `bus_unfit` if JetStream does not answer or the stream has other settings or too few copies.
 */
export const readSpillStream = async (connection: NatsConnection): Promise<StreamInfo | null> => {
  const info = await readStream(connection, copies);
  if (info === null) return null;
  const wanted = wantedReplicas(connection);
  if (info.config.num_replicas < wanted) {
    throw unfit(
      `${copies.shown} has ${info.config.num_replicas} of ${wanted} copies; run "nats stream edit ${spillStream} --replicas ${wanted}"`,
    );
  }
  return info;
};

/** Makes the stream unless it exists. In a cluster of three servers, it has three copies. @throws CochleaError `bus_unfit` */
export const makeSpillStream = async (connection: NatsConnection, log: Logger): Promise<void> => {
  if ((await readSpillStream(connection)) !== null) return;
  const replicas = await makeStream(connection, copies, {
    max_bytes: fixedLimits.spillCopiesSize.value,
    max_msgs: fixedLimits.spillCopiesCount.value,
  });
  log.info({ stream: spillStream, replicas }, 'made the stream of spilled entries');
};

/** Returns how full the stream is, from 0 to 1. A limit that an operator has removed does not count. */
export const fullnessOf = ({ config, state }: StreamInfo): number =>
  Math.max(
    config.max_bytes > 0 ? state.bytes / config.max_bytes : 0,
    config.max_msgs > 0 ? state.messages / config.max_msgs : 0,
  );
