/** `interactive`: a live board. `legacy`: a statement pack whose published editions never change. */
export const REPORT_KINDS = ['interactive', 'legacy'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]
