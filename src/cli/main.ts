#!/usr/bin/env node
import { runHere } from './run-here.js';

await runHere(process.argv.slice(2), 'cochlea-user');
