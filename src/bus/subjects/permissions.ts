import { type BusChannel, type BusRole, busChannels, readSubjects } from './channels.js';
import { messagesTo, nodeStream, nodeSubjects, ownNodeSubjects } from './nodes.js';
import { spillStream } from './spill-subjects.js';

/** All subjects that the credentials of a process may use. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** A user of the NATS account: a role, the name of a machine, and the public key of its credentials. */
export interface BusUser {
  readonly role: BusRole;
  readonly name: string;
  readonly publicKey: string;
}

/** Returns the prefix of the subjects on which a process receives answers of the servers. */
export const inboxOf = (role: BusRole, name: string): string => `_INBOX.${role}.${name}`;

const channels = Object.keys(busChannels) as BusChannel[];
const has = (roles: readonly BusRole[], role: BusRole): boolean => roles.includes(role);

/**
 * Returns the permissions of a role for the node registry, without the permission to read its settings. Engines write
 * their own entries and read all entries. Sidecars make the bucket.
 *
 * A client can choose any subject for the answer to its request, and the servers do not check this subject. So no
 * permitted request may lead to an answer whose bytes the client has chosen. Such an answer could itself be a request
 * to JetStream, with all rights of the account. `DIRECT.GET` and consumers are therefore not permitted, because they
 * deliver stored bytes to any subject. The answers to permitted requests are JSON of the server.
 */
const registry = (role: BusRole, name: string): Permissions =>
  role === 'engine'
    ? {
        publish: [ownNodeSubjects(role, name), `$JS.API.STREAM.MSG.GET.${nodeStream}`],
        subscribe: [nodeSubjects(role), messagesTo(name)],
      }
    : { publish: [`$JS.API.STREAM.CREATE.${nodeStream}`], subscribe: [] };

/**
 * Returns the requests to the stream of spilled entries that a role may send, without the request for its settings.
 * Engines only add copies on their own subjects. Sidecars make the stream, read copies, and remove copies whose entries
 * are in the database.
 */
const spill = (role: BusRole): readonly string[] =>
  role === 'engine'
    ? []
    : ['CREATE', 'MSG.GET', 'MSG.DELETE', 'PURGE'].map(
        (request) => `$JS.API.STREAM.${request}.${spillStream}`,
      );

/**
 * Returns the subjects that a process may publish to and subscribe to. A process can publish only under its own role
 * and name, so other processes can trust the name in a subject. `$JS.API.INFO` only asks whether JetStream is
 * available.
 */
export const permissionsOf = (role: BusRole, name: string): Permissions => ({
  publish: [
    `cochlea.${role}.${name}.>`,
    '$JS.API.INFO',
    `$JS.API.STREAM.INFO.${nodeStream}`,
    `$JS.API.STREAM.INFO.${spillStream}`,
    ...registry(role, name).publish,
    ...spill(role),
  ],
  subscribe: [
    ...channels
      .filter((channel) => has(busChannels[channel].to, role))
      .flatMap((channel) => readSubjects(channel)),
    ...registry(role, name).subscribe,
    `${inboxOf(role, name)}.>`,
  ],
});

const listOf = (subjects: readonly string[]): string => subjects.map((subject) => `"${subject}"`).join(', ');

/** Returns the block `accounts` for the configuration of every NATS server. It contains public keys only. */
export const serverAccounts = (users: readonly BusUser[]): string[] => [
  'accounts {',
  '  COCHLEA {',
  '    jetstream: enabled',
  '    users: [',
  ...users.flatMap(({ role, name, publicKey }) => {
    const { publish, subscribe } = permissionsOf(role, name);
    return [
      `      # ${role} ${name}`,
      `      { nkey: ${publicKey}, permissions: {`,
      `        publish: { allow: [${listOf(publish)}] }`,
      `        subscribe: { allow: [${listOf(subscribe)}] }`,
      '      } }',
    ];
  }),
  '    ]',
  '  }',
  '}',
];
