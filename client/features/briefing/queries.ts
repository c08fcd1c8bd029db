import { jsonQuery } from '../../lib/queries/query-options'
import { queryClient } from '../../lib/queries/query-client'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { workspaceId } from '../../lib/session'
import type { Briefing, MarkStoryInput, StoryFilter } from '../../../src/shared/briefing/briefing'
import type { FindingKind } from '../../../src/shared/findings'

/** What of the briefing is asked for. */
export interface BriefingFilters {
  state: StoryFilter
  source?: string | undefined
  kind?: FindingKind | undefined
  limit: number
}

export const briefingQuery = ({ state, source, kind, limit }: BriefingFilters) =>
  jsonQuery<Briefing>(['briefing', workspaceId(), state, source, kind, limit], (options) =>
    api.api.pilot.briefing.$get({ query: { state, source, kind, limit: String(limit) } }, options),
  )

/** Stories that the landing page tells. */
const LANDING_STORIES = 3
export const landingBriefingQuery = () => briefingQuery({ state: 'new', limit: LANDING_STORIES })

export async function markStory(findingId: string, mark: MarkStoryInput): Promise<void> {
  await readJson<unknown>(
    api.api.pilot.briefing[':id'].$put({ param: { id: findingId }, json: mark }, withIdempotencyKey()),
  )
  await queryClient.invalidateQueries({ queryKey: ['briefing'] })
}
