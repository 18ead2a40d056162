/**
 * Shares the number of streams and opens of users and addresses between the engines of a fleet, for the limits of each
 * engine.
 */

export { FleetUsage, type FleetUsageOptions } from './fleet-usage.js';
export { isUsage, type UsageKind } from './messages.js';
