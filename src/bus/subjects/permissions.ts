import { type BusChannel, type BusRole, busChannels, readSubjects } from './channels.js';

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
 * Returns what a process may publish and read. It publishes only under its own role and name. So other processes can
 * trust the name in a subject. `$JS.API.INFO` only asks whether JetStream is available.
 */
export const permissionsOf = (role: BusRole, name: string): Permissions => ({
  publish: [`cochlea.${role}.${name}.>`, '$JS.API.INFO'],
  subscribe: [
    ...channels
      .filter((channel) => has(busChannels[channel].to, role))
      .flatMap((channel) => readSubjects(channel)),
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
