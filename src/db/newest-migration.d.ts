/** File name of the newest migration there was when this was built. */
declare const NEWEST_MIGRATION: string
