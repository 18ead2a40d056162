import type { Settings } from '../../config/index.js';

/** Ms that a child process may take to close in addition to the time for draining. */
const closingGrace = 10_000;

/** Ms that an engine or a sidecar may take to close before it is ended. */
export const closingBound = ({ drainTimeout }: Pick<Settings, 'drainTimeout'>): number =>
  drainTimeout + closingGrace;
