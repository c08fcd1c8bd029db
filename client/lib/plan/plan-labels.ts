import type { PlanLimit, LimitName, GateName } from '../../../src/shared/billing/plans'
import { capitalize } from '../../../src/shared/text'

const LIMIT_LABELS: Record<LimitName, { one: string; many: string }> = {
  analysts: { one: 'analyst', many: 'analysts' },
  users: { one: 'user', many: 'users' },
  dataSources: { one: 'data source', many: 'data sources' },
  customInsights: { one: 'custom insight', many: 'custom insights' },
  aiMessages: { one: 'bot message', many: 'bot messages' },
  activeForecasts: { one: 'active forecast', many: 'active forecasts' },
  groupings: { one: 'grouping', many: 'groupings' },
  feeds: { one: 'feed to another tool', many: 'feeds to other tools' },
}

/** "3 data sources", "unlimited custom insights". `show` writes the number. */
export function formatLimit(limit: LimitName, count: PlanLimit, show: (count: number) => string = String): string {
  const { one, many } = LIMIT_LABELS[limit]
  if (count === null) return `unlimited ${many}`
  const per = limit === 'aiMessages' ? ' a month' : ''
  return `${show(count)} ${count === 1 ? one : many}${per}`
}

/** "Data sources". */
export const limitTitle = (limit: LimitName): string => capitalize(LIMIT_LABELS[limit].many)

/** What a feature is called, and what it does for whom has it. */
export const FEATURE_LABELS: Record<GateName, { name: string; gives: string }> = {
  reporting: { name: 'Reports', gives: 'Figures and words put together for a period, ready to send.' },
  reportSharing: { name: 'Shared reports', gives: 'Reports sent by link and mail to people outside the workspace.' },
  externalBI: { name: 'External BI', gives: 'The same figures in Excel, Power BI and other tools, always current.' },
  dataGrouping: { name: 'Data grouping', gives: 'Values put together under names of your own.' },
  forecasting: { name: 'Forecasts', gives: 'What comes next, with how sure it is.' },
  dataAccessManagement: { name: 'Data access', gives: 'Who sees which rows and columns, decided by rule.' },
  userGrouping: {
    name: 'User groups',
    gives: 'People put together once, so that access and invitations can name a team instead of everybody in it.',
  },
  aiAssistant: { name: 'Insight bot', gives: 'Answers to questions asked in plain words.' },
  fileAnalysis: { name: 'File analyzer', gives: 'What is in a file, before it becomes a source.' },
  multiCurrency: { name: 'Several currencies', gives: 'Amounts of several currencies in one figure, at known rates.' },
  clientPortal: { name: 'Client portal', gives: 'A page of their own for each of your clients.' },
}

/** What is added, by how many add-ons of a kind. */
export const ADD_ON_NOUNS = {
  extra_analyst: (count: number) => (count === 1 ? 'an extra analyst' : `${count} extra analysts`),
  user_pack_10: (count: number) => `${count * 10} users`,
  extra_source: (count: number) => (count === 1 ? 'an extra data source' : `${count} extra data sources`),
} as const
