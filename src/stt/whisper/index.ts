/** Decodes speech with Whisper, in a child process. */
export { type ChildExit, startChild, type TranscriberChild, transcriberProcess } from './decoder-child.js';
