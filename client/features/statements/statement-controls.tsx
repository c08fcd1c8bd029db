import { Button, Chip, Group, SegmentedControl, Select } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import classes from '../../ui/statement/statement-table.module.css'
import { statementFileUrl, type StatementChoice } from './queries'
import { useMay } from '../../lib/gate'
import {
  NO_OBJECT,
  STATEMENT_NAMES,
  STATEMENTS,
  type Statement,
  type StatementLanguage,
  type StatementView,
} from '../../../src/shared/statements/statements'
import { spanName } from '../../../src/shared/statements/words'

const VIEW_LABELS: Record<StatementView, string> = {
  months: 'Months',
  quarters: 'Quarters',
  years: 'Fiscal years',
  ytd: 'Year to date',
  rolling: 'Rolling 12 months',
}

export interface StatementControlsProps {
  statement: Statement
  choice: StatementChoice
  language: StatementLanguage
  onChoose: (change: Partial<StatementChoice> & { language?: StatementLanguage }) => void
}

/** Which statement, of which period, beside what. */
export function StatementControls(props: StatementControlsProps) {
  const { statement, choice, language, onChoose } = props
  return (
    <div className="no-print">
      <Group gap={6} mb="sm" role="group" aria-label="Statement">
        {STATEMENTS.map((kind) => (
          <Button
            key={kind}
            size="sm"
            variant={kind === statement.kind ? 'filled' : 'default'}
            aria-pressed={kind === statement.kind}
            onClick={() => onChoose({ statement: kind })}
          >
            {STATEMENT_NAMES[kind][language]}
          </Button>
        ))}
      </Group>
      <Group gap="sm" align="end" mb="md">
        <PeriodControls {...props} />
        <Comparison {...props} />
        {statement.kind === 'income' && statement.dimensions.length > 0 && <DimensionControls {...props} />}
        <Group gap="xs" ml="auto">
          <SegmentedControl
            size="xs"
            aria-label="Language"
            value={language}
            data={[
              { value: 'en', label: 'EN' },
              { value: 'sv', label: 'SV' },
            ]}
            onChange={(value) => onChoose({ language: value === 'sv' ? 'sv' : 'en' })}
          />
          <FileButtons source={statement.source.id} choice={choice} language={language} />
        </Group>
      </Group>
    </div>
  )
}

function FileButtons({
  source,
  choice,
  language,
}: {
  source: string
  choice: StatementChoice
  language: StatementLanguage
}) {
  const may = useMay('export:data')
  return (
    <>
      <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
        Print
      </Button>
      {may && (
        <Button
          variant="default"
          component="a"
          href={statementFileUrl(source, choice, language)}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Excel
        </Button>
      )}
    </>
  )
}

function PeriodControls({ statement, onChoose }: StatementControlsProps) {
  const { kind, view, year, years, months, through, companies, company } = statement
  const isWhole = year.detail === 'year'
  const views = Object.entries(VIEW_LABELS).map(([value, label]) => ({
    ...{ value, label },
    disabled: (kind === 'trial' && value !== 'ytd') || (isWhole && value !== 'ytd' && value !== 'years'),
  }))
  return (
    <>
      {companies.length > 1 && (
        <Select
          label="Company"
          className={classes.control}
          allowDeselect={false}
          data={companies.flatMap(({ id, name }) => (id === null ? [] : [{ value: id, label: name ?? id }]))}
          value={company.id}
          onChange={(id) => onChoose({ company: id ?? undefined, year: undefined, through: undefined })}
        />
      )}
      <Select
        label="Fiscal year"
        className={`${classes.control} ${year.name.length > 4 ? classes.year : ''}`}
        allowDeselect={false}
        data={years
          .map(({ name, start, end }) => ({
            value: name,
            label: spanName({ from: start.slice(0, 7), to: end.slice(0, 7) }, 'en'),
          }))
          .toReversed()}
        value={year.name}
        onChange={(name) => onChoose({ year: name ?? undefined, through: undefined })}
      />
      <Select
        label="Columns"
        className={classes.control}
        allowDeselect={false}
        data={views}
        value={view}
        onChange={(value) => onChoose({ view: toView(value), ...(hasThrough(value) ? {} : { through: undefined }) })}
      />
      {hasThrough(view) && !isWhole && (
        <Select
          label="Through"
          className={classes.control}
          allowDeselect={false}
          data={monthsBetween(months.from, months.to).map((month) => ({
            value: month,
            label: spanName({ from: month, to: month }, 'en'),
          }))}
          value={through}
          onChange={(month) => onChoose({ through: month ?? undefined })}
        />
      )}
    </>
  )
}

/** Views that end in a month of one's choice. */
const hasThrough = (view: string | null): boolean => view === 'ytd' || view === 'rolling'
const toView = (value: string | null): StatementView | undefined =>
  value === 'quarters' || value === 'years' || value === 'ytd' || value === 'rolling' ? value : undefined

/** `2026-01` … `2026-12`, both inclusive. */
function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  const [year = 0, month = 1] = from.split('-').map(Number)
  for (let at = year * 12 + month - 1; ; at++) {
    const text = `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`
    if (text > to) return months
    months.push(text)
  }
}

function Comparison({ statement, choice, onChoose }: StatementControlsProps) {
  const { kind, has } = statement
  if (kind === 'trial' || statement.columns.some(({ object }) => object !== undefined)) return null
  const chips: { key: 'lastYear' | 'budget' | 'variance'; label: string; shown: boolean }[] = [
    { key: 'lastYear', label: 'Last year', shown: has.lastYear },
    { key: 'budget', label: 'Budget', shown: has.budget && kind === 'income' },
    {
      key: 'variance',
      label: 'Variance',
      shown: (choice.lastYear === true && has.lastYear) || (choice.budget === true && has.budget && kind === 'income'),
    },
  ]
  const shown = chips.filter((chip) => chip.shown)
  if (shown.length === 0) return null
  return (
    <Group gap={6} role="group" aria-label="Compare with" pb={4}>
      {shown.map(({ key, label }) => (
        <Chip
          variant="outline"
          key={key}
          size="sm"
          checked={choice[key] === true}
          onChange={(on) => onChoose({ [key]: on ? true : undefined })}
        >
          {label}
        </Chip>
      ))}
    </Group>
  )
}

function DimensionControls({ statement, choice, onChoose }: StatementControlsProps) {
  const { dimensions, objects } = statement
  const own = dimensions.find(({ key }) => key === choice.dimension)
  return (
    <>
      <Select
        label="Dimension"
        className={classes.control}
        clearable
        placeholder="All entries"
        data={dimensions.map(({ key, label }) => ({ value: key, label }))}
        value={own?.key ?? null}
        onChange={(key) => onChoose({ dimension: key ?? undefined, object: undefined })}
      />
      {own && (
        <Select
          label={own.label}
          className={classes.control}
          clearable
          searchable
          placeholder="A column each"
          data={objects.map(({ key, name }) => ({
            value: key === '' ? NO_OBJECT : key,
            label: key === '' ? 'None' : name === null || name === key ? key : `${key} ${name}`,
          }))}
          value={choice.object ?? null}
          onChange={(object) => onChoose({ object: object ?? undefined })}
        />
      )}
    </>
  )
}
