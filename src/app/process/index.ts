/**
 * Life of a process: flags, signals, child processes, uncaught errors, the lock of the data folder, closing steps.
 */
export { action, asCochleaError, lineOf } from './action.js';
export { engineFlags, sidecarFlags, transcriberFlags } from './child-flags.js';
export { type Service, serve } from './child-link.js';
export { closingBound } from './closing-bound.js';
export { ClosingOrder, leaveTimeout } from './closing-order.js';
export { type ClosingProcess, closingProcesses, type EnginePart, engineParts } from './closing-steps.js';
export { type DataLock, takeDataLock } from './data-lock.js';
export { onEscapedError } from './escaped-errors.js';
export { ManagedChild } from './managed-child.js';
export { type JsonOption, print } from './print.js';
export { exitCodeOf, onEndingSignals, refuseDebugger } from './signals.js';
