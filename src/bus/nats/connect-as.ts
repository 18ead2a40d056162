import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import { within } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { type BusIdentity, inboxOf } from '../subjects/index.js';
import { connectionError } from './refusals.js';

/** Maximum ms until the server has answered the check of the credentials. A healthy server needs one round trip. */
const answerTimeout = 2000;

/**
 * Subscribes to the inbox of a role and name, which servers permit only to the credentials of this role and name.
 * Servers answer in order, so a refusal of the subscription arrives before the answer to the later `flush`.
 * @throws PermissionViolationError if the credentials belong to another name or role.
 */
const checkInbox = async (connection: NatsConnection, { role, name }: BusIdentity): Promise<void> => {
  let refusal: Error | null = null;
  const subscription = connection.subscribe(`${inboxOf(role, name)}.start`, {
    callback: (error) => {
      refusal ??= error;
    },
  });
  const late = (): never => {
    throw new Error('the server does not answer');
  };
  await within(connection.flush(), answerTimeout, late);
  if (refusal !== null) throw refusal;
  subscription.unsubscribe();
};

/**
 * Connects, and checks that the credentials belong to the role and name of this process.
 * @throws CochleaError `bus_refused`, `bus_unreachable`
 */
export const connectAs = async (
  settings: Settings,
  identity: BusIdentity,
  options: ConnectionOptions,
): Promise<NatsConnection> => {
  let connection: NatsConnection | undefined;
  try {
    connection = await connect(options);
    await checkInbox(connection, identity);
    return connection;
  } catch (thrown) {
    await connection?.close();
    throw connectionError(settings, identity, thrown);
  }
};
