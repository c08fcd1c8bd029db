/**
 * The words of screens, exports and mails that stand in more than one place: one term, one meaning (`docs/glossary.md`).
 * A word used in one place only stays there. Sentence case; no full stop.
 */
export const TERMS = {
  // Data
  import: 'Import',
  imports: 'Imports',
  importSettings: 'Import settings',
  append: 'Append',
  upsert: 'Update or add (upsert)',
  relationships: 'Relationships',
  calculatedColumn: 'Calculated column',
  measure: 'Measure',
  dimension: 'Dimension',
  format: 'Format',
  dateColumn: 'Date column',
  restore: 'Restore',
  // Questions and answers
  breakDownBy: 'Break down by',
  filters: 'Filters',
  period: 'Period',
  perPeriod: 'Per period',
  previousPeriod: 'Previous period',
  previousYear: 'Previous year',
  lastComplete: 'Last complete',
  count: 'Count',
  distinctCount: 'Distinct count',
  minimum: 'Minimum',
  maximum: 'Maximum',
  total: 'Total',
  customFormula: 'Custom formula',
  calculationDetails: 'Calculation details',
  viewRecords: 'View records',
  higherIsBetter: 'Higher is better',
  lowerIsBetter: 'Lower is better',
  synonyms: 'Synonyms',
  summary: 'Summary',
  // Findings
  findings: 'Findings',
  contributionToChange: 'Contribution to change',
  // Forecasts and alerts
  forecastLength: 'Forecast length',
  predictionInterval: 'Prediction interval',
  seasonality: 'Seasonality',
  outlier: 'Outlier',
  backtest: 'Backtest',
  model: 'Model',
  baseline: 'Baseline',
  scenarios: 'Scenarios',
  threshold: 'Threshold',
  thresholds: 'Thresholds',
  minimumCash: 'Minimum cash',
  resolved: 'Resolved',
  // Actions
  create: 'Create',
  discardChanges: 'Discard changes',
  email: 'Email',
  // Money
  excludingVat: 'excl. VAT',
} as const
