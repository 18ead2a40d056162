/** Connects the front to the shards: message channels, stream slots, queues of control records, budgets of users. */
export { chooseShard } from './choose-shard.js';
export { ShardChannel } from './shard-channel.js';
export { ShardWatch } from './shard-watch.js';
export { leastCost, TextBudget, type TextLimits, type UserBudget, UserBudgets } from './user-budget.js';
