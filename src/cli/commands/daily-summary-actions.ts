import type { Schemas } from '../../client/index.js';
import { answered } from '../api/index.js';
import type { SummaryListOptions } from '../arguments/index.js';
import type { Session } from '../session/index.js';
import { printList } from './support.js';

type Summary = Schemas['DailySummary'];

/** Summaries of one page, at most. */
const page = 100;

export const listSummaries = async (session: Session, options: SummaryListOptions): Promise<void> => {
  const api = await session.ownApi();
  const period = {
    ...(options.startDate !== undefined && { start_date: options.startDate }),
    ...(options.endDate !== undefined && { end_date: options.endDate }),
  };
  await printList<Summary>(session, options, {
    columns: [
      { head: 'day', value: (row: Summary) => row.date },
      { head: 'headline', value: (row: Summary) => row.headline, width: 60 },
      { head: 'made by', value: (row: Summary) => row.generated_by },
    ],
    page,
    ask: (query) => api.GET('/v1/daily-summaries', { params: { query: { ...query, ...period } } }),
  });
};

export const getSummary = async (session: Session, day: string): Promise<void> => {
  const api = await session.ownApi();
  const params = { path: { id: day } };
  await session.print.record(answered(await api.GET('/v1/daily-summaries/{id}', { params })));
};
