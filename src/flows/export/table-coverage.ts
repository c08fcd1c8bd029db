import type { WORKSPACE_TABLES } from '../purge-workspace'

type WorkspaceTable = (typeof WORKSPACE_TABLES)[number]

/** Where an export holds what a table holds. A test holds these two lists together equal to the tables of a workspace. */
export const EXPORTED_TABLES = {
  account_classes: 'accounts.json',
  alert_events: 'alert-log.csv',
  alerts: 'alerts.json',
  categories: 'categories.json',
  currency_settings: 'rates.json',
  data_sources: 'sources.json',
  datasets: 'sources.json',
  digests: 'yours.json',
  finding_marks: 'findings.json',
  forecast_runs: 'forecast-runs.csv',
  forecasts: 'forecasts.json',
  findings: 'findings.json',
  groupings: 'groupings.json',
  insight_follows: 'yours.json',
  insight_versions: 'insight-versions.json',
  insights: 'insights.json',
  invites: 'workspace.json',
  members: 'workspace.json',
  metrics: 'metrics.json',
  notes: 'notes.json',
  own_rates: 'rates.json',
  runs: 'originals/',
  subscriptions: 'workspace.json',
  targets: 'targets.json',
  user_groups: 'workspace.json',
} as const satisfies Partial<Record<WorkspaceTable, string>>

/** What an export leaves out, and why. */
export const EXCLUDED_TABLES: Record<Exclude<WorkspaceTable, keyof typeof EXPORTED_TABLES>, string> = {
  allowances: 'How often something was used; it says nothing that anybody made.',
  audit: 'Has an export of its own, by period.',
  finding_runs: 'Marks of work that is done anew after every load.',
  kept: 'Which things stay on a smaller plan: asked anew when there is one.',
  metric_names: 'Names and synonyms as the metrics have them, in the form in which they are compared.',
  outbox: 'Mails on their way.',
  ownership_offers: 'Offers that end within days and mean nothing elsewhere.',
  samples: 'How far the sample company has come.',
  uploads: 'Files on their way; those that came in are the originals.',
}
