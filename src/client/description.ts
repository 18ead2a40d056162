/** Made from the declared routes by test/support/texts/client-description.ts; a test keeps the two equal. */

export interface paths {
    "/v1/dev/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The developer keys of the user, newest first
         * @description Rate limits: `dev:keys` (240 in 3600 s).
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create a developer key
         * @description Without scopes the key reads everything and writes nothing.
         *
         *     Rate limits: `dev:keys` (240 in 3600 s), `dev:keys_create` (60 in 3600 s).
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a developer key at once
         * @description Rate limits: `dev:keys` (240 in 3600 s).
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a developer key a new secret
         * @description Its id, name and scopes stay the same. The old key is refused at once.
         *
         *     Rate limits: `dev:keys` (240 in 3600 s), `dev:keys_create` (60 in 3600 s).
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The key that makes the request
         * @description Rate limits: `dev:key_read` (120 in 3600 s).
         */
        get: operations["getCallingApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/memories/vector/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Memories that match a query, most relevant first
         * @description A key needs the scope `memories:read`.
         *
         *     Rate limits: `dev:memories_read` (120 in 3600 s).
         */
        get: operations["searchMemories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/conversations/vector/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finished conversations that match a query, most relevant first
         * @description Searches title and overview by meaning, and also the transcript by words. Tasks need the scope `action_items:read`.
         *
         *     A key needs the scope `conversations:read`.
         *
         *     Rate limits: `dev:conversations_read` (60 in 3600 s), `dev:conversation_reads_total` (60 in 3600 s).
         */
        get: operations["searchConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/action-items/vector/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Action items that match a query, most relevant first
         * @description A key needs the scope `action_items:read`.
         *
         *     Rate limits: `dev:action_items_read` (120 in 3600 s).
         */
        get: operations["searchActionItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/posts/vector/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Posts that match a query, most relevant first
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["searchPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question from the user's conversations
         * @description A key needs the scope `conversations:read`.
         *
         *     Rate limits: `dev:ask` (25 in 3600 s).
         */
        post: operations["ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message and get an answer from the user's conversations
         * @description The message and its answer are stored as chat messages of the user. The last ten chat messages are the context of an answer. A message repeated with its key gets the stored answer, as one part and without its conversations. The answer is a stream of events, or JSON if `Accept` names only `application/json`.
         *
         *     Rate limits: `chat:message` (120 in 3600 s).
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Memories: manual ones first, then by group of categories, then the newest
         * @description A key needs the scope `memories:read`.
         *
         *     Rate limits: `dev:memories_read` (120 in 3600 s).
         */
        get: operations["listMemories"];
        put?: never;
        /**
         * Create a memory
         * @description A key needs the scope `memories:write`.
         *
         *     Rate limits: `dev:memories` (120 in 3600 s).
         */
        post: operations["createMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/memories/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create several memories, all or none
         * @description A key needs the scope `memories:write`.
         *
         *     Rate limits: `dev:memories_batch` (15 in 3600 s).
         */
        post: operations["createMemoriesBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/memories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One memory
         * @description A key needs the scope `memories:read`.
         *
         *     Rate limits: `dev:memories_read` (120 in 3600 s).
         */
        get: operations["getMemory"];
        put?: never;
        post?: never;
        /**
         * Delete a memory permanently
         * @description A key needs the scope `memories:write`.
         *
         *     Rate limits: `dev:memories` (120 in 3600 s).
         */
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        /**
         * Change a memory; absent fields stay as they are
         * @description A key needs the scope `memories:write`.
         *
         *     Rate limits: `dev:memories` (120 in 3600 s).
         */
        patch: operations["updateMemory"];
        trace?: never;
    };
    "/v1/dev/user/action-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Action items: open ones first, then by due date, then the newest
         * @description A key needs the scope `action_items:read`.
         *
         *     Rate limits: `dev:action_items_read` (120 in 3600 s).
         */
        get: operations["listActionItems"];
        put?: never;
        /**
         * Create an action item
         * @description A key needs the scope `action_items:write`.
         *
         *     Rate limits: `dev:action_items_write` (120 in 3600 s).
         */
        post: operations["createActionItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/action-items/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create several action items, all or none
         * @description A key needs the scope `action_items:write`.
         *
         *     Rate limits: `dev:action_items_write` (120 in 3600 s).
         */
        post: operations["createActionItemsBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/action-items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One action item
         * @description A key needs the scope `action_items:read`.
         *
         *     Rate limits: `dev:action_items_read` (120 in 3600 s).
         */
        get: operations["getActionItem"];
        put?: never;
        post?: never;
        /**
         * Delete an action item permanently
         * @description A key needs the scope `action_items:write`.
         *
         *     Rate limits: `dev:action_items_write` (120 in 3600 s).
         */
        delete: operations["deleteActionItem"];
        options?: never;
        head?: never;
        /**
         * Change an action item; absent fields stay as they are
         * @description A key needs the scope `action_items:write`.
         *
         *     Rate limits: `dev:action_items_write` (120 in 3600 s).
         */
        patch: operations["updateActionItem"];
        trace?: never;
    };
    "/v1/dev/user/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finished conversations, newest first
         * @description Tasks need the scope `action_items:read`. Filters combine. A page has at most 200 conversations, with transcripts 25; only the last page is shorter.
         *
         *     A key needs the scope `conversations:read`.
         *
         *     Rate limits: `dev:conversations_read` (60 in 3600 s), `dev:conversation_reads_total` (60 in 3600 s), `dev:conversation_transcript_read` (25 in 3600 s).
         */
        get: operations["listConversations"];
        put?: never;
        /**
         * Create a conversation from a text
         * @description A text is never discarded. A request repeated with the same `client_session_id` makes only one conversation.
         *
         *     A key needs the scope `conversations:write`.
         *
         *     Rate limits: `dev:conversations` (25 in 3600 s).
         */
        post: operations["createConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/conversations/from-segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a conversation from transcript segments
         * @description A request repeated with the same `client_session_id` makes only one conversation.
         *
         *     A key needs the scope `conversations:write`.
         *
         *     Rate limits: `dev:conversations` (25 in 3600 s).
         */
        post: operations["createConversationFromSegments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/from-segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a conversation from transcript segments, for the own applications of a user
         * @description Rate limits: `conversations:from-segments` (30 in 3600 s).
         */
        post: operations["createOwnConversationFromSegments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One conversation, in any status
         * @description Its tasks need the scope `action_items:read`.
         *
         *     A key needs the scope `conversations:read`.
         *
         *     Rate limits: `dev:conversation_detail_read` (60 in 3600 s), `dev:conversation_reads_total` (60 in 3600 s), `dev:conversation_transcript_read` (25 in 3600 s).
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation and its transcript
         * @description A later request to create it with its `client_session_id` gets the answer `deleted` and creates nothing.
         *
         *     A key needs the scope `conversations:write`.
         *
         *     Rate limits: `dev:conversations` (25 in 3600 s).
         */
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        /**
         * Change title, discarding, star or folder; absent fields stay as they are
         * @description The answer includes the transcript with the scope `conversations:read`, and tasks with `action_items:read`. Values set here stay when the conversation is summarised again.
         *
         *     A key needs the scope `conversations:write`.
         *
         *     Rate limits: `dev:conversations` (25 in 3600 s).
         */
        patch: operations["updateConversation"];
        trace?: never;
    };
    "/v1/dev/user/conversations/{id}/photos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The images of a conversation, oldest first
         * @description Each image has a link that works without a credential for a limited time (`PHOTO_LINK_LIFETIME`).
         *
         *     A key needs the scope `conversations:read`.
         *
         *     Rate limits: `dev:photos_read` (120 in 3600 s).
         */
        get: operations["listConversationPhotos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{id}/reprocess": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process a conversation again: its summary, tasks and memories
         * @description The answer comes at once, the new summary later. Action items and memories found in the conversation are replaced. Values that the user set, completed or edited stay.
         *
         *     Rate limits: `conversations:reprocess` (3 in 3600 s).
         */
        post: operations["reprocessConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Folders in their order
         * @description Empty until the first conversation, or an application of the user, creates the system folders.
         *
         *     A key needs the scope `conversations:read`.
         *
         *     Rate limits: `dev:conversations_read` (60 in 3600 s).
         */
        get: operations["listFolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Active goals, oldest first. With inactive goals included, newest first
         * @description A key needs the scope `goals:read`.
         *
         *     Rate limits: `dev:goals_read` (120 in 3600 s).
         */
        get: operations["listGoals"];
        put?: never;
        /**
         * Create a goal
         * @description Three goals may be active. With a fourth the oldest is paused.
         *
         *     A key needs the scope `goals:write`.
         *
         *     Rate limits: `dev:goals_write` (120 in 3600 s).
         */
        post: operations["createGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/user/goals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One goal, active or not
         * @description A key needs the scope `goals:read`.
         *
         *     Rate limits: `dev:goals_read` (120 in 3600 s).
         */
        get: operations["getGoal"];
        put?: never;
        post?: never;
        /**
         * Delete a goal and its history permanently
         * @description A key needs the scope `goals:write`.
         *
         *     Rate limits: `dev:goals_write` (120 in 3600 s).
         */
        delete: operations["deleteGoal"];
        options?: never;
        head?: never;
        /**
         * Change a goal; absent fields stay as they are
         * @description A `current_value` that is set here is not recorded as progress.
         *
         *     A key needs the scope `goals:write`.
         *
         *     Rate limits: `dev:goals_write` (120 in 3600 s).
         */
        patch: operations["updateGoal"];
        trace?: never;
    };
    "/v1/dev/user/goals/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the current value of a goal and record it for this day
         * @description `current_value` is needed, in the query or in the body.
         *
         *     A key needs the scope `goals:write`.
         *
         *     Rate limits: `dev:goals_write` (120 in 3600 s).
         */
        patch: operations["updateGoalProgress"];
        trace?: never;
    };
    "/v1/dev/user/goals/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The progress of the last days, newest first, one value a day
         * @description A key needs the scope `goals:read`.
         *
         *     Rate limits: `dev:goals_read` (120 in 3600 s).
         */
        get: operations["listGoalHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Folders in their order; the system folders are made first
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["listOwnFolders"];
        put?: never;
        /**
         * Create a folder
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/folders/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Order folders. Folders that are not named follow in their old order
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        put: operations["reorderFolders"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/folders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One folder
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getFolder"];
        put?: never;
        post?: never;
        /**
         * Delete a folder; its conversations stay
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["deleteFolder"];
        options?: never;
        head?: never;
        /**
         * Change a folder. Absent fields are not changed; null resets to the default
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        patch: operations["updateFolder"];
        trace?: never;
    };
    "/v1/users/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People, oldest record first
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["listPeople"];
        put?: never;
        /**
         * Add a person
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["createPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One person
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        /**
         * Delete a person. The person's speech stays in transcripts
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["deletePerson"];
        options?: never;
        head?: never;
        /**
         * Rename a person
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        patch: operations["updatePerson"];
        trace?: never;
    };
    "/v1/users/people/{id}/voice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete the voice data of a person. The person stays
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["deletePersonVoice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Name, language, spoken languages, single-language mode, time zone, voice recognition, merged devices and custom words of the user
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getUserSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings. Absent fields are not changed; null resets to the default
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        patch: operations["updateUserSettings"];
        trace?: never;
    };
    "/v1/users/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The profile of the user
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getUserProfile"];
        /**
         * Write the profile of the user. It replaces an earlier profile
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        put: operations["putUserProfile"];
        post?: never;
        /**
         * Delete the profile of the user
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["deleteUserProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage by day
         * @description Newest day first, in days of the user's time zone. Days without usage are left out; at most 366 days. Speech is counted in seconds and words by provider, when its conversation ends, in the zone of that time. It stays counted after the conversation is deleted. Transcripts that arrived as text are not counted. The other numbers count existing records.
         *
         *     Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getUserUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Posts, newest first
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["listPosts"];
        put?: never;
        /**
         * Posts: write one, or replace the one with the same id
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["writePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/posts/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Posts: write several, all or none
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["writePosts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/posts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Posts: one of them
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getPost"];
        put?: never;
        post?: never;
        /**
         * Posts: delete one permanently
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["deletePost"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screen-activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Screen activity, newest first
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["listScreenActivities"];
        put?: never;
        /**
         * Screen activity: write one, or replace the one with the same id
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["writeScreenActivity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screen-activity/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Screen activity: write several, all or none
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["writeScreenActivities"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screen-activity/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Screen activity: one of them
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getScreenActivity"];
        put?: never;
        post?: never;
        /**
         * Screen activity: delete one permanently
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["deleteScreenActivity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/daily-summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Daily summaries, newest first
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["listDailySummaries"];
        put?: never;
        /**
         * Daily summaries: write one, or replace the one with the same id
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["writeDailySummary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/daily-summaries/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Daily summaries: write several, all or none
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["writeDailySummaries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/daily-summaries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Daily summaries: one of them
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getDailySummary"];
        put?: never;
        post?: never;
        /**
         * Daily summaries: delete one permanently
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["deleteDailySummary"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chat messages, newest first
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["listChatMessages"];
        put?: never;
        /**
         * Chat messages: write one, or replace the one with the same id
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["writeChatMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/messages/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Chat messages: write several, all or none
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["writeChatMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chat messages: one of them
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getChatMessage"];
        put?: never;
        post?: never;
        /**
         * Chat messages: delete one permanently
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["deleteChatMessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/sync-local-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload offline recordings
         * @description Each file contains frames, each after its length (4 bytes, little endian). Its name is audio_DEVICE_CODEC_RATE_CHANNELS_SECONDS.bin. Some time after the answer, its words are added to the conversation of that time, or to a new one. A file that was uploaded before is not transcribed again. An invalid file does not affect the others: `errors` names it. If no file is valid, the status is 400.
         *
         *     Rate limits: `recordings:upload` (120 in 3600 s).
         */
        post: operations["uploadRecordings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/sync-local-files/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Progress of uploaded recordings
         * @description Rate limits: `recordings:read` (2000 in 3600 s).
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/voice-message/transcribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe a voice message
         * @description Takes PCM as the body (`application/octet-stream`), or a form with files: audio files of the usual forms (WAV, AIFF, CAF, FLAC, Ogg, WebM, MP4, M4A, AAC, MP3, AMR), or `.bin` files of frames. The texts of several files are joined. Silence is a success without text. A failure has the five members of `VoiceFailure`.
         *
         *     Rate limits: `voice:transcribe` (60 in 3600 s).
         */
        post: operations["transcribeVoiceMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/voice-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a voice message and get an answer from the user's conversations
         * @description Takes a form with `.bin` files of frames and the optional fields `language` and `keywords` (words separated by commas). The first file is the message. The transcript and the answer are stored as chat messages of the user. A message repeated with its key is not transcribed or answered again. Silence gives an empty stream. A failure after the first event is a last event `error: ` with the five members of `VoiceFailure` as JSON.
         *
         *     Rate limits: `voice:message` (60 in 3600 s).
         */
        post: operations["sendVoiceMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/upload-audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the user's voice profile
         * @description Takes a form with one audio file in which only the user speaks. File formats are the same as for voice messages. The new voice profile replaces an earlier one; the recording is not stored. Use at least 20 s of speech; at most 30 s are read.
         *
         *     Rate limits: `voice:enrol` (20 in 3600 s).
         */
        post: operations["uploadSpeechProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/speech-profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the user has a voice profile
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["hasSpeechProfile"];
        put?: never;
        post?: never;
        /**
         * Delete the user's voice profile
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["deleteSpeechProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/speech-profile/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The age of the user's voice profile and the amount of its speech
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getSpeechProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v4/speech-profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The recording of the user's voice profile, which is never stored
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["getSpeechProfileRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Browsers in which the user is signed in, newest first
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Sign every browser and every own application out
         * @description Ends all refresh tokens of own applications and all earlier ID tokens at once, including that of the request. Their streams are closed. Assistants keep the access that the user granted.
         *
         *     Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["signOutEverywhere"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign a browser out
         * @description Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the account and all its data
         * @description The deletion cannot be undone. After the answer every credential of the user is refused: with 403 and `account_deletion_in_progress` until all data is removed, and as an unknown credential afterwards. Open streams are closed with code 4004.
         *
         *     Rate limits: `own:write` (240 in 3600 s).
         */
        post: operations["deleteAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The MCP keys of the user, newest first
         * @description Rate limits: `mcp:keys` (240 in 3600 s).
         */
        get: operations["listMcpKeys"];
        put?: never;
        /**
         * Create an MCP key
         * @description Without scopes the key may do everything that an assistant can; `scopes` narrows it.
         *
         *     Rate limits: `mcp:keys` (240 in 3600 s), `mcp:keys_create` (60 in 3600 s).
         */
        post: operations["createMcpKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an MCP key at once
         * @description Rate limits: `mcp:keys` (240 in 3600 s).
         */
        delete: operations["revokeMcpKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an MCP key a new secret
         * @description Its id, name and scopes stay the same. The old key is refused at once.
         *
         *     Rate limits: `mcp:keys` (240 in 3600 s), `mcp:keys_create` (60 in 3600 s).
         */
        post: operations["rotateMcpKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/oauth/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Assistants that have access, newest first
         * @description Rate limits: `own:read` (600 in 3600 s).
         */
        get: operations["listGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/oauth/grants/{grant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the access of an assistant
         * @description Its tokens are refused from the next request on. The answer does not reveal whether an unknown grant belongs to another user.
         *
         *     Rate limits: `own:write` (240 in 3600 s).
         */
        delete: operations["revokeGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/sse/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The address of the tool server and how to connect */
        get: operations["getToolServerInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Name, e-mail address and profile of the user
         * @description A key needs the scope `memories.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["getAssistantProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Facts about the user
         * @description A key needs the scope `memories.read`.
         *
         *     Rate limits: `mcp:memories_read` (120 in 3600 s).
         */
        get: operations["listAssistantMemories"];
        put?: never;
        /**
         * Remember a fact about the user
         * @description A key needs the scope `memories.write`.
         *
         *     Rate limits: `memories:create` (60 in 3600 s).
         */
        post: operations["createAssistantMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/memories/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Facts about the user that match a query
         * @description A key needs the scope `memories.read`.
         *
         *     Rate limits: `mcp:memories_read` (120 in 3600 s).
         */
        get: operations["searchAssistantMemories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Conversations without transcripts, newest first
         * @description A key needs the scope `conversations.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["listAssistantConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/conversations/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Conversations that match a query
         * @description A key needs the scope `conversations.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["searchAssistantConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/action-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tasks: open ones first, then by due date
         * @description A key needs the scope `action_items.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["listAssistantActionItems"];
        put?: never;
        /**
         * Add a task. A repeated request with the same description adds nothing
         * @description A key needs the scope `action_items.write`.
         *
         *     Rate limits: `action_items:write` (120 in 3600 s).
         */
        post: operations["createAssistantActionItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/action-items/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tasks that match a query
         * @description A key needs the scope `action_items.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["searchAssistantActionItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Goals with their progress
         * @description A key needs the scope `goals.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["listAssistantGoals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chat messages, newest first
         * @description A key needs the scope `chat.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["listAssistantChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People that the user knows
         * @description A key needs the scope `people.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["listAssistantPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/screen-activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Screen activity, oldest first. With summary=true: counts by application
         * @description A key needs the scope `screen_activity.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["listAssistantScreenActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/daily-summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Summaries of days, newest first
         * @description A key needs the scope `conversations.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["listAssistantDailySummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One conversation with its transcript
         * @description A key needs the scope `conversations.read`.
         *
         *     Rate limits: `mcp:read` (300 in 3600 s).
         */
        get: operations["getAssistantConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/memories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a memory permanently
         * @description A key needs the scope `memories.write`.
         *
         *     Rate limits: `memories:delete` (60 in 3600 s).
         */
        delete: operations["deleteAssistantMemory"];
        options?: never;
        head?: never;
        /**
         * Replace the content of a memory
         * @description A key needs the scope `memories.write`.
         *
         *     Rate limits: `memories:modify` (120 in 3600 s).
         */
        patch: operations["editAssistantMemory"];
        trace?: never;
    };
    "/v1/mcp/action-items/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a task, or open it again
         * @description A key needs the scope `action_items.write`.
         *
         *     Rate limits: `action_items:write` (120 in 3600 s).
         */
        post: operations["completeAssistantActionItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp/action-items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a task permanently
         * @description A key needs the scope `action_items.write`.
         *
         *     Rate limits: `action_items:write` (120 in 3600 s).
         */
        delete: operations["deleteAssistantActionItem"];
        options?: never;
        head?: never;
        /**
         * Change the description or the due date of a task
         * @description A key needs the scope `action_items.write`.
         *
         *     Rate limits: `action_items:write` (120 in 3600 s).
         */
        patch: operations["updateAssistantActionItem"];
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether requests can be served
         * @description With status 503 the body has the same fields and `detail`.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Public keys of ID tokens */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How people sign in, and how their ID tokens are verified */
        get: operations["getOpenIdConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How assistants are granted access */
        get: operations["getAuthorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The issuer that grants assistants access to this resource */
        get: operations["getProtectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/v1/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The issuer that grants assistants access to this resource */
        get: operations["getProtectedMcp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/v1/mcp/sse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The issuer that grants assistants access to this resource */
        get: operations["getProtectedMcpSse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CreateConversationRequest: {
            text: string;
            /**
             * @default other_text
             * @enum {string}
             */
            text_source: "audio_transcript" | "message" | "other_text";
            /** @description Describes the source further, for example the name of an application. */
            text_source_spec?: string | null;
            started_at?: (string | number) | null;
            finished_at?: (string | number) | null;
            /** @description `en` when absent or empty; `multi` or `auto` for automatic detection. */
            language?: string | null;
            geolocation?: components["schemas"]["GeolocationInput"] | null;
            /** @description A request repeated with the same value makes only one conversation. */
            client_session_id?: string | null;
            client_device_id?: string | null;
            client_platform?: string | null;
        };
        /** @description Impossible coordinates are dropped. */
        GeolocationInput: {
            latitude: number;
            longitude: number;
            address?: string | null;
            google_place_id?: string | null;
            location_type?: string | null;
        };
        CreateConversationFromTranscriptRequest: {
            transcript_segments: components["schemas"]["TranscriptSegmentInput"][];
            source?: string | null;
            started_at?: (string | number) | null;
            finished_at?: (string | number) | null;
            /** @description `en` when absent or empty; `multi` or `auto` for automatic detection. */
            language?: string | null;
            geolocation?: components["schemas"]["GeolocationInput"] | null;
            /** @description A request repeated with the same value makes only one conversation. */
            client_session_id?: string | null;
            client_device_id?: string | null;
            client_platform?: string | null;
        };
        TranscriptSegmentInput: {
            text: string;
            start: number;
            end: number;
            speaker?: string | null;
            speaker_id?: number | null;
            is_user?: boolean;
            person_id?: string | null;
        };
        DeveloperApiKey: {
            id: string;
            name: string;
            /** @description Prefix, first four and last four digits of the key. It cannot be used as the key. */
            key_prefix: string;
            scopes: string[];
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
        };
        /** @description What went wrong. An error with status 422 has a list of findings. */
        ErrorResponse: {
            detail: string | unknown[] | {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        CreatedDeveloperApiKey: {
            id: string;
            name: string;
            /** @description Prefix, first four and last four digits of the key. It cannot be used as the key. */
            key_prefix: string;
            scopes: string[];
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            /** @description The key. It is shown once. */
            key: string;
        };
        HTTPValidationError: {
            detail: components["schemas"]["ValidationError"][];
        };
        ValidationError: {
            /** @description Part of the request (`body`, `query`, `path`, `header`) and the field in it. */
            loc: (string | number)[];
            msg: string;
            type: string;
        };
        FoundMemory: {
            id: string;
            /** @description A locked memory shows its first 70 characters. */
            content: string;
            category: string;
            /** @enum {string} */
            visibility: "public" | "private";
            tags: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            manually_added: boolean;
            reviewed: boolean;
            user_review: boolean | null;
            edited: boolean;
            /** @description Sort key of the list, largest first. */
            scoring: string;
            /** @description From 0 to 1; the list is sorted by it. */
            relevance_score: number;
        };
        ConversationSearch: {
            readonly items: components["schemas"]["FoundConversation"][];
            returned_count: number;
            /** @description Whether records were compared by meaning. False while the sentence model is missing, or many records were just stored. Words decide then. */
            semantic: boolean;
        };
        FoundConversation: {
            id: string;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
            structured: components["schemas"]["Structured"];
            language: string | null;
            source: string | null;
            status: string;
            discarded: boolean;
            starred: boolean;
            /**
             * @description `upload`: made of recordings of a device that never had a time. Its times are those of the upload.
             * @enum {string}
             */
            clock: "device" | "upload";
            /** @description The conversation that has its words, where it was recorded by a second device at the same place. */
            merged_into: string | null;
            /** @description Null unless `include_transcript` is true. */
            transcript_segments: components["schemas"]["DeveloperTranscriptSegment"][] | null;
            geolocation: components["schemas"]["Geolocation"] | null;
            folder_id: string | null;
            folder_name: string | null;
            /** @description From 0 to 1; the list is sorted by it. */
            relevance_score: number;
        };
        /** @description The summary of a conversation. */
        Structured: {
            title: string;
            overview: string;
            emoji: string;
            category: string;
            readonly action_items: components["schemas"]["ConversationActionItem"][];
            readonly events: components["schemas"]["CalendarEvent"][];
        };
        ConversationActionItem: {
            description: string;
            completed: boolean;
            created_at: string | null;
            updated_at: string | null;
            due_at: string | null;
            completed_at: string | null;
            conversation_id: string | null;
        };
        CalendarEvent: {
            title: string;
            description: string;
            /** Format: date-time */
            start: string;
            /** @description Minutes. */
            duration: number;
            created: boolean;
        };
        DeveloperTranscriptSegment: {
            id: string;
            text: string;
            speaker_id: number;
            speaker_name: string;
            /** @description Seconds from the start of the conversation. */
            start: number;
            end: number;
            /** @description Translations of the whole text into the user's language at the time. Empty if there are none. */
            translations: {
                lang: string;
                text: string;
            }[];
        };
        Geolocation: {
            latitude: number;
            longitude: number;
            address: string | null;
            google_place_id: string | null;
            location_type: string | null;
        };
        ActionItemSearch: {
            readonly items: components["schemas"]["FoundActionItem"][];
            returned_count: number;
            /** @description Whether records were compared by meaning. False while the sentence model is missing, or many records were just stored. Words decide then. */
            semantic: boolean;
        };
        FoundActionItem: {
            id: string;
            description: string;
            completed: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            due_at: string | null;
            completed_at: string | null;
            conversation_id: string | null;
            /** @description From 0 to 1; the list is sorted by it. */
            relevance_score: number;
        };
        PostSearch: {
            readonly items: components["schemas"]["FoundPost"][];
            returned_count: number;
            /** @description Whether records were compared by meaning. False while the sentence model is missing, or many records were just stored. Words decide then. */
            semantic: boolean;
        };
        FoundPost: {
            id: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            kind: "tweet" | "bookmark";
            text: string;
            /** @description From 0 to 1; the list is sorted by it. */
            relevance_score: number;
        };
        Answer: {
            answer: string;
            /** @description The conversations that the answer is based on. */
            readonly sources: {
                id: string;
                title: string;
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description The language model, or `rules-1` if the answer consists of sentences of the conversations. */
            generated_by: string;
        };
        AnsweredChat: {
            message: components["schemas"]["ChatEventMessage"];
            answer: components["schemas"]["ChatEventMessage"];
        };
        ChatEventMessage: {
            id: string;
            text: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            sender: "human" | "ai";
            type: string;
            app_id: null;
            chat_session_id: null;
            readonly memories_id: string[];
            readonly memories: components["schemas"]["ChatSource"][];
            from_external_integration: boolean;
        };
        /** @description A conversation that an answer is based on. */
        ChatSource: {
            id: string;
            /** Format: date-time */
            created_at: string;
            structured: {
                title: string;
                overview: string;
                emoji: string;
                category: string;
            };
        };
        DeveloperMemory: {
            id: string;
            /** @description A locked memory shows its first 70 characters. */
            content: string;
            category: string;
            /** @enum {string} */
            visibility: "public" | "private";
            tags: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            manually_added: boolean;
            reviewed: boolean;
            user_review: boolean | null;
            edited: boolean;
            /** @description Sort key of the list, largest first. */
            scoring: string;
        };
        CreatedMemories: {
            memories: components["schemas"]["DeveloperMemory"][];
            created_count: number;
        };
        Success: {
            /** @constant */
            success: true;
        };
        DeveloperActionItem: {
            id: string;
            description: string;
            completed: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            due_at: string | null;
            completed_at: string | null;
            conversation_id: string | null;
        };
        CreatedActionItems: {
            action_items: components["schemas"]["DeveloperActionItem"][];
            created_count: number;
        };
        ConversationCreateResponse: {
            id: string;
            status: string;
            discarded: boolean;
        };
        DeveloperConversation: {
            id: string;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
            structured: components["schemas"]["Structured"];
            language: string | null;
            source: string | null;
            status: string;
            discarded: boolean;
            starred: boolean;
            /**
             * @description `upload`: made of recordings of a device that never had a time. Its times are those of the upload.
             * @enum {string}
             */
            clock: "device" | "upload";
            /** @description The conversation that has its words, where it was recorded by a second device at the same place. */
            merged_into: string | null;
            /** @description Null unless `include_transcript` is true. */
            transcript_segments: components["schemas"]["DeveloperTranscriptSegment"][] | null;
            geolocation: components["schemas"]["Geolocation"] | null;
            folder_id: string | null;
            folder_name: string | null;
        };
        ConversationPhoto: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            content_type: string;
            bytes: number;
            /** @description Description of the image. null until it is described, or if no model describes images. */
            description: string | null;
            /** @description Whether the image shows nothing worth a description. */
            discarded: boolean;
            /**
             * Format: uri
             * @description Link to the image. It needs no credential and works until `url_expires_at`.
             */
            url: string;
            /** Format: date-time */
            url_expires_at: string;
        };
        Folder: {
            id: string;
            name: string;
            description: string | null;
            /** @description Hex color code. */
            color: string;
            icon: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Lower comes first. */
            order: number;
            is_default: boolean;
            is_system: boolean;
            category_mapping: string | null;
            /** @description Conversations in it that are not discarded. */
            conversation_count: number;
        };
        DeveloperGoal: {
            id: string;
            /** @description The same as `id`. */
            goal_id: string;
            title: string;
            desired_outcome: string;
            why_it_matters: string | null;
            success_criteria: string[];
            horizon_at: string | null;
            /** @enum {string} */
            status: "background" | "focused" | "paused" | "achieved" | "abandoned";
            focus_rank: number | null;
            /** @enum {string} */
            source: "user" | "ai_suggested" | "imported";
            metric: components["schemas"]["GoalMetric"] | null;
            /** @enum {string} */
            goal_type: "boolean" | "scale" | "numeric";
            target_value: number;
            current_value: number;
            min_value: number;
            max_value: number;
            unit: string | null;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            ended_at: string | null;
        };
        /** @description What the goal measures. */
        GoalMetric: {
            /** @enum {string} */
            type: "boolean" | "scale" | "numeric";
            current: number;
            target: number;
            min: number;
            max: number;
            unit: string | null;
        };
        GoalProgress: {
            /**
             * Format: date
             * @description In UTC.
             */
            date: string;
            value: number;
            /** Format: date-time */
            recorded_at: string;
        };
        Person: {
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Number of stored voice recordings that identify the person. */
            voice_samples: number;
        };
        UserSettings: {
            name: string | null;
            language: string | null;
            languages: string[];
            single_language_mode: boolean;
            time_zone: string;
            voice_recognition: boolean;
            merge_devices: boolean;
            custom_words: string[];
        };
        UserProfile: {
            profile_text: string;
            /** Format: date-time */
            generated_at: string;
            data_sources_used: string[];
        };
        UsageDay: {
            /** Format: date */
            date: string;
            speech: components["schemas"]["SpeechUsage"][];
            conversations: number;
            memories: number;
            action_items: number;
        };
        SpeechUsage: {
            provider: string;
            seconds: number;
            words: number;
        };
        Post: {
            id: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            kind: "tweet" | "bookmark";
            text: string;
        };
        ScreenActivity: {
            id: string;
            /** Format: date-time */
            created_at: string;
            app_name: string;
            window_title: string | null;
            ocr_text: string | null;
        };
        DailySummary: {
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date */
            date: string;
            headline: string;
            overview: string;
            /** @description Generator of the summary; null if an application of the user wrote it. */
            generated_by: string | null;
        };
        ChatMessage: {
            id: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            sender: "human" | "ai";
            type: string;
            text: string;
        };
        VoiceTranscript: {
            transcript: string;
            /** @enum {string} */
            outcome: "success" | "expected_silence";
            stt_provider: string;
            stt_model: string;
            /** @description The language of most of the speech. null if the request allowed any language and none was detected. */
            language: string | null;
            /** @description Why audio of a file is missing, for example because the file is truncated or damaged. The rest of the audio was used. Absent if nothing seems to be missing. */
            incomplete?: string;
        };
        VoiceFailure: {
            error: string;
            /** @enum {string} */
            outcome: "empty_unexpected" | "timeout" | "upstream_error" | "config_error" | "invalid_input";
            /** @description Name of the provider, or `unknown` if none was asked. */
            provider: string;
            retryable: boolean;
            /** @description What failed. For invalid audio: the fault of the audio. */
            message: string;
        };
        SpeechProfile: {
            has_profile: boolean;
            /** @description Seconds of speech in the recording of the profile. */
            speech_seconds: number | null;
            created_at: string | null;
        };
        McpApiKey: {
            id: string;
            name: string;
            /** @description Prefix, first four and last four digits of the key. It cannot be used as the key. */
            key_prefix: string;
            scopes: string[];
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
        };
        CreatedMcpApiKey: {
            id: string;
            name: string;
            /** @description Prefix, first four and last four digits of the key. It cannot be used as the key. */
            key_prefix: string;
            scopes: string[];
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            /** @description The key. It is shown once. */
            key: string;
        };
        AssistantProfile: {
            name: string | null;
            email: string | null;
            phone_number: string | null;
            profile_text: string | null;
            generated_at: string | null;
            data_sources_used: string[] | null;
        };
        StatusOk: {
            /** @constant */
            status: "ok";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "5b0c6f0e-9a5c-4f0a-8f5d-2f6c1d3f8a11",
                     *         "name": "laptop",
                     *         "key_prefix": "svc_dev_1a2b...9f0e",
                     *         "scopes": [
                     *           "conversations:read",
                     *           "memories:read"
                     *         ],
                     *         "created_at": "2026-03-01T10:00:00Z",
                     *         "last_used_at": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DeveloperApiKey"][];
                };
            };
            /** @description `not_authenticated`: Not authenticated; `credentials_invalid`: Invalid authentication credentials; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "laptop",
                 *       "scopes": [
                 *         "conversations:read",
                 *         "memories:read"
                 *       ]
                 *     }
                 */
                "application/json": {
                    name: string;
                    scopes?: ("conversations:read" | "conversations:write" | "memories:read" | "memories:write" | "action_items:read" | "action_items:write" | "goals:read" | "goals:write")[] | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5b0c6f0e-9a5c-4f0a-8f5d-2f6c1d3f8a11",
                     *       "name": "laptop",
                     *       "key_prefix": "svc_dev_1a2b...9f0e",
                     *       "scopes": [
                     *         "conversations:read",
                     *         "memories:read"
                     *       ],
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "last_used_at": null,
                     *       "key": "svc_dev_1a2b3c4d5e6f7a8b1a2b3c4d5e6f7a8b"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedDeveloperApiKey"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `not_authenticated`: Not authenticated; `credentials_invalid`: Invalid authentication credentials; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `keys_full`: A user may have at most {limit} keys */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_authenticated`: Not authenticated; `credentials_invalid`: Invalid authentication credentials; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5b0c6f0e-9a5c-4f0a-8f5d-2f6c1d3f8a11",
                     *       "name": "laptop",
                     *       "key_prefix": "svc_dev_1a2b...9f0e",
                     *       "scopes": [
                     *         "conversations:read",
                     *         "memories:read"
                     *       ],
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "last_used_at": null,
                     *       "key": "svc_dev_1a2b3c4d5e6f7a8b1a2b3c4d5e6f7a8b"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedDeveloperApiKey"];
                };
            };
            /** @description `not_authenticated`: Not authenticated; `credentials_invalid`: Invalid authentication credentials; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getCallingApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5b0c6f0e-9a5c-4f0a-8f5d-2f6c1d3f8a11",
                     *       "name": "laptop",
                     *       "key_prefix": "svc_dev_1a2b...9f0e",
                     *       "scopes": [
                     *         "conversations:read",
                     *         "memories:read"
                     *       ],
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "last_used_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperApiKey"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    searchMemories: {
        parameters: {
            query: {
                /** @description The search query, by meaning and by words. Quotes require a phrase and a minus excludes a word: "garden plan" -Ann. */
                query: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198a4f2-7f2b-7c3e-9a41-2d1c5b6e7f80",
                     *           "content": "Prefers the early train",
                     *           "category": "habits",
                     *           "visibility": "private",
                     *           "tags": [
                     *             "travel"
                     *           ],
                     *           "created_at": "2026-03-01T10:00:00Z",
                     *           "updated_at": "2026-03-01T10:00:00Z",
                     *           "manually_added": true,
                     *           "reviewed": true,
                     *           "user_review": true,
                     *           "edited": false,
                     *           "scoring": "01_999_1772359200",
                     *           "relevance_score": 0.6127
                     *         }
                     *       ],
                     *       "returned_count": 1,
                     *       "semantic": true,
                     *       "archive_default_visible": false,
                     *       "policy": {
                     *         "consumer": "developer_api",
                     *         "app_has_default_memory_grant": true,
                     *         "archive_capability": false,
                     *         "raw_provenance_capability": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        readonly items: components["schemas"]["FoundMemory"][];
                        returned_count: number;
                        /** @description Whether records were compared by meaning. False while the sentence model is missing, or many records were just stored. Words decide then. */
                        semantic: boolean;
                        archive_default_visible: boolean;
                        policy: {
                            consumer: string;
                            app_has_default_memory_grant: boolean;
                            archive_capability: boolean;
                            raw_provenance_capability: boolean;
                        };
                    };
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    searchConversations: {
        parameters: {
            query: {
                /** @description The search query, by meaning and by words. Quotes require a phrase and a minus excludes a word: "garden plan" -Ann. */
                query: string;
                limit?: number;
                /** @description Records of this time or later. */
                start_date?: string | number;
                /** @description Records of this time or day, or earlier. */
                end_date?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55",
                     *           "created_at": "2026-03-02T09:30:00Z",
                     *           "started_at": "2026-03-02T09:30:00Z",
                     *           "finished_at": "2026-03-02T09:30:07Z",
                     *           "structured": {
                     *             "title": "Garden plan for Ann",
                     *             "overview": "We have to send the garden plan to Ann by Friday.",
                     *             "emoji": "🌱",
                     *             "category": "personal",
                     *             "action_items": [],
                     *             "events": []
                     *           },
                     *           "language": "en",
                     *           "source": "phone",
                     *           "status": "completed",
                     *           "discarded": false,
                     *           "starred": false,
                     *           "clock": "device",
                     *           "merged_into": null,
                     *           "transcript_segments": null,
                     *           "geolocation": null,
                     *           "folder_id": null,
                     *           "folder_name": null,
                     *           "relevance_score": 0.6127
                     *         }
                     *       ],
                     *       "returned_count": 1,
                     *       "semantic": true
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationSearch"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    searchActionItems: {
        parameters: {
            query: {
                /** @description The search query, by meaning and by words. Quotes require a phrase and a minus excludes a word: "garden plan" -Ann. */
                query: string;
                limit?: number;
                /** @description Records of this time or later. */
                start_date?: string | number;
                /** @description Records of this time or day, or earlier. */
                end_date?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0198a4f2-8c11-7d2a-b0f3-6a5e4d3c2b10",
                     *           "description": "Send the garden plan to Ann",
                     *           "completed": false,
                     *           "created_at": "2026-03-01T10:00:00Z",
                     *           "updated_at": "2026-03-01T10:00:00Z",
                     *           "due_at": "2026-03-06T17:00:00Z",
                     *           "completed_at": null,
                     *           "conversation_id": null,
                     *           "relevance_score": 0.6127
                     *         }
                     *       ],
                     *       "returned_count": 1,
                     *       "semantic": true
                     *     }
                     */
                    "application/json": components["schemas"]["ActionItemSearch"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    searchPosts: {
        parameters: {
            query: {
                /** @description The search query, by meaning and by words. Quotes require a phrase and a minus excludes a word: "garden plan" -Ann. */
                query: string;
                limit?: number;
                /** @description Records of this time or later. */
                start_date?: string | number;
                /** @description Records of this time or day, or earlier. */
                end_date?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "1764",
                     *           "kind": "tweet",
                     *           "text": "The garden is ready.",
                     *           "created_at": "2026-03-01T10:00:00Z",
                     *           "relevance_score": 0.6127
                     *         }
                     *       ],
                     *       "returned_count": 1,
                     *       "semantic": true
                     *     }
                     */
                    "application/json": components["schemas"]["PostSearch"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    ask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "question": "What do I have to send to Ann?",
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": {
                    question: string;
                    /**
                     * @description At least 1, at most 10. A value out of range becomes the nearest allowed one.
                     * @default 5
                     */
                    limit?: number;
                    /** @description IANA name of the time zone for days. Default: the user's `time_zone`. */
                    timezone?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "answer": "2 March 2026: \"We have to send the garden plan to Ann by Friday.\"",
                     *       "sources": [
                     *         {
                     *           "id": "8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55",
                     *           "title": "Garden plan for Ann",
                     *           "created_at": "2026-03-02T09:30:00Z"
                     *         }
                     *       ],
                     *       "generated_by": "rules-1"
                     *     }
                     */
                    "application/json": components["schemas"]["Answer"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `questions_limited`: At most {limit} questions of a user are answered at once. Try again in {seconds}s.; `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `questions_full`: Too many questions are being answered; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "What do I have to send to Ann?",
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": {
                    text: string;
                    /** @description IANA name of the time zone for days. Default: the user's zone. */
                    timezone?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": {
                     *         "type": "text",
                     *         "app_id": null,
                     *         "chat_session_id": null,
                     *         "from_external_integration": false,
                     *         "id": "0195f2d4-3c1a-7d2e-8f00-5a1b2c3d4e5f",
                     *         "text": "What do I have to send to Ann?",
                     *         "created_at": "2026-03-02T18:00:00Z",
                     *         "sender": "human",
                     *         "memories_id": [],
                     *         "memories": []
                     *       },
                     *       "answer": {
                     *         "type": "text",
                     *         "app_id": null,
                     *         "chat_session_id": null,
                     *         "from_external_integration": false,
                     *         "id": "0195f2d4-41b7-7a10-9c22-0f9e8d7c6b5a",
                     *         "text": "2 March 2026: \"We have to send the garden plan to Ann by Friday.\"",
                     *         "created_at": "2026-03-02T18:00:01Z",
                     *         "sender": "ai",
                     *         "memories_id": [
                     *           "8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55"
                     *         ],
                     *         "memories": [
                     *           {
                     *             "id": "8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55",
                     *             "created_at": "2026-03-02T09:30:00Z",
                     *             "structured": {
                     *               "title": "Garden plan for Ann",
                     *               "overview": "We have to send the garden plan to Ann by Friday.",
                     *               "emoji": "🌱",
                     *               "category": "work"
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AnsweredChat"];
                    "text/event-stream": unknown;
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `questions_limited`: At most {limit} questions of a user are answered at once. Try again in {seconds}s.; `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `questions_full`: Too many questions are being answered; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listMemories: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description `x-next-cursor` of the previous page. Faster than `offset`, and stable when rows are added meanwhile. */
                cursor?: string;
                /** @description Separated by commas. At least one must match. */
                categories?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Cursor of the next page. Absent on the last page. */
                    "x-next-cursor"?: string;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0198a4f2-7f2b-7c3e-9a41-2d1c5b6e7f80",
                     *         "content": "Prefers the early train",
                     *         "category": "habits",
                     *         "visibility": "private",
                     *         "tags": [
                     *           "travel"
                     *         ],
                     *         "created_at": "2026-03-01T10:00:00Z",
                     *         "updated_at": "2026-03-01T10:00:00Z",
                     *         "manually_added": true,
                     *         "reviewed": true,
                     *         "user_review": true,
                     *         "edited": false,
                     *         "scoring": "01_999_1772359200"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DeveloperMemory"][];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `answer_outdated`: A record of this answer was deleted while it was read; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Prefers the early train",
                 *       "category": "habits",
                 *       "tags": [
                 *         "travel"
                 *       ]
                 *     }
                 */
                "application/json": {
                    content: string;
                    /** @description Derived from the content if absent. */
                    category?: ("core" | "hobbies" | "lifestyle" | "interests" | "habits" | "work" | "skills" | "learnings" | "other" | "system") | null;
                    /**
                     * @default private
                     * @enum {string}
                     */
                    visibility?: "public" | "private";
                    tags?: string[];
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f2-7f2b-7c3e-9a41-2d1c5b6e7f80",
                     *       "content": "Prefers the early train",
                     *       "category": "habits",
                     *       "visibility": "private",
                     *       "tags": [
                     *         "travel"
                     *       ],
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "manually_added": true,
                     *       "reviewed": true,
                     *       "user_review": true,
                     *       "edited": false,
                     *       "scoring": "01_999_1772359200"
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperMemory"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createMemoriesBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "memories": [
                 *         {
                 *           "content": "Prefers the early train",
                 *           "category": "habits",
                 *           "tags": [
                 *             "travel"
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    memories: {
                        content: string;
                        /** @description Derived from the content if absent. */
                        category?: ("core" | "hobbies" | "lifestyle" | "interests" | "habits" | "work" | "skills" | "learnings" | "other" | "system") | null;
                        /**
                         * @default private
                         * @enum {string}
                         */
                        visibility?: "public" | "private";
                        tags?: string[];
                    }[];
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "memories": [
                     *         {
                     *           "id": "0198a4f2-7f2b-7c3e-9a41-2d1c5b6e7f80",
                     *           "content": "Prefers the early train",
                     *           "category": "habits",
                     *           "visibility": "private",
                     *           "tags": [
                     *             "travel"
                     *           ],
                     *           "created_at": "2026-03-01T10:00:00Z",
                     *           "updated_at": "2026-03-01T10:00:00Z",
                     *           "manually_added": true,
                     *           "reviewed": true,
                     *           "user_review": true,
                     *           "edited": false,
                     *           "scoring": "01_999_1772359200"
                     *         }
                     *       ],
                     *       "created_count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedMemories"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f2-7f2b-7c3e-9a41-2d1c5b6e7f80",
                     *       "content": "Prefers the early train",
                     *       "category": "habits",
                     *       "visibility": "private",
                     *       "tags": [
                     *         "travel"
                     *       ],
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "manually_added": true,
                     *       "reviewed": true,
                     *       "user_review": true,
                     *       "edited": false,
                     *       "scoring": "01_999_1772359200"
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperMemory"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Prefers the late train"
                 *     }
                 */
                "application/json": {
                    content?: string;
                    /** @enum {string} */
                    category?: "core" | "hobbies" | "lifestyle" | "interests" | "habits" | "work" | "skills" | "learnings" | "other" | "system";
                    /** @enum {string} */
                    visibility?: "public" | "private";
                    tags?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f2-7f2b-7c3e-9a41-2d1c5b6e7f80",
                     *       "content": "Prefers the early train",
                     *       "category": "habits",
                     *       "visibility": "private",
                     *       "tags": [
                     *         "travel"
                     *       ],
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "manually_added": true,
                     *       "reviewed": true,
                     *       "user_review": true,
                     *       "edited": true,
                     *       "scoring": "01_999_1772359200"
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperMemory"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listActionItems: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description `x-next-cursor` of the previous page. Faster than `offset`, and stable when rows are added meanwhile. */
                cursor?: string;
                conversation_id?: string;
                completed?: boolean;
                /** @description Created at this time or later. */
                start_date?: string | number;
                /** @description Created at or before this time, or on or before this day. */
                end_date?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Cursor of the next page. Absent on the last page. */
                    "x-next-cursor"?: string;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0198a4f2-8c11-7d2a-b0f3-6a5e4d3c2b10",
                     *         "description": "Send the garden plan to Ann",
                     *         "completed": false,
                     *         "created_at": "2026-03-01T10:00:00Z",
                     *         "updated_at": "2026-03-01T10:00:00Z",
                     *         "due_at": "2026-03-06T17:00:00Z",
                     *         "completed_at": null,
                     *         "conversation_id": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DeveloperActionItem"][];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `answer_outdated`: A record of this answer was deleted while it was read; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createActionItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Send the garden plan to Ann",
                 *       "due_at": "2026-03-06T17:00:00Z"
                 *     }
                 */
                "application/json": {
                    description: string;
                    completed?: boolean;
                    due_at?: (string | number) | null;
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f2-8c11-7d2a-b0f3-6a5e4d3c2b10",
                     *       "description": "Send the garden plan to Ann",
                     *       "completed": false,
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "due_at": "2026-03-06T17:00:00Z",
                     *       "completed_at": null,
                     *       "conversation_id": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperActionItem"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createActionItemsBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action_items": [
                 *         {
                 *           "description": "Send the garden plan to Ann",
                 *           "due_at": "2026-03-06T17:00:00Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    action_items: {
                        description: string;
                        completed?: boolean;
                        due_at?: (string | number) | null;
                    }[];
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "action_items": [
                     *         {
                     *           "id": "0198a4f2-8c11-7d2a-b0f3-6a5e4d3c2b10",
                     *           "description": "Send the garden plan to Ann",
                     *           "completed": false,
                     *           "created_at": "2026-03-01T10:00:00Z",
                     *           "updated_at": "2026-03-01T10:00:00Z",
                     *           "due_at": "2026-03-06T17:00:00Z",
                     *           "completed_at": null,
                     *           "conversation_id": null
                     *         }
                     *       ],
                     *       "created_count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedActionItems"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getActionItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f2-8c11-7d2a-b0f3-6a5e4d3c2b10",
                     *       "description": "Send the garden plan to Ann",
                     *       "completed": false,
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "due_at": "2026-03-06T17:00:00Z",
                     *       "completed_at": null,
                     *       "conversation_id": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperActionItem"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteActionItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateActionItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "completed": true,
                 *       "due_at": null
                 *     }
                 */
                "application/json": {
                    description?: string;
                    completed?: boolean;
                    /** @description Null clears it. */
                    due_at?: (string | number) | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f2-8c11-7d2a-b0f3-6a5e4d3c2b10",
                     *       "description": "Send the garden plan to Ann",
                     *       "completed": true,
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "due_at": null,
                     *       "completed_at": "2026-03-02T08:00:00Z",
                     *       "conversation_id": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperActionItem"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description `x-next-cursor` of the previous page. Faster than `offset`, and stable when rows are added meanwhile. */
                cursor?: string;
                /** @description Conversations that began at this time or later. */
                start_date?: string | number;
                /** @description Conversations that began at or before this time, or on or before this day. */
                end_date?: string | number;
                /** @description Separated by commas. At least one must match. Any text may be a category. */
                categories?: string;
                folder_id?: string;
                starred?: boolean;
                /** @description Id of a person who speaks in the conversation; `me` for the user. */
                speaker?: string;
                include_transcript?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Cursor of the next page. Absent on the last page. */
                    "x-next-cursor"?: string;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55",
                     *         "created_at": "2026-03-02T09:30:00Z",
                     *         "started_at": "2026-03-02T09:30:00Z",
                     *         "finished_at": "2026-03-02T09:30:07Z",
                     *         "structured": {
                     *           "title": "Garden plan for Ann",
                     *           "overview": "We have to send the garden plan to Ann by Friday.",
                     *           "emoji": "🌱",
                     *           "category": "personal",
                     *           "action_items": [],
                     *           "events": []
                     *         },
                     *         "language": "en",
                     *         "source": "phone",
                     *         "status": "completed",
                     *         "discarded": false,
                     *         "starred": false,
                     *         "clock": "device",
                     *         "merged_into": null,
                     *         "transcript_segments": [
                     *           {
                     *             "id": "0f6a6a52-7a4e-4a0a-93a0-1fd6a1b1c001",
                     *             "text": "We have to send the garden plan to Ann by Friday.",
                     *             "speaker_id": 0,
                     *             "speaker_name": "Ann Example",
                     *             "start": 0,
                     *             "end": 4,
                     *             "translations": []
                     *           }
                     *         ],
                     *         "geolocation": null,
                     *         "folder_id": null,
                     *         "folder_name": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DeveloperConversation"][];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `answer_outdated`: A record of this answer was deleted while it was read; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "The beds have to be measured before Ann gets the garden plan.",
                 *       "text_source": "message",
                 *       "started_at": "2026-03-02T09:30:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["CreateConversationRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55",
                     *       "status": "completed",
                     *       "discarded": false
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationCreateResponse"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createConversationFromSegments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transcript_segments": [
                 *         {
                 *           "text": "We have to send the garden plan to Ann by Friday.",
                 *           "speaker": "SPEAKER_00",
                 *           "is_user": true,
                 *           "start": 0,
                 *           "end": 4
                 *         },
                 *         {
                 *           "text": "Then I will measure the beds tomorrow.",
                 *           "speaker": "SPEAKER_01",
                 *           "start": 4.5,
                 *           "end": 7
                 *         }
                 *       ],
                 *       "source": "phone",
                 *       "language": "en",
                 *       "started_at": "2026-03-02T09:30:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["CreateConversationFromTranscriptRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55",
                     *       "status": "completed",
                     *       "discarded": false
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationCreateResponse"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createOwnConversationFromSegments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transcript_segments": [
                 *         {
                 *           "text": "We have to send the garden plan to Ann by Friday.",
                 *           "speaker": "SPEAKER_00",
                 *           "is_user": true,
                 *           "start": 0,
                 *           "end": 4
                 *         },
                 *         {
                 *           "text": "Then I will measure the beds tomorrow.",
                 *           "speaker": "SPEAKER_01",
                 *           "start": 4.5,
                 *           "end": 7
                 *         }
                 *       ],
                 *       "source": "phone",
                 *       "language": "en",
                 *       "started_at": "2026-03-02T09:30:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["CreateConversationFromTranscriptRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55",
                     *       "status": "completed",
                     *       "discarded": false
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationCreateResponse"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getConversation: {
        parameters: {
            query?: {
                include_transcript?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55",
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "started_at": "2026-03-02T09:30:00Z",
                     *       "finished_at": "2026-03-02T09:30:07Z",
                     *       "structured": {
                     *         "title": "Garden plan for Ann",
                     *         "overview": "We have to send the garden plan to Ann by Friday.",
                     *         "emoji": "🌱",
                     *         "category": "personal",
                     *         "action_items": [],
                     *         "events": []
                     *       },
                     *       "language": "en",
                     *       "source": "phone",
                     *       "status": "completed",
                     *       "discarded": false,
                     *       "starred": false,
                     *       "clock": "device",
                     *       "merged_into": null,
                     *       "transcript_segments": [
                     *         {
                     *           "id": "0f6a6a52-7a4e-4a0a-93a0-1fd6a1b1c001",
                     *           "text": "We have to send the garden plan to Ann by Friday.",
                     *           "speaker_id": 0,
                     *           "speaker_name": "Ann Example",
                     *           "start": 0,
                     *           "end": 4,
                     *           "translations": []
                     *         }
                     *       ],
                     *       "geolocation": null,
                     *       "folder_id": null,
                     *       "folder_name": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperConversation"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `conversation_not_found`: Conversation not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `answer_outdated`: A record of this answer was deleted while it was read; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `conversation_not_found`: Conversation not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Garden plan",
                 *       "starred": true
                 *     }
                 */
                "application/json": {
                    title?: string;
                    discarded?: boolean;
                    starred?: boolean;
                    /** @description Null removes it from its folder. */
                    folder_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55",
                     *       "created_at": "2026-03-02T09:30:00Z",
                     *       "started_at": "2026-03-02T09:30:00Z",
                     *       "finished_at": "2026-03-02T09:30:07Z",
                     *       "structured": {
                     *         "title": "Garden plan for Ann",
                     *         "overview": "We have to send the garden plan to Ann by Friday.",
                     *         "emoji": "🌱",
                     *         "category": "personal",
                     *         "action_items": [],
                     *         "events": []
                     *       },
                     *       "language": "en",
                     *       "source": "phone",
                     *       "status": "completed",
                     *       "discarded": false,
                     *       "starred": false,
                     *       "clock": "device",
                     *       "merged_into": null,
                     *       "transcript_segments": [
                     *         {
                     *           "id": "0f6a6a52-7a4e-4a0a-93a0-1fd6a1b1c001",
                     *           "text": "We have to send the garden plan to Ann by Friday.",
                     *           "speaker_id": 0,
                     *           "speaker_name": "Ann Example",
                     *           "start": 0,
                     *           "end": 4,
                     *           "translations": []
                     *         }
                     *       ],
                     *       "geolocation": null,
                     *       "folder_id": null,
                     *       "folder_name": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperConversation"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `conversation_not_found`: Conversation not found; `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `answers_full`: Too many large answers are in progress; `answer_outdated`: A record of this answer was deleted while it was read; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listConversationPhotos: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "3b1f8f43-8f5e-4a36-9a0b-0c7e1e3c5d11",
                     *         "created_at": "2026-03-02T09:30:05Z",
                     *         "content_type": "image/jpeg",
                     *         "bytes": 48213,
                     *         "description": "A garden bed with a measuring tape.",
                     *         "discarded": false,
                     *         "url": "https://cochlea.example/v1/photos/3b1f8f43-8f5e-4a36-9a0b-0c7e1e3c5d11?expires=1772444705&signature=mO1",
                     *         "url_expires_at": "2026-03-02T09:45:05Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ConversationPhoto"][];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `conversation_not_found`: Conversation not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    reprocessConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b1c9a52-6f0e-5d8f-9a56-3b7e3c1d2f4a",
                     *       "status": "completed"
                     *     }
                     */
                    "application/json": {
                        id: string;
                        /** @constant */
                        status: "completed";
                    };
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `conversation_not_found`: Conversation not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `conversation_unfinished`: The conversation has not been processed yet */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listFolders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0198a4f3-1d2e-7f30-8a41-5b6c7d8e9f01",
                     *         "name": "Work",
                     *         "description": "Work, business, career and professional topics",
                     *         "color": "#3B82F6",
                     *         "icon": "💼",
                     *         "created_at": "2026-03-01T10:00:00Z",
                     *         "updated_at": "2026-03-01T10:00:00Z",
                     *         "order": 0,
                     *         "is_default": false,
                     *         "is_system": true,
                     *         "category_mapping": "work",
                     *         "conversation_count": 12
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Folder"][];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listGoals: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description `x-next-cursor` of the previous page. Faster than `offset`, and stable when rows are added meanwhile. */
                cursor?: string;
                include_inactive?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Cursor of the next page. Absent on the last page. */
                    "x-next-cursor"?: string;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "goal_5c1e9a7b3d20",
                     *         "goal_id": "goal_5c1e9a7b3d20",
                     *         "title": "Read twenty books",
                     *         "desired_outcome": "Read twenty books",
                     *         "why_it_matters": null,
                     *         "success_criteria": [],
                     *         "horizon_at": null,
                     *         "status": "background",
                     *         "focus_rank": null,
                     *         "source": "user",
                     *         "metric": {
                     *           "type": "numeric",
                     *           "current": 3,
                     *           "target": 20,
                     *           "min": 0,
                     *           "max": 20,
                     *           "unit": "books"
                     *         },
                     *         "goal_type": "numeric",
                     *         "target_value": 20,
                     *         "current_value": 3,
                     *         "min_value": 0,
                     *         "max_value": 20,
                     *         "unit": "books",
                     *         "is_active": true,
                     *         "created_at": "2026-03-01T10:00:00Z",
                     *         "updated_at": "2026-03-01T10:00:00Z",
                     *         "ended_at": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DeveloperGoal"][];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `answer_outdated`: A record of this answer was deleted while it was read; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createGoal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Read twenty books",
                 *       "goal_type": "numeric",
                 *       "target_value": 20,
                 *       "unit": "books"
                 *     }
                 */
                "application/json": {
                    title: string;
                    goal_type?: ("boolean" | "scale" | "numeric") | null;
                    target_value?: number | null;
                    current_value?: number | null;
                    min_value?: number | null;
                    max_value?: number | null;
                    unit?: string | null;
                    desired_outcome?: string | null;
                    why_it_matters?: string | null;
                    success_criteria?: string[];
                    horizon_at?: (string | number) | null;
                    /** @enum {string} */
                    status?: "background" | "focused" | "paused" | "achieved" | "abandoned";
                    focus_rank?: number | null;
                    /** @enum {string} */
                    source?: "user" | "ai_suggested" | "imported";
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "goal_5c1e9a7b3d20",
                     *       "goal_id": "goal_5c1e9a7b3d20",
                     *       "title": "Read twenty books",
                     *       "desired_outcome": "Read twenty books",
                     *       "why_it_matters": null,
                     *       "success_criteria": [],
                     *       "horizon_at": null,
                     *       "status": "background",
                     *       "focus_rank": null,
                     *       "source": "user",
                     *       "metric": {
                     *         "type": "numeric",
                     *         "current": 3,
                     *         "target": 20,
                     *         "min": 0,
                     *         "max": 20,
                     *         "unit": "books"
                     *       },
                     *       "goal_type": "numeric",
                     *       "target_value": 20,
                     *       "current_value": 0,
                     *       "min_value": 0,
                     *       "max_value": 20,
                     *       "unit": "books",
                     *       "is_active": true,
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperGoal"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "goal_5c1e9a7b3d20",
                     *       "goal_id": "goal_5c1e9a7b3d20",
                     *       "title": "Read twenty books",
                     *       "desired_outcome": "Read twenty books",
                     *       "why_it_matters": null,
                     *       "success_criteria": [],
                     *       "horizon_at": null,
                     *       "status": "background",
                     *       "focus_rank": null,
                     *       "source": "user",
                     *       "metric": {
                     *         "type": "numeric",
                     *         "current": 3,
                     *         "target": 20,
                     *         "min": 0,
                     *         "max": 20,
                     *         "unit": "books"
                     *       },
                     *       "goal_type": "numeric",
                     *       "target_value": 20,
                     *       "current_value": 3,
                     *       "min_value": 0,
                     *       "max_value": 20,
                     *       "unit": "books",
                     *       "is_active": true,
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperGoal"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target_value": 24,
                 *       "unit": null
                 *     }
                 */
                "application/json": {
                    title?: string;
                    /** @enum {string} */
                    goal_type?: "boolean" | "scale" | "numeric";
                    target_value?: number;
                    current_value?: number;
                    min_value?: number | null;
                    max_value?: number | null;
                    unit?: string | null;
                    desired_outcome?: string;
                    why_it_matters?: string | null;
                    success_criteria?: string[];
                    horizon_at?: (string | number) | null;
                    /** @enum {string} */
                    status?: "background" | "focused" | "paused" | "achieved" | "abandoned";
                    focus_rank?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "goal_5c1e9a7b3d20",
                     *       "goal_id": "goal_5c1e9a7b3d20",
                     *       "title": "Read twenty books",
                     *       "desired_outcome": "Read twenty books",
                     *       "why_it_matters": null,
                     *       "success_criteria": [],
                     *       "horizon_at": null,
                     *       "status": "background",
                     *       "focus_rank": null,
                     *       "source": "user",
                     *       "metric": {
                     *         "type": "numeric",
                     *         "current": 3,
                     *         "target": 20,
                     *         "min": 0,
                     *         "max": 20,
                     *         "unit": "books"
                     *       },
                     *       "goal_type": "numeric",
                     *       "target_value": 20,
                     *       "current_value": 3,
                     *       "min_value": 0,
                     *       "max_value": 20,
                     *       "unit": "books",
                     *       "is_active": true,
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperGoal"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateGoalProgress: {
        parameters: {
            query?: {
                current_value?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    current_value?: number;
                } | null;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "goal_5c1e9a7b3d20",
                     *       "goal_id": "goal_5c1e9a7b3d20",
                     *       "title": "Read twenty books",
                     *       "desired_outcome": "Read twenty books",
                     *       "why_it_matters": null,
                     *       "success_criteria": [],
                     *       "horizon_at": null,
                     *       "status": "background",
                     *       "focus_rank": null,
                     *       "source": "user",
                     *       "metric": {
                     *         "type": "numeric",
                     *         "current": 3,
                     *         "target": 20,
                     *         "min": 0,
                     *         "max": 20,
                     *         "unit": "books"
                     *       },
                     *       "goal_type": "numeric",
                     *       "target_value": 20,
                     *       "current_value": 4,
                     *       "min_value": 0,
                     *       "max_value": 20,
                     *       "unit": "books",
                     *       "is_active": true,
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "ended_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeveloperGoal"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listGoalHistory: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2026-03-02",
                     *         "value": 3,
                     *         "recorded_at": "2026-03-02T20:15:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GoalProgress"][];
                };
            };
            /** @description `api_key_missing`: Missing or invalid Authorization header. Must be 'Bearer API_KEY'; `api_key_invalid`: Invalid API Key; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listOwnFolders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0198a4f3-1d2e-7f30-8a41-5b6c7d8e9f01",
                     *         "name": "Work",
                     *         "description": "Work, business, career and professional topics",
                     *         "color": "#3B82F6",
                     *         "icon": "💼",
                     *         "created_at": "2026-03-01T10:00:00Z",
                     *         "updated_at": "2026-03-01T10:00:00Z",
                     *         "order": 0,
                     *         "is_default": false,
                     *         "is_system": true,
                     *         "category_mapping": "work",
                     *         "conversation_count": 12
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Folder"][];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Trips"
                 *     }
                 */
                "application/json": {
                    name: string;
                    description?: string | null;
                    color?: string | null;
                    icon?: string | null;
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f3-1d2e-7f30-8a41-5b6c7d8e9f01",
                     *       "name": "Trips",
                     *       "description": null,
                     *       "color": "#6B7280",
                     *       "icon": "📁",
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "order": 3,
                     *       "is_default": false,
                     *       "is_system": false,
                     *       "category_mapping": null,
                     *       "conversation_count": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Folder"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    reorderFolders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "folder_ids": []
                 *     }
                 */
                "application/json": {
                    folder_ids: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0198a4f3-1d2e-7f30-8a41-5b6c7d8e9f01",
                     *         "name": "Work",
                     *         "description": "Work, business, career and professional topics",
                     *         "color": "#3B82F6",
                     *         "icon": "💼",
                     *         "created_at": "2026-03-01T10:00:00Z",
                     *         "updated_at": "2026-03-01T10:00:00Z",
                     *         "order": 0,
                     *         "is_default": false,
                     *         "is_system": true,
                     *         "category_mapping": "work",
                     *         "conversation_count": 12
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Folder"][];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f3-1d2e-7f30-8a41-5b6c7d8e9f01",
                     *       "name": "Trips",
                     *       "description": null,
                     *       "color": "#6B7280",
                     *       "icon": "📁",
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "order": 3,
                     *       "is_default": false,
                     *       "is_system": false,
                     *       "category_mapping": null,
                     *       "conversation_count": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Folder"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteFolder: {
        parameters: {
            query?: {
                /** @description Folder to which the conversations move. Default: none. */
                move_to_folder_id?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Journeys"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    description?: string | null;
                    color?: string | null;
                    icon?: string | null;
                    order?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f3-1d2e-7f30-8a41-5b6c7d8e9f01",
                     *       "name": "Journeys",
                     *       "description": null,
                     *       "color": "#6B7280",
                     *       "icon": "📁",
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "order": 3,
                     *       "is_default": false,
                     *       "is_system": false,
                     *       "category_mapping": null,
                     *       "conversation_count": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Folder"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listPeople: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description `x-next-cursor` of the previous page. Faster than `offset`, and stable when rows are added meanwhile. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Cursor of the next page. Absent on the last page. */
                    "x-next-cursor"?: string;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0198a4f3-2e3f-7041-9b52-6c7d8e9f0a12",
                     *         "name": "Ben",
                     *         "created_at": "2026-03-01T10:00:00Z",
                     *         "updated_at": "2026-03-01T10:00:00Z",
                     *         "voice_samples": 0
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Person"][];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ben"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f3-2e3f-7041-9b52-6c7d8e9f0a12",
                     *       "name": "Ben",
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "voice_samples": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f3-2e3f-7041-9b52-6c7d8e9f0a12",
                     *       "name": "Ben",
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "voice_samples": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deletePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updatePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Benjamin"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198a4f3-2e3f-7041-9b52-6c7d8e9f0a12",
                     *       "name": "Benjamin",
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "updated_at": "2026-03-01T10:00:00Z",
                     *       "voice_samples": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deletePersonVoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Ann Example",
                     *       "language": "en",
                     *       "languages": [
                     *         "en",
                     *         "fr"
                     *       ],
                     *       "single_language_mode": false,
                     *       "time_zone": "Europe/Berlin",
                     *       "voice_recognition": true,
                     *       "merge_devices": false,
                     *       "custom_words": [
                     *         "Nadia Okafor",
                     *         "Kubernetes"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateUserSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "language": "en",
                 *       "time_zone": "Europe/Berlin"
                 *     }
                 */
                "application/json": {
                    name?: string | null;
                    language?: string | null;
                    /** @description Codes of the languages that the user speaks, the usual one first. Speech with `language=multi` is recognised in one of them. */
                    languages?: string[] | null;
                    single_language_mode?: boolean;
                    /** @description An IANA name such as `Europe/Berlin`. */
                    time_zone?: string | null;
                    /** @description False stops the comparison, learning and enrolment of voices. Stored voices remain until they are deleted. */
                    voice_recognition?: boolean;
                    /** @description true: conversations that two devices record at one place and time become one, with the words of the better stream. */
                    merge_devices?: boolean;
                    /** @description Names and terms that you say, in your spelling. The list replaces the earlier one. Blank words and repetitions are dropped. */
                    custom_words?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Ann Example",
                     *       "language": "en",
                     *       "languages": [
                     *         "en",
                     *         "fr"
                     *       ],
                     *       "single_language_mode": false,
                     *       "time_zone": "Europe/Berlin",
                     *       "voice_recognition": true,
                     *       "merge_devices": false,
                     *       "custom_words": [
                     *         "Nadia Okafor",
                     *         "Kubernetes"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UserSettings"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "profile_text": "Gardener who reads a lot.",
                     *       "generated_at": "2026-03-01T10:00:00Z",
                     *       "data_sources_used": [
                     *         "memories"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putUserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "profile_text": "Gardener who reads a lot.",
                 *       "generated_at": "2026-03-01T10:00:00Z",
                 *       "data_sources_used": [
                 *         "memories"
                 *       ]
                 *     }
                 */
                "application/json": {
                    profile_text: string;
                    data_sources_used?: string[];
                    /** @description Defaults to now. */
                    generated_at?: (string | number) | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "profile_text": "Gardener who reads a lot.",
                     *       "generated_at": "2026-03-01T10:00:00Z",
                     *       "data_sources_used": [
                     *         "memories"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteUserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUserUsage: {
        parameters: {
            query?: {
                /** @description The first day, in the user's time zone. Default: 30 days up to the last day. */
                start_date?: string;
                /** @description The last day, in the user's time zone. Default: today. */
                end_date?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2026-03-01",
                     *         "speech": [
                     *           {
                     *             "provider": "local",
                     *             "seconds": 812.5,
                     *             "words": 1930
                     *           }
                     *         ],
                     *         "conversations": 4,
                     *         "memories": 2,
                     *         "action_items": 3
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UsageDay"][];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listPosts: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description `x-next-cursor` of the previous page. Faster than `offset`, and stable when rows are added meanwhile. */
                cursor?: string;
                start_date?: string | number;
                /** @description A day alone includes that day. */
                end_date?: string | number;
                kind?: "tweet" | "bookmark";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Cursor of the next page. Absent on the last page. */
                    "x-next-cursor"?: string;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "1764",
                     *         "kind": "tweet",
                     *         "text": "The garden is ready.",
                     *         "created_at": "2026-03-01T10:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Post"][];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `answers_full`: Too many large answers are in progress; `answer_outdated`: A record of this answer was deleted while it was read; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    writePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "1764",
                 *       "kind": "tweet",
                 *       "text": "The garden is ready.",
                 *       "created_at": "2026-03-01T10:00:00Z"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    kind: "tweet" | "bookmark";
                    text: string;
                    /** @description The application's id. Writing it again replaces the record. Default: a new id. */
                    id?: string | null;
                    /** @description Default: now. */
                    created_at?: (string | number) | null;
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1764",
                     *       "kind": "tweet",
                     *       "text": "The garden is ready.",
                     *       "created_at": "2026-03-01T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Post"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    writePosts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "posts": [
                 *         {
                 *           "id": "1764",
                 *           "kind": "tweet",
                 *           "text": "The garden is ready.",
                 *           "created_at": "2026-03-01T10:00:00Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    posts: {
                        /** @enum {string} */
                        kind: "tweet" | "bookmark";
                        text: string;
                        /** @description The application's id. Writing it again replaces the record. Default: a new id. */
                        id?: string | null;
                        /** @description Default: now. */
                        created_at?: (string | number) | null;
                    }[];
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "1764",
                     *         "kind": "tweet",
                     *         "text": "The garden is ready.",
                     *         "created_at": "2026-03-01T10:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Post"][];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1764",
                     *       "kind": "tweet",
                     *       "text": "The garden is ready.",
                     *       "created_at": "2026-03-01T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Post"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deletePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listScreenActivities: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description `x-next-cursor` of the previous page. Faster than `offset`, and stable when rows are added meanwhile. */
                cursor?: string;
                start_date?: string | number;
                /** @description A day alone includes that day. */
                end_date?: string | number;
                app?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Cursor of the next page. Absent on the last page. */
                    "x-next-cursor"?: string;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "8841",
                     *         "app_name": "Editor",
                     *         "window_title": "plan.txt",
                     *         "ocr_text": null,
                     *         "created_at": "2026-03-01T10:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ScreenActivity"][];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `answers_full`: Too many large answers are in progress; `answer_outdated`: A record of this answer was deleted while it was read; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    writeScreenActivity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "8841",
                 *       "app_name": "Editor",
                 *       "window_title": "plan.txt",
                 *       "ocr_text": null,
                 *       "created_at": "2026-03-01T10:00:00Z"
                 *     }
                 */
                "application/json": {
                    app_name: string;
                    window_title?: string | null;
                    ocr_text?: string | null;
                    /** @description The application's id. Writing it again replaces the record. Default: a new id. */
                    id?: string | null;
                    /** @description Default: now. */
                    created_at?: (string | number) | null;
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8841",
                     *       "app_name": "Editor",
                     *       "window_title": "plan.txt",
                     *       "ocr_text": null,
                     *       "created_at": "2026-03-01T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScreenActivity"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    writeScreenActivities: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "screen_activity": [
                 *         {
                 *           "id": "8841",
                 *           "app_name": "Editor",
                 *           "window_title": "plan.txt",
                 *           "ocr_text": null,
                 *           "created_at": "2026-03-01T10:00:00Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    screen_activity: {
                        app_name: string;
                        window_title?: string | null;
                        ocr_text?: string | null;
                        /** @description The application's id. Writing it again replaces the record. Default: a new id. */
                        id?: string | null;
                        /** @description Default: now. */
                        created_at?: (string | number) | null;
                    }[];
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "8841",
                     *         "app_name": "Editor",
                     *         "window_title": "plan.txt",
                     *         "ocr_text": null,
                     *         "created_at": "2026-03-01T10:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ScreenActivity"][];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getScreenActivity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "8841",
                     *       "app_name": "Editor",
                     *       "window_title": "plan.txt",
                     *       "ocr_text": null,
                     *       "created_at": "2026-03-01T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScreenActivity"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteScreenActivity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listDailySummaries: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description `x-next-cursor` of the previous page. Faster than `offset`, and stable when rows are added meanwhile. */
                cursor?: string;
                start_date?: string | number;
                /** @description A day alone includes that day. */
                end_date?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Cursor of the next page. Absent on the last page. */
                    "x-next-cursor"?: string;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2026-03-01",
                     *         "headline": "A day in the garden",
                     *         "overview": "Ann got the plan.",
                     *         "generated_by": null,
                     *         "id": "2026-03-01",
                     *         "created_at": "2026-03-01T00:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DailySummary"][];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `answers_full`: Too many large answers are in progress; `answer_outdated`: A record of this answer was deleted while it was read; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    writeDailySummary: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "date": "2026-03-01",
                 *       "headline": "A day in the garden",
                 *       "overview": "Ann got the plan."
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date
                     * @description The day. Each day has one summary.
                     */
                    date: string;
                    headline: string;
                    overview: string;
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "date": "2026-03-01",
                     *       "headline": "A day in the garden",
                     *       "overview": "Ann got the plan.",
                     *       "generated_by": null,
                     *       "id": "2026-03-01",
                     *       "created_at": "2026-03-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DailySummary"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    writeDailySummaries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "daily_summaries": [
                 *         {
                 *           "date": "2026-03-01",
                 *           "headline": "A day in the garden",
                 *           "overview": "Ann got the plan."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    daily_summaries: {
                        /**
                         * Format: date
                         * @description The day. Each day has one summary.
                         */
                        date: string;
                        headline: string;
                        overview: string;
                    }[];
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2026-03-01",
                     *         "headline": "A day in the garden",
                     *         "overview": "Ann got the plan.",
                     *         "generated_by": null,
                     *         "id": "2026-03-01",
                     *         "created_at": "2026-03-01T00:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DailySummary"][];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getDailySummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "date": "2026-03-01",
                     *       "headline": "A day in the garden",
                     *       "overview": "Ann got the plan.",
                     *       "generated_by": null,
                     *       "id": "2026-03-01",
                     *       "created_at": "2026-03-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DailySummary"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteDailySummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listChatMessages: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description `x-next-cursor` of the previous page. Faster than `offset`, and stable when rows are added meanwhile. */
                cursor?: string;
                start_date?: string | number;
                /** @description A day alone includes that day. */
                end_date?: string | number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Cursor of the next page. Absent on the last page. */
                    "x-next-cursor"?: string;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "17",
                     *         "sender": "human",
                     *         "type": "text",
                     *         "text": "When is the plan due?",
                     *         "created_at": "2026-03-01T10:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ChatMessage"][];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `answers_full`: Too many large answers are in progress; `answer_outdated`: A record of this answer was deleted while it was read; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    writeChatMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "17",
                 *       "sender": "human",
                 *       "type": "text",
                 *       "text": "When is the plan due?",
                 *       "created_at": "2026-03-01T10:00:00Z"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    sender: "human" | "ai";
                    type?: string;
                    text: string;
                    /** @description The application's id. Writing it again replaces the record. Default: a new id. */
                    id?: string | null;
                    /** @description Default: now. */
                    created_at?: (string | number) | null;
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "17",
                     *       "sender": "human",
                     *       "type": "text",
                     *       "text": "When is the plan due?",
                     *       "created_at": "2026-03-01T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ChatMessage"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    writeChatMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "messages": [
                 *         {
                 *           "id": "17",
                 *           "sender": "human",
                 *           "type": "text",
                 *           "text": "When is the plan due?",
                 *           "created_at": "2026-03-01T10:00:00Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    messages: {
                        /** @enum {string} */
                        sender: "human" | "ai";
                        type?: string;
                        text: string;
                        /** @description The application's id. Writing it again replaces the record. Default: a new id. */
                        id?: string | null;
                        /** @description Default: now. */
                        created_at?: (string | number) | null;
                    }[];
                    /** @description Same meaning as the header Idempotency-Key. */
                    client_session_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "17",
                     *         "sender": "human",
                     *         "type": "text",
                     *         "text": "When is the plan due?",
                     *         "created_at": "2026-03-01T10:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ChatMessage"][];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind}; `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getChatMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "17",
                     *       "sender": "human",
                     *       "type": "text",
                     *       "text": "When is the plan due?",
                     *       "created_at": "2026-03-01T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ChatMessage"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteChatMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    uploadRecordings: {
        parameters: {
            query?: {
                /** @description Adds the words to this conversation. */
                conversation_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    files: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "7d1f2c64-3f3e-4c0c-9b0d-5d8b4b7a9e11",
                     *       "status": "queued",
                     *       "total_files": 1,
                     *       "total_segments": 0,
                     *       "poll_after_ms": 5000,
                     *       "errors": []
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        job_id: string;
                        /**
                         * @description `completed`, `partial_failure` and `failed` are final; a file that failed can be uploaded again.
                         * @enum {string}
                         */
                        status: "queued" | "processing" | "completed" | "partial_failure" | "failed";
                        /** @description Files of the upload, including refused files. */
                        total_files: number;
                        /** @description Utterances in the transcribed files. */
                        total_segments: number;
                        /** @description When to ask again. 0 if the status is final. */
                        poll_after_ms: number;
                        /** @description Files that were refused, and files that could not be transcribed. */
                        errors: {
                            file: string;
                            code: string;
                            message: string;
                            remedy: string;
                            retryable: boolean;
                        }[];
                        /** @description Why audio of a file is missing, for example because the file is truncated or damaged. The rest of the audio was used. Absent if nothing seems to be missing. */
                        incomplete?: string;
                    };
                };
            };
            /** @description `recording_name_invalid`: The name of a recording is not valid: {why}; `recording_invalid`: A recording is not valid: {why}; `recording_too_long`: A recording is too long for one file; `multipart_invalid`: The form cannot be read: {why}; `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `conversation_not_found`: Conversation not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `recordings_full`: Too many recordings wait to be transcribed; `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `uploads_full`: Too many uploads are in progress; `storage_unavailable`: The storage of files is unavailable; `stt_provider_configuration_error`: No configured provider can transcribe this audio or its language.; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "7d1f2c64-3f3e-4c0c-9b0d-5d8b4b7a9e11",
                     *       "status": "completed",
                     *       "total_files": 1,
                     *       "total_segments": 12,
                     *       "poll_after_ms": 0,
                     *       "errors": [],
                     *       "failed_segments": 0,
                     *       "new_memories": [
                     *         "0b1c9a52-6f0e-5d8f-9a56-3b7e3c1d2f4a"
                     *       ],
                     *       "updated_memories": []
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        job_id: string;
                        /**
                         * @description `completed`, `partial_failure` and `failed` are final; a file that failed can be uploaded again.
                         * @enum {string}
                         */
                        status: "queued" | "processing" | "completed" | "partial_failure" | "failed";
                        /** @description Files of the upload, including refused files. */
                        total_files: number;
                        /** @description Utterances in the transcribed files. */
                        total_segments: number;
                        failed_segments: number;
                        /** @description Ids of new conversations. */
                        new_memories: string[];
                        /** @description Ids of conversations that received words. */
                        updated_memories: string[];
                        /** @description Files that were refused, and files that could not be transcribed. */
                        errors: {
                            file: string;
                            code: string;
                            message: string;
                            remedy: string;
                            retryable: boolean;
                        }[];
                        /** @description Why audio of a file is missing, for example because the file is truncated or damaged. The rest of the audio was used. Absent if nothing seems to be missing. */
                        incomplete?: string;
                        /** @description When to ask again. 0 if the status is final. */
                        poll_after_ms: number;
                    };
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    transcribeVoiceMessage: {
        parameters: {
            query?: {
                /** @description Language code, or `multi`. Default: the user's language. In a form it may be a field. */
                language?: string;
                /** @description Encoding of PCM. Only `linear16`, the default. */
                encoding?: string;
                /** @description Sample rate of PCM in Hz. */
                sample_rate?: number;
                /** @description Of PCM. */
                channels?: number;
                /** @description Up to 100 names and terms that may occur, separated by commas. In a form it may be a field. */
                keywords?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    files: string[];
                };
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transcript": "Remind me to call the dentist.",
                     *       "outcome": "success",
                     *       "stt_provider": "local",
                     *       "stt_model": "moonshine-base",
                     *       "language": "en"
                     *     }
                     */
                    "application/json": components["schemas"]["VoiceTranscript"];
                };
            };
            /** @description `stt_invalid_input`: The audio cannot be decoded.; `multipart_invalid`: The form cannot be read: {why}; `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceFailure"] | components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `voice_full`: Too many voice messages are in progress; `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `stt_empty_unexpected`: The provider returned no text for audible speech.; `stt_upstream_error`: The provider could not complete the request. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceFailure"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `stt_provider_configuration_error`: No configured provider can transcribe this audio or its language.; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceFailure"] | components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `stt_timeout`: The provider timed out.; `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceFailure"] | components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    sendVoiceMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repetitions with the same key within a week create nothing more. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    files: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description `stt_invalid_input`: The audio cannot be decoded.; `multipart_invalid`: The form cannot be read: {why}; `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceFailure"] | components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `idempotency_conflict`: This Idempotency-Key was used with another request; `idempotency_gone`: The record created with this Idempotency-Key has been deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `voice_full`: Too many voice messages are in progress; `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `stt_empty_unexpected`: The provider returned no text for audible speech.; `stt_upstream_error`: The provider could not complete the request. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceFailure"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `stt_provider_configuration_error`: No configured provider can transcribe this audio or its language.; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceFailure"] | components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `stt_timeout`: The provider timed out.; `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceFailure"] | components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    uploadSpeechProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    file: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "has_profile": true,
                     *       "speech_seconds": 18.4,
                     *       "created_at": "2026-03-01T10:00:00.000Z",
                     *       "url": null
                     *     }
                     */
                    "application/json": {
                        has_profile: boolean;
                        /** @description Seconds of speech in the recording of the profile. */
                        speech_seconds: number | null;
                        created_at: string | null;
                        /** @description Always null, because the recording is not stored. */
                        url: null;
                        /** @description Why audio of a file is missing, for example because the file is truncated or damaged. The rest of the audio was used. Absent if nothing seems to be missing. */
                        incomplete?: string;
                    };
                };
            };
            /** @description `voice_profile_short`: The recording has {seconds} s of speech; {needed} s are needed; `multipart_invalid`: The form cannot be read: {why}; `recording_name_invalid`: The name of a recording is not valid: {why}; `recording_invalid`: A recording is not valid: {why}; `recording_too_long`: A recording is too long for one file; `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `voice_recognition_off`: Voices are not recognised for this user */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `voice_full`: Too many voice messages are in progress; `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `codec_unavailable`: Codec {codec} is not available on this engine; `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `voice_profile_unavailable`: The recording could not be turned into a voice profile; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    hasSpeechProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "has_profile": true
                     *     }
                     */
                    "application/json": {
                        has_profile: boolean;
                    };
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteSpeechProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getSpeechProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "has_profile": true,
                     *       "speech_seconds": 18.4,
                     *       "created_at": "2026-03-01T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SpeechProfile"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getSpeechProfileRecording: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": null
                     *     }
                     */
                    "application/json": {
                        /** @description Always null, because the recording is not stored. */
                        url: null;
                    };
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "id": "b2J9fJxJ4T0sN6cM1aQxW",
                     *           "created_at": "2026-03-01T10:00:00Z",
                     *           "expires_at": "2026-03-15T10:00:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        sessions: {
                            id: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            expires_at: string;
                        }[];
                    };
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    signOutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirm": "delete my account"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Must be exactly this text.
                     * @constant
                     */
                    confirm: "delete my account";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "deleting"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "deleting";
                    };
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listMcpKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "5b0c6f0e-9a5c-4f0a-8f5d-2f6c1d3f8a11",
                     *         "name": "laptop",
                     *         "key_prefix": "svc_mcp_1a2b...9f0e",
                     *         "scopes": [
                     *           "memories.read",
                     *           "conversations.read"
                     *         ],
                     *         "created_at": "2026-03-01T10:00:00Z",
                     *         "last_used_at": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["McpApiKey"][];
                };
            };
            /** @description `not_authenticated`: Not authenticated; `credentials_invalid`: Invalid authentication credentials; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createMcpKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "laptop",
                 *       "scopes": [
                 *         "memories.read",
                 *         "conversations.read"
                 *       ]
                 *     }
                 */
                "application/json": {
                    name: string;
                    scopes?: ("memories.read" | "memories.write" | "conversations.read" | "action_items.read" | "action_items.write" | "goals.read" | "chat.read" | "people.read" | "screen_activity.read")[] | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5b0c6f0e-9a5c-4f0a-8f5d-2f6c1d3f8a11",
                     *       "name": "laptop",
                     *       "key_prefix": "svc_mcp_1a2b...9f0e",
                     *       "scopes": [
                     *         "memories.read",
                     *         "conversations.read"
                     *       ],
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "last_used_at": null,
                     *       "key": "svc_mcp_1a2b3c4d5e6f7a8b1a2b3c4d5e6f7a8b"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedMcpApiKey"];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `not_authenticated`: Not authenticated; `credentials_invalid`: Invalid authentication credentials; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `keys_full`: A user may have at most {limit} keys */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    revokeMcpKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_authenticated`: Not authenticated; `credentials_invalid`: Invalid authentication credentials; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    rotateMcpKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5b0c6f0e-9a5c-4f0a-8f5d-2f6c1d3f8a11",
                     *       "name": "laptop",
                     *       "key_prefix": "svc_mcp_1a2b...9f0e",
                     *       "scopes": [
                     *         "memories.read",
                     *         "conversations.read"
                     *       ],
                     *       "created_at": "2026-03-01T10:00:00Z",
                     *       "last_used_at": null,
                     *       "key": "svc_mcp_1a2b3c4d5e6f7a8b1a2b3c4d5e6f7a8b"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedMcpApiKey"];
                };
            };
            /** @description `not_authenticated`: Not authenticated; `credentials_invalid`: Invalid authentication credentials; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listGrants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "grants": [
                     *         {
                     *           "id": "Zc3Xk0Lr1P_8sVb5qN2tA",
                     *           "client_id": "helper",
                     *           "client_name": "Helper",
                     *           "scopes": [
                     *             "memories.read"
                     *           ],
                     *           "created_at": "2026-03-01T10:00:00Z",
                     *           "last_used_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        grants: {
                            id: string;
                            client_id: string;
                            client_name: string;
                            scopes: string[];
                            /** Format: date-time */
                            created_at: string;
                            last_used_at: string | null;
                        }[];
                    };
                };
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    revokeGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                grant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `auth_missing`: Authorization header not found; `auth_invalid`: Invalid authorization token; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `auth_unavailable`: Token keys cannot be read right now; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getToolServerInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoint: string;
                        transport: string;
                        protocol_version: string;
                        protocol_versions: string[];
                        authentication: {
                            methods: string[];
                            api_key: {
                                header: string;
                                format: string;
                            };
                            oauth2?: {
                                authorization_server: string;
                                authorization_endpoint?: string;
                                token_endpoint?: string;
                                resource: string;
                                scopes: string[];
                            };
                        };
                        instructions: {
                            step1: string;
                            step2: string;
                            step3: string;
                        };
                    };
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAssistantProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Ann",
                     *       "email": "ann@example.org",
                     *       "phone_number": null,
                     *       "profile_text": "Gardener who reads a lot.",
                     *       "generated_at": "2026-03-01T10:00:00Z",
                     *       "data_sources_used": [
                     *         "memories"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AssistantProfile"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAssistantMemories: {
        parameters: {
            query?: {
                /** @description Separated by commas. */
                categories?: string;
                limit?: number;
                offset?: number;
                /** @description Order of the list; created_desc unless given */
                sort?: "created_desc" | "updated_desc" | "manual_first" | "scoring_desc";
                /** @description Only memories that the user reviewed (true) or did not review (false) */
                reviewed?: boolean;
                /** @description Only memories that the user added (true) or did not add (false) */
                manually_added?: boolean;
                updated_after?: string;
                /** @description Also memories about screen activity */
                include_activity?: boolean;
                /** @description Also memories that are tagged as sensitive */
                include_sensitive?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                        content: string;
                        category: string;
                        visibility: string;
                        tags: string[];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        manually_added: boolean;
                        reviewed: boolean;
                        user_review: boolean | null;
                        edited: boolean;
                        scoring: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createAssistantMemory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Prefers the early train"
                 *     }
                 */
                "application/json": {
                    content: string;
                    category?: ("interesting" | "core" | "hobbies" | "lifestyle" | "interests" | "habits" | "work" | "skills" | "learnings" | "other") | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        content: string;
                        category: string;
                        visibility: string;
                        tags: string[];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        manually_added: boolean;
                        reviewed: boolean;
                        user_review: boolean | null;
                        edited: boolean;
                        scoring: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind} */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    searchAssistantMemories: {
        parameters: {
            query: {
                /** @description What is looked for, by meaning and by words */
                query: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                        content: string;
                        category: string;
                        visibility: string;
                        tags: string[];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        manually_added: boolean;
                        reviewed: boolean;
                        user_review: boolean | null;
                        edited: boolean;
                        scoring: string;
                        relevance_score: number;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAssistantConversations: {
        parameters: {
            query?: {
                start_date?: string;
                end_date?: string;
                /** @description Separated by commas. */
                categories?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                        /** Format: date-time */
                        created_at: string;
                        started_at: string | null;
                        finished_at: string | null;
                        language: string | null;
                        structured: {
                            title: string;
                            overview: string;
                            emoji: string;
                            category: string;
                            action_items: ({
                                description: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                            events: ({
                                title: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                        } & {
                            [key: string]: unknown;
                        };
                        apps_results: unknown[];
                        match_snippets: {
                            text: string;
                            segment_id: string;
                            speaker_id: number;
                            start: number;
                            end: number;
                        }[];
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    searchAssistantConversations: {
        parameters: {
            query: {
                /** @description What is looked for, by meaning and by words */
                query: string;
                start_date?: string;
                end_date?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                        /** Format: date-time */
                        created_at: string;
                        started_at: string | null;
                        finished_at: string | null;
                        language: string | null;
                        structured: {
                            title: string;
                            overview: string;
                            emoji: string;
                            category: string;
                            action_items: ({
                                description: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                            events: ({
                                title: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                        } & {
                            [key: string]: unknown;
                        };
                        apps_results: unknown[];
                        match_snippets: {
                            text: string;
                            segment_id: string;
                            speaker_id: number;
                            start: number;
                            end: number;
                        }[];
                        relevance_score: number;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAssistantActionItems: {
        parameters: {
            query?: {
                /** @description Only completed tasks, or only open ones */
                completed?: boolean;
                due_start_date?: string;
                due_end_date?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                        description: string;
                        completed: boolean;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        due_at: string | null;
                        completed_at: string | null;
                        conversation_id: string | null;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createAssistantActionItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Send the garden plan to Ann"
                 *     }
                 */
                "application/json": {
                    description: string;
                    due_at?: (string | number) | null;
                    completed?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        description: string;
                        completed: boolean;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        due_at: string | null;
                        completed_at: string | null;
                        conversation_id: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `records_full`: A user may have at most {limit} {kind} */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    searchAssistantActionItems: {
        parameters: {
            query: {
                /** @description What is looked for, by meaning and by words */
                query: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                        description: string;
                        completed: boolean;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        due_at: string | null;
                        completed_at: string | null;
                        conversation_id: string | null;
                        relevance_score: number;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAssistantGoals: {
        parameters: {
            query?: {
                /** @description Also goals that are paused or have ended */
                include_inactive?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAssistantChat: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAssistantPeople: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAssistantScreenActivity: {
        parameters: {
            query?: {
                start_date?: string;
                end_date?: string;
                app?: string;
                /** @description Counts by application instead of rows. limit is ignored then */
                summary?: boolean;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                    } & {
                        [key: string]: unknown;
                    })[] | ({
                        total_screenshots: number;
                    } & {
                        [key: string]: unknown;
                    });
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAssistantDailySummaries: {
        parameters: {
            query?: {
                start_date?: string;
                end_date?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Code 299 if a number was out of range and the nearest allowed number was used. */
                    warning?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        id: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAssistantConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: date-time */
                        created_at: string;
                        started_at: string | null;
                        finished_at: string | null;
                        language: string | null;
                        structured: {
                            title: string;
                            overview: string;
                            emoji: string;
                            category: string;
                            action_items: ({
                                description: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                            events: ({
                                title: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                        } & {
                            [key: string]: unknown;
                        };
                        source: string | null;
                        status: string;
                        discarded: boolean;
                        starred: boolean;
                        transcript_segments: ({
                            id: string;
                            text: string;
                            speaker_id: number;
                            speaker_name: string;
                            is_user: boolean;
                            person_id: string | null;
                            start: number;
                            end: number;
                            translations: {
                                lang: string;
                                text: string;
                            }[];
                        } & {
                            [key: string]: unknown;
                        })[];
                        truncated: boolean;
                        apps_results: unknown[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `conversation_not_found`: Conversation not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s.; `answers_limited`: This user has an earlier large answer that is not read yet. Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `answers_full`: Too many large answers are in progress; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteAssistantMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["StatusOk"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    editAssistantMemory: {
        parameters: {
            query: {
                value: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["StatusOk"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    completeAssistantActionItem: {
        parameters: {
            query?: {
                completed?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        description: string;
                        completed: boolean;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        due_at: string | null;
                        completed_at: string | null;
                        conversation_id: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteAssistantActionItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["StatusOk"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    updateAssistantActionItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Send both garden plans to Ann"
                 *     }
                 */
                "application/json": {
                    description?: string;
                    /** @description ISO 8601; a time without a zone is UTC. A number counts seconds since 1970, or milliseconds beyond 20000000000. A day alone is its beginning in the user's time zone. */
                    due_at?: string | number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        description: string;
                        completed: boolean;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        due_at: string | null;
                        completed_at: string | null;
                        conversation_id: string | null;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `bad_request` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `assistant_missing`: This endpoint needs an MCP API key, or access that a user has granted; `assistant_invalid`: The key or access token is not valid, has expired or was revoked; `api_key_family` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `locked`: A paid plan is required to access this {kind}. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `account_deletion_in_progress`: This account is being deleted; `scope_missing`: Insufficient permissions. Required scope: {scope} */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `record_not_found`: {kind} not found; `not_found`: Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `body_too_large`: Request body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `validation_failed` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HTTPValidationError"];
                };
            };
            /** @description `rate_limited`: Rate limit exceeded ({policy}). Try again in {seconds}s. */
            429: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `texts_full`: Too many texts wait to be read; `text_given_up`: Reading the text took more than {seconds} s; `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "database": true,
                     *       "queue": true,
                     *       "clock": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        database: boolean;
                        queue: boolean;
                        clock: boolean;
                    };
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description How long the keys may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: ({
                            kty?: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getOpenIdConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        issuer: string;
                        /** Format: uri */
                        authorization_endpoint: string;
                        /** Format: uri */
                        token_endpoint: string;
                        /** Format: uri */
                        revocation_endpoint: string;
                        response_types_supported: string[];
                        response_modes_supported: string[];
                        grant_types_supported: string[];
                        code_challenge_methods_supported: string[];
                        token_endpoint_auth_methods_supported: string[];
                        scopes_supported: string[];
                        authorization_response_iss_parameter_supported: boolean;
                        /** Format: uri */
                        jwks_uri: string;
                        subject_types_supported: string[];
                        id_token_signing_alg_values_supported: string[];
                    };
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        issuer: string;
                        /** Format: uri */
                        authorization_endpoint: string;
                        /** Format: uri */
                        token_endpoint: string;
                        /** Format: uri */
                        revocation_endpoint: string;
                        response_types_supported: string[];
                        response_modes_supported: string[];
                        grant_types_supported: string[];
                        code_challenge_methods_supported: string[];
                        token_endpoint_auth_methods_supported: string[];
                        scopes_supported: string[];
                        authorization_response_iss_parameter_supported: boolean;
                    };
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProtectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        resource: string;
                        authorization_servers: string[];
                        scopes_supported: string[];
                        bearer_methods_supported: string[];
                        resource_documentation: string;
                    };
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProtectedMcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        resource: string;
                        authorization_servers: string[];
                        scopes_supported: string[];
                        bearer_methods_supported: string[];
                        resource_documentation: string;
                    };
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProtectedMcpSse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description The rate limit with the fewest requests left. */
                    "X-RateLimit-Policy"?: string;
                    /** @description Requests allowed in the window. */
                    "X-RateLimit-Limit"?: number;
                    /** @description Requests left in the window. */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. */
                    "X-RateLimit-Reset"?: number;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        resource: string;
                        authorization_servers: string[];
                        scopes_supported: string[];
                        bearer_methods_supported: string[];
                        resource_documentation: string;
                    };
                };
            };
            /** @description `internal`: Internal error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `database_unavailable`: The database is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description `request_timeout`: The request took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
}
