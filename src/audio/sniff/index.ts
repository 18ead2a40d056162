/** Recognises the container of a file by its first bytes. */
export { acceptedEndings } from './accepted-endings.js';
export { type Container, containerOf, isSurelyFile, sniffedBytes } from './container.js';
export { adtsHeadAt, frameHeadAt, sureBytes, sureHeadAt } from './mpeg-head.js';
export { anyTagBytes, bytesBeforeFoot, tagBytes, tagHeadBytes } from './tags.js';
