import { jetstreamManager, type StreamConfig, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { CochleaError, reasonOf } from '../../errors/index.js';

/** Number of copies of a stream if the cluster has at least this number of servers. */
export const fullReplicas = 3;

/**
 * Features of streams that copy messages to other places, or that obey headers of a message's writer. No stream of a
 * fleet may have such a feature.
 */
const forbiddenFeatures = [
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

/** A stream that sidecars make. Readers and writers check its settings. */
export interface KeptStream {
  readonly name: string;
  /** Name of the stream in error messages. */
  readonly shown: string;
  readonly subjects: readonly string[];
  /** Settings that readers and writers rely on. */
  readonly required: Readonly<Partial<StreamConfig>>;
  /**
   * Beginning of the advice in the error message: the condition under which an operator may delete a stream that has
   * wrong settings. Empty if there is no condition.
   */
  readonly deletable: string;
}

export const unfit = (why: string, cause?: unknown): CochleaError =>
  new CochleaError('bus_unfit', { why }, { cause });

/** Returns the name of a setting whose value differs from the required value; undefined if all settings are right. */
const wrongSetting = (config: StreamConfig, { subjects, required }: KeptStream): string | undefined => {
  const given = config as unknown as Readonly<Record<string, unknown>>;
  if (config.subjects?.join() !== subjects.join()) return 'subjects';
  const differs = Object.entries(required).find(([name, value]) => (given[name] ?? false) !== value);
  return differs?.[0] ?? forbiddenFeatures.find((name) => Boolean(given[name]));
};

/** Returns the number of copies that a stream should have in the cluster to which a connection belongs. */
export const wantedReplicas = (connection: NatsConnection): number =>
  connection.info?.cluster !== undefined && connection.getServers().length >= fullReplicas ? fullReplicas : 1;

/**
 * Reads a stream.
 * @param filter subjects whose messages are counted; by default none.
 * @returns null if the stream was not made yet.
 * @throws CochleaError `bus_unfit` if JetStream does not answer or the stream has wrong settings.
 */
export const readStream = async (
  connection: NatsConnection,
  stream: KeptStream,
  filter?: string,
): Promise<StreamInfo | null> => {
  const { name, shown, deletable } = stream;
  let info: StreamInfo;
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    info = await manager.streams.info(name, filter === undefined ? {} : { subjects_filter: filter });
  } catch (thrown) {
    if (reasonOf(thrown).includes('stream not found')) return null;
    throw unfit(`${shown} cannot be read (${reasonOf(thrown)})`, thrown);
  }
  const wrong = wrongSetting(info.config, stream);
  if (wrong !== undefined) {
    throw unfit(
      `${shown} has another "${wrong}"; ${deletable}delete it ("nats stream rm ${name}"), and a sidecar makes it again`,
    );
  }
  return info;
};

/**
 * Makes a stream. In a cluster of three servers, it has three copies.
 * @param more settings that an operator may change later.
 * @returns the number of copies.
 * @throws CochleaError `bus_unfit`
 */
export const makeStream = async (
  connection: NatsConnection,
  { name, shown, subjects, required }: KeptStream,
  more: Readonly<Partial<StreamConfig>> = {},
): Promise<number> => {
  const num_replicas = wantedReplicas(connection);
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await manager.streams.add({ name, subjects: [...subjects], num_replicas, ...more, ...required });
  } catch (thrown) {
    throw unfit(`${shown} cannot be made (${reasonOf(thrown)})`, thrown);
  }
  return num_replicas;
};
