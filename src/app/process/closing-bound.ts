import type { Settings } from '../../config/index.js';

/** Ms that a child process may take to close after its streams are drained. */
const closingGrace = 10_000;

/** Returns the number of ms that an engine or a sidecar may take to close before it is killed. */
export const closingBound = ({ drainTimeout }: Pick<Settings, 'drainTimeout'>): number =>
  drainTimeout + closingGrace;
