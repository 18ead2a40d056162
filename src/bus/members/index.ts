/** The living engines of a fleet, and the choice of an engine as the home of a key. */
export { homeOf } from './home.js';
export { type Members, type Node, usageMark } from './members.js';
export { machineOf, NameBudgets } from './name-budgets.js';
export { registrationOf } from './registration.js';
export { Roster } from './roster.js';
