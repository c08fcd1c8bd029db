import { z } from 'zod'
import type { ColumnFormat } from '../data-sources/files'
import { FINDING_KINDS, type Finding, type FindingKind } from '../findings'
import type { ForecastGrain } from '../forecasts/result'
import { idSchema } from '../ids'

/** What changed since somebody's last visit, as they may see it. */

/** A finding with its name: the same in every run that finds the same thing. */
export interface KeyedFinding extends Finding {
  key: string
}

/** What a person did with a finding. Epoch ms. */
export interface StoryMark {
  readAt: number | null
  snoozedUntil: number | null
}

export const STORY_STATES = ['new', 'unread', 'read', 'snoozed'] as const
/** `new`: first found since the last visit. `unread`: before it. */
export type StoryState = (typeof STORY_STATES)[number]

/** `open`: what is new or unread. */
export const STORY_FILTERS = ['open', 'new', 'read', 'snoozed', 'all'] as const
export type StoryFilter = (typeof STORY_FILTERS)[number]

const STORIES_SHOWN = 20
export const STORIES_MAX = 100
export const SNOOZE_DAYS_MAX = 90

/** `GET /api/pilot/briefing`. */
export const briefingQuerySchema = z.strictObject({
  state: z.enum(STORY_FILTERS).default('open'),
  source: idSchema('source').optional(),
  kind: z.enum(FINDING_KINDS).optional(),
  limit: z.coerce.number().int().min(1).max(STORIES_MAX).default(STORIES_SHOWN),
})
export type BriefingQuery = z.output<typeof briefingQuerySchema>

/** `PUT /api/pilot/briefing/{findingId}`: what is absent stays as it is. One's own. */
export const markStorySchema = z
  .strictObject({
    read: z.boolean(),
    /** Days until it comes back; null ends it. */
    snoozeDays: z.int().min(1).max(SNOOZE_DAYS_MAX).nullable(),
    /** Less of its kind, everywhere. */
    lessOfKind: z.boolean(),
  })
  .partial()
  .refine((mark) => Object.keys(mark).length > 0, { message: 'Nothing to change.' })
export type MarkStoryInput = z.input<typeof markStorySchema>

/** One happening, told once: by the finding that tells most of it, with what else shows it. */
export interface BriefingStory {
  finding: Finding
  /** The same by other figures, of a part or the whole, and by other splits. */
  facets: Finding[]
  state: StoryState
  /** Until when it is put off; ISO instant. */
  snoozedUntil: string | null
  /** The person wants less of its kind. */
  lessOfKind: boolean
  sourceId: string | null
  sourceName: string | null
  /** Last day of the data that it is about (ISO day). */
  dataTo: string | null
}

/** A forecast whose newest complete figure lies outside the interval that was given it before it was known. */
export interface BriefingForecast {
  forecastId: string
  name: string
  period: string
  grain: ForecastGrain
  value: number
  lower: number
  upper: number
  /** Per cent of the interval. */
  level: number
  format: ColumnFormat | null
}

export interface BriefingAlert {
  alertId: string
  name: string
  /** Of several groups how many are open; 1 for the total. */
  groups: number
  /** Of the group that has been open longest; null for those whose rights to the data differ from the owner's. */
  label: string | null
  value: number | null
  period: string | null
  format: ColumnFormat | null
  /** ISO instant. */
  since: string | null
  acknowledged: boolean
}

/** `stale`: no new rows for over five weeks. */
export interface BriefingSource {
  sourceId: string
  name: string
  problem: 'failed' | 'stale'
  /** When the rows came that stand; ISO instant. */
  loadedAt: string | null
}

/** What waits for the person. */
export type WaitingItem =
  /** A comment or note names them. `path` is where it stands. */
  | { kind: 'mention'; by: string; on: string; path: string; at: string }
  /** A new edition of a report whose edition before they signed. */
  | { kind: 'signOff'; report: string; edition: number; path: string; at: string }
  | { kind: 'ownership'; by: string; path: string; at: string }
  /** An invitation to another workspace, by mail. */
  | { kind: 'invitation'; workspace: string; by: string; at: string }
  | { kind: 'rejectedRows'; source: string; rows: number; path: string; at: string }
  /** A feature that they wanted to hear of can be tried. */
  | { kind: 'earlyAccess'; title: string; path: string; at: string }

/** A piece of the paragraph that sums up: words, or the sentence of a story by its place. */
export type SummaryPart = { text: string } | { story: number }

/** `none`: there are no rows with dates yet. `tooLittle`: nothing could be tested. */
export type BriefingBasis = 'none' | 'tooLittle' | 'tested'

export interface Briefing {
  /** The last visit before this one; null: this is the first. ISO instant. */
  since: string | null
  basis: BriefingBasis
  /** Rows have come that were not looked at yet. */
  behind: boolean
  /** Last day of the newest data (ISO day). */
  dataTo: string | null
  stories: BriefingStory[]
  /** Stories that pass the filters. */
  total: number
  /** Over all sources and kinds. */
  counts: Record<StoryState, number>
  summary: SummaryPart[]
  forecasts: BriefingForecast[]
  alerts: BriefingAlert[]
  sources: BriefingSource[]
  waiting: WaitingItem[]
  /** What can be filtered by. */
  filters: { sources: { id: string; name: string }[]; kinds: FindingKind[] }
}
