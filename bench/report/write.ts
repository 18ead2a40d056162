import { writeFileSync } from 'node:fs';
import { parseReport, type Report } from './envelope.js';
import { htmlOf } from './html.js';
import { markdownOf } from './markdown.js';

/** Paths of the files that a report is written to. */
export interface ReportFiles {
  readonly json?: string;
  readonly markdown?: string;
  /** Path of a self-contained HTML page. */
  readonly html?: string;
}

/**
 * Writes a report to the requested files.
 * @returns the validated report.
 * @throws Error when the report is invalid, before anything is written.
 */
export const writeReport = (report: Report, { json, markdown, html }: ReportFiles): Report => {
  const checked = parseReport(report);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(checked, null, 2)}\n`);
  if (markdown !== undefined) writeFileSync(markdown, markdownOf(checked));
  if (html !== undefined) writeFileSync(html, htmlOf(checked));
  return checked;
};
