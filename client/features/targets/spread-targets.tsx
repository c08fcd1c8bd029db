import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { addMonths, periodEnd } from '../../../src/shared/target-periods'
import { parseAmount } from '../../../src/shared/target-paste'
import { seriesPlan } from '../../../src/shared/tracked'
import { toNumber } from '../../ui/chart/figure-format'
import { lineKey, distributeTotal } from './draft'
import type { TargetDraft } from './draft'
import { seriesQuery } from './queries'
import type { TargetSubject } from './queries'

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
          label="Spread a sum over the year"
          inputMode="decimal"
          placeholder="12 000 000"
          value={total}
          error={total.trim() !== '' && amount === null ? 'Enter a number.' : null}
          onChange={(event) => setTotal(event.currentTarget.value)}
        />
        {draft.lines.length > 1 && (
          <Select
            label="Of"
            allowDeselect={false}
            data={draft.lines.map((one) => ({
              value: lineKey(one),
              label: one.member === undefined ? 'The whole' : String(one.member ?? 'No value'),
            }))}
            value={lineKey(line)}
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
function useLastYearWeights(
  tracked: TargetSubject['monitoredMetric'],
  { draft, periods }: { draft: TargetDraft; periods: readonly string[] },
) {
  const earlier = periods.map((period) => addMonths(period, -YEAR_MONTHS))
  const [from = '', last = ''] = [earlier[0], earlier.at(-1)]
  const plan = tracked?.additive
    ? seriesPlan(tracked, { grain: draft.grain, from, to: periodEnd(last, draft.grain) })
    : null
  const { data } = useQuery({ ...seriesQuery(plan ?? EMPTY_PLAN), enabled: plan !== null })
  return plan && data ? weightsOf(data, earlier) : null
}

function weightsOf({ rows }: QueryResult, periods: readonly string[]): number[] | null {
  const values = new Map(rows.map((row) => [row[0], toNumber(row[1])]))
  const weights = periods.map((period) => Math.max(0, values.get(period) ?? 0))
  return weights.some((weight) => weight > 0) ? weights : null
}
