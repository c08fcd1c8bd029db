import { parseTable } from './cell-parsing'
import { assignTarget, type ColumnTarget, type ColumnTargets } from './column-mapping'
import { IMPORT_SETTING_FIELDS } from './import-settings'
import type { FileColumnEdit, FileColumnEdits } from '../columns/file-column-edits'
import type { Column } from '../../../../src/shared/data-sources/data-sources'
import type { CsvSettings, FileColumn, FileInspection } from '../../../../src/shared/data-sources/files'
import type { ColumnChoice, ImportChoices, RememberedImport } from '../../../../src/shared/data-sources/import-choices'
import { REJECTS_MAX_SHARE } from '../../../../src/shared/limits'

type SettingChoice = ImportChoices['settings'][number]
type TargetChoice = ImportChoices['targets'][number]
/** What of earlier choices fits a file, and the names of what does not. */
interface FittingChoices<Part> {
  fitting: Part
  leftOut: string[]
}

/** What a person corrected, as far as the file is read otherwise by it than it was detected. */
export function settingChoices(
  detected: CsvSettings,
  chosen: CsvSettings,
  corrected: Partial<CsvSettings>,
): SettingChoice[] {
  return IMPORT_SETTING_FIELDS.flatMap(({ key, read }) =>
    key in corrected && read(detected) !== read(chosen)
      ? [{ key, detected: read(detected), chosen: read(chosen) }]
      : [],
  )
}

/** The same of columns, by their headings. Edits that were made for another heading at that place are none. */
export function columnChoices(columns: readonly FileColumn[], edits: FileColumnEdits): ColumnChoice[] {
  return columns.flatMap(({ index, label }): ColumnChoice[] => {
    const edit = edits.get(index)
    if (edit?.of !== label) return []
    const { of, currencyIndex, ...rest } = edit
    const currency =
      currencyIndex === undefined || currencyIndex === null
        ? currencyIndex
        : columns.find((column) => column.index === currencyIndex)?.label
    const changes = { ...rest, currency }
    return Object.values(changes).every((value) => value === undefined) ? [] : [{ of, ...changes }]
  })
}

/** Columns that go elsewhere than is proposed. */
export const targetChoices = (
  columns: readonly FileColumn[],
  targets: ColumnTargets,
  proposed: ColumnTargets,
): TargetChoice[] =>
  columns.flatMap(({ index, label }) => {
    const to = targetText(targets.get(index))
    return to === targetText(proposed.get(index)) ? [] : [{ of: label, to }]
  })
const targetText = (target: ColumnTarget = { kind: 'skip' }): TargetChoice['to'] =>
  target.kind === 'column' ? target.key : target.kind

/** Corrections fit a file in which the same was detected: of another, more is known now than was then. */
export function fitSettings(
  detected: CsvSettings,
  choices: readonly SettingChoice[],
): FittingChoices<Partial<CsvSettings>> {
  const fields = IMPORT_SETTING_FIELDS.flatMap((field) => {
    const choice = choices.find(({ key }) => key === field.key)
    return choice && choice.chosen !== field.read(detected) ? [{ ...field, choice }] : []
  })
  const isAsThen = ({ read, choice }: (typeof fields)[number]): boolean => read(detected) === choice.detected
  return {
    fitting: Object.assign({}, ...fields.filter(isAsThen).map(({ write, choice }) => write(choice.chosen))),
    leftOut: fields.filter((field) => !isAsThen(field)).map(({ label }) => label.toLowerCase()),
  }
}

/** Edits of the columns that are there; of a type that the cells are not of, nothing is taken. */
export function fitColumns(
  inspection: FileInspection,
  choices: readonly ColumnChoice[],
): FittingChoices<FileColumnEdits> {
  const byLabel = new Map(inspection.columns.map((column, at) => [column.label, { column, at }]))
  const edits = new Map<number, FileColumnEdit & { of: string }>()
  const leftOut: string[] = []
  for (const { of, currency, ...changes } of choices) {
    const found = byLabel.get(of)
    const by = typeof currency === 'string' ? byLabel.get(currency)?.column.index : currency
    if (!found || (typeof currency === 'string' && by === undefined)) leftOut.push(`column “${found ? currency : of}”`)
    if (!found) continue
    const edit = { ...changes, ...(by === undefined ? {} : { currencyIndex: by }), of }
    const { bad, cells } = parseTable(inspection, new Map([[found.column.index, edit]]))
    if (changes.type !== undefined && (bad[found.at] ?? 0) > cells.length * REJECTS_MAX_SHARE)
      leftOut.push(`type of “${of}”`)
    else edits.set(found.column.index, edit)
  }
  return { fitting: edits, leftOut }
}

/** Proposed targets with those that were chosen before; what is not there any more is passed over. */
export function applyTargets(
  proposed: ColumnTargets,
  choices: readonly TargetChoice[],
  { headings, existing }: { headings: ReadonlyMap<string, number>; existing: readonly Column[] },
): ColumnTargets {
  return choices.reduce((targets, { of, to }) => {
    const index = headings.get(of)
    if (index === undefined) return targets
    if (to === 'new' || to === 'skip') return assignTarget(targets, index, { kind: to })
    return existing.some(({ key }) => key === to) ? assignTarget(targets, index, { kind: 'column', key: to }) : targets
  }, proposed)
}

/** Where earlier choices were made, in words. */
export const rememberedName = ({ source, table }: Pick<RememberedImport, 'source' | 'table'>): string =>
  source === table ? source : `${source}: ${table}`
