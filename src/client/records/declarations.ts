/** The command line imports nothing but the client, so the client passes declarations on. */
export * from '../../wire/records/index.js';
