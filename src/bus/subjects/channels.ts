/** A role of a process on the bus. Each role has its own credentials and permissions. */
export type BusRole = 'engine' | 'sidecar';

/** Who sends and reads the events of a channel, and what they contain. */
interface Channel {
  readonly from: readonly BusRole[];
  readonly to: readonly BusRole[];
  /**
   * Place of the id in an event: at the end of the subject, or in the payload. `none`: events have no id, because
   * readers need none.
   */
  readonly id: 'subject' | 'payload' | 'none';
  /** Whether events are sent through the database while the bus is unavailable. Such events are rare. */
  readonly urgent: boolean;
}

/** The channels of the bus. Each channel has the name of the database notification that it replaces. */
export const busChannels = {
  /** A conversation waits for its summary. */
  conversation_finished: { from: ['engine', 'sidecar'], to: ['sidecar'], id: 'none', urgent: false },
  /** A conversation is complete. An engine subscribes only to the conversations that its streams wait for. */
  conversation_completed: { from: ['sidecar'], to: ['engine'], id: 'subject', urgent: false },
  /** The tokens of a user have become invalid, because the account is deleted or the user has signed out everywhere. */
  account_changed: { from: ['sidecar'], to: ['engine', 'sidecar'], id: 'payload', urgent: true },
} as const satisfies Readonly<Record<string, Channel>>;

export type BusChannel = keyof typeof busChannels;

/** Ids that a subject can contain: no dots, blanks or wildcards. */
const subjectId = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns the subject on which a process publishes an event. It contains the role and the name of the process. The
 * servers permit such a subject only to the credentials of this role and name.
 * @returns null if the id cannot be part of a subject.
 */
export const ownSubject = (role: BusRole, name: string, channel: BusChannel, id: string): string | null => {
  const subject = `cochlea.${role}.${name}.${channel}`;
  if (busChannels[channel].id !== 'subject') return subject;
  return subjectId.test(id) ? `${subject}.${id}` : null;
};

/**
 * Returns the subjects on which events of a channel arrive.
 * @param id for a channel that has ids in its subjects: the id of the events; "*" selects the events of all ids.
 */
export const readSubjects = (channel: BusChannel, id = '*'): string[] => {
  const { from, id: place }: Channel = busChannels[channel];
  return from.map((role) => `cochlea.${role}.*.${channel}${place === 'subject' ? `.${id}` : ''}`);
};
