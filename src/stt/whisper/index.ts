export { type ChildExit, startChild, type TranscriberChild, transcriberProcess } from './decoder-child.js';
