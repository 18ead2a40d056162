import type { Settings } from '../config/index.js';

/** Ms beyond the drain's own bound that a child may take to close. */
const closingGrace = 10_000;

/** Ms that an engine or a sidecar may take to close before it is ended. */
export const closingBound = ({ drainTimeout }: Pick<Settings, 'drainTimeout'>): number =>
  drainTimeout + closingGrace;
