import type { ReportKind } from '../../src/shared/reports/report-kinds'

/** Where a report of each kind is looked at. */
export const REPORT_PATHS = {
  interactive: '/reports/interactive/$id',
  legacy: '/reports/legacy/$id',
} as const satisfies Record<ReportKind, string>
