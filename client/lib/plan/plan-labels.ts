import type { PlanLimit, LimitName, GateName } from '../../../src/shared/billing/plans'
import { capitalize } from '../../../src/shared/text'

const LIMIT_LABELS: Record<LimitName, { one: string; many: string }> = {
  analysts: { one: 'analyst', many: 'analysts' },
  users: { one: 'user', many: 'users' },
  dataSources: { one: 'data source', many: 'data sources' },
  customInsights: { one: 'custom insight', many: 'custom insights' },
  aiMessages: { one: 'AI message', many: 'AI messages' },
  activeForecasts: { one: 'active forecast', many: 'active forecasts' },
  groupings: { one: 'grouping', many: 'groupings' },
  feeds: { one: 'BI feed', many: 'BI feeds' },
}

/** "3 data sources", "unlimited custom insights". `show` writes the number. */
export function formatLimit(limit: LimitName, count: PlanLimit, show: (count: number) => string = String): string {
  const { one, many } = LIMIT_LABELS[limit]
  if (count === null) return `unlimited ${many}`
  return `${show(count)} ${count === 1 ? one : many}${periodOf(limit)}`
}

/** What is counted anew in each period. */
const periodOf = (limit: LimitName): string => (limit === 'aiMessages' ? ' a month' : '')

/** "Data sources", "AI messages a month". */
export const allowanceTitle = (limit: LimitName): string => limitTitle(limit) + periodOf(limit)

/** "Data sources". */
export const limitTitle = (limit: LimitName): string => capitalize(LIMIT_LABELS[limit].many)

/** What a feature is called, and what it does for whom has it. */
export const FEATURE_LABELS: Record<GateName, { name: string; gives: string }> = {
  reporting: { name: 'Reports', gives: 'Interactive boards and statement packs.' },
  reportSharing: { name: 'Shared reports', gives: 'Share reports by link and email.' },
  externalBI: { name: 'External BI', gives: 'Live figures in Excel, Power BI and other tools.' },
  dataGrouping: { name: 'Data grouping', gives: 'Group values under your own names.' },
  forecasting: { name: 'Forecasts', gives: 'Forecasts with prediction intervals.' },
  dataAccessManagement: { name: 'Data access management', gives: 'Rules for who sees which rows and columns.' },
  userGrouping: {
    name: 'User groups',
    gives: 'Share and invite by group.',
  },
  aiAssistant: { name: 'Insight bot', gives: 'Ask questions in plain language.' },
  fileAnalysis: { name: 'File analyzer', gives: 'Check a file before importing it.' },
  multiCurrency: { name: 'Multi-currency', gives: 'Convert amounts to one currency at known rates.' },
  clientPortal: { name: 'Client portal', gives: 'A portal for each client.' },
}

/** What is added, by how many add-ons of a kind. */
export const ADD_ON_NOUNS = {
  extra_analyst: (count: number) => (count === 1 ? 'an extra analyst' : `${count} extra analysts`),
  user_pack_10: (count: number) => `${count * 10} users`,
  extra_source: (count: number) => (count === 1 ? 'an extra data source' : `${count} extra data sources`),
} as const
