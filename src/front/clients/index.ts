/** Determines a client's address, device and origin before its stream opens, and counts its open streams. */
export { clientAddressReader, type ReadClientAddress } from './client-address.js';
export { type ClientDevice, clientDevice } from './device.js';
export { type FleetLimits, type LimitKind, noFleet } from './fleet-limits.js';
export { refuseForwarded } from './forwarding-headers.js';
export { originCheck } from './origins.js';
export { Quota } from './quota.js';
