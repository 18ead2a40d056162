#!/usr/bin/env node
import { program } from './program.js';
import { forbidTelemetry } from './telemetry.js';

forbidTelemetry();

// A program that closes this output early (`cochlea settings | head`) must not cause an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

await (await program(process.argv[2])).parseAsync();
