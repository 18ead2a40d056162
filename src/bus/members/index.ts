/** The engines of a fleet that are alive, and the home of a key among them. */
export { homeOf } from './home.js';
export { type Members, type Node, usageMark } from './members.js';
export { machineOf, NameBudgets } from './name-budgets.js';
export { registrationOf } from './registration.js';
export { Roster } from './roster.js';
