import { tableOf } from './table.js';

process.stdout.write(tableOf());
