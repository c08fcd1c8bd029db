import { Button, Group, Select, Text, TextInput, Alert, Collapse, List, Textarea, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import { addMonths, periodEnd } from '../../../src/shared/targets/periods'
import { TERMS } from '../../../src/shared/terms'
import { parseAmount, parsePaste, type PasteError } from '../../../src/shared/targets/paste'
import { seriesPlan } from '../../../src/shared/monitored-metric'
import { toNumber } from '../../../src/shared/figures/cell-formatter'
import { lineKey, distributeTotal, applyPaste, type TargetDraft } from './target-draft'
import { planResultQuery } from '../../lib/plan-result'
import type { TargetSubject } from './queries'
import { useSession } from '../../lib/session'
import { MutedText } from '../../ui/muted-text'

interface DistributeTotalProps {
  draft: TargetDraft
  periods: readonly string[]
  subject: TargetSubject
  onChange: (next: TargetDraft) => void
}
const YEAR_MONTHS = 12
const EMPTY_PLAN: QueryPlan = { v: 1, kind: 'aggregate', measures: [], dimensions: [], filters: [] }

/** One sum for the year, spread over its periods so that they add up to it exactly. */
export function DistributeTotal({ draft, periods, subject, onChange }: DistributeTotalProps) {
  const [total, setTotal] = useState('')
  const [key, setKey] = useState(() => lineKey(draft.lines[0] ?? { cells: {} }))
  const weights = useLastYearWeights(subject.monitoredMetric, { draft, periods })
  const line = draft.lines.find((one) => lineKey(one) === key) ?? draft.lines[0]
  const amount = parseAmount(total, draft.decimalMark)
  if (!line || periods.length < 2) return null
  const apply = (by: readonly number[] | null): void => {
    if (amount !== null) onChange(distributeTotal(draft, { key: lineKey(line), whole: amount, periods, weights: by }))
  }
  return (
    <div>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Distribute annual total"
          inputMode="decimal"
          placeholder="12 000 000"
          value={total}
          error={total.trim() !== '' && amount === null ? 'Enter a number.' : null}
          onChange={(event) => setTotal(event.currentTarget.value)}
        />
        {draft.lines.length > 1 && (
          <Select
            label="For"
            data={draft.lines.map((one) => ({
              value: lineKey(one),
              label: one.member === undefined ? TERMS.total : String(one.member ?? 'No value'),
            }))}
            value={lineKey(line)}
            onChange={(value) => setKey(value ?? key)}
          />
        )}
        <Button variant="default" disabled={amount === null} onClick={() => apply(null)}>
          Distribute evenly
        </Button>
        <Button variant="default" disabled={amount === null || weights === null} onClick={() => apply(weights)}>
          By previous year
        </Button>
      </Group>
      {weights === null && (
        <MutedText size="xs" mt={4}>
          No figures for the previous year
        </MutedText>
      )}
    </div>
  )
}

/** What each period came to a year earlier; null where there is nothing to go by. */
function useLastYearWeights(
  tracked: TargetSubject['monitoredMetric'],
  { draft, periods }: { draft: TargetDraft; periods: readonly string[] },
) {
  const earlier = periods.map((period) => addMonths(period, -YEAR_MONTHS))
  const [from = '', last = ''] = [earlier[0], earlier.at(-1)]
  const plan = tracked?.additive
    ? seriesPlan(tracked, { grain: draft.grain, from, to: periodEnd(last, draft.grain) })
    : null
  const { data } = useQuery({ ...planResultQuery(plan ?? EMPTY_PLAN), enabled: plan !== null })
  return plan && data ? weightsOf(data, earlier) : null
}

function weightsOf({ rows }: QueryResult, periods: readonly string[]): number[] | null {
  const values = new Map(rows.map((row) => [row[0], toNumber(row[1])]))
  const weights = periods.map((period) => Math.max(0, values.get(period) ?? 0))
  return weights.some((weight) => weight > 0) ? weights : null
}

const PASTE_ERRORS_SHOWN_MAX = 8

/** Figures copied from a spreadsheet or a CSV; nothing is taken over while a line cannot be read. */
export function PasteTargets({ draft, onChange }: { draft: TargetDraft; onChange: (next: TargetDraft) => void }) {
  const fiscalYearStart = useSession().workspace?.settings.fiscalYearStart ?? 1
  const [opened, disclosure] = useDisclosure(false)
  const [text, setText] = useState('')
  const [faults, setFaults] = useState<PasteError[]>([])
  const byMember = draft.by !== null
  const applyText = (): void => {
    const pasted = parsePaste(text, { grain: draft.grain, fiscalYearStart, byMember })
    setFaults(pasted.faults)
    if (pasted.faults.length > 0) return
    onChange(applyPaste(draft, pasted))
    setText('')
    const countText = pasted.cells.length === 1 ? '1 figure' : `${pasted.cells.length} figures`
    notifications.show({ color: 'green', message: `${countText} added; save to keep` })
  }
  return (
    <div>
      <UnstyledButton fz="sm" c="var(--mantine-color-anchor)" aria-expanded={opened} onClick={disclosure.toggle}>
        {opened ? 'Close' : 'Paste from spreadsheet'}
      </UnstyledButton>
      <Collapse expanded={opened}>
        <Textarea
          mt="xs"
          label="Rows from a spreadsheet or CSV"
          description={
            byMember ? 'Item, period and amount per line, or periods in row 1' : 'Period and amount per line'
          }
          placeholder={byMember ? 'North\tJan 2026\t120 000' : 'Jan 2026\t120 000\nFeb 2026\t135 500,50'}
          rows={6}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {faults.length > 0 && <PasteErrors faults={faults} />}
        <Group mt="xs">
          <Button variant="default" disabled={text.trim() === ''} onClick={applyText}>
            Add figures
          </Button>
        </Group>
      </Collapse>
    </div>
  )
}

function PasteErrors({ faults }: { faults: readonly PasteError[] }) {
  const rest = faults.length - PASTE_ERRORS_SHOWN_MAX
  return (
    <Alert color="red" mt="xs" role="alert" title="Couldn’t add the figures">
      <List size="sm">
        {faults.slice(0, PASTE_ERRORS_SHOWN_MAX).map(({ line, message }, at) => (
          <List.Item key={at}>
            Line {line}: {message}
          </List.Item>
        ))}
      </List>
      {rest > 0 && <Text size="sm">And {rest} more</Text>}
    </Alert>
  )
}
