import type { Node } from '../members/index.js';
import type { BusRole } from './channels.js';

/** Pattern for the id of an engine process: `NAME.PROCESS`. A machine has at most 64 processes. */
const nodeId = /^[A-Za-z0-9_-]{1,64}\.(?:[0-9]|[1-5][0-9]|6[0-3])$/;

/** The bucket of the node registry. */
export const nodeBucket = 'cochlea_nodes';
/** Name of the stream in which NATS stores the bucket. */
export const nodeStream = `KV_${nodeBucket}`;
const prefix = `$KV.${nodeBucket}`;

/** Returns a pattern for the subjects of all nodes of a role. */
export const nodeSubjects = (role: BusRole): string => `${prefix}.${role}.*.*`;
/** The subjects that the credentials of a role and name may publish to. */
export const ownNodeSubjects = (role: BusRole, name: string): string => `${prefix}.${role}.${name}.*`;
export const bucketSubjects = `${prefix}.>`;

/** Returns the key of a node in the bucket. `nodeSubject` returns the NATS subject of the same node. */
export const nodeKey = (role: BusRole, id: string): string => `${role}.${id}`;
export const nodeSubject = (role: BusRole, id: string): string => `${prefix}.${nodeKey(role, id)}`;

/** Returns the id of the node in a subject of a role; null if the subject contains none. */
export const nodeIdOf = (role: BusRole, subject: string): string | null => {
  const start = `${prefix}.${role}.`;
  if (!subject.startsWith(start)) return null;
  const id = subject.slice(start.length);
  return nodeId.test(id) ? id : null;
};

/**
 * Returns the subject of a message from one engine process to another. The servers permit this subject only to the
 * credentials of the sender's machine.
 */
export const messageSubject = (from: string, to: string): string => `cochlea.engine.${from}.to.${to}`;
/** Returns a pattern for the subjects of all messages to the engine processes of a machine. */
export const messagesTo = (name: string): string => `cochlea.engine.*.*.to.${name}.*`;

/** Returns the sender and the receiver in the subject of a message; null if the subject is not that of a message. */
export const readMessageSubject = (
  subject: string,
): { readonly from: string; readonly to: string } | null => {
  const [, from = '', to = ''] = /^cochlea\.engine\.([^.]+\.[^.]+)\.to\.([^.]+\.[^.]+)$/.exec(subject) ?? [];
  return nodeId.test(from) && nodeId.test(to) ? { from, to } : null;
};

/**
 * Returns the value that a node writes under its key, which says whether the node is alive or has ended. Answers of
 * servers do not have this form.
 */
export const nodeValue = (state: 'alive' | 'ended', run: string): string => `${state}:${run}`;

/** Reads a value that `nodeValue` made. @returns null for any other text. */
export const readNodeValue = (
  id: string,
  value: string,
): { readonly state: 'alive' | 'ended'; readonly node: Node } | null => {
  const [, state, run] = /^(alive|ended):([0-9a-f]{8})$/.exec(value) ?? [];
  return state === undefined ? null : { state: state as 'alive' | 'ended', node: { id, run: run! } };
};
