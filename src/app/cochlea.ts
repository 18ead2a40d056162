#!/usr/bin/env node
import { program } from './program.js';

// A reader that goes away (`cochlea settings | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

await program().parseAsync();
