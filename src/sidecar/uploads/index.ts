export { receiveFiles } from './receive-files.js';
