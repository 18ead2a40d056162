export { type Container, containerOf, sniffedBytes } from './container.js';
export { frameHeadAt, frameHeadBytes, sureBytes, sureHeadAt } from './mpeg-head.js';
export { anyTagBytes, bytesBeforeFoot, tagBytes, tagHeadBytes } from './tags.js';
