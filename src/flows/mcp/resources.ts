import { MCP_ROWS_DEFAULT } from './answers'
import type { McpContext } from './context'
import { readInsight } from './insight-tools'
import { readReportPage } from './report-tool'
import { assertAllowed } from './tool'
import { listInsights } from '../../features/insights/service'
import { listReports } from '../../features/reports/service'
import { ProductError } from '../../shared/errors'
import { isId } from '../../shared/ids'

interface ListedResource {
  uri: string
  name: string
  description: string
  mimeType: string
}

/** A kind of thing that programs read by its address. */
export interface McpResources {
  name: string
  /** RFC 6570, with `{id}`. */
  uri: string
  title: string
  description: string
  list(context: McpContext): Promise<ListedResource[]>
  /** @throws ProductError `not_found` and whatever its figures are refused for */
  read(context: McpContext, id: string): Promise<Record<string, unknown>>
}

const LIST_SIZE = 100
const listed = (kind: string, { id, name, description }: { id: string; name: string; description: string }) => ({
  ...{ uri: `insikt://${kind}/${id}`, name, description, mimeType: 'application/json' },
})

const INSIGHTS = { permission: 'view:insight', gate: 'aiAssistant' } as const
export const insightResources: McpResources = {
  name: 'insight',
  uri: 'insikt://insights/{id}',
  title: 'Insights',
  description: 'Saved insights with their current figures',
  list: async (context) => {
    assertAllowed(context, INSIGHTS)
    const { items } = await listInsights(context, { limit: LIST_SIZE, deleted: '0' })
    return items.map((item) => listed('insights', item))
  },
  read: async (context, id) => {
    assertAllowed(context, INSIGHTS)
    if (!isId('insight', id)) throw new ProductError('not_found')
    return readInsight(context, id, MCP_ROWS_DEFAULT)
  },
}

const REPORTS = { permission: 'view:report', gate: 'reporting' } as const
export const reportResources: McpResources = {
  name: 'report',
  uri: 'insikt://reports/{id}',
  title: 'Reports',
  description: 'Published reports: the first page with its current figures',
  list: async (context) => {
    assertAllowed(context, REPORTS)
    const { items } = await listReports(context, { limit: LIST_SIZE, archived: '0' })
    return items.filter(({ status }) => status === 'published').map((item) => listed('reports', item))
  },
  read: async (context, id) => {
    assertAllowed(context, REPORTS)
    if (!isId('report', id)) throw new ProductError('not_found')
    return readReportPage(context, { id })
  },
}
