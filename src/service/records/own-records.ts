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

/** Posts that a user wrote or saved elsewhere. */
export const posts = timedRecords(postRecord, 20_000);

/** Returns the user's posts that match a query. */
export const searchPosts = (search: Search, sql: Sql, uid: string, query: SearchQuery) =>
  posts.search(search, sql, uid, 'post', query);

/** Applications and content that were on a user's screen. */
export const screenActivity = timedRecords(screenActivityRecord, 100_000);

/** Daily summaries. The id is the day, so each day has at most one. */
export const dailySummaries = timedRecords(dailySummaryRecord, 10_000);

/** Messages between a user and the assistant. */
export const chatMessages = timedRecords(chatMessageRecord, 100_000);
