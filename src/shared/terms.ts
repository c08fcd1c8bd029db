/**
 * The words of screens, exports and mails in more than one place: one term, one meaning (`docs/glossary.md`).
 * A word used in one place only stays there. Sentence case; no full stop.
 */
export const TERMS = {
  // Data
  imports: 'Imports',
  append: 'Append',
  relationships: 'Relationships',
  measure: 'Measure',
  dimension: 'Dimension',
  format: 'Format',
  dateColumn: 'Date column',
  // Questions and answers
  breakDownBy: 'Break down by',
  filters: 'Filters',
  period: 'Period',
  perPeriod: 'Per period',
  previousPeriod: 'Previous period',
  previousYear: 'Previous year',
  count: 'Count',
  distinctCount: 'Distinct count',
  total: 'Total',
  customFormula: 'Custom formula',
  viewRecords: 'View records',
  higherIsBetter: 'Higher is better',
  lowerIsBetter: 'Lower is better',
  synonyms: 'Synonyms',
  grossProfit: 'Gross profit',
  grossMargin: 'Gross margin',
  summary: 'Summary',
  // Figures of a ledger
  revenue: 'Revenue',
  netSales: 'Net sales',
  costOfGoodsSold: 'Cost of goods sold',
  otherExternalExpenses: 'Other external expenses',
  personnelExpenses: 'Personnel expenses',
  profitAfterFinancialItems: 'Profit after financial items',
  // Findings
  findings: 'Findings',
  contributionToChange: 'Contribution to change',
  // Forecasts and alerts
  forecastLength: 'Forecast length',
  predictionInterval: 'Prediction interval',
  seasonality: 'Seasonality',
  backtest: 'Backtest',
  forecastVsActual: 'Forecast vs actual',
  naive: 'Naive',
  seasonalNaive: 'Seasonal naive',
  error: 'Error (MAE)',
  bias: 'Bias',
  model: 'Model',
  baseline: 'Baseline',
  scenarios: 'Scenarios',
  thresholds: 'Thresholds',
  minimumCash: 'Minimum cash',
  // Actions
  discardChanges: 'Discard changes',
  email: 'Email',
  // Money
  excludingVat: 'excl. VAT',
} as const
