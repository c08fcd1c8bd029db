import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { monthsLater, periodEnd } from '../../../src/shared/target-periods'
import { readAmount } from '../../../src/shared/target-paste'
import { seriesPlan } from '../../../src/shared/tracked'
import { numeric } from '../../ui/chart/figure-format'
import { keyOf, spreadLine } from './draft'
import type { TargetDraft } from './draft'
import { shapeQuery } from './queries'
import type { TargetOf } from './queries'

interface SpreadTargetsProps {
  draft: TargetDraft
  periods: readonly string[]
  of: TargetOf
  onChange: (next: TargetDraft) => void
}
const YEAR_MONTHS = 12
const NO_PLAN: QueryPlan = { v: 1, kind: 'aggregate', measures: [], dimensions: [], filters: [] }

/** One sum for the year, spread over its periods so that they add up to it exactly. */
export function SpreadTargets({ draft, periods, of, onChange }: SpreadTargetsProps) {
  const [whole, setWhole] = useState('')
  const [key, setKey] = useState(() => keyOf(draft.lines[0] ?? { cells: {} }))
  const weights = useLastYear(of.tracked, { draft, periods })
  const line = draft.lines.find((one) => keyOf(one) === key) ?? draft.lines[0]
  const amount = readAmount(whole, draft.mark)
  if (!line || periods.length < 2) return null
  const apply = (by: readonly number[] | null): void => {
    if (amount !== null) onChange(spreadLine(draft, { key: keyOf(line), whole: amount, periods, weights: by }))
  }
  return (
    <div>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Spread a sum over the year"
          inputMode="decimal"
          placeholder="12 000 000"
          value={whole}
          error={whole.trim() !== '' && amount === null ? 'Enter a number.' : null}
          onChange={(event) => setWhole(event.currentTarget.value)}
        />
        {draft.lines.length > 1 && (
          <Select
            label="Of"
            allowDeselect={false}
            data={draft.lines.map((one) => ({
              value: keyOf(one),
              label: one.member === undefined ? 'The whole' : String(one.member ?? 'No value'),
            }))}
            value={keyOf(line)}
            onChange={(value) => setKey(value ?? key)}
          />
        )}
        <Button variant="default" disabled={amount === null} onClick={() => apply(null)}>
          Evenly
        </Button>
        <Button variant="default" disabled={amount === null || weights === null} onClick={() => apply(weights)}>
          As last year
        </Button>
      </Group>
      {weights === null && (
        <Text size="xs" c="dimmed" mt={4}>
          Last year has no figures to spread by.
        </Text>
      )}
    </div>
  )
}

/** What each period came to a year earlier; null where there is nothing to go by. */
function useLastYear(
  tracked: TargetOf['tracked'],
  { draft, periods }: { draft: TargetDraft; periods: readonly string[] },
) {
  const earlier = periods.map((period) => monthsLater(period, -YEAR_MONTHS))
  const [from = '', last = ''] = [earlier[0], earlier.at(-1)]
  const plan = tracked?.additive
    ? seriesPlan(tracked, { grain: draft.grain, from, to: periodEnd(last, draft.grain) })
    : null
  const { data } = useQuery({ ...shapeQuery(plan ?? NO_PLAN), enabled: plan !== null })
  return plan && data ? weightsOf(data, earlier) : null
}

function weightsOf({ rows }: QueryResult, periods: readonly string[]): number[] | null {
  const values = new Map(rows.map((row) => [row[0], numeric(row[1])]))
  const weights = periods.map((period) => Math.max(0, values.get(period) ?? 0))
  return weights.some((weight) => weight > 0) ? weights : null
}
