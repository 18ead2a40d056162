/** A whole fleet on one machine, as a tool for operators and tests: `npm run fleet`. */
export { attachLaptopFleet, LaptopFleet, openLaptopFleet } from './fleet.js';
export type { FleetOptions } from './open.js';
export type { FleetState, Part, Role } from './state.js';
export type { FleetStatus, PartStatus } from './status.js';
