import type { Sql } from '../../store/client/index.js';
import {
  type ChatMessageRow,
  chatMessageRows,
  chatSenders,
  type DailySummaryRow,
  dailySummaryRows,
  type PostRow,
  postKinds,
  postRows,
  type ScreenActivityRow,
  screenActivityRows,
} from '../../store/records/index.js';
import { invalid, optionalText, requiredText, type SearchQuery } from '../rules/index.js';
import type { Search } from '../search/index.js';
import { type GivenRecord, timedRecords } from './timed-records.js';

export { chatSenders, postKinds };

/** Bounds of texts in records, in code points. */
export const ownRecordBounds = {
  post: 10_000,
  appName: 200,
  windowTitle: 500,
  ocrText: 10_000,
  headline: 200,
  overview: 10_000,
  message: 20_000,
  messageType: 50,
} as const;

export interface GivenPost extends GivenRecord {
  readonly kind: PostRow['kind'];
  readonly text: string;
}

/** Posts that a user has written or kept elsewhere. */
export const posts = timedRecords<GivenPost, PostRow>({
  rows: postRows,
  name: 'Post',
  most: 20_000,
  read: ({ kind, text }) => {
    if (!postKinds.includes(kind)) throw invalid('kind must be tweet or bookmark', 'body.kind');
    return { kind, text: requiredText('text', text, ownRecordBounds.post) };
  },
});

/** The posts of a user that answer a query. */
export const searchPosts = (search: Search, sql: Sql, uid: string, query: SearchQuery) =>
  posts.search(search, sql, uid, 'post', query);

export interface GivenScreenActivity extends GivenRecord {
  readonly appName: string;
  readonly windowTitle?: string | null | undefined;
  readonly ocrText?: string | null | undefined;
}

/** What a user had on the screen. */
export const screenActivity = timedRecords<GivenScreenActivity, ScreenActivityRow>({
  rows: screenActivityRows,
  name: 'Screen activity',
  most: 100_000,
  read: ({ appName, windowTitle, ocrText }) => ({
    app_name: requiredText('app_name', appName, ownRecordBounds.appName),
    window_title: optionalText('window_title', windowTitle, ownRecordBounds.windowTitle),
    ocr_text: optionalText('ocr_text', ocrText, ownRecordBounds.ocrText),
  }),
});

export interface GivenDailySummary extends GivenRecord {
  readonly headline: string;
  readonly overview: string;
}

/** Summaries of days; the id of one is its day, so there is one for each day. */
export const dailySummaries = timedRecords<GivenDailySummary, DailySummaryRow>({
  rows: dailySummaryRows,
  name: 'Daily summary',
  most: 10_000,
  read: ({ headline, overview }) => ({
    headline: requiredText('headline', headline, ownRecordBounds.headline),
    overview: requiredText('overview', overview, ownRecordBounds.overview),
    generated_by: null,
  }),
});

export interface GivenChatMessage extends GivenRecord {
  readonly sender: ChatMessageRow['sender'];
  readonly type: string;
  readonly text: string;
}

/** Messages between a user and the assistant. */
export const chatMessages = timedRecords<GivenChatMessage, ChatMessageRow>({
  rows: chatMessageRows,
  name: 'Chat message',
  most: 100_000,
  read: ({ sender, type, text }) => {
    if (!chatSenders.includes(sender)) throw invalid('sender must be human or ai', 'body.sender');
    return {
      sender,
      type: requiredText('type', type, ownRecordBounds.messageType),
      text: requiredText('text', text, ownRecordBounds.message),
    };
  },
});
