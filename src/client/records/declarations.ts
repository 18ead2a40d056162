/** The command line imports only the client, so the client re-exports declarations. */
export * from '../../wire/records/index.js';
