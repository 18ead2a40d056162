#!/usr/bin/env node
import { program } from './program.js';
import { forbidTelemetry } from './telemetry.js';

forbidTelemetry();

// A reader of the output that ends early (`cochlea settings | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

await (await program(process.argv[2])).parseAsync();
