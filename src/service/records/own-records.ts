import type { Sql } from '../../store/client/index.js';
import {
  chatMessageRecord,
  dailySummaryRecord,
  postRecord,
  screenActivityRecord,
} from '../../wire/records/index.js';
import type { SearchQuery } from '../rules/index.js';
import type { Search } from '../search/index.js';
import { timedRecords } from './timed-records.js';

/** Posts that a user has written or kept elsewhere. */
export const posts = timedRecords(postRecord, 20_000);

/** The posts of a user that answer a query. */
export const searchPosts = (search: Search, sql: Sql, uid: string, query: SearchQuery) =>
  posts.search(search, sql, uid, 'post', query);

/** What a user had on the screen. */
export const screenActivity = timedRecords(screenActivityRecord, 100_000);

/** Summaries of days; the id of one is its day, so there is one for each day. */
export const dailySummaries = timedRecords(dailySummaryRecord, 10_000);

/** Messages between a user and the assistant. */
export const chatMessages = timedRecords(chatMessageRecord, 100_000);
