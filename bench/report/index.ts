export {
  type Machine,
  parseReport,
  type Report,
  type Row,
  reportSchema,
  type SelfNoiseRow,
  type Series,
  type Settings,
  type Skip,
  type SuiteOutcome,
} from './envelope.js';
export { type CostName, type DimensionName, fields } from './fields.js';
export { addOutcome, printHead, printOutcome, type ReportOptions, startReport } from './report.js';
export { printTable, table } from './table.js';
export { type ReportFiles, writeReport } from './write.js';
