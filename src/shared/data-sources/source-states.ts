const SOURCE_STATES = ['draft', 'connecting', 'ready', 'syncing', 'degraded', 'failed', 'paused', 'frozen'] as const
/** Where a source stands between its first connection and its last. */
export type SourceState = (typeof SOURCE_STATES)[number]
