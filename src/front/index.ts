export { chooseListener } from './choose-listener.js';
export { type Front, type FrontOptions, startFront } from './front.js';
export { type Listener, openListener } from './open-listener.js';
export type { ShardLink } from './shards/shard-channel.js';
