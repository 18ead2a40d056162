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

/** Returns the prefix of the subjects on which a process gets answers of the servers. */
export const inboxOf = (role: BusRole, name: string): string => `_INBOX.${role}.${name}`;

const channels = Object.keys(busChannels) as BusChannel[];
const has = (roles: readonly BusRole[], role: BusRole): boolean => roles.includes(role);

/**
 * What each role does with the node registry beside asking for its settings. Engines write their own entries, and read
 * entries. Sidecars make the bucket.
 *
 * A client names the subject of an answer freely, and the servers do not check it. So no permitted request may lead to
 * an answer whose bytes the client chose. Such an answer could be a request to JetStream, with all rights of the
 * account. `DIRECT.GET` and consumers are therefore not permitted, because they deliver stored bytes to any subject.
 * The answers to permitted requests are JSON of the server.
 */
const registry = (role: BusRole, name: string): Permissions =>
  role === 'engine'
    ? {
        publish: [ownNodeSubjects(role, name), `$JS.API.STREAM.MSG.GET.${nodeStream}`],
        subscribe: [nodeSubjects(role), messagesTo(name)],
      }
    : { publish: [`$JS.API.STREAM.CREATE.${nodeStream}`], subscribe: [] };

/**
 * What each role does with the stream of spilled entries beside asking for its settings. Engines add to it on their own
 * subjects, and can neither read nor remove. Sidecars make it, read entries, and remove those that are in the database.
 */
const spill = (role: BusRole): readonly string[] =>
  role === 'engine'
    ? []
    : ['CREATE', 'MSG.GET', 'MSG.DELETE', 'PURGE'].map(
        (request) => `$JS.API.STREAM.${request}.${spillStream}`,
      );

/**
 * Returns what a process may publish and read. It publishes only under its own role and name. So other processes can
 * trust the name in a subject. `$JS.API.INFO` only asks whether JetStream is available.
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
