import type { FileWarning } from '../../shared/files'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'

export function skippedSheetWarning(name: string, why: 'empty' | 'no cells'): FileWarning {
  const reason = why === 'empty' ? 'has no values' : 'holds no cells (a chart, dialog or macro)'
  return { code: 'skipped_sheet', message: `“${name}” ${reason} and was left out.` }
}

export function tooManySheetsWarning(): FileWarning {
  return {
    code: 'skipped_sheet',
    message: `The first ${SOURCE_MAX_DATASETS} sheets with values are offered. Upload the others as a workbook of their own.`,
  }
}

export function hiddenSheetWarning(): FileWarning {
  return { code: 'hidden_sheet', message: 'This sheet is hidden in the workbook.' }
}
